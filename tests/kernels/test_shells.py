"""Notebooks and shells: what is shown of kernels, tracebacks in IPython, kernels defined at a prompt."""

from __future__ import annotations

import code
import contextlib
import doctest
import io
import linecache
import os
import re
import select
import subprocess
import sys
import time
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from launch_kit import ROOT, needs_sycl

import pytl
from pytl import Memref, alloca, axpby, constexpr, f32, foreach
from pytl.tools.tuning_result import Trial, TuningResult

# What notebooks show.

VOID = {"br", "img", "meta", "link", "input", "hr"}


class Page(HTMLParser):
    """Reads HTML strictly: every element ends, in order."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.lines: dict[str, tuple[dict[str, str | None], str]] = {}
        self._line: dict[str, str | None] | None = None
        self.feed(html)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        assert tag not in VOID
        self.open.append(tag)
        self.elements.append((tag, dict(attrs)))
        if dict(attrs).get("class") == "line":
            self._line = dict(attrs)
            self.lines[self._line["id"]] = (self._line, "")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag
        self._line = None

    def handle_data(self, data: str) -> None:
        if self.open[-1:] == ["style"]:
            return
        self.words.append(data)
        if self._line is not None:
            self.lines[self._line["id"]] = (self._line, self.lines[self._line["id"]][1] + data)

    def column(self, letter: str) -> list[tuple[dict[str, str | None], str]]:
        """The lines of the source (s) or of the IR (i)."""
        return [line for name, line in self.lines.items() if re.fullmatch(rf"pytl-\d+-{letter}\d+", name)]


def page_of(shown: Any) -> Page:
    html = shown._repr_html_()
    assert "script" not in {tag for tag, _ in Page(html).elements}
    # nothing is loaded from elsewhere, and no colour is fixed that only one of dark and light can be read with
    assert not re.search(r"\bsrc=|@import|url\(|https?:|\bon\w+=", re.sub(r"&\w+;|>[^<]*<", "><", html))
    assert not re.search(r"(?<![-\w])color:(?! inherit)|background(-color)?: (?!transparent|rgba)", html)
    return Page(html)


def helped(x):
    return x + x


@pytl.kernel
def shown(A: Memref[f32, 8], B: Memref[f32, 8]):
    """</div><script>alert("1")</script> & so on"""
    t = alloca(f32, 8)  # <b>bold</b>
    axpby(1.0, A, 0.0, t)
    for i in foreach(8):
        B[i] = helped(t[i])


@pytl.function
def called(x):
    return x * x


@pytl.kernel
def calling(A: Memref[f32, 8]):
    for i in foreach(8):
        A[i] = called(A[i])


def test_functions_that_a_kernel_calls_are_shown_with_it() -> None:
    page = page_of(calling)
    assert "\n".join(text.strip(" ") or "" for _, text in page.column("i")).split() == str(calling).split()


def test_a_kernel_is_shown_with_source_and_ir() -> None:
    page = page_of(shown)
    source, ir = page.column("s"), page.column("i")
    assert [text.strip() for _, text in source[:2]] == ["@pytl.kernel", source[1][1].strip()]
    assert source[2][1].strip() == '"""</div><script>alert("1")</script> & so on"""'
    assert "\n".join(text for _, text in ir) == str(shown)

    def linked(line: tuple[dict[str, str | None], str]) -> str:
        target = line[0].get("href")
        assert target is not None and target.startswith("#")
        return page.lines[target[1:]][1].strip()

    by_text = {text.strip(): (attributes, text) for attributes, text in source}
    assert linked(by_text["axpby(1.0, A, 0.0, t)"]).endswith("constant 0x1p+0 : f32")
    assert linked(by_text["t = alloca(f32, 8)  # <b>bold</b>"]) == "%t = alloca : memref<f32x8,local>"
    made = {text.strip(): linked((attributes, text)) for attributes, text in ir if attributes.get("href")}
    # what was inlined is of the line that calls
    assert {made[line] for line in made if "arith.add" in line or line.startswith("store")} == {"B[i] = helped(t[i])"}
    assert next(made[line] for line in made if line.startswith("axpby.n")) == "axpby(1.0, A, 0.0, t)"
    # lines that belong together have one key, which the style lights up
    keys = {attributes["data-line"] for attributes, _ in ir if attributes.get("data-line")}
    assert keys <= {attributes["data-line"] for attributes, _ in source}


def test_what_is_shown_twice_has_links_of_its_own() -> None:
    assert not set(page_of(shown).lines) & set(page_of(shown).lines)


def test_a_kernel_of_text_is_shown_beside_the_text() -> None:
    text = "func @f(%a: memref<f32x4>) { ; <i> & \n  %n = constant 1.0 : f32\n  axpby.n %n, %a, %n, %a\n}"
    page = page_of(pytl.compile(text)["f"])
    assert [words for _, words in page.column("s")][:3] == text.split("\n")[:3]
    assert [words for _, words in page.column("i")] == str(pytl.parse(text)).split("\n")
    specialized = pytl.compile("func @f(%a: memref<f32x?>) { %n = constant 1.0 : f32  axpby.n %n, %a, %n, %a }")["f"]
    assert page_of(specialized.specialize(a=(4,))).column("i")


def test_a_kernel_without_ir_is_shown_with_its_error() -> None:
    @pytl.kernel
    def wrong(x: Memref[f32, 4]):
        x[0] = "<b>" + y

    @pytl.kernel
    def waits(x: Memref[f32, 4], n: constexpr):
        x[n] = 1.0

    assert "PYTL-1020" in "".join(page_of(wrong).words) and '"<b>" + y' in "".join(page_of(wrong).words)
    assert "PYTL-2020" in "".join(page_of(waits).words)
    assert "%x" in "".join(page_of(waits.specialize(n=2)).words)


def test_a_tuning_result_is_shown_as_a_table() -> None:
    trials = (
        Trial({"tile": "auto"}, 2e-3, 1.0, 5),
        Trial({"tile": "<2x8>"}, 1e-3, 0.5, 5),
        Trial({"tile": "9x9"}, None, None, 0, "does not fit & fails"),
    )
    found = TuningResult(
        "f<g>", "sycl", 10, {"tile": "<2x8>"}, {"tile": "auto"}, trials, ({"tile": "1x1"},), False, 1.0, 2
    )
    page = page_of(found)
    words = "".join(page.words)
    assert words.startswith("@f<g>, 10 work-groups on sycl: 3 choices of options tried in 1.0 s of 2 s")
    assert words.endswith("left untried: tile=1x1")
    assert [tag for tag, _ in page.elements].count("tr") == 4
    assert [attributes for tag, attributes in page.elements if tag == "tr" and attributes] == [
        {"style": "font-weight: bold"}
    ]
    assert "does not fit & fails" in words and "<2x8>" in words


@needs_sycl
def test_the_cache_is_shown_as_a_table() -> None:
    kernel = pytl.compile("func @f(%a: memref<f32x4>) { %n = constant 1.0 : f32  axpby.n %n, %a, %n, %a }")["f"]
    assert "".join(page_of(kernel.cache_info()).words) == str(kernel.cache_info())
    kernel[1](np.zeros(4, np.float32), backend="sycl")
    page = page_of(kernel.cache_info())
    assert "".join(page.words).startswith("f: ") and [tag for tag, _ in page.elements].count("tr") == 2


# IPython.

CELLS = """
import sys
from IPython.core.interactiveshell import InteractiveShell

