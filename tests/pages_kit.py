"""Executes what pages show: blocks of Python and command lines, and compares what they print with what the page says.

On a page, in Markdown:

- a block ```` ```python ```` is executed; all of a page share their names, and each is a file of its own to `inspect`,
  `example.py` in what it prints;
- a block ```` ```console ```` has commands of pytl behind `$ `, and below each what it prints, compared likewise;
- a block ```` ```text ```` is what the block of Python before it prints, an uncaught error last; `...` stands for
  anything; behind ```` ```sh ````, which nobody runs here, it is not compared;
- `<!-- file: scale.tl -->` above a block writes its text into a file instead, where commands of the page find it;
- `<!--- invisible-code-block: python` begins a block that readers don't see;
- `<!-- skip: next -->` stands above a block that is no program;
- `<!-- backend: sycl -->` makes SYCL the backend of launches that name none; it is the reference backend otherwise.

An error that the page doesn't show fails, and so does a `text` block that follows nothing. `pytest --update-golden`
writes what is printed into the pages.
"""

from __future__ import annotations

import contextlib
import doctest
import io
import linecache
import re
import shlex
import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from device_kit import as_of_dpctl, with_arrays
from sybil import Document, Example, Region, Sybil
from sybil.example import SybilFailure
from sybil.parsers.markdown import SkipParser
from sybil.parsers.markdown.lexers import DirectiveInHTMLCommentLexer, FencedCodeBlockLexer

from pytl.tools.cli import main

FENCES = FencedCodeBlockLexer(r"\w*")
INVISIBLE = DirectiveInHTMLCommentLexer("invisible-code-block", "python")
FILE = re.compile(r"<!-- file: (\S+) -->\s*\Z")
BACKEND = re.compile(r"^<!-- backend: (\w+) -->$", re.MULTILINE)
SHOWN_NAME = "example.py"


@dataclass(frozen=True)
class Block:
    """A block of a page, with the place of the text that it is to print: its own, for commands."""

    source: str
    line: int
    printed: slice | None


class Differs(Exception):
    """What a block prints is not what the page shows."""

    def __init__(self, place: slice, shown: str, printed: str, where: str) -> None:
        self.place = place
        self.printed = printed
        want = doctest.Example("", shown)
        super().__init__(doctest.OutputChecker().output_difference(want, printed, doctest.REPORT_NDIFF) + where)


def parse_blocks(document: Document) -> Iterator[Region]:
    """The blocks of a page that are executed."""
    found = sorted([*FENCES(document), *INVISIBLE(document)], key=lambda region: region.start)
    languages = [region.lexemes.get("language", "python") for region in found]
    for position, (region, language) in enumerate(zip(found, languages)):
        source = str(region.lexemes["source"])
        line = document.text.count("\n", 0, region.start) + 2  # the line below the fence
        file = FILE.search(document.text, 0, region.start)
        is_shown = languages[position + 1 : position + 2] == ["text"] and file is None
        shown = found[position + 1] if is_shown else region if language == "console" else None
        block = Block(source, line, _place(document, shown) if shown else None)
        if file:
            yield Region(region.start, region.end, (file[1], block), write_file)
        elif language == "python":
            yield Region(region.start, region.end, block, run_python)
        elif language == "console":
            yield Region(region.start, region.end, block, run_commands)
        elif language == "text" and languages[max(position - 1, 0)] not in ("python", "sh"):
            yield Region(region.start, region.end, block, refuse_text)


def _place(document: Document, region: Region) -> slice:
    """Where the text of a block stands on its page; as a lexeme it has lost its indentation."""
    start = region.start + region.lexemes["source"].offset
    return slice(start, document.text.rindex("\n", 0, region.end) + 1)


def write_file(example: Example) -> None:
    name, block = example.parsed
    Path(name).write_text(block.source, encoding="utf-8")


def refuse_text(example: Example) -> str:
    return "this text follows no block that prints it"


def run_python(example: Example) -> str | None:
    """Run a block of Python; what is wrong with it, None where it does what the page says."""
    block: Block = example.parsed
    file = f"{Path(example.path).stem}_{block.line}.py"
    # where `inspect` finds the source of a function, and tracebacks their lines
    linecache.cache[file] = (len(block.source), None, block.source.splitlines(keepends=True), file)
    output, raised, where = io.StringIO(), "", ""
    with contextlib.redirect_stdout(output):
        try:
            exec(compile(with_arrays(block.source), file, "exec"), example.namespace)
        except Exception as error:
            where = f"{_place_of(example, error, file)}\n{traceback.format_exc()}"
            if block.printed is None:
                return where
            raised = "".join(traceback.format_exception_only(error))
    printed = re.sub(rf"\b{Path(example.path).stem}_\d+\.py\b", SHOWN_NAME, output.getvalue() + raised)
    compare(example, as_of_dpctl(printed), where)
    return None


def _place_of(example: Example, error: Exception, file: str) -> str:
    """The line of the page that an error comes from."""
    lines = [frame.lineno or 1 for frame in traceback.extract_tb(error.__traceback__) if frame.filename == file]
    return f"{example.path}:{example.parsed.line + lines[-1] - 1 if lines else example.line}:"


def run_commands(example: Example) -> str | None:
    """Run the commands of a block; what is wrong with it."""
    output = io.StringIO()
    for line in example.parsed.source.splitlines():
        if line.startswith("$ pytl "):
            print(line, file=output)
            captured = contextlib.redirect_stdout(output), contextlib.redirect_stderr(output)
            with captured[0], captured[1], contextlib.suppress(SystemExit):  # which argparse ends a bad command by
                main(shlex.split(line.removeprefix("$ pytl ")))
        elif line.startswith("$ "):
            return f"{line!r} is no command of pytl"
    compare(example, output.getvalue())
    return None


def compare(example: Example, printed: str, where: str = "") -> None:
    """Raises `Differs` where a block printed something else than the page shows, if it shows anything."""
    place = example.parsed.printed
    if place is not None:
        want, got = (_tidy(text) for text in (example.document.text[place], printed))
        if not doctest.OutputChecker().check_output(want, got, doctest.ELLIPSIS):
            raise Differs(place, want, got, where)


def _tidy(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.strip("\n").splitlines()) + "\n"


def page_backend(page: Path) -> str:
    """The backend of a page's launches that name none."""
    found = BACKEND.search(page.read_text(encoding="utf-8"))
    return found[1] if found else "reference"


def problems_of(page: Path, update: bool = False) -> list[str]:
    """What a page shows that isn't so, each with the page and its line; `update` writes what is so into the page."""
    problems: list[str] = []
    changes: list[Differs] = []
    document = Sybil([SkipParser(), parse_blocks]).parse(page)
    document.namespace["__name__"] = "__main__"
    for example in document.examples():
        try:
            example.evaluate()
        except SybilFailure as problem:
            problems.append(f"{page}:{example.line}: {problem.result}")
        except Differs as problem:
            line = document.text.count("\n", 0, problem.place.start) + 1
            problems.append(f"{page}:{line}: the block prints something else: {problem}")
            changes.append(problem)
    if update and len(changes) == len(problems):
        text = document.text
        for change in reversed(changes):
            text = text[: change.place.start] + change.printed + text[change.place.stop :]
        page.write_text(text, encoding="utf-8")
        return []
    return problems
