"""Help pages: plain text that fits the terminal, from what typer knows of a command.

The purpose comes first, then the usage, arguments and options with their values, and examples to copy. Only typer is
imported, so that help starts quickly.
"""

from __future__ import annotations

import inspect
import os
import re
import shutil
import sys
import textwrap
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


WIDEST = 100  # longer lines are hard to read
_WIDEST_NAME = 26  # a longer name of an option gets its own line
_EXAMPLE = re.compile(r"Example: (.*)", re.DOTALL)
_VALUES = {int: "N", float: "NUMBER", str: "TEXT"}
_NUMBERS: dict[str, type] = {"int": int, "integer": int, "float": float}
_HARD_SPACE = "\xa0"  # no line breaks here


def width_of_help() -> int:
    """Return the width of a page: that of the terminal, within limits."""
    return max(40, min(WIDEST, shutil.get_terminal_size().columns))


def heading(text: str) -> str:
    """Return a heading, in bold on a terminal."""
    bold = sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return f"\x1b[1m{text}\x1b[0m" if bold else text


def examples_of(doc: str | None) -> list[str]:
    r"""Return the examples in a docstring, each as it would be typed.

    >>> examples_of("Draw it.\n\nExample: sapper show '1#'\n\nExample: sapper show a.pos\n    --json")
    ["sapper show '1#'", 'sapper show a.pos --json']
    """
    found = (_EXAMPLE.fullmatch(paragraph) for paragraph in _paragraphs(doc))
    return [" ".join(match[1].split()) for match in found if match is not None]


def type_of(parameter: Any) -> type:
    """Return the type of an option's value; of a list, that of its values."""
    # Typer calls them "int", "int range", "float range" and so on.
    return _NUMBERS.get(parameter.type.name.partition(" ")[0], str)


def page_of(path: str, doc: str | None, parameters: Sequence[Any], width: int | None = None) -> str:
    """Return the help page of a command that is called by this path, such as ``sapper show``."""
    width = width or width_of_help()
    paragraphs = [" ".join(text.split()) for text in _paragraphs(doc) if not _EXAMPLE.fullmatch(text)]
    arguments = [one for one in parameters if one.param_type_name == "argument" and not one.hidden]
    options = [one for one in parameters if one.param_type_name == "option" and not one.hidden]
    usage = " ".join([path, *map(_in_usage, arguments), "[OPTIONS]"])
    parts = [_fill(text, width) for text in paragraphs[:1]]
    parts.append(f"{heading('Usage:')} {usage}")
    parts += [_fill(text, width) for text in paragraphs[1:]]
    if arguments:
        parts.append(columns("Arguments:", ((_name_argument(one), _explain(one)) for one in arguments), width))
    parts.append(columns("Options:", ((_name_option(one), _explain(one)) for one in options), width))
    examples = examples_of(doc)
    if examples:
        title = "Example:" if len(examples) == 1 else "Examples:"
        parts.append("\n".join([heading(title), *(f"  {text}" for text in examples)]))
    return "\n\n".join(parts)


def columns(title: str, rows: Iterable[tuple[str, str]], width: int, least: int = 0) -> str:
    """Return names and their meanings in two columns below a heading; a long name gets its own line."""
    listed = list(rows)
    across = max([least, *(len(name) for name, _ in listed if len(name) <= _WIDEST_NAME)])
    lines = [heading(title)]
    for name, meaning in listed:
        start = f"  {name:<{across}}  "
        if len(name) > across:
            lines.append(f"  {name}")
            start = " " * (across + 4)
        lines.append(_fill(meaning, width, start, " " * (across + 4)))
    return "\n".join(lines)


def _fill(text: str, width: int, start: str = "", below: str = "") -> str:
    """Break lines at spaces only, so that an option such as --no-guess stays whole."""
    filled = textwrap.fill(
        text, width, initial_indent=start, subsequent_indent=below, break_on_hyphens=False, break_long_words=False
    )
    return filled.replace(_HARD_SPACE, " ")


def _paragraphs(doc: str | None) -> list[str]:
    return [text for text in inspect.cleandoc(doc or "").split("\n\n") if text.strip()]


def _name_argument(argument: Any) -> str:
    name = argument.metavar or argument.name.upper()
    return str(name).strip("[]")


def _in_usage(argument: Any) -> str:
    name = _name_argument(argument)
    return name if argument.required else f"[{name}]"


def _name_option(option: Any) -> str:
    names = " / ".join([*option.opts, *option.secondary_opts])
    if option.is_flag:
        return names
    return f"{names} {option.metavar or _VALUES[type_of(option)]}"


def _explain(parameter: Any) -> str:
    help_text = " ".join((parameter.help or "").split())
    default = _default_of(parameter)
    return f"{help_text} (default:{_HARD_SPACE}{default.replace(' ', _HARD_SPACE)})".strip() if default else help_text


def _default_of(parameter: Any) -> str:
    shown, default = parameter.show_default, parameter.default
    if isinstance(shown, str):
        return shown
    if not shown or default is None or default == "" or callable(default) or parameter.required:
        return ""
    if getattr(parameter, "is_flag", False):
        names = parameter.opts if default else parameter.secondary_opts
        return names[0].removeprefix("--") if parameter.secondary_opts else ""
    if isinstance(default, int):
        return f"{default:,}"
    return f"{default:g}" if isinstance(default, float) else str(default)
