"""The words of the page: all in one file, each of them used, and none anywhere else."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import TYPE_CHECKING

import pytest

from sapper.web.http.static import SCRIPT, read_site

if TYPE_CHECKING:
    from driver import Driver


class Words(HTMLParser):
    """What index.html says: its texts and attributes, each with the key that it gives."""

    def __init__(self) -> None:
        super().__init__()
        self.said: list[tuple[str | None, str]] = []
        self._open: list[tuple[str, str | None]] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        given = dict(attributes)
        for name in ("aria-label", "title"):
            if given.get(name):
                self.said.append((given.get(f"data-say-{name}"), given[name] or ""))
        if given.get("name") == "description":
            self.said.append((given.get("data-say-content"), given["content"] or ""))
        if tag not in {"meta", "link", "img", "use"}:
            self._open.append((tag, given.get("data-say")))

    def handle_endtag(self, tag: str) -> None:
        if self._open and self._open[-1][0] == tag:
            self._open.pop()

    def handle_data(self, data: str) -> None:
        # Without scripts nothing can be replaced, and the name of the program is the same in every language.
        if data.strip() not in {"", "Sapper"} and not any(tag == "noscript" for tag, _ in self._open):
            self.said.append((self._open[-1][1], data.strip()))


@pytest.mark.browser
def test_another_language_replaces_every_word_of_the_page(desk: Driver) -> None:
    """A language of capital letters stands for one that nobody has written yet."""
    text = read_site().files[SCRIPT].data.decode("utf-8")
    start, end = text.index("  page: {"), text.index("  common: {")
    loud = text[:start] + re.sub(r'"[^"]+"', lambda found: found[0].upper(), text[start:end]) + text[end:]
    desk.page.route(f"**/{SCRIPT}", lambda route: route.fulfill(body=loud, content_type="text/javascript"))
    desk.visit("play")
    reader = Words()
    reader.feed(re.sub(r"(?s)<main.*?</main>", "", desk.page.content()))
    said = [words for key, words in reader.said if key is not None]
    assert len(said) > 15
    assert [words for words in said if words != words.upper()] == []
