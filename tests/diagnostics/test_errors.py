"""Errors as Python objects and as tracebacks: in scripts, threads, chains, processes and notebooks."""

import contextlib
import copy
import linecache
import pickle
import sys
import threading
import traceback
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np
import pytest
from launch_kit import Program, program

import pytl
from pytl import Memref, axpby, f32
from pytl.diagnostics import Diagnostic, Location, Rule, Source, errors, find, is_own

__all__ = ["program"]


@pytl.kernel
def double(x: Memref[f32, 4]):
    axpby(1.0, x, 1.0, x)


def refuse() -> None:
    double[1](None, backend="reference")


def refused() -> pytl.LaunchError:
    with pytest.raises(pytl.LaunchError) as caught:
        refuse()
    return caught.value


def test_what_an_error_says() -> None:
    error = refused()
    (found,) = error.diagnostics
    assert error.code == found.code == "PYTL-2002"
    assert found.headline == "error[PYTL-2002]: x is None, but the parameter is memref<f32x4>"
    assert found.location is not None and found.location.function == "refuse"
    assert str(error).startswith(f"\n{found.headline}\n")
    assert not str(error).endswith("errors")


def test_the_number_of_errors_ends_the_text() -> None:
    rule = find("2002")
    assert rule is not None
    two = pytl.PytlError([Diagnostic(rule, "one"), Diagnostic(rule, "two")])
    assert str(two).endswith("\n\n2 errors")


def test_the_tree() -> None:
    for kind in (pytl.LanguageError, pytl.TraceError, pytl.LaunchError, pytl.PlatformError, pytl.ExecutionError):
        assert issubclass(kind, pytl.PytlError)
        assert kind.__module__ == "pytl" and getattr(pytl, kind.__name__) is kind


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_pickling(protocol: int) -> None:
    error = refused()
    again = pickle.loads(pickle.dumps(error, protocol))
    assert type(again) is pytl.LaunchError
    assert str(again) == str(error) and again.code == error.code
    assert again.diagnostics[0].rule == error.diagnostics[0].rule


def test_copying() -> None:
    error = refused()
    assert str(copy.deepcopy(error)) == str(copy.copy(error)) == str(error)


def test_an_error_of_another_process() -> None:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        failed = pool.submit(compile_wrongly).exception()
    assert isinstance(failed, pytl.LanguageError)
    assert "PYTL-0001" in str(failed)


def compile_wrongly() -> None:
    pytl.compile("func @f(")


def test_codes_belong_to_one_rule() -> None:
    rule = find("PYTL-2002")
    assert rule is find("pytl-2002") is find(" 2002 ") and rule is not None
    with pytest.raises(ValueError, match="PYTL-2002 is taken by: a memref takes"):
        Rule("PYTL-2002", "something else", "Launching")
    assert find("PYTL-9999") is None and find("") is None


# Tracebacks.


@pytest.fixture
def hooks() -> Iterator[None]:
    before = sys.excepthook, threading.excepthook
    yield
    sys.excepthook, threading.excepthook = before


def test_the_traceback_of_an_error(hooks: None, capsys) -> None:
    sys.excepthook(*_raised(refuse))
    shown = capsys.readouterr().err
    assert shown.startswith("Traceback (most recent call last):\n")
    assert f'File "{__file__}"' in shown and ", in refuse\n" in shown
    assert "/pytl/kernels.py" not in shown
    assert shown.count("error[PYTL-2002]") == 1 and "\npytl.LaunchError: \nerror[PYTL-2002]" in shown


def test_other_errors_keep_the_hook_that_was_there(hooks: None, capsys) -> None:
    seen: list[type] = []
    sys.excepthook = lambda kind, error, tb: seen.append(kind)
    refused()  # installs ours before it
    assert sys.excepthook is errors._show_user_frames
    sys.excepthook(*_raised(lambda: 1 / 0))
    assert seen == [ZeroDivisionError]
    assert capsys.readouterr().err == ""


def test_chains(hooks: None, capsys) -> None:
    def chained() -> None:
        try:
            refuse()
        except pytl.LaunchError as error:
            raise RuntimeError("mine") from error

    refused()
    sys.excepthook(*_raised(chained))
    shown = capsys.readouterr().err
    assert "/pytl/kernels.py" not in shown
    assert shown.index("pytl.LaunchError") < shown.index("the direct cause of") < shown.index("RuntimeError: mine")

    def while_handling() -> None:
        try:
            {}["key"]
        except KeyError:
            refuse()

    sys.excepthook(*_raised(while_handling))
    shown = capsys.readouterr().err
    assert "/pytl/kernels.py" not in shown
    assert shown.index("KeyError: 'key'") < shown.index("During handling of") < shown.index("pytl.LaunchError")


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_threads(hooks: None, capsys) -> None:
    threading.excepthook = threading.__excepthook__
    refused()
    for target, name in ((refuse, "worker"), (lambda: 1 / 0, "divider")):
        thread = threading.Thread(target=target, name=name)
        thread.start()
        thread.join()
    shown = capsys.readouterr().err
    assert "Exception in thread worker:\nTraceback (most recent call last):\n" in shown
    assert "/pytl/kernels.py" not in shown
    assert "Exception in thread divider:\nTraceback" in shown and "ZeroDivisionError" in shown


