"""`pytl run`: checksums of what it computes, and the arguments that it makes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from cli_kit import Run
from launch_kit import ROOT, has_sycl

from pytl.tools.cli import main

pytestmark = pytest.mark.usefixtures("directory")


def checksum(text: str) -> str:
    last = text.splitlines()[-1]
    assert last.startswith("checksum ")
    return last


BACKENDS = ["reference", *(["sycl"] if has_sycl else [])]
ELEMENTS = ["i8", "i16", "i32", "i64", "index", "bf16", "f16", "f32", "f64", "c32", "c64"]


@pytest.mark.at_most(1)
@pytest.mark.parametrize("element", ELEMENTS)
def test_checksums_of_every_element_type(element: str, run: Run, directory: Path) -> None:
    one = "[1.0, 0.5]" if element[0] == "c" else "1.0" if element[0] in "bf" else "1"
    (directory / "sum.tl").write_text(
        f"func @sum(%s: {element}, %a: memref<{element}x5x?>, %b: group<memref<{element}x5>x?>,\n"
        f"          %c: memref<{element}x5x?>) {{\n"
        "    %g = builtin.group_id : index\n    %zero = constant 0 : index\n"
        f"    %one = constant {one} : {element}\n"
        f"    %x = load %b[%g] : memref<{element}x5>\n"
        f"    %y = subview %a[0:5,%g] : memref<{element}x5>\n    %z = subview %c[0:5,%g] : memref<{element}x5>\n"
        "    axpby.n %one, %x, %s, %z\n    axpby.n %one, %y, %one, %z\n}\n"
    )
    sums = {
        checksum(run("run", "sum.tl", "--groups", "7", "--seed", "3", "--backend", backend)) for backend in BACKENDS
    }
    assert len(sums) == 1
    (line,) = sums
    assert re.fullmatch(r"checksum a=\S+ b=\S+ c=\S+", line)


def test_seeds_and_defaults(run: Run) -> None:
    def scaled(*more: str) -> str:
        return checksum(run("run", "good.tl", "--function", "scale", "--groups", "1", "--backend", "reference", *more))

    assert scaled() == scaled("--seed", "0") == scaled()
    assert scaled("--seed", "1") != scaled()
    assert scaled("--arg", "alpha=0") == "checksum x=0"


def test_dims(run: Run) -> None:
    first = run("run", "good.tl", "--function", "copy", "--groups", "3", "--backend", "reference")
    assert re.fullmatch(r"@copy: 3 work-groups in \d+\.\d{3} s, compilation included", first.splitlines()[0])
    same = run("run", "good.tl", "--function", "copy", "--groups", "1", "--backend", "reference", "--dim", "3")
    assert checksum(same) == checksum(first)
    both = ("--dim", "a.1=3", "--dim", "b=3")
    named = run("run", "good.tl", "--function", "copy", "--groups", "1", "--backend", "reference", *both)
    assert checksum(named) == checksum(first)


def test_no_data_is_made_for_dynamic_modes_behind_an_offset(run: Run, directory: Path) -> None:
    text = "func @f(%g: group<memref<f32x?x4>x4, offset: 3>) { parallel {} }"
    (directory / "group.tl").write_text(text)
    (line,) = run.fails("run", "group.tl", "--groups", "1", "--backend", "reference", "--dim", "2")
    assert line.startswith("error[PYTL-2012]: memref<f32x?x4> of g has dynamic modes")


@pytest.mark.parametrize("backend", BACKENDS)
def test_the_readmes_kernel(backend: str, run: Run, directory: Path) -> None:
    example = str(ROOT / "examples/fused_kernel.py")
    from_python = checksum(run("run", f"{example}:fused", "--groups", "20", "--seed", "5", "--backend", backend))
    (directory / "fused.tl").write_text(run("opt", f"{example}:fused"))
    from_text = checksum(run("run", "fused.tl", "--groups", "20", "--seed", "5", "--backend", "reference"))
    assert from_python == from_text
    assert re.fullmatch(r"checksum A=\S+ B=\S+ C=\S+ D=\S+", from_text)


def test_no_arrays_and_no_groups(run: Run, directory: Path) -> None:
    (directory / "nothing.tl").write_text("func @f(%n: i32, %t: bool) {}")
    assert checksum(run("run", "nothing.tl", "--groups", "2", "--backend", "reference")) == "checksum of no arrays"
    assert checksum(run("run", "good.tl", "--function", "copy", "--groups", "0", "--backend", "reference")) == (
        "checksum a=0 b=0"
    )


def test_sizes_and_truth_values_that_are_named(tmp_path: Path, capsys) -> None:
    file = tmp_path / "a.tl"
    file.write_text(
        "func @f(%p: bool, %g: group<memref<f32x4>x?, offset: ?>) {\n  %id = builtin.group_id : index\n"
        "  %v = load %g[%id] : memref<f32x4>\n  if %p { axpby.n 1.0, %v, 1.0, %v }\n}"
    )
    command = ["run", str(file), "--groups", "2", "--backend", "reference"]
    for right in (["--dim", "g.offset=3", "--arg", "p=true"], ["--arg", "p=0"]):
        assert main([*command, *right]) == 0
        assert "checksum g=" in capsys.readouterr().out
    for wrong, message in {
        ("--arg", "p=maybe"): "p is bool, but 'maybe' is given",
        ("--dim", "g=3"): "@f has no dynamic mode g",
        ("--dim", "g.0=3"): "@f has no dynamic mode g.0",
    }.items():
        assert main([*command, *wrong]) == 1
        assert message in capsys.readouterr().err


def test_arrays_begin_where_the_parameters_say(run: Run, directory: Path) -> None:
    """The alignment of memrefs and of each item of a group, which launches check."""
    (directory / "aligned.tl").write_text(
        "func @f(%a: memref<f32x3x?>{alignment=256}, %g: group<memref<f32x3>x?>{alignment=128}) {\n"
        "  %i = builtin.group_id : index\n  %v = load %g[%i] : memref<f32x3>\n"
        "  %w = subview %a[0:3, %i] : memref<f32x3>\n  %one = constant 1.0 : f32\n"
        "  axpby.n %one, %w, %one, %v\n}"
    )
    assert "checksum" in run("run", "aligned.tl", "--groups", "5", "--backend", "reference")


def test_sizes_by_which_modes_overlap_are_told(run: Run, directory: Path) -> None:
    text = "func @f(%A: memref<f32x?x?,strided<1,16>>) {\n    axpby.n 1.0, %A, 1.0, %A\n}\n"
    (directory / "f.tl").write_text(text)
    run("run", "f.tl", "--groups", "1", "--dim", "32", "--backend", "reference", code=1)
    printed = run.out + run.err
    assert "the elements of A overlap: memref<f32x?x?,strided<1,16>> has the stride 16 for a mode, and 32" in printed
    assert "take at most 16 elements, or declare a stride of at least 32" in printed
