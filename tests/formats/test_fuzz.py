"""Whatever bytes a reader is given, it answers with a value or with one sentence."""

import re

import pytest
from effort import times
from hypothesis import example, given, settings
from hypothesis import strategies as st

from sapper.errors import FormatError, InputError
from sapper.formats import FORMATS, Content, Format, Replay, csp

VALID = {
    "mbf": [bytes([3, 2, 0, 2, 0, 0, 2, 1]), bytes([1, 1, 0, 0])],
    "mine": [b"3x2x2\n1HF\n?H0\n", b"1x1x0\r\n0\r\n"],
    "ptta": [b"b=32&m=cg", b"?b=1&m=00000000000000000", b"https://example.org/a?b=0210&m=000g"],
    "tatham": [b"4x3:3,0,u840", b"2x2n1:1,1,u8\n"],
    "rawvf": [
        b"Player: Ada\nWidth: 2\nHeight: 2\nMines: 1\nSquareSize: 8\nBoard:\n*0\n00\nEvents:\n0.000 start\n"
        b"0.000 lc 2 1 (9 3)\n0.120 mv 0 1 (-3 3)\n0.130 lr 1 2\nnumber1 2 1\n",
        b"Board:\n00\n0.01 mv (1 1) (l)\n",
    ],
    "csp": [b"# one\n2 2 1 -1 1\n1 1\n", b"1 2 0 0 -1"],
    "position": [b"1#F/*.# 2 torus withheld:0.3\n", b"01\n1# 1\n", b"#"],
    "layout": [b"*-/--\n", b"-*\r\n--\r\n"],
}
# What means something to one reader or another is more likely to slip through than any byte.
TELLING = [
    b"\n",
    b"\r\n",
    b" ",
    b"-",
    b"/",
    b":",
    b"#",
    b"x",
    b"*",
    b"0",
    b"9",
    b"8" * 20,
    b"=",
    b"&",
    b"?",
    b"\xff",
    b"\0",
]
PIECES = st.one_of(
    st.sampled_from(TELLING), st.binary(min_size=1, max_size=3), st.sampled_from(["٣", "²", "①", "é"]).map(str.encode)
)


@st.composite
def mutations(draw: st.DrawFn, valid: list[bytes]) -> bytes:
    data = draw(st.sampled_from(valid))
    for _ in range(draw(st.integers(1, 4))):
        start, end = sorted(draw(st.tuples(*[st.integers(0, len(data))] * 2)))
        kind = draw(st.sampled_from(["truncate", "replace", "insert", "repeat", "remove", "flip"]))
        if kind == "truncate":
            data = data[:end]
        elif kind == "replace":
            data = data[:start] + draw(PIECES) + data[end:]
        elif kind == "insert":
            data = data[:start] + draw(PIECES) + data[start:]
        elif kind == "repeat":
            data = data[:end] + data[start:end] + data[end:]
        elif kind == "remove":
            data = data[:start] + data[end:]
        elif data:
            place = draw(st.integers(0, len(data) - 1))
            data = data[:place] + bytes([data[place] ^ (1 << draw(st.integers(0, 7)))]) + data[place + 1 :]
    return data


def check_answer(entry: Format, data: bytes) -> None:
    try:
        content = entry.read(data)
    except InputError as error:
        check_sentence(str(error))
        return
    assert isinstance(content, entry.carries)
    check_return(entry, content)


def check_sentence(sentence: str) -> None:
    assert re.match(r"[A-Z0-9'\"]", sentence)
    assert sentence.endswith(".")
    assert "\n" not in sentence


def check_return(entry: Format, content: Content) -> None:
    """What was read can be written, and is the same when it is read again."""
    try:
        again = entry.read(entry.write(content))
    except FormatError as error:
        pytest.fail(f"{entry.name} cannot write what it has read: {error}")
    if isinstance(content, Replay):
        # The writer adds what the header left out.
        assert isinstance(again, Replay)
        assert set(content.header) <= set(again.header)
        assert (again.layout, again.events) == (content.layout, content.events)
    else:
        assert again == content


@pytest.mark.parametrize("entry", FORMATS.values(), ids=lambda entry: entry.name)
def test_the_valid_files_are_valid(entry: Format) -> None:
    for data in VALID[entry.name]:
        check_return(entry, entry.read(data))


@pytest.mark.parametrize("entry", FORMATS.values(), ids=lambda entry: entry.name)
@settings(max_examples=times(25, 100), deadline=None)
@given(data=st.binary(max_size=60))
@example(data=b"")
@example(data=b"\0" * 100)
@example(data=b"9" * 5000)
@example(data=b"999999999x999999999x999999999\n")
@example(data="b=٣٣&m=0".encode())
def test_any_bytes_give_a_value_or_a_sentence(entry: Format, data: bytes) -> None:
    check_answer(entry, data)


@pytest.mark.parametrize("entry", FORMATS.values(), ids=lambda entry: entry.name)
@settings(max_examples=times(40, 200), deadline=None)
@given(choices=st.data())
def test_damaged_files_give_a_value_or_a_sentence(entry: Format, choices: st.DataObject) -> None:
    check_answer(entry, choices.draw(mutations(VALID[entry.name])))


@pytest.mark.parametrize("entry", FORMATS.values(), ids=lambda entry: entry.name)
def test_every_beginning_of_a_valid_file_gives_a_value_or_a_sentence(entry: Format) -> None:
    for valid in VALID[entry.name]:
        for length in range(len(valid)):
            check_answer(entry, valid[:length])


@pytest.mark.parametrize("entry", FORMATS.values(), ids=lambda entry: entry.name)
def test_files_of_another_format_give_a_value_or_a_sentence(entry: Format) -> None:
    for files in VALID.values():
        for data in files:
            check_answer(entry, data)


@pytest.mark.parametrize("entry", FORMATS.values(), ids=lambda entry: entry.name)
@pytest.mark.parametrize("data", [b"9" * 5000, b"?" * 5000, b"b=" + b"1" * 5000 + b"&m=0", b"0 " * 5000])
def test_a_sentence_stays_short_however_long_the_file_is(entry: Format, data: bytes) -> None:
    with pytest.raises(InputError) as caught:
        entry.read(data)
    assert len(str(caught.value)) < 200


@settings(max_examples=times(40, 200), deadline=None)
@given(choices=st.data())
def test_damaged_files_of_several_puzzles_give_values_or_a_sentence(choices: st.DataObject) -> None:
    data = choices.draw(mutations([b"".join(VALID["csp"]) + b"\n", b"1 1 0 0\n# next\n1 1 1 -1"]))
    try:
        puzzles = csp.read_all(data)
    except InputError as error:
        check_sentence(str(error))
    else:
        assert csp.read_all(b"#\n" + b"".join(map(csp.write, puzzles))) == puzzles
