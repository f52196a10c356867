"""The words of the page: all in one file, each of them used, and none anywhere else."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import sapper.web

if TYPE_CHECKING:
    from collections.abc import Iterator

    from driver import Driver

FOLDER = (Path(sapper.web.__file__).parent / "static").resolve()
ENGLISH = FOLDER / "words" / "english.js"
SCRIPTS = [path for path in sorted(FOLDER.rglob("*.js")) if path.parent != FOLDER / "words"]
SAID = ("data-say", "data-say-aria-label", "data-say-title", "data-say-content")

# Words, or what begins like a label.
VISIBLE = re.compile(r"[A-Za-z]{2,},? [A-Za-z]{2,}|^\s*[A-Z][a-z]|\w.*…|[✓✗⚑]")
# What the browser, the server or a file calls something: nobody reads it on the page.
NAMES = {
    *("Content-Type", "BroadcastChannel", "AbortError"),
    *(
        "Arrow",
        "ArrowLeft",
        "ArrowRight",
        "Backspace",
        "Delete",
        "End",
        "Enter",
        "Escape",
        "Home",
        "PageDown",
        "PageUp",
        "Space",
    ),
    *("forced guess", "fair guess", "extra risk", "16x16/40 first-any survey"),
}
# Fonts, selectors, media queries, names of classes, a record, and what only a developer reads.
APART = re.compile(
    r"sans-serif|\[role=|\[type=|dialog\[|\((?:max|min|prefers)-|^not all$|^sign sign-|^sapper games$"
    r"|^Sapper-Record: 1\b|^The page is of another version\.$"
)


def literals(text: str) -> Iterator[str]:
    """The strings of a script and the pieces of its templates; comments and patterns are passed over."""
    at, before = 0, ""
    depths: list[int] = []  # of braces, in every template that is open
    while at < len(text):
        if text.startswith("//", at):
            at = text.find("\n", at) % (len(text) + 1)
        elif text.startswith("/*", at):
            at = text.index("*/", at) + 2
        elif text[at] == "/" and before in "(,=:[!&|?{};>":
            at = re.compile(r"/(?:\\.|\[(?:\\.|[^\]])*\]|[^/\\])+/[a-z]*").match(text, at).end()  # type: ignore[union-attr]
            before = "/"
        elif text[at] in "\"'":
            found = re.compile(r"([\"'])((?:\\.|(?!\1).)*)\1").match(text, at)
            assert found is not None
            yield found[2]
            at, before = found.end(), '"'
        elif text[at] == "`" or (text[at] == "}" and depths and depths[-1] == 0):
            if text[at] == "}":
                depths.pop()
            end = re.compile(r"((?:\\.|(?!\$\{)[^`])*)(`|\$\{)", re.DOTALL).match(text, at + 1)
            assert end is not None
            yield end[1]
            if end[2] == "${":
                depths.append(0)
            at, before = end.end(), '"' if end[2] == "`" else "{"
        else:
            if depths and text[at] in "{}":
                depths[-1] += 1 if text[at] == "{" else -1
            before = before if text[at].isspace() else text[at]
            at += 1


def groups() -> dict[str, dict[str, str]]:
    """The keys of the file, by group, each with what stands behind it."""
    found: dict[str, dict[str, str]] = {}
    for line in ENGLISH.read_text(encoding="utf-8").partition("export const english")[2].splitlines():
        if group := re.match(r"  (\w+): \{$", line):
            found[group[1]] = {}
        elif key := re.match(r"    (\w+): (.*?),?$", line):
            known = found[list(found)[-1]]
            assert key[1] not in known, f"{key[1]} is there twice"
            known[key[1]] = key[2]
        elif re.match(r"    (\w+),", line):
            raise AssertionError(f"a key without its value: {line}")
    return found


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


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.relative_to(FOLDER).as_posix())
def test_a_script_holds_no_words_of_its_own(path: Path) -> None:
    found = [
        text
        for text in literals(path.read_text(encoding="utf-8"))
        if VISIBLE.search(text) and text not in NAMES and not APART.search(text)
    ]
    assert not found


def test_words_in_a_script_would_be_found() -> None:
    text = 'const a = /"No/; // "Never"\nsay(`${n} of ${[`Won ${b}`]} games won`, "Undo", "x.y", \'it is\');'
    assert [one for one in literals(text) if VISIBLE.search(one)] == ["Won ", " games won", "Undo", "it is"]


def test_every_word_is_used_and_every_used_word_is_there() -> None:
    there = {(group, key) for group, keys in groups().items() for key in keys}
    scripts = "\n".join(path.read_text(encoding="utf-8") for path in SCRIPTS)
    page = (FOLDER / "index.html").read_text(encoding="utf-8")
    used = set(re.findall(r"\bsay\.(\w+)\.(\w+)", scripts))
    used |= {("page", key) for name in SAID for key in re.findall(rf'\s{name}="(\w+)"', page)}
    assert used - there == set()
    assert there - used == set()


def test_the_page_says_the_same_before_its_scripts_run() -> None:
    reader = Words()
    reader.feed((FOLDER / "index.html").read_text(encoding="utf-8"))
    assert len(reader.said) > 15
    english = {key: json.loads(value) for key, value in groups()["page"].items()}
    for key, words in reader.said:
        assert key is not None, f"no key: {words}"
        assert english[key] == words


@pytest.mark.browser
def test_another_language_replaces_every_word_of_the_page(desk: Driver) -> None:
    """A language of capital letters stands for one that nobody has written yet."""
    text = ENGLISH.read_text(encoding="utf-8")
    start, end = text.index("  page: {"), text.index("  common: {")
    loud = text[:start] + re.sub(r'"[^"]+"', lambda found: found[0].upper(), text[start:end]) + text[end:]
    desk.page.route("**/words/english.js", lambda route: route.fulfill(body=loud, content_type="text/javascript"))
    desk.visit("play")
    reader = Words()
    reader.feed(re.sub(r"(?s)<main.*?</main>", "", desk.page.content()))
    said = [words for key, words in reader.said if key is not None]
    assert len(said) > 15
    assert [words for words in said if words != words.upper()] == []
