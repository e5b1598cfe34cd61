"""What users hold is never code: their words change nothing of what is generated but comments."""

from __future__ import annotations

import ast
import linecache
import os
import re
import subprocess
import unicodedata
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np
import pytest

import pytl
from pytl.backends.mlir.artefacts import entry, entry_name
from pytl.backends.mlir.targets import Mode
from pytl.backends.registry import find_backend
from pytl.diagnostics import LanguageError, Source, TraceError, quoting, render, render_line
from pytl.ir.values import Function
from pytl.passes import Pipeline

pytestmark = pytest.mark.at_most(2)

CONTROLS = [chr(code) for code in (*range(0x20), *range(0x7F, 0xA0))]
LINES = ["\u2028", "\u2029", "\r\n"]
DIRECTIONS = [
    *map(chr, range(0x202A, 0x202F)),
    *map(chr, range(0x2066, 0x206A)),
    "\u200e",
    "\u200f",
    "\u061c",
    "\ufeff",
]
HALVES = ["\ud800", "\udcff"]
CHARACTERS = [*CONTROLS, *LINES, *DIRECTIONS, *HALVES]
PAYLOADS = [
    "import os\x0aos.system('id')",
    *(
        "'",
        '"',
        "'''",
        '"""',
        "\\",
        "\\\\",
        "\\n",
        "\\x0a",
        "\\u000a",
        "\\N{LINE FEED}",
        "\\\r",
        "??/",
        "${",
        "{0}",
        "%s",
    ),
    *("*/", "/*", "//", "#", "-->", "]]>", "</script>", "$(id)", "`id`", "; id", "| id", "&& id", "-Wl,-x", "@file"),
    *(
        "\x1b[31m",
        "\x1b]0;title\x07",
        "\x9b31m",
        "coding: utf-7",
        "-*- coding=utf-7 -*-",
        "+AAo-import os",
        "# type: x",
    ),
    '") loc("a":1:1) "',
    "} module {",
    "memref<x, strided<[y], offset: ?>>",
    "memref<4xf32, strided<[z, 1], offset: ?>>",
]
HOSTILE = [f"a{char}import os{char}" for char in CHARACTERS] + PAYLOADS
EXPLOIT = (
    'func @f(%a: memref<f32x4>) {{ ;\rimport os\rif os.system("id > {}"):\r\n'
    "  %0 = constant 2.0 : f32\n  axpby.n %0, %a, %0, %a\n}}"
)

TEXT = """func @f(%a: memref<f32x4x?>, %g: group<memref<f32x4>x?>) {
  %0 = constant 2.0 : f32 ; words
  %n = size %a[1] : index ; words
  foreach (%i)=(%n),(%n) { ; words
    %x = load %a[%i,%i] : f32 ; words
    store %x, %a[%i,%i]
  } ; words
  %v = subview %a[:,1] : memref<f32x4> ; words
  axpby.n %0, %v, %0, %v ; words
  %w = load %g[%n] : memref<f32x4>
  axpby.n %0, %w, %0, %w ; words
}"""
TARGETS = [
    ("numba_dpex", {"strategy": "one-item"}),
    ("numba_dpex", {"strategy": "many-items"}),
    ("mlir", {}),
    ("arm_sme", {}),
]


def tree(target: str, source: str) -> str:
    """The syntax of a generated source, without comments."""
    if target == "numba_dpex":
        shown = ast.dump(ast.parse(source))
        assert ast.dump(ast.parse(source.encode())) == shown  # as where it is kept in a file
        return shown
    assert "\0" not in source and '"' not in re.sub("//.*", "", source)
    return "\n".join(line.rstrip() for line in re.split(r"[\r\n]", re.sub(r"//[^\r\n]*", "", source)))  # MLIR's rule


def located(kernel: pytl.Kernel, target: str, options: dict[str, Any]) -> str:
    """MLIR's text as the tools get it."""
    backend = find_backend(target)
    complete = backend.complete_options(options, None, kernel.function)
    return backend.text(kernel.launches.lowered(backend, complete), complete, locations=True)


