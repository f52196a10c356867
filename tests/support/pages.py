"""A reader of pages that commands write: what they hold, and that their elements nest."""

from __future__ import annotations

from html.parser import HTMLParser


class Page(HTMLParser):
    """Refuses a page whose elements do not nest, and keeps what tests look at."""

    VOID = frozenset({"meta", "br"})

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.addresses: list[str] = []  # what a browser would fetch
        self.classes: list[str] = []
        self.n_pictures = 0
        self.text = ""
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in self.VOID:
            self.open.append(tag)
        self.n_pictures += tag == "svg"
        for name, value in attrs:
            assert value is not None or name == "open"
            match name:
                case "id":
                    self.ids.append(value or "")
                case "class":
                    self.classes.append(value or "")
                case "href" | "xlink:href":
                    self.links.append(value or "")
                case "src" | "srcset" | "action" | "data" | "poster":
                    self.addresses.append(value or "")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in self.VOID or "svg" in self.open  # HTML knows no other elements that close themselves
        super().handle_startendtag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        if tag not in self.VOID:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data

    def expect_whole(self) -> None:
        """Every link leads to a part of the page, whose names differ, and nothing is fetched."""
        assert all(link.startswith("#") and link[1:] in self.ids for link in self.links), self.links
        assert len(set(self.ids)) == len(self.ids)
        assert self.addresses == []