def _raised(function):
    try:
        function()
    except Exception:
        return sys.exc_info()
    raise AssertionError("nothing was raised")


def test_a_users_file_beside_the_package_is_the_users() -> None:
    package = str(pytl.__file__).removesuffix("__init__.py")
    assert is_own(package + "kernel.py")
    assert not is_own(package.removesuffix("/") + "_experiments.py")


def test_scripts_with_threads_and_chains(program: Program) -> None:
    shown = program.stderr(
        "import threading",
        "def work():\n    add[1](None, A, B)\nthread = threading.Thread(target=work, name='worker')\nthread.start()\n"
        "thread.join()\ntry:\n    work()\nexcept pytl.LaunchError as error:\n    raise SystemError from error",
    )
    frames = [line for line in shown.splitlines() if line.startswith("  File ")]
    own = [frame for frame in frames if "/pytl/" in frame]
    assert frames and not own
    assert shown.startswith("Exception in thread worker:\n")
    assert shown.rstrip().endswith("SystemError")


def test_what_stands_beside_frames_of_pytl_is_left_out_and_no_more() -> None:
    """A `with` of pytl's shows contextlib's frames; those of a `with` of the user's stay."""
    own, between, users = pytl.__file__, contextlib.__file__, "/home/user/solver.py"
    given = [users, between, users, own, between, own, between, users, between]
    assert errors._are_users(given) == [True, True, True, False, False, False, False, True, True]


def test_frames_of_a_with_of_the_user_s_stay() -> None:
    def outer() -> None:
        with user_with():
            pass

    @contextlib.contextmanager
    def user_with() -> Iterator[None]:
        raise pytl.PytlError([])
        yield

    with pytest.raises(pytl.PytlError) as caught:
        outer()
    shown = errors.user_traceback(caught.value)
    assert "in outer" in shown and "in __enter__" in shown and "in user_with" in shown
    errors._cut_own_frames(caught.value)
    names = [frame.name for frame in traceback.extract_tb(caught.value.__traceback__)]
    assert "outer" in names and "user_with" in names


# Sources: notebooks, exec, files that change.


def run_cell(text: str, name: str) -> pytl.PytlError:
    """Execute a text as a notebook does a cell."""
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    with pytest.raises(pytl.PytlError) as caught:
        exec(compile(text, name, "exec"), {"pytl": pytl, "Memref": Memref, "f32": f32, "np": np})
    return caught.value


CELL = """\
@pytl.kernel
def wrong(x: Memref[f32, 4]):
    x[0] = y
wrong[1](np.zeros(4, np.float32), backend="reference")
"""


def test_a_notebook_cell() -> None:
    assert str(run_cell(CELL, "<ipython-input-7-abc>")) == (
        "\n"
        "error[PYTL-1020]: y is not defined\n"
        "  --> <ipython-input-7-abc>:3:12 in wrong\n"
        "   |\n"
        " 3 |     x[0] = y\n"
        "   |            ^\n"
        "   = rule: a name is bound before it is used"
    )


def test_code_without_a_source() -> None:
    with pytest.raises(pytl.PytlError) as lost:  # nothing holds the text once it is compiled
        exec(
            compile(CELL.replace("wrong", "lost"), "<made up>", "exec"),
            {name: getattr(pytl, name) for name in pytl.__all__} | {"pytl": pytl, "np": np},
        )
    assert lost.value.code == "PYTL-1010"
    assert lost.value.diagnostics[0].message == "the source of lost can't be found: its code comes from <made up>"
    call = "k[1](None, backend='reference')"
    with pytest.raises(pytl.LaunchError) as caught:
        exec(compile(call, "<made up>", "exec"), {"k": double})
    place = caught.value.diagnostics[0].location
    assert place is not None and (str(place.source.name), place.line) == ("<made up>", 1)
    assert "\n  --> <made up>:1:" in str(caught.value)


def test_tabs_and_wide_characters_keep_the_caret_in_place() -> None:
    text = "\tα = 'é'; call()\n"
    place = Location(Source("x.py", text), 1, 11, 1, 17)
    rule = find("2002")
    assert rule is not None
    lines = str(pytl.PytlError([Diagnostic(rule, "m", place)])).splitlines()
    shown, caret = lines[4], lines[5]
    assert shown[5:].index("call()") == caret[5:].index("^^^^^^")
    assert caret[5] == "\t"