@pytest.mark.at_night
@pytest.mark.parametrize(("target", "options"), TARGETS)
def test_lines_and_names_of_files_are_comments_alone(target: str, options: dict[str, str], monkeypatch) -> None:
    plain = tree(target, pytl.compile(TEXT)["f"].emit(target, **options))
    line = Source.line
    for words in HOSTILE:
        # behind the parser, which refuses some of them: a kernel in Python may have them
        monkeypatch.setattr(
            Source, "line", lambda self, number, words=words: line(self, number).replace("words", words)
        )
        source = pytl.compile(TEXT, name=words)["f"].emit(target, **options)
        assert tree(target, source) == plain
        assert source.replace("\n", "").isprintable()
        quoted = quoting.python_comment if target == "numba_dpex" else quoting.mlir_comment
        assert quoted(words.strip()).split(" ", 1)[1] in source  # the words are there, and visible


@pytest.mark.at_night
@pytest.mark.parametrize("target", ["mlir", "arm_sme"])
def test_locations_name_no_file(target: str) -> None:
    def without_numbers(text: str) -> str:
        return re.sub("source-[0-9a-f]{8}", "", text)

    plain = without_numbers(located(pytl.compile(TEXT)["f"], target, {}))
    assert 'loc(""' in plain
    for words in HOSTILE:
        assert without_numbers(located(pytl.compile(TEXT, name=words)["f"], target, {})) == plain


@pytest.mark.parametrize(
    "target", [pytest.param(name, marks=pytest.mark.tools_of(name)) for name in ("mlir", "arm_sme")]
)
def test_mlir_reads_the_same(target: str, monkeypatch) -> None:
    from pytl.backends.mlir.toolchain import find_toolchain

    def read(text: str) -> str:
        command = [find_toolchain().path("mlir-opt"), "--allow-unregistered-dialect"]
        return subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout

    plain = read(located(pytl.compile(TEXT)["f"], target, {}))
    words = "".join(HOSTILE)
    monkeypatch.setattr(Source, "line", lambda self, number: words)
    assert read(located(pytl.compile(TEXT, name=words)["f"], target, {})) == plain


def in_python(filename: str, words: str) -> pytl.Kernel:
    """A kernel whose file has this name, and whose source has these words in each line, and in a docstring."""
    shown = words.translate(dict.fromkeys(map(ord, "\r\n\0"), " ")).encode("utf-8", "replace").decode()
    quoted = shown.replace("\\", "").replace('"', "")
    text = (
        f"@pytl.kernel\ndef f(a: pytl.Memref[pytl.f32, 4, ...]):\n    '''{quoted.replace(chr(39), '')}'''\n"
        f"    a[0, 0] = 2.0  # {shown}\n"
        f"    pytl.axpby(2.0, a, 1.0, a)  # {shown}\n"
    )
    linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)
    names: dict[str, Any] = {"pytl": pytl}
    exec(compile(text, filename, "exec"), names)
    return names["f"]


@pytest.mark.at_night
@pytest.mark.parametrize(("target", "options"), TARGETS)
def test_kernels_in_python(target: str, options: dict[str, str]) -> None:
    plain = tree(target, in_python("<plain>", "words").emit(target, **options))
    for words in HOSTILE:
        if "\0" in words or "\ud800" in words:
            continue  # no code has such a file name
        source = in_python(f"<{words}>", words).emit(target, **options)
        assert tree(target, source) == plain
        assert source.replace("\n", "").isprintable()


@pytest.mark.parametrize("char", [*CONTROLS, *LINES, *DIRECTIONS, *HALVES], ids=ascii)
def test_characters_of_a_text(char: str) -> None:
    """What not every reader takes alike is refused in comments, too; all else there means nothing."""
    is_admitted = char in ("\t", "\n", "\r\n", "\u200e", "\u200f", "\u061c", "\ufeff")
    comment = f"func @f(%a: memref<f32x4>) {{ ;{char} \n}}"
    parsed = pytl.ir.text.parse_text(comment)
    codes = {diagnostic.code for diagnostic in parsed.diagnostics.items}
    if is_admitted:
        assert codes == set()
        return
    assert codes == {"PYTL-0030"}
    (found,) = parsed.diagnostics.items
    assert (found.location.line, found.location.column) == (1, len("func @f(%a: memref<f32x4>) { ;") + 1)
    assert f"U+{ord(char):04X}" in found.message
    shown = render(found)
    assert shown.replace("\n", "").isprintable()
    assert shown.split("\n")[4].strip(" |") == "^" * (len(quoting.visible(char)) if char != "\r" else 1)
    for where in ('"%s"', "%s", "func @f%s() { }", "func @f(%%a: memref<f32x4>{%s=1}) { }"):
        with pytest.raises(LanguageError) as caught:
            pytl.parse(where % char)
        assert str(caught.value).replace("\n", "").isprintable()


