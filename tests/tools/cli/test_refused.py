"""What commands refuse: the code and message of each, and the exit code."""

from __future__ import annotations

import pytest
from cli_kit import Run

from pytl.tools.cli import main

pytestmark = pytest.mark.usefixtures("directory")


@pytest.mark.parametrize(
    ("arguments", "message", "help"),
    [
        (
            ("opt", "good.tl", "-p", "magic"),
            "error[PYTL-3001]: there is no pass `magic`",
            "the passes are amx-products, atomic-updates, canonicalize,",
        ),
        (
            ("opt", "good.tl", "-p", "stack-layout{x=1}"),
            "error[PYTL-3001]: `x=1` is not an option of stack-layout",
            "none",
        ),
        (
            ("emit", "cuda", "good.tl"),
            "error[PYTL-3011]: there is no backend `cuda`",
            "the backends are sycl, reference, mlir, arm_sme, opencl, xegpu",
        ),
        (
            ("emit", "mlir", "good.tl", "--stage", "wasm"),
            "error[PYTL-3019]: the backend mlir has no stage `wasm`",
            "its stages are mlir, llvm-dialect, llvm, asm",
        ),
        (
            ("emit", "reference", "good.tl"),
            "error[PYTL-3011]: the backend reference generates no source",
            "",
        ),
        (
            ("emit", "numba_dpex", "good.tl", "-o", "strategy=magic"),
            "error[PYTL-3012]: the option strategy is 'magic'",
            "'one-item'",
        ),
        (("emit", "numba_dpex", "good.tl", "-o", "strategy"), "error[PYTL-3031]: -o is 'strategy'", "NAME=VALUE"),
        (("run", "good.tl", "--groups", "2"), "error[PYTL-3031]: there are several functions", "@scale, @copy"),
        (
            ("run", "good.tl", "--groups", "2", "--function", "none"),
            "error[PYTL-3031]: there is no function @none",
            "@scale, @copy",
        ),
        (
            ("run", "kernels.py:good", "--groups", "-1"),
            "error[PYTL-2016]: the number of work-groups is -1",
            "the number of batch items",
        ),
        (
            ("run", "kernels.py:good", "--groups", "9223372036854775807x2"),
            "error[PYTL-2016]: 9223372036854775807 x 2 work-groups are more than 64 bits count",
            "divide the launch",
        ),
        (
            ("run", "kernels.py:good", "--groups", "1", "--backend", "cuda"),
            "error[PYTL-3011]: there is no backend `cuda`",
            "the backends are",
        ),
        (
            ("run", "kernels.py:good", "--groups", "1", "--arg", "beta=1"),
            "error[PYTL-3032]: @good has no scalar beta",
            "leave --arg out",
        ),
        (
            ("run", "good.tl", "--function", "scale", "--groups", "1", "--arg", "x=1"),
            "error[PYTL-3032]: @scale has no scalar x",
            "--arg takes one of: alpha",
        ),
        (
            ("run", "good.tl", "--function", "copy", "--groups", "1", "--dim", "nope=5"),
            "error[PYTL-3032]: @copy has no dynamic mode nope",
            "--dim takes one of: a, a.1, b, b.1",
        ),
        (
            ("run", "good.tl", "--function", "copy", "--groups", "1", "--dim", "a.0=4", "--dim", "b.2=1"),
            "error[PYTL-3032]: @copy has no dynamic mode a.0, b.2",
            "--dim takes one of: a, a.1, b, b.1",
        ),
        (
            ("tune", "good.tl", "--function", "scale", "--groups", "1", "--dim", "x=8"),
            "error[PYTL-3032]: @scale has no dynamic mode x",
            "leave --dim out",
        ),
        (
            ("run", "good.tl", "--function", "copy", "--groups", "1", "--dim", "a=²"),
            "error[PYTL-3032]: --dim is 'a=²'",
            "write --dim 16, --dim A=16 or --dim A.0=16",
        ),
        (
            ("opt", "good.tl", "-p", "specialize{"),
            "error[PYTL-3001]: the options of specialize do not end with a brace",
            "write specialize{…}",
        ),
        (
            ("run", "good.tl", "--function", "scale", "--groups", "1", "--arg", "alpha=one"),
            "error[PYTL-3032]: alpha is f32, but 'one' is given",
            "",
        ),
        (
            ("run", "good.tl", "--function", "scale", "--groups", "1", "--arg", "alpha=1e60"),
            "error[PYTL-2009]: alpha is 1e+60, which is beyond the range of f32",
            "declare alpha as f64",
        ),
        (("run", "good.tl", "--groups", "1", "--dim", "x"), "error[PYTL-3031]: there are several functions", ""),
        (
            ("run", "kernels.py:good", "--groups", "1", "--dim", "x=y"),
            "error[PYTL-3032]: --dim is 'x=y'",
            "write --dim 16, --dim A=16 or --dim A.0=16",
        ),
        (("run", "kernels.py:good", "--groups", "-1"), "error[PYTL-2016]: the number of work-groups is -1", ""),
        (
            ("run", "good.tl", "--function", "copy", "--groups", "1", "--dim", "99999999999999999"),
            "error[PYTL-3032]: there is no memory for a of 4 x 99999999999999999 elements",
            "use fewer work-groups, or smaller sizes with --dim",
        ),
        (
            ("run", "good.tl", "--function", "scale", "--backend", "reference"),
            "error[PYTL-2062]: the number of work-groups of scale is unknown",
            "give --groups N, the number of work-groups",
        ),
        (("convert", "good.tl", "--to", "foo"), "error[PYTL-3033]: there is no language `foo`", "xegpu, too"),
        (("run", "missing.tl", "--groups", "1"), "missing.tl:1:1: error[PYTL-3030]", ""),
        (("ops", "gem"), "error[PYTL-3031]: there is no instruction gem", "did you mean gemm?"),
        (("explain", "PYTL-9999"), "error[PYTL-3031]: there is no code PYTL-9999", "`pytl explain` lists all"),
    ],
)
def test_what_is_refused(arguments: tuple[str, ...], message: str, help: str, run: Run) -> None:
    (line,) = run.fails(*arguments)
    assert line.startswith(message)
    assert run.out == "" and f"{help}" in run.err
    assert "Traceback" not in run.err


@pytest.mark.parametrize("command", ["opt", "emit numba_dpex", "run --groups 1 --function first"])
def test_files_with_errors_are_not_worked_on(command: str, run: Run) -> None:
    name, *rest = command.split()
    target = [rest.pop(0)] if name == "emit" else []
    lines = run.fails(name, *target, "bad.tl", *rest)
    assert len(lines) == 4 and run.out == ""


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("magic",),
        ("tune", "good.tl"),
        ("run", "good.tl", "--groups", "1", "--seed", "-1"),
        ("check",),
        ("emit", "numba_dpex"),
    ],
)
def test_wrong_usage_ends_with_2(arguments: tuple[str, ...], capsys) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    assert "usage: pytl" in capsys.readouterr().err
