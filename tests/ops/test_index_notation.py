"""Index maps: reading, printing, index sets, and the character at which a mistake is reported."""

from __future__ import annotations

import pickle

import pytest

import pytl
from pytl.ops.index_notation import IndexMap, Piece

MAPS = [
    "{ji to ij}",
    "{i[k]m, m(jn) to i(jn)[k]}",
    "{_ to _}",
    "{i, i to _}",
    "{_, _ to _}",
    "{to to ot}",
    "{i to to}",
    "{(abC)d, d[e] to [e](abC)}",
]


@pytest.mark.parametrize("text", MAPS)
def test_a_map_prints_as_it_is_read(text: str) -> None:
    read = IndexMap.parse(text)
    assert str(read) == text
    assert IndexMap.parse(str(read)) == read
    assert hash(IndexMap.parse(f" {text} ")) == hash(read)
    assert pickle.loads(pickle.dumps(read)) == read


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("{ i [ k ] m , m ( j n ) to i(jn) [k] }", "{i[k]m, m(jn) to i(jn)[k]}"),
        ("{ik, ; rows and columns\n kj to ij}", "{ik, kj to ij}"),
        ("{i[k]to ik}", "{i[k] to ik}"),
    ],
)
def test_blanks_and_comments_only_separate_tokens(text: str, printed: str) -> None:
    assert str(IndexMap.parse(text)) == printed


def test_index_sets() -> None:
    map = IndexMap.parse("{bi[k]m, bm(jn)l to bi(jn)[k]l}")
    assert map.common == "b"
    assert (map.loops, map.m, map.n, map.k) == ("bk", "i", "jnl", "m")
    assert map.fused == ("jn",)
    assert map.summed == "m"
    assert map.modes_of("k") == [(0, 2), (2, 4)]
    inner = IndexMap.parse("{i[l]k, [l]kj to ij}")
    assert (inner.loops, inner.k, inner.summed) == ("l", "k", "lk")
    assert IndexMap.of("i", "i", "").summed == "i"


def test_each_letter_knows_its_place() -> None:
    text = "{i[k]m, m(jn) to\n i(jn)[k]}"
    map = IndexMap.parse(text)
    lines = text.split("\n")
    for indices in map.operands:
        for mode, name in enumerate(indices.names):
            location = indices.location_of(mode)
            assert location is not None
            assert lines[location.line - 1][location.column - 1 : location.end_column - 1] == name
    assert IndexMap.of("ij", "ji").inputs[0].location_of(0) is None
    assert Piece("k", "loop").locations == ()


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("ij to ji}", 1, "expected `{` of an index map, but found `ij`"),
        ("{ij ji}", 7, "expected `to` of an index map, but found `}`"),
        ("{ij, to to ij", 14, "expected `}` of an index map, but found the end of the text"),
        ("{i3 to i}", 3, "expected `to` of an index map, but found `3`"),
        ("{, i to i}", 2, "expected indices or _, but found `,`"),
        ("{i to }", 7, "expected indices or _, but found `}`"),
        ("{_i to i}", 3, "expected `to` of an index map, but found `i`"),
        ("{i[kl] to ikl}", 5, "one index stands in [ ]"),
        ("{i[] to i}", 4, "expected an index, but found `]`"),
        ("{i(j to ij}", 11, "expected `)` of an index map, but found `}`"),
        ("{i, j, k to ijk}", 6, "an index map has one or two inputs"),
        ("{i to i} x", 10, "expected the end of the index map, but found `x`"),
        ("{é to é}", 2, "expected indices or _, but found `é`"),
    ],
)
def test_mistakes_are_reported_at_their_character(text: str, column: int, message: str) -> None:
    with pytest.raises(pytl.LanguageError) as raised:
        IndexMap.parse(text, "map")
    (found,) = raised.value.diagnostics
    assert (found.code, found.message) == ("PYTL-0600", message)
    assert found.location is not None and (found.location.line, found.location.column) == (1, column)