def test_each_character_is_told_once() -> None:
    parsed = pytl.ir.text.parse_text("func @f() { } ; \x1b[1m \x1b[0m \u202e")
    assert [d.message for d in parsed.diagnostics.items] == [
        "the text has an escape character (U+001B), 2 times",
        "the text has a right-to-left override (U+202E)",
    ]


def test_lines_end_alike_everywhere() -> None:
    crlf = "func @f(%a: memref<f32x4>) { ; one\r\n  %0 = constant 2.0 : f32 ; two\r\n  axpby.n %0, %a, %b, %a\r\n}\r\n"
    with pytest.raises(LanguageError) as caught:
        pytl.compile(crlf)
    assert "3 |   axpby.n %0, %a, %b, %a\n" in str(caught.value)
    assert "2: %0 = constant 2.0 : f32 ; two" not in crlf  # which the next would find anyway
    source = Source("a", "one\rtwo\r\nthree\nfour\x0b\x0c\x1c\x85\u2028 still four")
    assert [source.line(number) for number in range(1, 6)] == [
        *("one", "two", "three", "four\x0b\x0c\x1c\x85\u2028 still four", "")
    ]
    assert source.location(4, 5).line == 2


@pytest.mark.parametrize("form", ["\r", "\r\n", "\u2028", "\x85", "\x0b", "\x0c", "\x1c"])
def test_the_exploit(form: str, tmp_path: Path, monkeypatch) -> None:
    pwned = tmp_path / "pwned"
    text = EXPLOIT.format(pwned).replace("\r", form)
    with pytest.raises(LanguageError):
        pytl.compile(text)
    # the same words where nobody has refused them
    clean = "func @f(%a: memref<f32x4>) {\n  %0 = constant 2.0 : f32\n  axpby.n %0, %a, %0, %a\n}"
    monkeypatch.setattr(
        Source, "line", lambda self, number: f";{form}import os{form}if os.system('id > {pwned}'):{form}"
    )
    kernel = pytl.compile(clean, name=f"x{form}import os{form}os.system('id > {pwned}')#")["f"]
    source = kernel.emit("numba_dpex")
    exec(compile(source, "<generated>", "exec"), {})  # defines the function
    assert len(ast.parse(source).body) == 1
    assert not pwned.exists()


def test_launched_from_a_hostile_directory(tmp_path: Path, device) -> None:
    directory = tmp_path / f"a\nimport os\nos.system('touch {'pwned'}')\r#\x1b[31m"
    directory.mkdir()
    filename = str(directory / 'k"""\u2028.py')
    array = np.zeros((4, 3), np.float32, order="F")
    in_python(filename, "\u2028import os\x0c\x1b[31m")[1](array)
    assert array[0, 0] == 6 and not os.path.exists("pwned")


# Names.


@pytest.mark.parametrize("name", [*HOSTILE, "", "a b", "1", "a-b", "é b", "_", 5, b"f"], ids=ascii)
def test_names_of_kernels(name: Any) -> None:
    with pytest.raises(TraceError) as caught:

        @pytl.kernel(name=name)
        def f(a: pytl.Memref[pytl.f32, 4]) -> None:
            pytl.axpby(1.0, a, 1.0, a)

    assert caught.value.code == "PYTL-0031"
    assert str(caught.value).replace("\n", "").isprintable()


