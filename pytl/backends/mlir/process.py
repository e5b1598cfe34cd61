"""Runs a tool on text or code; returns its output, or reports its error message at the kernel's line.

Texts go through pipes. A tool that hangs, is killed or cannot be started is reported as such.
"""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Sequence
from contextlib import suppress
from typing import NoReturn

from ...diagnostics import Location, PlatformError, Rule, warn
from ...diagnostics.quoting import mlir_source
from ...ir.values import Function
from ...process.records import dataclass
from ...process.settings import TOOL_SECONDS
from .. import building

REFUSED = Rule(
    "PYTL-3060",
    "the tools of MLIR and LLVM compile what pytl emits",
    "MLIR backends",
    explanation="If they don't, that is a bug of pytl: report it with the text that k.emit gives. A tool that is "
    "killed had too little memory, most often.",
)
HANGS = Rule(
    "PYTL-3061",
    "a tool ends within its time",
    "MLIR backends",
    explanation="Tools that compile, and launches under QEMU, are ended after PYTL_TOOL_SECONDS.",
)
TEMPORARY = Rule("PYTL-3062", "the directory of temporary files can be written, and holds libraries", "MLIR backends")

NOTHING_MADE = Rule(
    "PYTL-3081",
    "a tool writes the requested output",
    "MLIR backends",
    explanation="A program that ends without an error and has written nothing, or something else, is not the one that "
    "is wanted: see which program the setting names.",
)

VERSION_SECONDS = 5.0
"""Seconds within which a program has to report its version."""
MAX_LINES = 6
"""Lines of a tool's output that a message shows."""
_ERROR = re.compile(r"^(?:(?P<file>[^\s:][^:]*):(?P<line>\d+):(?P<column>\d+): )?(?:\S+: )??error: (?P<text>.+)$", re.M)
_SETTINGS = "PYTL_MLIR_TOOLS, PYTL_CC, PYTL_CROSS_CC and PYTL_QEMU"
_LINKERS = ("PYTL_CC", "PYTL_CROSS_CC")
"""The settings that name what links."""
_OPERATION = "note: see current operation"
_END = re.compile(r"PLEASE submit a bug report|Stack dump|^ *#\d+ 0x|collect2: error")


@dataclass(frozen=True)
class Done:
    """A program's output and exit status, which is negative where a signal ended it."""

    status: int
    output: bytes
    errors: str


def run(
    command: Sequence[str], input_bytes: bytes, where: Location | None, what: str, pass_fds: Sequence[int] = ()
) -> Done:
    """Start a program, give it its input, and wait. Raises where it cannot be started, or does not end."""
    import subprocess

    building.at(what)
    left = building.seconds_left()
    seconds = TOOL_SECONDS.get() if left is None else min(TOOL_SECONDS.get(), left)
    try:
        process = subprocess.Popen(
            list(command),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            pass_fds=tuple(pass_fds),
            start_new_session=True,  # so that what it starts itself is ended with it
        )
    except OSError as error:
        raise PlatformError.single(
            REFUSED,
            f"{what} cannot be started: {error.strerror or error}",
            where,
            f"{command[0]} is what was found; {_SETTINGS} name others",
        ) from None
    with process:
        try:
            output, errors = process.communicate(input_bytes, timeout=seconds)
        except subprocess.TimeoutExpired:
            _end(process.pid)
            building.check()
            raise PlatformError.single(
                HANGS,
                f"{what} has not ended after {seconds:g} s",
                where,
                "set PYTL_TOOL_SECONDS to a larger number if it needs longer",
            ) from None
        except BaseException:
            _end(process.pid)
            raise
    return Done(process.returncode, output, errors.decode(errors="replace"))


def version_text(path: str) -> str:
    """A program's output for `--version`; nothing where it fails, with a report if it hangs."""
    import subprocess

    try:
        done = subprocess.run(
            [path, "--version"], stdin=subprocess.DEVNULL, capture_output=True, timeout=VERSION_SECONDS, check=False
        )
    except OSError:
        return ""
    except subprocess.TimeoutExpired:
        warn(HANGS, f"{path} --version has not ended after {VERSION_SECONDS:g} s; its version is taken for unknown")
        return ""
    return done.stdout.decode(errors="replace")


