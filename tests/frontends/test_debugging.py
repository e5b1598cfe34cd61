"""Values that kernels show: `print` and `pytl.debug`."""

import ast
import pickle

import numpy as np
import pytest
from launch_kit import needs_sycl
from tracing_kit import body, dedented, function, message

import pytl
from pytl.ops.debug import decoded, encoded

HEAD = "A: Memref[f32, 4, ...], G: Group[f32, 4], Z: Memref[c64, 2], x: f32, i: i32, b: bool_"

INSTRUCTIONS = {
    "print()": 'debug.print "" ()',
    "print('here')": 'debug.print "here" ()',
    "print(x)": 'debug.print "{}" (%x)',
    "print('x =', x, 'and', i, b)": 'debug.print "x = {} and {} {}" (%x, %i, %b)',
    "print(f'x = {x}, {x:8.3f}, {x!r}')": 'debug.print "x = {}, {:8.3f}, {}" (%x, %x, %x)',
    "print(f'{x=}')": 'debug.print "x={}" (%x)',
    "print(f'{3} {2.5:.2f}', None, True)": 'debug.print "3 2.50 None True" ()',
    "print('{x}', A)": 'debug.print "{{x}} {}" (%A)',
    "print('say \"é\"\\n\\x1b[31m')": r'debug.print "say \x22\xe9\x22\n\x1b[31m" ()',
    "print((x, 1), A[0, 1])": """
        %0 = constant 0 : index
        %1 = constant 1 : index
        %2 = load %A[%0, %1] : f32
        debug.print "({}, 1) {}" (%x, %2)""",
    "print(A.shape)": """
        %0 = size %A[1] : index
        debug.print "(4, {})" (%0)""",
    "pytl.debug(lambda x: x + 1)": 'debug.call "lambda x: x + 1" (%x)',
    # Python 3.10 writes a blank before the colon
    "pytl.debug(lambda: print(x, A))": f'debug.call "{ast.unparse(ast.parse("lambda: print(x, A)"))}" (%A, %x)',
    "pytl.debug(print, x, 3)": 'debug.call "print" (%x)',
}


@pytest.mark.parametrize("statement", INSTRUCTIONS)
def test_instructions(statement):
    assert body(statement, HEAD) == dedented(INSTRUCTIONS[statement])


MESSAGES = {
    "print(x, end='')": ("print takes no end= in a kernel", "each print is a line"),
    "print(G)": ("group<memref<f32x4>x?> can't be shown", "show one of its memrefs: G[g]"),
    "print(Z, A[:, 0:4].T)": ("the transpose of memref<f32x4x4> can't be shown", "show the matrix itself"),
    "print(f'{x:{3}@}')": ("print doesn't support this format", "write a plain format, such as {x:8.3f}"),
    "print(f'{x:999999999}')": ("print doesn't support this format", "write a plain format, such as {x:8.3f}"),
    "pytl.debug()": ("debug takes a function and values", "write pytl.debug(lambda x: print(x))"),
    "pytl.debug(x)": ("f32 can't be called", "pass a Python function or a lambda"),
    "pytl.debug(lambda *x: x)": ("the lambda has parameters that are not plain names", "write lambda x, y: …"),
}


@pytest.mark.parametrize("statement", MESSAGES)
def test_messages(statement):
    wrong, help = MESSAGES[statement]
    shown = message(f"def kernel({HEAD}):\n    {statement}\n")
    assert shown.startswith(f"error[PYTL-1082]: {wrong}\n") and shown.endswith(f"   = help: {help}")


def test_a_name_that_the_kernel_has_not():
    assert "error[PYTL-1020]: y is not defined" in message(f"def kernel({HEAD}):\n    pytl.debug(lambda y: y)\n")


KERNEL = """
def kernel(A: Memref[f32, 4, ...], x: f64, z: c64):
    g = group_id()
    t = alloca(f32, 2, 2)
    t[1, 0] = 1.5
    print("group", g, x, z, A.shape, "{}")
    print(t)
    for i in foreach(4):
        y = A[i, g]
        if y > 2.0:
            print(f"A[{i}] = {y:.3f} \\x1b[31m\\u202e")
    A[0, g] = 7.0
    print(A[0, g], t[1, 0] < 2.0)
"""
SHOWN = """\
[work-group 0] group 0 0.5 (1+2j) (4, 2) {}
[work-group 0]
[[-- --]
 [1.5 --]]
[work-group 0, iteration (3)] A[3] = 3.000 \\x1b[31m\\u202e
[work-group 0] 7.0 True
[work-group 1] group 1 0.5 (1+2j) (4, 2) {}
[work-group 1]
[[-- --]
 [1.5 --]]
[work-group 1, iteration (0)] A[0] = 4.000 \\x1b[31m\\u202e
[work-group 1, iteration (1)] A[1] = 5.000 \\x1b[31m\\u202e
[work-group 1, iteration (2)] A[2] = 6.000 \\x1b[31m\\u202e
[work-group 1, iteration (3)] A[3] = 7.000 \\x1b[31m\\u202e
[work-group 1] 7.0 True
"""


