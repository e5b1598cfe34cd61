"""The command line: `python -m pytl`, also installed as `pytl`."""

from __future__ import annotations

import argparse
import importlib
import os
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, NoReturn

from ..backends.registry import import_backends
from ..backends.rules import INFERRED
from ..diagnostics import Diagnostic, Diagnostics, LaunchError, PytlError, Rule, all_rules, find, render, render_line
from ..diagnostics.quoting import visible
from ..frontends.registry import DEFAULT, find_frontend, import_frontends
from ..ir.values import Module
from ..kernels.ahead import build
from ..kernels.kernel import Kernel
from ..kernels.kernel import compile as compile_module
from ..kernels.tensor_kernel import as_called
from ..passes import Pipeline, find_pass, import_passes, pass_names
from ..passes.dumps import DUMPS, dump
from ..passes.targets.machine import HOST, machine_words
from ..passes.targets.spmd import device_words
from .cli_cache import add_commands as add_cache_commands
from .cli_files import File, problem_of, read_file, read_kernels, text_of, translate
from .tuning import tune

CHOICE = Rule("PYTL-3031", "what a command names exists", "Command line")


class _Failed(Exception):
    """Ends a command whose diagnostics have been printed."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; returns the exit code: 0, or 1 if there was an error."""
    options = make_parser().parse_args(arguments)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # not where a program has put something else in its place
            stream.reconfigure(errors="backslashreplace")
    try:
        code = options.command(options)
        if sys.stdout is not None:  # a process may be started without one
            sys.stdout.flush()
        return code
    except _Failed:
        return 1
    except PytlError as error:
        _show(error.diagnostics, sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    except OSError as error:
        if error.filename is not None:
            raise
        # Python is not to flush the rest when it ends
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(error, BrokenPipeError):  # the reader of the output has ended, as in `| head`
            _show(problem_of("<stdout>", f"the output cannot be written: {error.strerror}").diagnostics, sys.stderr)
        return 1


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        super().error(visible(message))


def _version() -> str:
    from .. import __version__  # the package itself is imported when this module is

    return __version__


def make_parser() -> argparse.ArgumentParser:
    """The commands with their arguments."""
    parser = _Parser("pytl", description="A tensor language in Python.")
    parser.add_argument("--version", action="version", version=f"pytl {_version()}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def command(name: str, run: Callable[[Any], int], help: str) -> argparse.ArgumentParser:
        added = commands.add_parser(name, help=help, description=help[0].upper() + help[1:] + ".")
        added.set_defaults(command=run)
        return added

    _add_translations(command)
    _add_launches(command)
    _add_build(command)
    ops = command("ops", _ops, "the reference of the instructions")
    ops.add_argument("name", nargs="?", metavar="NAME")
    _add_explain(command)
    devices = command("devices", _devices, "what there is to launch on")
    devices.add_argument("--verbose", action="store_true", help="and what compiles kernels, with its versions")
    cache = "the compiled kernels that are kept on disk, and what was tuned"
    add_cache_commands(commands.add_parser("cache", help=cache, description=f"{cache.capitalize()}."))
    return parser


_Add = Callable[[str, Callable[[Any], int], str], argparse.ArgumentParser]


def _add_translations(command: _Add) -> None:
    """The commands that say what is in a file: its errors, and its kernels in other forms."""
    check = command("check", _check, "parse and verify files")
    check.add_argument(
        "files", nargs="+", metavar="FILE", help="a text, FILE.py or FILE.py:EXPRESSION; - is standard input"
    )
    check.add_argument("--strict", action="store_true", help="refuse spellings that are read, but are not canonical")
    convert = command("convert", _convert, "print a file in another language")
    convert.add_argument("file", metavar="FILE", help="a text, FILE.py or FILE.py:EXPRESSION")
    to = "the language (default: tensor); linalg, on tensors, or xegpu, of MLIR 22; of MLIR of 2018 also mlir: today's"
    convert.add_argument("--to", metavar="LANGUAGE", default=DEFAULT, help=to)
    opt = command("opt", _opt, "print the IR after passes")
    opt.add_argument("file", metavar="FILE")
    opt.add_argument(
        "-p",
        "--pass",
        dest="passes",
        action="append",
        default=[],
        help="one or more, joined by commas: " + "; ".join(pass_names()),
    )
    opt.add_argument(
        "--dump",
        action="append",
        default=[],
        choices=list(DUMPS),
        help="print what analyses know after the passes, in the place of the IR: "
        + "; ".join(f"{name}, {title}" for name, (title, _) in DUMPS.items()),
    )
    opt.add_argument(
        "--internal", action="store_true", help="read instructions that passes write (cpu.…, check.…), too"
    )
    emit = command("emit", _emit, "print the source that a backend generates")
    emit.add_argument("target", metavar="TARGET", help="numba_dpex, mlir, arm_sme or xegpu; or spirv, with -o FILE")
    emit.add_argument("file", metavar="FILE", help="a text, FILE.py or FILE.py:EXPRESSION")
    emit.add_argument(
        "-o",
        "--option",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="an option of the backend; of spirv also the file that is written, its interface beside it as JSON",
    )
    emit.add_argument(
        "--stage",
        metavar="STAGE",
        help="of numba_dpex and opencl python, llvm, spirv or asm; of mlir and arm_sme mlir, llvm-dialect, llvm or "
        "asm; of xegpu xegpu, xevm, llvm or spirv; the first if left out",
    )
    emit.add_argument("--function", metavar="NAME", help="the one function that is printed or written")
    emit.add_argument("--chip", metavar="CHIP", help="of xegpu the processor: pvc or bmg")
    emit.add_argument(
        "--machine", metavar="NAME", help=f"of vector code the processor that it is for: {', '.join(machine_words())}"
    )
    emit.add_argument(
        "--device",
        metavar="NAME",
        help="of numba_dpex and opencl the device of many work-items that it is for, which need not be here: "
        + ", ".join(device_words()),
    )
    for each in (check, convert, opt, emit):
        _add_language(each)


def _add_launches(command: _Add) -> None:
    """The commands that launch a function on random data."""
    run = command("run", _run, "run a function on random data and print a checksum of every array")
    tune = command("tune", _tune, "find the fastest options for a function on random data, for launches to use")
    for each in (run, tune):
        each.add_argument("file", metavar="FILE")
        each.add_argument("--function", metavar="NAME", help="the function; may be left out where there is one only")
        default_note = "" if each is tune else "; as many as the arguments tell, as kernel[...] does, if left out"
        each.add_argument(
            "--groups",
            type=_groups,
            required=each is tune,
            metavar="N",
            help=f"the number of work-groups; 4x2x1 of those along x, y and z{default_note}",
        )
        each.add_argument("--seed", type=_natural, default=0, help="of the random data (default: 0)")
        each.add_argument("--backend", help="sycl, opencl, reference, mlir or arm_sme")
        each.add_argument(
            "--dim",
            action="append",
            default=[],
            metavar="[PARAMETER[.MODE]=]N",
            help="the size of dynamic modes other than the last, which is as long as there are work-groups",
        )
        each.add_argument(
            "--arg", action="append", default=[], metavar="PARAMETER=NUMBER", help="the value of a scalar"
        )
        _add_language(each)
    tune.add_argument("--budget", type=float, default=10.0, metavar="SECONDS", help="with what is built (default: 10)")


def _add_explain(command: _Add) -> None:
    """The command that explains a code of diagnostics, or the vector code of kernels."""
    explain = command("explain", _explain, "what a diagnostic code means, or what the inner loops of kernels execute")
    explain.add_argument(
        "subject",
        nargs="?",
        metavar="CODE|FILE",
        help="a code such as PYTL-0330, all codes where it is left out; or a text, FILE.py or FILE.py:EXPRESSION",
    )
    explain.add_argument("--function", metavar="NAME", help="the one function that is explained")
    explain.add_argument("--backend", default="sycl", help="sycl, opencl or mlir (default: sycl)")
    explain.add_argument(
        "--machine",
        metavar="NAME",
        default=HOST,
        help=f"the processor: {', '.join(machine_words())} (default: {HOST})",
    )
    explain.add_argument("--no-assembly", action="store_true", help="do not look for the loops in the assembly")
    explain.add_argument(
        "-o", "--option", action="append", default=[], metavar="NAME=VALUE", help="an option of the backend"
    )
    _add_language(explain)


def _add_build(command: _Add) -> None:
    """The command that compiles ahead of time."""
    build = command("build", _build, "compile kernels ahead of time, into a folder that pytl.load reads")
    build.add_argument(
        "kernels",
        nargs="+",
        metavar="[NAME=]KERNEL",
        help="MODULE:EXPRESSION, FILE.py:EXPRESSION, or all kernels of a MODULE, of FILE.py or of a text; those of one "
        "NAME are a kernel and its specializations",
    )
    build.add_argument("-o", "--output", required=True, metavar="DIR", help="the folder")
    build.add_argument(
        "--device",
        action="append",
        default=[],
        metavar="KIND",
        help="cpu, cpu:32 or cpu:16, with the bytes of vector registers, integrated, bmg, pvc, or gpu for all that are "
        "no processors (default: cpu)",
    )
    build.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="an option of the backend")
    _add_language(build)


def _add_language(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--language",
        metavar="LANGUAGE",
        help="of a text; that of its first line or the file's ending if left out, or tensor where neither says any",
    )
    command.add_argument(
        "-D",
        "--define",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="the value of a compile-time variable $NAME of the dialect 0.4, such as ty=f32",
    )


def _natural(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 0 on")
    return int(text)


def _check(options: Any) -> int:
    failed = False
    for name in options.files:
        try:
            diagnostics = read_file(
                name, strict=options.strict, language=options.language, definitions=_definitions(options)
            ).diagnostics
        except PytlError as error:
            diagnostics = Diagnostics()
            diagnostics.extend(error.diagnostics)
        _show(diagnostics.in_order(), sys.stdout)
        failed = failed or bool(diagnostics.errors)
    return int(failed)


def _opt(options: Any) -> int:
    module = _load_all(options, options.internal)
    changed = Pipeline([find_pass(text) for pipeline in options.passes for text in _separate(pipeline)]).run(module)
    if not options.dump:
        print(changed)
    for what in options.dump:
        print("\n\n".join(dump(function, what) for function in changed.functions))
    return 0


def _convert(options: Any) -> int:
    text = text_of(options.file)
    translated = None if text is None else translate(text, options.file, options.to, options.language)
    if translated is not None:
        _show(translated[1].in_order(), sys.stderr)
        print(translated[0])
        return 0
    module = _load_all(options, text=text)
    if options.to == "xegpu":
        # a language that pytl prints for hardware, and does not read: of any kernel, whatever blocks take
        kernels = compile_module(module).values()
        print("\n\n".join(kernel.emit("xegpu", blocks="preferred").rstrip() for kernel in kernels))
        return 0
    if options.to == "linalg":
        from ..frontends.mlir.linalg_text import linalg_text

        print(linalg_text(module).rstrip())
        return 0
    try:
        frontend = find_frontend(options.to, "")
    except PytlError as error:
        also = "--to may be linalg and xegpu, too"
        raise PytlError([replace(each, help=f"{each.help}; {also}") for each in error.diagnostics]) from None
    print(frontend.write(module).rstrip())
    return 0


def _emit(options: Any) -> int:
    is_path = options.target == "spirv" and options.option and "=" not in options.option[-1]
    options.output = options.option.pop() if is_path else None
    named = dict(_assignment(text, "-o") for text in options.option)
    if options.chip is not None:
        named["chip"] = options.chip
    if options.machine is not None:
        named["machine"] = options.machine
    if options.device is not None:
        named["device"] = options.device
    one = options.function is not None
    kernels = [_function(options)] if one else compile_module(_load_all(options)).values()
    if options.target == "spirv":
        return _emit_spirv(list(kernels), options, named)
    texts = [kernel.emit(options.target, stage=options.stage, **named) for kernel in kernels]
    print("\n\n".join(text.rstrip() for text in texts))
    return 0


def _emit_spirv(kernels: Sequence[Kernel], options: Any, named: dict[str, str]) -> int:
    """Write the SPIR-V of the one kernel of a file, and its interface."""
    if options.output is None:
        raise PytlError.single(CHOICE, "SPIR-V is no text", help="name a file: pytl emit spirv FILE -o k.spv")
    if len(kernels) > 1:
        names = ", ".join(f"@{kernel.name}" for kernel in kernels)
        help = "name one with --function; `pytl build` takes several"
        raise PytlError.single(CHOICE, f"there are several kernels: {names}", help=help)
    spirv: Any = kernels[0].emit("spirv", **named)
    beside = spirv.write(options.output, apart_from=re.sub(r"\.py:.*", ".py", options.file))
    print(f"wrote {visible(options.output)} and {visible(str(beside))}")
    return 0


def _run(options: Any) -> int:
    from .sample import run_on_random_data

    text = text_of(options.file)
    of_module = None if text is None else _of_gpu_module(options, text)
    if of_module is not None and not of_module.function.parameters:
        # a program of its own
        result = of_module[...](backend=options.backend)
        if result is not None:
            print(*result if isinstance(result, tuple) else [result])
        return 0
    kernel = _function(options, text) if of_module is None else of_module
    try:
        run_on_random_data(kernel, **_sample(options), backend=options.backend)
    except LaunchError as error:
        if options.groups is not None or error.code != INFERRED.code:
            raise
        found = [replace(each, help="give --groups N, the number of work-groups") for each in error.diagnostics]
        raise LaunchError(found) from None
    return 0


def _of_gpu_module(options: Any, text: str) -> Any:
    """The function of the host, or the kernel of gpu, that a command names in a text of MLIR; None for any other."""
    name = "<stdin>" if options.file == "-" else options.file
    if find_frontend(options.language, name, text).name != "mlir":
        return None
    from ..kernels.mlir_texts import find_in_text

    return find_in_text(text, name, options.function)


def _build(options: Any) -> int:
    named: dict[str, list[Kernel]] = {}
    for argument in options.kernels:
        match = re.match(r"([A-Za-z_]\w*)=(?!=)", argument)
        source = argument[match.end() :] if match else argument
        for kernel in read_kernels(source, options.language, _definitions(options)):
            named.setdefault(match[1] if match else kernel.name, []).append(kernel)
    chosen = dict(_assignment(text, "--option") for text in options.option)
    folder = build(named, options.output, devices=options.device or ["cpu"], **chosen)
    print(f"built {', '.join(named)} into {visible(str(folder))}")
    return 0


def _tune(options: Any) -> int:
    from .sample import random_arguments

    kernel = _function(options)
    launcher = kernel[options.groups]  # which checks the number
    arguments, _ = random_arguments(kernel, **_sample(options))
    tune(launcher, arguments, budget=options.budget, backend=options.backend)
    return 0


def _groups(text: str) -> int | tuple[int, ...]:
    """A number of work-groups, or those along x and y, or x, y and z."""
    if re.fullmatch(r"[0-9]{1,19}(x[0-9]{1,19}){1,2}", text):
        return tuple(map(int, text.split("x")))
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number, or numbers as 4x2x1") from None


def _sample(options: Any) -> dict[str, Any]:
    """The options of random data."""
    scalars = dict(_assignment(text, "--arg") for text in options.arg)
    return {"groups": options.groups, "seed": options.seed, "dims": options.dim, "scalars": scalars}


def _function(options: Any, text: str | None = None) -> Kernel:
    """The one function of a file that a command launches; `text` is that of the file where it has been read already."""
    read = _load(options, text=text)
    module = read.module
    name = options.function
    if name is None and len(module.kernels) == 1:
        name = module.kernels[0].name
    if name is None or name not in module or not module[name].is_kernel:
        known = ", ".join(f"@{function.name}" for function in module.kernels)
        missing = f"there is no function @{name}" if name else "there are several functions"
        if name is not None and name in module:
            missing = f"@{name} is a function that kernels call"
        raise PytlError.single(CHOICE, missing, help=f"--function takes one of: {known}")
    read.check_names(function for function in module.functions if function.name == name)
    return as_called(compile_module(Module.of(module[name]))[name])


def _ops(options: Any) -> int:
    from ..ir import registry
    from ..ops.reference import overview
    from .docs.instructions import text_page

    if options.name is None:
        print(overview())
        return 0
    match = registry.find(options.name)
    pages = [match[0]] if match else [c for c in registry.all_instructions() if c.mnemonic == options.name]
    if not pages:
        similar = registry.close_words(options.name)
        raise PytlError.single(
            CHOICE,
            f"there is no instruction {options.name}",
            help=f"did you mean {similar[0]}?" if similar else "`pytl ops` lists all",
        )
    import_all_rules()
    print("\n\n\n".join(text_page(cls, all_rules()) for cls in pages))
    return 0


def _explain(options: Any) -> int:
    from .docs.rules import explanation

    if options.subject is not None and not re.fullmatch(r"(?i:pytl-\w*|[0-9]+)", options.subject):
        return _explain_file(options)
    import_all_rules()
    if options.subject is None:
        for listed in all_rules():
            print(f"{listed.code}  {listed.text}")
        return 0
    chosen = find(options.subject)
    if chosen is None:
        raise PytlError.single(CHOICE, f"there is no code {options.subject}", help="`pytl explain` lists all")
    print(explanation(chosen))
    return 0


def _explain_file(options: Any) -> int:
    options.file = options.subject
    named = dict(_assignment(text, "-o") for text in options.option)
    one = options.function is not None
    kernels = [_function(options)] if one else compile_module(_load_all(options)).values()
    shown = [
        kernel.explain(backend=options.backend, machine=options.machine, assembly=not options.no_assembly, **named)
        for kernel in kernels
    ]
    print(visible("\n\n".join(map(str, shown)), keep="\n"))
    return 0


def _devices(options: Any) -> int:
    from .devices import describe_devices

    print(visible(describe_devices(options.verbose), keep="\n"))  # names come from drivers and paths
    return 0


# What commands read.


def _load(options: Any, internal: bool = False, text: str | None = None) -> File:
    """The command's file, with functions and without errors. Errors are printed, and end the command."""
    read = read_file(
        options.file, internal=internal, language=options.language, definitions=_definitions(options), text=text
    )
    if read.diagnostics.errors or not read.module.functions:
        if not read.diagnostics.items:
            # of a text of MLIR, whose functions are the host's, or kernels of gpu
            message = f"{options.file} has no function that becomes a kernel of the language"
            raise PytlError.single(CHOICE, message, help="`pytl run` executes kernels of gpu and functions of the host")
        _show(read.diagnostics.in_order(), sys.stderr)
        raise _Failed
    return read


def _load_all(options: Any, internal: bool = False, text: str | None = None) -> Module:
    """The module of the command's file, whose functions have different names."""
    read = _load(options, internal, text)
    read.check_names(read.module.functions)
    return read.module


def _definitions(options: Any) -> dict[str, str]:
    """What compile-time variables are given."""
    return dict(_assignment(text, "-D") for text in options.define)


def _separate(passes: str) -> list[str]:
    """The passes of a list; commas between braces separate the options of a pass."""
    return re.findall(r"(?:\{[^}]*\}?|[^,{])+", passes)


def _assignment(text: str, option: str) -> tuple[str, str]:
    name, sign, value = text.partition("=")
    if not sign or not name:
        raise PytlError.single(CHOICE, f"{option} is {text!r}", help="write it as NAME=VALUE")
    return name, value


def _show(diagnostics: Sequence[Diagnostic], stream: Any) -> None:
    for diagnostic in diagnostics:
        print(render_line(diagnostic), file=stream)
        print("\n".join(render(diagnostic).split("\n")[1:]), file=stream)


def import_all_rules() -> None:
    """Rules register themselves when their module is imported, and some modules are imported on demand only."""
    import_frontends()
    import_backends()
    import_passes()
    for name in (
        *(
            "mlir.affine",
            "frontends.lang.contraction",
            "kernels.ahead",
            "kernels.einsum.calls",
            "kernels.explanation",
            "kernels.launcher",
        ),
        *("kernels.pickling", "passes.targets.calibrated", "tools.sample", "tools.tuning"),
    ):
        importlib.import_module(f"pytl.{name}")


if __name__ == "__main__":
    sys.exit(main())