def test_a_function_that_was_given_a_name() -> None:
    def f(a: pytl.Memref[pytl.f32, 4]) -> None:
        pytl.axpby(1.0, a, 1.0, a)

    assert isinstance(f, FunctionType)
    f.__name__ = "f\nimport os"
    kernel = pytl.kernel(f)
    assert kernel.function.name == "fimportos"
    assert tree("numba_dpex", kernel.emit("numba_dpex")) == tree(
        "numba_dpex", pytl.kernel(name="fimportos")(kernel.__wrapped__).emit("numba_dpex")
    )


@pytest.mark.parametrize("words", HOSTILE, ids=ascii)
def test_ir_made_by_hand(words: str) -> None:
    def told(change: Any) -> set[str]:
        module = pytl.parse("func @f(%a: memref<f32x4>) { %0 = constant 1.0 : f32  axpby.n %0, %a, %0, %a }")
        change(module.functions[0])
        with pytest.raises(LanguageError) as caught:
            pytl.compile(module)
        assert str(caught.value).replace("\n", "").isprintable()
        return {diagnostic.code for diagnostic in caught.value.diagnostics}

    assert told(lambda f: setattr(f, "name", words)) == {"PYTL-0031"}
    assert told(lambda f: setattr(f.parameters[0], "name", words)) == {"PYTL-0031"}
    assert told(lambda f: setattr(f.body.operations[0].results[0], "name", words)) == {"PYTL-0031"}
    if '"' in words or not (words.isascii() and words.isprintable()):
        assert "PYTL-0032" in told(lambda f: f.attributes.update({"mine": [words]}))
        assert "PYTL-0032" in told(lambda f: f.parameters[0].attributes.update({words: {"x": 1}}))


@pytest.mark.at_most(1)
@pytest.mark.parametrize(("target", "options"), TARGETS)
def test_names_that_a_pass_has_made(target: str, options: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Backends rely on nobody's having checked names, neither of the function nor of others that they make of it."""
    backend = find_backend(target)
    run_on = Pipeline.run_on
    for words in HOSTILE:
        kernel = pytl.compile(TEXT)["f"]
        complete = backend.complete_options(options, None, kernel.function)
        lowered = kernel.launches.lowered(backend, complete)

        def renamed(function: Function, words: str = words) -> Function:
            function.name = words
            inside = [value for operation in function.walk() for value in operation.results]
            for value in (*function.parameters, *inside):
                value.name = words
            return function

        with monkeypatch.context() as patched:
            patched.setattr(Pipeline, "run_on", lambda self, _: renamed(run_on(self, pytl.compile(TEXT)["f"].function)))
            renamed(lowered.original)
            emitted = backend.emit(lowered, complete)
        assert emitted.replace("\n", "").isprintable()
        if target == "numba_dpex":
            assert len(ast.parse(emitted).body) == 1
        else:
            code = tree(target, emitted)
            assert re.fullmatch(r"[\w\s%@!?:=,.<>(){}\[\]\-+#*]*", code, re.ASCII)
            assert code.count("func.func") == 2


@pytest.mark.parametrize("words", HOSTILE, ids=ascii)
def test_symbols(words: str) -> None:
    assert re.fullmatch(r"pytl_launch_\w+", entry_name(words), re.ASCII)
    assert entry(words, 2, Mode()).count("\n") == entry("f", 2, Mode()).count("\n")
    assert re.fullmatch(r"[A-Za-z]\w*", quoting.python_name(words), re.ASCII)


# Terminals.


def test_visible() -> None:
    for code in range(0x3000):
        char = chr(code)
        shown = quoting.visible(char)
        assert shown.isprintable() or unicodedata.category(char) == "Zs"
        assert shown == char or ast.literal_eval(f"'{shown}'") == char
    assert quoting.visible("\udcff") == "\\udcff"
    assert quoting.visible("aé中　z") == "aé中　z"


@pytest.mark.parametrize("words", HOSTILE, ids=ascii)
def test_diagnostics_show_what_does_not_print(words: str) -> None:
    parsed = pytl.ir.text.parse_text(f"func @f() {{ {words} }} ; {words}", words)
    for found in parsed.diagnostics.items:
        for text in (render(found), render_line(found), str(LanguageError([found])), found.headline):
            assert text.replace("\n", "").replace("\t", "").isprintable()
        assert "\n" not in render_line(found)