def made_by(tool: str, content: bytes, function: Function, is_right: bool = True) -> bytes:
    """A tool's output. Raises PYTL-3081 where it made none, or not what it should have made."""
    if content and is_right:
        return content
    what = "something else" if content else "nothing"
    raise PlatformError.single(
        NOTHING_MADE,
        f"{os.path.basename(tool)} ended without an error, but has written {what} for @{function.name}",
        function.location,
        f"{tool} is what was used; {_SETTINGS} name others",
    )


def _end(process: int) -> None:
    with suppress(OSError):  # it may have ended meanwhile
        os.killpg(process, signal.SIGKILL)


def run_tool(command: Sequence[str], input_bytes: bytes, function: Function, hidden: str = "") -> bytes:
    """A tool's output for an input. `hidden` is the path of a temporary directory, which no message names."""
    name = os.path.basename(command[0])
    done = run(command, input_bytes, function.location, name)
    if done.status:
        errors = done.errors.replace(hidden + os.sep, "") if hidden else done.errors
        refuse(name, done.status, errors, input_bytes, function)
    return done.output


def refuse(tool: str, status: int, errors: str, input_bytes: bytes, function: Function) -> NoReturn:
    """Raise a tool's message as an error, at the place in the user's source that it refers to."""
    if status < 0:
        message = f"{tool} was ended by {signal_name(-status)} while it compiled @{function.name}"
        excerpt = _excerpt(errors)
    else:
        match = _ERROR.search(errors)
        first = (
            match["text"] if match else next(iter(errors.split("\n")), "").strip() or f"it ended with status {status}"
        )
        message = f"{tool} does not compile @{function.name}: {first.strip()}"
        excerpt = _excerpt(errors)
    help = "this is a bug of pytl: report it with the text that k.emit gives"
    named = [name for name in _LINKERS if os.path.basename(os.environ.get(name, "")) == tool]
    if named:
        help = f"{tool} is what {named[0]} names: see whether it fails without {named[0]}, too; if so, {help}"
    if status == -signal.SIGKILL:
        help = "the machine has too little memory for it, most often: end other programs, or divide the kernel"
    line = _line_of_text(errors, input_bytes)
    said = [*([line] if line else []), *excerpt]
    if said:
        help += f"\n{tool} says:\n" + "\n".join(said)
    raise PlatformError.single(REFUSED, message, location_of(errors, function), help)


def signal_name(number: int) -> str:
    with suppress(ValueError):
        return signal.Signals(number).name
    return f"signal {number}"


def location_of(errors: str, function: Function) -> Location | None:
    """The place in the user's source for a tool's message: that of the operation, else of the function."""
    locations = [op.location for op in function.walk_through_calls() if op.location is not None]
    for match in _ERROR.finditer(errors):
        if match["line"] is None:
            continue
        line, column = int(match["line"]), int(match["column"])
        of_file = [location for location in locations if mlir_source(location.source.name) == match["file"]]
        exact = next((location for location in of_file if (location.line, location.column) == (line, column)), None)
        if exact is not None:
            return exact
        if of_file:
            return Location(of_file[0].source, line, column, line, column + 1)
    return function.location


def _line_of_text(errors: str, input_bytes: bytes) -> str | None:
    """The line of the generated text that a tool's message refers to, where the text was its input."""
    match = re.search(r"<stdin>:(\d+):\d+: error", errors)
    lines = input_bytes.decode(errors="replace").splitlines()
    if match is None or not 0 < int(match[1]) <= len(lines):
        return None
    return f"  line {match[1]} of the text: {_short(lines[int(match[1]) - 1])}"


def _excerpt(errors: str) -> list[str]:
    """The first lines of a tool's message, without source excerpts, stack traces and requests for bug reports."""
    lines = []
    for line in errors.splitlines():
        if _OPERATION in line:
            continue
        if _END.search(line):
            break
        said = _ERROR.sub(lambda match: f"error: {match['text']}" if match["file"] else match[0], line)
        if said.strip() and not line.startswith((" ", "\t")):
            lines.append("  " + _short(said))
    return lines[:MAX_LINES]


def _short(line: str) -> str:
    line = line.strip()
    return line if len(line) <= 160 else line[:157] + "…"
