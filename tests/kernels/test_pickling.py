"""Kernels, launchers, types and modules in pickles: in this process, in others, and through cloudpickle."""

import copy
import operator
import pickle
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from launch_kit import PUBLIC, ROOT, clean_python, has_sycl

import pytl
from pytl import Group, Memref, axpby, constexpr, f32, gemm, group_id, strides
from pytl.frontends.lang import annotations

BACKEND = "sycl" if has_sycl else "reference"
PROTOCOLS = range(2, pickle.HIGHEST_PROTOCOL + 1)


@pytl.kernel(subgroup_size=8, work_group_size=(8, 2))
def multiply(alpha: f32, A: Group[f32, 4, 4], B: Memref[f32, 4, 4], C: Memref[f32, 4, 4, ..., strides(1, 4, ...)]):
    g = group_id()
    gemm(alpha, A[g], B, 1.0, C[:, :, g])


@pytl.kernel
def fill(n: constexpr[int], x: Memref[f32, ...], value: constexpr = 2.0):
    for k in range(n):
        x[k] = value


def filled(kernel: pytl.Kernel, *values: Any) -> list[float]:
    """What another process computes."""
    x = np.zeros(4, np.float32)
    kernel[1](*values[:1], x, *values[1:], backend=BACKEND)
    return x.tolist()


def refusal(kernel: pytl.Kernel) -> pytl.PytlError:
    with pytest.raises(pytl.PytlError) as caught:
        pickle.dumps(kernel)
    assert caught.value.code == "PYTL-2042"
    return caught.value


def other_process(kernel: Any, call: str) -> subprocess.CompletedProcess[str]:
    """Unpickle `k` in a process that knows nothing of this module, and execute a statement there."""
    return clean_python(f"import pickle; k = pickle.loads({pickle.dumps(kernel)!r})\n{call}")


# In one process.


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_kernel_comes_back(protocol: int) -> None:
    text = pickle.dumps(multiply, protocol)
    assert pickle.loads(text) is multiply
    assert pickle.loads(pickle.dumps(multiply[3, {"strategy": "one-item"}], protocol)).kernel is multiply
    assert str(multiply).encode() in text


def test_copies_are_the_kernel_itself() -> None:
    for k in (multiply, fill, fill.specialize(n=3)):
        assert copy.copy(k) is copy.deepcopy(k) is copy.deepcopy([k])[0] is k
    assert multiply == multiply and multiply != fill and len({multiply, fill, multiply}) == 2


def test_what_is_read_twice_is_compiled_once() -> None:
    k = pytl.compile("func @f(%x: memref<f32x4>, %n: f32) { axpby.n %n, %x, %n, %x }")["f"]
    written = pickle.dumps(k)
    assert pickle.loads(written) is k
    del k
    first = pickle.loads(written)
    identity = id(first)
    del first
    assert id(pickle.loads(written)) == identity
    assert pickle.loads(written).name == "f"


def test_launchers_keep_their_options() -> None:
    launcher = pickle.loads(pickle.dumps(multiply[7, {"strategy": "many-items"}]))
    assert (launcher.kernel, launcher.groups, launcher.options) == (multiply, 7, {"strategy": "many-items"})


# In another one.


@pytest.mark.at_night
def test_a_process_without_the_source() -> None:
    done = other_process(multiply, "print(k.module)")
    assert (done.stdout.rstrip(), done.stderr) == (str(multiply.module).rstrip(), "")
    done = other_process(
        multiply,
        "import numpy as np\n"
        "A, B = np.asfortranarray(np.eye(4, dtype='f4')), np.full((4, 4), 2, 'f4', order='F')\n"
        "C = np.ones((4, 4, 1), 'f4', order='F')\n"
        "k[1](alpha=3.0, A=[A], B=B, C=C, backend='reference'); print(C.min(), C.max())\n"
        "import pytl\n"
        "try: k[1](3.0, [A], B, None, backend='reference')\n"
        "except pytl.LaunchError as error: print(error)",
    )
    assert done.stdout.splitlines()[0] == "7.0 7.0"
    assert done.stdout.splitlines()[2].startswith("error[PYTL-2002]: C is None, but the parameter is memref<f32x4x4")
    assert done.stderr == ""


@pytest.mark.at_night
def test_spawned_processes() -> None:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        assert pool.submit(filled, fill.specialize(n=3, value=4.0)).result() == [4, 4, 4, 0]
        assert pool.submit(filled, fill, 2).result() == [2, 2, 0, 0]  # by name
        assert pool.submit(filled, fill.specialize(value=5.0), 1).result() == [5, 0, 0, 0]
        failed = pool.submit(filled, fill.specialize(n=5, value=4.0).specialize(), None).exception()
        assert isinstance(failed, pytl.LaunchError) and failed.code == "PYTL-2001"
        assert "error[PYTL-2001]" in str(failed)


# Kernels with open constexpr parameters.


def test_open_kernels_go_by_name() -> None:
    for protocol in PROTOCOLS:
        assert pickle.loads(pickle.dumps(fill, protocol)) is fill
        part = fill.specialize(value=1.0)
        assert pickle.loads(pickle.dumps(part, protocol)) is part
    assert pickle.loads(pickle.dumps(fill.specialize(n=2, value=1.0))) is fill.specialize(n=2, value=1.0)


