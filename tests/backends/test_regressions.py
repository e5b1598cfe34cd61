"""Programs that the SYCL backend once got wrong, found by random ones and made short by hand: a file each, which says
in its first line what went wrong."""

from __future__ import annotations

from pathlib import Path

import pytest
from differential.cases import NEEDS_SYCL
from properties.test_backends import compare

import pytl

FILES = sorted((Path(__file__).parent / "regressions").glob("*.tl"))

pytestmark = [NEEDS_SYCL, pytest.mark.at_most(4)]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_what_went_wrong_once(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    assert text.startswith("; ")
    (kernel,) = pytl.compile(text).values()
    compare(kernel, seed=0)
