"""README's table of what each extra adds to an installation, beside what is installed here."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, distribution

import pytest
from launch_kit import ROOT, needs_sycl
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

LIGHT = {"numba-dpex": {"dpnp"}}
"""What `install.py` leaves out of a package's requirements, unless the extra `dpnp` is asked for."""


def closure(requirements: Iterable[str], without: dict[str, set[str]]) -> set[str]:
    """The distributions that pip installs for requirements; raises where one of them is not installed."""
    todo = [(Requirement(text), "") for text in requirements]
    seen: set[tuple[str, str]] = set()
    while todo:
        requirement, extra = todo.pop()
        if requirement.marker and not requirement.marker.evaluate({"extra": extra}):
            continue
        name = canonicalize_name(requirement.name)
        for wanted in ("", *requirement.extras):
            if (name, wanted) in seen:
                continue
            seen.add((name, wanted))
            further = map(Requirement, distribution(name).requires or [])
            todo += [(each, wanted) for each in further if canonicalize_name(each.name) not in without.get(name, ())]
    return {name for name, _ in seen}


def resolved(extras: dict[str, list[str]], name: str) -> list[str]:
    """The requirements of an extra, and of those of pytl's extras that it takes in."""
    own = [(text, re.fullmatch(r"pytl\[(\w+)\]", text)) for text in extras[name]]
    return [one for text, other in own for one in (resolved(extras, other[1]) if other else [text])]


def megabytes(names: Iterable[str]) -> float:
    """The size of what pip unpacks, without what Python compiles of it: that depends on what was imported."""
    files = {file.locate() for name in names for file in distribution(name).files or []}
    return sum(file.stat().st_size for file in map(type(ROOT), files) if file.suffix != ".pyc" and file.exists()) / 1e6


@needs_sycl
@pytest.mark.needs_numba_dpex
@pytest.mark.skipif(sys.version_info[:2] != (3, 11), reason="the table was measured on Python 3.11")
def test_the_table_of_weights() -> None:
    """Within a tenth and 5 MB, for releases differ; extras that are not installed here can't be looked at."""
    rows = dict(re.findall(r"^\| `([\w-]+)` \| ([\d,]+) \|", (ROOT / "README.md").read_text("utf-8"), re.MULTILINE))
    told = {name: float(size.replace(",", "")) for name, size in rows.items()}
    tomllib = pytest.importorskip("tomllib")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    assert set(told) - {"pytl"} == {name for name in extras if not name.startswith("bench-")}
    base = closure([*project["dependencies"], "numba-dpex"], LIGHT)
    found = {"pytl": megabytes(base)}
    for extra in sorted(set(told) - {"pytl"}):
        try:
            added = closure(resolved(extras, extra), {} if extra == "dpnp" else LIGHT) - base
        except PackageNotFoundError:
            continue
        found[extra] = megabytes(added)
    assert {"pytl", "examples"} <= set(found)
    wrong = {name: (told[name], round(size)) for name, size in found.items() if abs(told[name] - size) > size / 10 + 5}
    assert wrong == {}