shell = InteractiveShell.instance()
shell.run_line_magic("colors", "nocolor")
for cell in sys.stdin.read().split("# %%\\n"):
    shell.run_cell(cell, store_history=True)
"""
NOTEBOOK = """\
import numpy as np, pytl
from pytl import Memref, f32, foreach
# %%
@pytl.kernel
def twice(x: Memref[f32, 4]):
    for i in foreach(4):
        x[i] = x[i] + x[i]
# %%
x = np.ones(4, np.float32)
twice[1](x, backend="reference")
print("RESULT", x)
# %%
def launch(x):
    twice[1](x, backend="reference")
launch(np.ones(5, np.float32))
# %%
@pytl.kernel
def wrong(x: Memref[f32, 4]):
    x[0] = y
print(wrong)
# %%
try:
    launch(np.ones(6, np.float32))
except pytl.PytlError as error:
    raise ValueError("of the user's") from error
# %%
get_ipython().run_line_magic("xmode", "Plain")
launch(np.ones(7, np.float32))
# %%
1 / 0
"""


@pytest.mark.at_night
def test_tracebacks_in_ipython_have_no_frames_of_pytl(tmp_path: Path) -> None:
    environment = {**os.environ, "IPYTHONDIR": str(tmp_path), "PYTHONPATH": str(ROOT), "NO_COLOR": "1"}
    done = subprocess.run(
        [sys.executable, "-c", CELLS], input=NOTEBOOK, capture_output=True, text=True, env=environment, timeout=120
    )
    shown = re.sub(r"\x1b\[[0-9;]*m", "", done.stdout + done.stderr)
    assert "RESULT [2. 2. 2. 2.]" in shown
    assert str(ROOT / "pytl") not in shown and "_launch" not in shown
    for size in (5, 6, 7):
        assert f"x has the shape {size}, but memref<f32x4> needs 4" in shown
    assert "error[PYTL-1020]: y is not defined" in shown and "3 |     x[0] = y" in shown
    assert "ValueError: of the user's" in shown and "The above exception was the direct cause" in shown
    assert "ZeroDivisionError" in shown
    assert shown.count("in launch") >= 3  # the user's frames are there


# Prompts.

STATEMENTS = [
    "import numpy as np, pytl\n",
    "from pytl import Memref, f32, foreach\n",
    "def helper(x):\n    return x + x\n",
    "@pytl.kernel\ndef twice(x: Memref[f32, 4]):\n    for i in foreach(4):\n        x[i] = helper(x[i])\n",
    "first = twice\n",
    "@pytl.kernel\ndef twice(x: Memref[f32, 4]):\n    for i in foreach(4):\n        x[i] = helper(helper(x[i]))\n",
    "x = np.ones(4, np.float32)\n",
    'first[1](x, backend="reference")\n',
    'twice[1](x, backend="reference")\n',
    'print("RE" + "SULT", x)\n',
    "@pytl.kernel\ndef wrong(x: Memref[f32, 4]):\n    x[0] = y\n",
    "print(wrong)\n",
]


@pytest.mark.parametrize("name", ["<python-input-{}>", "<stdin>-{}"])
def test_kernels_at_a_prompt_that_keeps_sources(name: str) -> None:
    """As Python 3.13 does it: each statement is in linecache, under a name of its own, before it is compiled."""
    console = code.InteractiveConsole({})
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        for number, statement in enumerate(STATEMENTS):
            filename = name.format(number)
            linecache.cache[filename] = (len(statement), None, statement.splitlines(keepends=True), filename)
            assert not console.runsource(statement + "\n", filename, "single")
            linecache.checkcache()
    shown = out.getvalue()
    assert "RESULT [8. 8. 8. 8.]" in shown
    assert f"--> {name.format(10)}:3:12 in wrong" in shown and "3 |     x[0] = y" in shown
    assert str(ROOT / "pytl" / "kernel.py") not in shown.partition("error[")[2]


def test_kernels_at_pythons_own_prompt() -> None:
    told = "".join(f"{statement}\n" for statement in STATEMENTS)
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"}
    arguments = [sys.executable, "-i", "-q"]
    done = subprocess.run(
        arguments, input=told, capture_output=True, text=True, encoding="utf-8", env=environment, timeout=60
    )
    shown = done.stdout + done.stderr
    if sys.version_info >= (3, 13):
        assert "RESULT [8. 8. 8. 8.]" in shown and "3 |     x[0] = y" in shown
        if sys.platform != "win32":
            assert "RESULT [8. 8. 8. 8.]" in typed(STATEMENTS, environment)
    else:
        assert "error[PYTL-1010]: the source of twice can't be found: its code comes from <stdin>" in shown
        assert "= help: Python's own prompt keeps source text since Python 3.13: use IPython" in shown


def typed(statements: list[str], environment: dict[str, str]) -> str:
    """What the prompt of a terminal shows when a user types; it indents by itself."""
    import pty

    child, terminal = pty.fork()
    if child == 0:
        os.execve(sys.executable, [sys.executable, "-q"], {**environment, "TERM": "xterm", "NO_COLOR": "1"})
    shown = b""

    def read(until: bytes, seconds: float) -> None:
        nonlocal shown
        start, end = len(shown), time.monotonic() + seconds
        while time.monotonic() < end and until not in shown[start:]:
            if select.select([terminal], [], [], 0.05)[0]:
                shown += os.read(terminal, 65536)

    read(b">>> ", 30)
    for statement in statements:
        # pasted as a whole, so that nothing is indented twice
        os.write(terminal, b"\x1b[200~" + statement.rstrip("\n").encode() + b"\x1b[201~")
        os.write(terminal, b"\r\r" if "\n" in statement.rstrip("\n") else b"\r")
        read(b">>> ", 30)
    os.write(terminal, b"\x04")
    os.close(terminal)
    os.waitpid(child, 0)
    return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", shown.decode(errors="replace"))


def test_kernels_in_doctests() -> None:
    examples = """
    >>> import numpy as np, pytl
    >>> @pytl.kernel
    ... def twice(x: pytl.Memref[pytl.f32, 4]):
    ...     for i in pytl.foreach(4):
    ...         x[i] = x[i] + x[i]
    >>> x = np.ones(4, np.float32)
    >>> twice[1](x, backend="reference")
    >>> x
    array([2., 2., 2., 2.], dtype=float32)
    """
    test = doctest.DocTestParser().get_doctest(examples, {}, "examples", "examples.txt", 0)
    out = io.StringIO()
    assert doctest.DocTestRunner().run(test, out=out.write).failed == 0, out.getvalue()