def test_open_kernels_without_a_name() -> None:
    @pytl.kernel
    def local(n: constexpr, x: Memref[f32, 4]):
        x[n] = 1.0

    (found,) = refusal(local).diagnostics
    name = f"{test_open_kernels_without_a_name.__qualname__}.<locals>.local"
    assert found.message == f"local is not what {__name__} has under the name {name}"
    assert found.help == "pickle local.specialize(n=…), which is pickled as its text"
    assert found.location is not None and found.location.source.name == __file__
    again = pickle.loads(pickle.dumps(local.specialize(n=2)))
    assert again is local.specialize(n=2)


def test_open_kernels_that_nobody_finds(tmp_path: Path) -> None:
    source = (
        "import linecache, pickle, pytl, sys\n"
        "text = '@pytl.kernel\\ndef f(n: pytl.constexpr, x: pytl.Memref[pytl.f32, 4]):\\n    x[n] = 1.0\\n'\n"
        "linecache.cache['<cell 1>'] = (len(text), None, text.splitlines(True), '<cell 1>')\n"
        "exec(compile(text, '<cell 1>', 'exec'))\n"
        "sys.stdout.buffer.write(pickle.dumps(f.specialize(n=1)))\n"
        "try: pickle.dumps(f)\n"
        "except pytl.PytlError as error: print(error.diagnostics[0].message, file=sys.stderr)\n"
        "sys.modules['__main__'].__file__ = 'script.py'\n"
        "open('open.pickle', 'wb').write(pickle.dumps(f))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(ROOT)!r})\n{source}"],
        cwd=tmp_path,
        capture_output=True,
        check=True,
    )
    assert done.stderr.decode().strip() == "f is defined interactively, where no other process finds it"
    assert "store" in str(pickle.loads(done.stdout))
    with pytest.raises(pytl.PytlError) as caught:
        pickle.loads((tmp_path / "open.pickle").read_bytes())
    assert caught.value.code == "PYTL-2042"
    assert caught.value.diagnostics[0].message.startswith("__main__.f is not to be found where it is read: ")


def test_another_thing_under_the_kernels_name(monkeypatch: pytest.MonkeyPatch) -> None:
    written = pickle.dumps(fill)
    monkeypatch.setattr(sys.modules[__name__], "fill", filled)
    with pytest.raises(pytl.PytlError, match=r"test_pickling\.fill is not a kernel where it is unpickled"):
        pickle.loads(written)


def test_kernels_that_are_wrong_say_so() -> None:
    @pytl.kernel
    def wrong(x: Memref[f32, 4]):
        x[0] = y

    with pytest.raises(pytl.TraceError):
        pickle.dumps(wrong)


# cloudpickle, which Dask uses.


def test_cloudpickle() -> None:
    cloudpickle = pytest.importorskip("cloudpickle")
    for k in (multiply, fill, fill.specialize(n=1)):
        assert pickle.loads(cloudpickle.dumps(k)) is k

    @pytl.kernel
    def local(x: Memref[f32, 4]):
        axpby(2.0, x, 0.0, x)

    def work() -> float:
        x = np.ones(4, np.float32)
        local[1](x, backend="reference")
        return float(x.sum())

    done = clean_python(f"import pickle; print(pickle.loads({cloudpickle.dumps(work)!r})())")
    assert (done.stdout, done.stderr) == ("8.0\n", "")


# What kernels are made of.


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_types_and_functions(protocol: int) -> None:
    def copied(given: Any) -> Any:
        return pickle.loads(pickle.dumps(given, protocol))

    for name in PUBLIC:
        value = getattr(pytl, name)
        if name not in ("constexpr", "atomic", "coop", "subgroup", "tile"):
            assert copied(value) is value, name
    functions = "coop.load tile.load coop.full atomic.add subgroup.add.reduce subgroup.max.inclusive_scan"
    for name in functions.split():
        value = operator.attrgetter(name)(pytl)
        assert copied(value) is value, name
    for type_ in (Memref[f32, 4, ...], Memref[f32, 4, strides(2)], Group[Memref[f32, 4], 3], pytl.Memref[f32]):
        assert copied(type_) is type_ and copied(type_.ir_type) == type_.ir_type
    assert copied(constexpr[int]).__metadata__[0] is annotations.CONSTEXPR
    for value in (pytl.align(64), strides(1, ...), pytl.offset(...), pytl.pointers([1], offset=2)):
        assert copied(value) == value


def test_modules() -> None:
    nested = "".join(f"for %i{k} = %n, %n {{ " for k in range(90)) + "}" * 90
    module = pytl.parse(f"{multiply}\nfunc @g(%n: index) {{ {nested} }}")
    assert str(pickle.loads(pickle.dumps(module))) == str(module)
    traced = pickle.loads(pickle.dumps(multiply.module))
    assert str(traced) == str(multiply.module)
    assert str(traced.functions[0].location) == str(multiply.function.location)
    assert list(pytl.compile(traced)) == ["multiply"]
