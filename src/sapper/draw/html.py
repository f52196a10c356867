"""A page in one file: what its pictures and words stand in."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


def html_page(title: str, style: str, body: Iterable[str], allowed: str) -> str:
    """Return a page that follows the reader's light or dark setting and fetches nothing.

    ``allowed`` says what the page may have within itself beside its style, in the words of a Content-Security-Policy.

    >>> print(html_page("A & B", "p { margin: 0 }", ["<p>Hello</p>"], "img-src data:"))
    <!DOCTYPE html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
    <meta name="color-scheme" content="light dark">
    <title>A &amp; B</title>
    <style>p { margin: 0 }</style>
    </head>
    <body>
    <p>Hello</p>
    </body>
    </html>
    <BLANKLINE>
    """
    lines = [
        "<!DOCTYPE html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        # Nothing is ever fetched, and the browser is told so.
        '<meta http-equiv="Content-Security-Policy" '
        f"content=\"default-src 'none'; style-src 'unsafe-inline'; {allowed}\">",
        '<meta name="color-scheme" content="light dark">',
        f"<title>{escape(title)}</title>",
        f"<style>{style}</style>",
        "</head>",
        "<body>",
        *body,
        "</body>",
        "</html>",
    ]
    return "\n".join(lines) + "\n"