def columns():
    return np.asfortranarray(np.arange(8, dtype=np.float32).reshape(2, 4).T)


def test_what_is_printed(capsys):
    kernel = pytl.kernel(function(KERNEL))
    kernel[2](columns(), 0.5, 1 + 2j, backend="reference")
    assert capsys.readouterr().out == SHOWN
    for same in (pytl.compile(str(kernel))["kernel"], pickle.loads(pickle.dumps(kernel))):
        same[2](columns(), 0.5, 1 + 2j, backend="reference")
        assert capsys.readouterr().out == SHOWN


@pytest.mark.parametrize("element", ["i8", "i16", "i32", "i64", "index", "bf16", "f16", "f32", "f64", "c32", "c64"])
def test_every_type(element, capsys):
    kernel = pytl.kernel(
        function(f"""
        def kernel(A: Memref[i32, 1]):
            t = alloca({element}, 2)
            t[:] = 3
            x = {element}(2)
            print(x, t, A[0] < 1)
        """)
    )
    kernel[1](np.zeros(1, np.int32), backend="reference")
    kind = "f" if element == "bf16" else element[0]
    number, vector = {"f": ("2.0", "[3. 3.]"), "c": ("(2+0j)", "[3.+0.j 3.+0.j]")}.get(kind, ("2", "[3 3]"))
    assert capsys.readouterr().out == f"[work-group 0] {number} {vector} True\n"


def test_work_items(capsys):
    kernel = pytl.kernel(subgroup_size=2, work_group_size=4)(
        function("""
        def kernel(A: Memref[i32, 4]):
            with parallel():
                me = subgroup.id() * subgroup.size() + subgroup.local_id()
                if me % 2 == 1:
                    print("I am", me)
        """)
    )
    kernel[1](np.zeros(4, np.int32), backend="reference")
    expected = "[work-group 0, work-item 1] I am 1\n[work-group 0, work-item 3] I am 3\n"
    assert capsys.readouterr().out == expected


HOOKS = """
STEP = 10
def kernel(A: Memref[f32, 4, ...], n: i32):
    g = group_id()
    scale = 2
    for i in foreach(4):
        x = A[i, g]
        if x > 5.0:
            pytl.debug(watch, x, i, "text")
            pytl.debug(lambda: seen.append((x * scale, i + STEP)))
            pytl.debug(lambda x, y: seen.append((x, y)), n, x)
    pytl.debug(lambda A: seen.append((A.sum(), A.flags.writeable)))
"""


def test_python_functions_are_called():
    seen = []
    kernel = pytl.kernel(function(HOOKS, seen=seen, watch=lambda *values: seen.append(values)))
    kernel[2](columns(), 3, backend="reference")
    assert seen == [
        (28.0, False),
        *[(6.0, 2, "text"), (7.0, 3, "text")],
        *[(12.0, 12), (14.0, 13)],
        *[(3, 6.0), (3, 7.0)],
        (28.0, False),
    ]
    assert [type(value) for value in seen[1]] == [np.float32, np.int64, str]


def test_a_text_has_no_functions(capsys):
    """Of a kernel that is text, pytl.debug prints the values: what is in a text is never called."""
    kernel = pytl.compile('func @f(%x: f32) { debug.call "__import__(\\x22os\\x22).getcwd" (%x) }')["f"]
    kernel[1](1.5, backend="reference")
    assert capsys.readouterr().out == '[work-group 0] __import__("os").getcwd(1.5)\n'


def test_what_a_function_raises_is_the_programs_own():
    def fail(x):
        raise ZeroDivisionError(f"at {x}")

    kernel = pytl.kernel(function("def kernel(A: Memref[f32, 4], x: f32): pytl.debug(fail, x)", fail=fail))
    with pytest.raises(ZeroDivisionError, match=r"at 1\.5"):
        kernel[1](np.zeros(4, np.float32), 1.5, backend="reference")


def test_outside_of_kernels_debug_calls_the_function():
    seen = []
    pytl.debug(seen.append, 3)
    assert seen == [3]


