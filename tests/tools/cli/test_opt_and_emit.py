"""`pytl opt` and `pytl emit`."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli_kit import Run

pytestmark = pytest.mark.usefixtures("directory")


def test_opt(run: Run) -> None:
    plain = run("opt", "good.tl")
    assert plain.count("func @") == 2
    assert "stack" not in plain
    assert run("opt", "kernels.py:good", "-p", "canonicalize", "-p", "work-group-size").startswith("func @good(")
    assert "work_group_size" in run.out
    assert run("opt", "kernels.py:good", "-p", "canonicalize,work-group-size") == run.out
    separate = run("opt", "good.tl", "-p", "lower-collectives{vectors=true}", "-p", "work-group-size")
    assert run("opt", "good.tl", "-p", "lower-collectives{vectors=true},work-group-size") == separate
    assert "there is no pass `magic`" in "".join(run.fails("opt", "good.tl", "-p", "canonicalize,magic"))


def test_what_opt_prints_is_read_again(run: Run, directory: Path) -> None:
    (directory / "again.tl").write_text(run("opt", "good.tl"))
    assert run("opt", "again.tl") == (directory / "again.tl").read_text()


def test_emit(run: Run) -> None:
    source = run("emit", "numba_dpex", "good.tl")
    assert source.count("\ndef ") == 2 and "def scale(" in source and "def copy(" in source
    compile(source, "source", "exec")
    assert "local_id()" in run("emit", "numba_dpex", "kernels.py:good", "-o", "strategy=many-items")


def test_code_for_a_device_that_is_not_here(run: Run, directory: Path) -> None:
    (directory / "product.tl").write_text(
        "func @f(%a: memref<f32x32x32>, %b: memref<f32x32x32>, %c: memref<f32x32x32>) {\n"
        "  gemm.n.n 1.0, %a, %b, 1.0, %c\n}\n"
    )
    assert "work-items share a work-group" in run("emit", "numba_dpex", "product.tl", "--device", "pvc")
    assert "one work-item executes a work-group" in run("emit", "numba_dpex", "product.tl")
