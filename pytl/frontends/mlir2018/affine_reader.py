"""Reading affine maps and integer sets, inline and by name."""

from __future__ import annotations

import re

from ...diagnostics import Source
from ...mlir.affine import AffineMap, IntegerSet, read_map
from . import rules
from .tokens import TokenReader
from .types import MapUse, SetUse

_B = r"(?:\s|//[^\r\n]*)*"
LISTS = re.compile(rf"\(([^()\[\]]*)\)({_B},)?{_B}(\[[^\[\]()]*\])?{_B}(->|:)")
"""The dimensions and symbols of a map or set, and what tells which of them it is."""
_BARE_SET = re.compile(rf"\([^()]*\){_B}(?:\[[^\[\]]*\])?{_B}:{_B}(\()")
_SINGLE = re.compile(r"\(\s*([A-Za-z][A-Za-z0-9_]*)\s*->")
_COMPARED = re.compile(r">=|==")


class AffineReader(TokenReader):
    """Reads maps and sets, and knows those that have names."""

    def __init__(self, source: Source) -> None:
        super().__init__(source)
        self.maps: dict[str, AffineMap | IntegerSet] = {}

    def map_use(self) -> MapUse:
        """An affine map, inline or by name."""
        if not self.begins("#"):
            return MapUse(self._map())
        start = self.position
        name = self.hash_name()
        map_ = self._known(name, start)
        if not isinstance(map_, AffineMap):
            self.fail_at(start, f"#{name} is an integer set, and no map")
        return MapUse(map_, name)

    def set_use(self) -> SetUse:
        """An integer set, inline or by name."""
        start = self.position
        if not self.begins("#"):
            set_ = self.map_or_set()
            if isinstance(set_, AffineMap):
                self.fail_at(start, "an integer set is expected, and no map")
            return SetUse(set_)
        name = self.hash_name()
        known = self._known(name, start)
        if not isinstance(known, IntegerSet):
            self.fail_at(start, f"#{name} is a map, and no integer set")
        return SetUse(known, name)

    def _known(self, name: str, start: int) -> AffineMap | IntegerSet:
        if name not in self.maps:
            self.fail_at(start, f"#{name} is not defined before", rules.ALIAS)
        return self.maps[name]

    def map_or_set(self) -> AffineMap | IntegerSet:
        lists = self.lookahead(LISTS)
        return self._set() if lists and lists[4] == ":" else self._map()

    def _map(self) -> AffineMap:
        single = self.lookahead(_SINGLE)
        if single:
            return self._single(single)
        lists = self.lookahead(LISTS)
        if lists and lists[2]:
            self.report_spelling("a comma stands between the dimensions and the symbols", lists.end(2) - 1)
            self.blank_out(lists.end(2) - 1, lists.end(2))
        return self.affine_map()

    def _single(self, single: re.Match[str]) -> AffineMap:
        """`(S -> floordiv(S, 4))`, which is `(S) -> (floordiv(S, 4))`."""
        start, end = single.start(), self._closing(single.start())
        inside = self.text[single.end() : end]
        map_ = read_map(f"({single[1]}) -> ({inside})", self.source.name, semi_affine=True)
        self.advance(end + 1)
        self.report_spelling(f"the map is ({single[1]}) -> ({inside.strip()})", start, end + 1)
        return map_

    def _set(self) -> IntegerSet:
        opened = self.lookahead(_BARE_SET)
        if opened:
            begin, end = opened.start(1), self._closing(opened.start(1))
            if _COMPARED.search(self.text, begin, end):
                self.report_spelling("the constraints stand in parentheses", begin)
                self.blank_out(begin, begin + 1)
                self.blank_out(end, end + 1)
        return self.affine_set()

    def _closing(self, start: int) -> int:
        """Where the parenthesis that opens at a place closes."""
        depth = 0
        for position in range(start, len(self.text)):
            depth += {"(": 1, ")": -1}.get(self.text[position], 0)
            if depth == 0:
                return position
        self.fail_at(start, "the parenthesis is not closed")