@pytest.mark.parametrize("backend", ["sycl", "mlir", "arm_sme"])
def test_other_backends_refuse(backend):
    kernel = pytl.kernel(function("def kernel(x: f32):\n    print(x)\n    pytl.debug(abs, x)\n", "<kernel>"))
    target = "numba_dpex" if backend == "sycl" else backend
    with pytest.raises(pytl.LaunchError) as caught:
        kernel.emit(target)
    assert str(caught.value).strip("\n") == dedented(f"""
        error[PYTL-1084]: print is not executed by {backend}
          --> <kernel>:2:5 in kernel
           |
         2 |     print(x)
           |     ^^^^^^^^
           = rule: only the reference backend executes print and pytl.debug
           = help: launch it with backend="reference", or set PYTL_DEBUG_PRINT=ignore to omit it

        error[PYTL-1084]: pytl.debug is not executed by {backend}
          --> <kernel>:3:5 in kernel
           |
         3 |     pytl.debug(abs, x)
           |     ^^^^^^^^^^^^^^^^^^
           = rule: only the reference backend executes print and pytl.debug
           = help: launch it with backend="reference", or set PYTL_DEBUG_PRINT=ignore to omit it

        2 errors""")


@needs_sycl
def test_a_launch_is_refused_and_changes_nothing_unless_it_is_to_be_ignored(monkeypatch, capsys):
    kernel = pytl.kernel(
        function("""
        def kernel(A: Memref[f32, 4, ...], x: f32):
            g = group_id()
            for i in foreach(4):
                print(A[i, g])
                A[i, g] *= x
        """)
    )
    A = columns()
    with pytest.raises(pytl.LaunchError, match="PYTL-1084"):
        kernel[2](A, 2.0, backend="sycl")
    np.testing.assert_array_equal(A, columns())
    monkeypatch.setenv("PYTL_DEBUG_PRINT", "ignore")
    kernel[2](A, 2.0, backend="sycl")
    np.testing.assert_array_equal(A, columns() * 2)
    assert capsys.readouterr().out == ""
    monkeypatch.setenv("PYTL_DEBUG_PRINT", "loud")
    with pytest.raises(pytl.PlatformError, match="it takes one of refuse, ignore"):
        pytl.kernel(kernel.__wrapped__)[2](A, 2.0, backend="sycl")


def test_passes_keep_what_shows_values():
    """Passes take it for an effect, as a store."""
    kernel = pytl.kernel(function("def kernel(x: f32):\n    y = x * 2.0\n    print(y)\n"))
    assert 'debug.print "{}" (%y)' in kernel.ir("canonicalize")
    assert "warning" not in str(pytl.ir.verifier.find_problems(kernel.module).items)


HOSTILE = [
    "\n",
    "\r",
    "\x1b]0;x\x07",
    "\u2028",
    "\u202e",
    '"',
    "\\",
    "\\x1b",
    "é",
    "\ud800",
    "*/",
    "{",
    "{0}",
    "{:",
    "\x00",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_any_text_is_kept_and_harmless(text, capsys):
    assert decoded(encoded(text)) == text
    kernel = pytl.kernel(function(f"def kernel(x: f32): print({text!r}, x)"))
    again = pytl.compile(str(kernel))["kernel"]
    assert str(again) == str(kernel)
    again[1](1.0, backend="reference")
    shown = capsys.readouterr().out
    assert shown.endswith(" 1.0\n") and shown.replace("\n", "").isprintable()


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ('debug.print "{}" ()', "PYTL-1083"),
        ('debug.print "{{}}" (%x)', "PYTL-1083"),
        ('debug.print "{0} {x} {!r}" (%x)', "PYTL-1083"),
        ('debug.print "a', "PYTL-0001"),
        ("debug.print %x", "PYTL-0001"),
        ('debug.prin "a" ()', "PYTL-0002"),
        ('debug.print "{}" (%g)', "PYTL-0300"),
    ],
)
def test_texts_with_mistakes(text, code):
    with pytest.raises(pytl.LanguageError) as caught:
        pytl.compile(f"func @f(%x: f32, %g: group<memref<f32>x?>) {{ {text} }}")
    assert code in {diagnostic.code for diagnostic in caught.value.diagnostics}


@pytest.mark.parametrize("form", ["999999999999", ".99999999f", "s", "q", "10.3f"])
def test_formats_of_texts(form, capsys):
    """A format that a number has not, or that takes much memory, is left out."""
    kernel = pytl.compile(f'func @f(%x: f32) {{ debug.print "{{:{form}}}" (%x) }}')["f"]
    kernel[1](1.5, backend="reference")
    assert capsys.readouterr().out == "[work-group 0] " + ("     1.500" if form == "10.3f" else "1.5") + "\n"
