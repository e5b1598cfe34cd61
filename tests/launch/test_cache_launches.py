"""Launches and the compilation cache: what is compiled when, what `k.cache_info()` tells, what is imported."""

from __future__ import annotations

import json
import re
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cache_kit import TEXT, recorded_calls
from launch_kit import clean_python, column_major, needs_sycl

import pytl
from pytl import Memref, constexpr, f32
from pytl.backends.numba_dpex import launch, toolchain
from pytl.backends.numba_dpex.interface import KernelInterface, KernelParameter
from pytl.devices import compilers


@pytest.fixture
def directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of its own, empty. Machine code has tests of its own, in test_machine_code.py."""
    monkeypatch.setenv("PYTL_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("PYTL_CACHE_MACHINE_CODE", "0")
    return tmp_path / "cache"


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """ "build" for each compilation, "load" for each kernel that is given to the driver."""
    return recorded_calls(monkeypatch, lambda kernel: "load")


def fresh(text: str = TEXT) -> pytl.Kernel:
    """A kernel that no memory knows, as in a new process."""
    return next(iter(pytl.compile(text).values()))


def check(kernel: pytl.Kernel, size: int = 8, options: dict[str, str] | None = None) -> None:
    """Launch, and look whether the result is right."""
    x, y = np.ones(size, np.float32), np.full(size, 3.0, np.float32)
    kernel[1, options or {}](2.0, x, y, backend="sycl")
    np.testing.assert_array_equal(y, np.full(size, 5.0))


@needs_sycl
def test_a_kernel_is_compiled_once_for_all_processes(directory: Path, calls: list[str]) -> None:
    check(fresh())
    assert calls == ["build", "load"]
    assert len(list(directory.iterdir())) == 1
    check(fresh())
    assert calls == ["build", "load", "load"]
    check(fresh("\n\n" + TEXT))  # places are no part of what is compiled
    assert calls == ["build", "load", "load", "load"]


@needs_sycl
def test_what_decides_the_code_is_told_apart(directory: Path, calls: list[str], monkeypatch) -> None:
    check(fresh())
    check(fresh(), options={"strategy": "many-items"})
    check(fresh(TEXT.replace("@add", "@plus")))
    with monkeypatch.context() as patch:
        patch.setenv("NUMBA_OPT", "3")
        check(fresh())
    assert calls == ["build", "load"] * 4
    assert len(list(directory.iterdir())) == 4
    calls.clear()
    check(fresh(), options={"strategy": "one-item"})  # what "auto" is
    assert calls == ["load"]


@needs_sycl
def test_without_the_cache_nothing_is_read_or_written(directory: Path, calls: list[str], monkeypatch) -> None:
    check(fresh())
    before = {file: file.stat().st_mtime_ns for file in directory.iterdir()}
    monkeypatch.setenv("PYTL_CACHE", "0")
    check(fresh())
    check(fresh(TEXT.replace("@add", "@plus")))
    assert calls == ["build", "load"] * 3
    assert {file: file.stat().st_mtime_ns for file in directory.iterdir()} == before


@needs_sycl
def test_a_damaged_entry_is_compiled_anew(directory: Path, calls: list[str]) -> None:
    check(fresh())
    (file,) = directory.iterdir()
    content = file.read_bytes()
    for damage in (content[:-100], content[:5000] + b"\xff" + content[5001:], b""):
        file.write_bytes(damage)
        calls.clear()
        check(fresh())
        assert calls == ["build", "load"]
        assert len(file.read_bytes()) in range(len(content) - 20, len(content) + 20)  # times have digits


@needs_sycl
def test_an_entry_that_the_driver_refuses_is_compiled_anew(directory: Path, calls: list[str], monkeypatch) -> None:
    check(fresh())
    (file,) = directory.iterdir()
    load, refused = launch.LoadedKernel.__init__, []

    def refuse(self: Any, *arguments: Any) -> None:
        if not refused:
            refused.append(not file.exists())
            raise RuntimeError("no such extension")
        load(self, *arguments)

    monkeypatch.setattr(launch.LoadedKernel, "__init__", refuse)
    calls.clear()
    check(fresh())
    assert calls == ["build", "load"]
    assert refused == [False] and file.exists()


@needs_sycl
@pytest.mark.parametrize("failing", ["pytl.backends.numba_dpex.toolchain.build", "launch"])
def test_what_does_not_compile_is_not_kept(directory: Path, failing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*arguments: Any) -> None:
        raise RuntimeError("out of registers")

    if failing == "launch":
        monkeypatch.setattr(launch.LoadedKernel, "__init__", fail)
        monkeypatch.setattr(toolchain, "build", lambda *arguments: launch.SpirvKernel(b"", "add", ()))
    else:
        monkeypatch.setattr(toolchain, "build", fail)
    kernel = fresh()
    for _ in range(2):
        with pytest.raises(pytl.PlatformError, match="@add did not compile: out of registers"):
            check(kernel)
    assert not directory.exists()
    assert kernel.cache_info().variants == ()


@needs_sycl
def test_a_cache_that_cannot_be_written_does_no_harm(calls: list[str], monkeypatch) -> None:
    from pytl.devices import cache

    monkeypatch.setattr(cache, "_warned", set())
    monkeypatch.setenv("PYTL_CACHE_DIR", "/dev/null/cache")
    with pytest.warns(UserWarning, match=r"\[PYTL-3040\]") as told:
        check(fresh())
        check(fresh())
    assert [warning.filename for warning in told if "PYTL-3040" in str(warning.message)] == [__file__]
    assert calls == ["build", "load"] * 2


@needs_sycl
def test_a_bad_setting_is_told_at_the_launch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTL_CACHE_SIZE", "plenty")
    with pytest.raises(pytl.PlatformError) as caught:
        check(fresh())
    assert caught.value.code == "PYTL-3020"
    assert "kernel[1, options or {}](2.0, x, y" in str(caught.value)


@needs_sycl
def test_parts_of_a_device_share_what_is_kept(directory: Path, calls: list[str]) -> None:
    """They have no filter string, by which others are told apart."""
    import dpctl
    from device_kit import dpt

    try:
        parts = dpctl.SyclDevice("cpu").create_sub_devices(partition=1)[:2]
    except dpctl.SyclSubDeviceCreationError:
        pytest.skip("the device has one compute unit")
    kernel = fresh()
    for part in parts:
        x = dpt.ones(8, dtype="f4", sycl_queue=dpctl.SyclQueue(part))
        y = dpt.ones(8, dtype="f4", sycl_queue=x.sycl_queue)
        kernel[1](2.0, x, y)
        assert (dpt.asnumpy(y) == 3.0).all()
    assert calls == ["build", "load"] + ["load"] * (len(parts) - 1)
    assert str(kernel.cache_info()).count("a part of opencl:cpu:0 ") == len(parts)


@needs_sycl
def test_threads_compile_a_kernel_once(directory: Path, calls: list[str]) -> None:
    kernel = fresh()
    threads = [threading.Thread(target=check, args=(kernel,)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert calls == ["build", "load"]
    assert kernel.cache_info().memory_hits == 3


# k.cache_info().


@needs_sycl
def test_dynamic_sizes_are_not_compiled_anew(directory: Path, calls: list[str], monkeypatch) -> None:
    monkeypatch.setenv("PYTL_SPECIALIZE", "never")
    kernel = fresh()
    assert str(kernel.cache_info()) == "add: 0 builds, 0 disk hits, 0 memory hits, 0 launch plans"
    for size in (8, 16, 24, 8, 16):
        check(kernel, size)
    info = kernel.cache_info()
    assert (info.builds, info.disk_hits, info.memory_hits, info.plans) == (1, 0, 4, 3)
    check(kernel, 8, {"strategy": "many-items"})
    info = kernel.cache_info()
    assert (info.builds, info.memory_hits, info.plans) == (2, 4, 4)
    assert [variant.options for variant in info.variants] == [{"strategy": "one-item"}, {"strategy": "many-items"}]
    line = r"  strategy={}-item{}, opencl:cpu:0 \S.*: built in \d+\.\d\d s, \d+ bytes, {} memory hits"
    expected = ["add: 2 builds, 0 disk hits, 4 memory hits, 4 launch plans", line.format("one", "", 4)]
    expected.append(line.format("many", "s", 0))
    assert re.fullmatch("\n".join(expected), str(info)), info
    equal = fresh()
    check(equal)
    info = equal.cache_info()
    assert (info.builds, info.disk_hits, info.memory_hits, info.plans) == (0, 0, 0, 1)
    assert re.search(r": that of an equal kernel \(built in \d+\.\d\d s\), \d+ bytes, 0 memory hits$", str(info))
    del kernel, equal, info  # what is compiled is freed with the last of them
    other = fresh()
    check(other)
    info = other.cache_info()
    assert (info.builds, info.disk_hits, info.memory_hits, info.plans) == (0, 1, 0, 1)
    assert re.search(r": from disk in \d+\.\d\d s \(built in \d+\.\d\d s\), \d+ bytes, 0 memory hits$", str(info))
    assert info.variants[0].built.build_seconds > 0


@pytl.kernel
def fill(x: Memref[f32, ...], n: constexpr):
    for k in range(n):
        x[k] = 1.0


@needs_sycl
def test_specializations_show_up_in_their_parent(directory: Path, calls: list[str]) -> None:
    for n in (2, 3, 2):
        x = np.zeros(4, np.float32)
        fill[1](x, n, backend="sycl")
        assert x.sum() == n
    info = fill.cache_info()
    assert (info.builds, info.memory_hits, info.plans) == (2, 1, 2)
    assert [(variant.constexprs, variant.built.hits) for variant in info.variants] == [({"n": 2}, 1), ({"n": 3}, 0)]
    assert str(info).splitlines()[1].startswith("  n=2, strategy=one-item, opencl:cpu:0 ")
    assert fill.specialize(n=3).cache_info().variants == info.variants[1:]


def test_the_reference_backend_compiles_nothing() -> None:
    kernel = fresh()
    kernel[1](2.0, column_major(8), column_major(8), backend="reference")
    info = kernel.cache_info()
    assert (info.variants, info.plans) == ((), 1)


# What is kept of a kernel.


INTERFACE = KernelInterface("f", (KernelParameter("x", "array", "f32", 0, "data"),), 16, 512, 8)


def test_an_interface_is_read_as_it_was_written() -> None:
    assert KernelInterface.from_json(json.loads(json.dumps(INTERFACE.to_json()))) == INTERFACE


@pytest.mark.parametrize(
    "change",
    [
        *[{"entry": 1}, {"items": "16"}, {"items": True}, {"local_bytes": -1}, {"subgroup_size": 1.5}, {"more": 1}],
        *[{"parameters": None}, {"parameters": [1]}, {"parameters": [{"name": "x"}]}],
        *[{"parameters": [{**INTERFACE.to_json()["parameters"][0], **p}]} for p in ({"kind": "list"}, {"mode": -1})],
        *[{"parameters": [{**INTERFACE.to_json()["parameters"][0], **p}]} for p in ({"element": "f8"}, {"name": 0})],
        *[{"groups_per_item": None}, {"groups_per_item": 0}, {"together": "1"}],
        *[{"parameters": [{**INTERFACE.to_json()["parameters"][0], "parameter": p}]} for p in (None, [], -2)],
    ],
)
def test_an_interface_of_somebody_elses_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"of a kernel has an invalid|not the interface of a kernel"):
        KernelInterface.from_json({**INTERFACE.to_json(), **change})


@needs_sycl
@pytest.mark.parametrize("wrong", ["junk", "0"])
def test_a_wrong_setting_removes_nothing_from_the_cache(
    wrong: str, directory: Path, monkeypatch: pytest.MonkeyPatch, calls: list[str]
) -> None:
    check(fresh())
    kept = sorted(path.name for path in directory.rglob("*"))
    monkeypatch.setenv("PYTL_COMPILE_SECONDS", wrong)
    with pytest.raises(pytl.PytlError) as caught:
        check(fresh())
    assert caught.value.code == "PYTL-3020"
    assert sorted(path.name for path in directory.rglob("*")) == kept
    monkeypatch.delenv("PYTL_COMPILE_SECONDS")
    check(fresh())
    assert calls == ["build", "load", "load"]


# A warm process.

PROGRAM = """
import pytl
import numpy as np
kernel = pytl.compile({text!r})["add"]
x, y = np.ones(8, np.float32), np.full(8, 3.0, np.float32)
kernel[1](2.0, x, y)
assert (y == 5.0).all()
info = kernel.cache_info()
unwanted = {{"numba", "numba_dpex", "llvmlite", "dpnp", "typeguard"}} & set(sys.modules)
print(info.builds, info.disk_hits, *sorted(unwanted), "pytl.backends.numba_dpex.emit" in sys.modules)
"""


@needs_sycl
def test_a_warm_process_imports_no_compiler(directory: Path) -> None:
    source = PROGRAM.format(text=TEXT)
    own = " numba_dpex" if compilers.installed_compiler() is compilers.NUMBA_DPEX else ""
    for expected in (f"1 0 llvmlite numba{own} True", "0 1 False"):
        done = clean_python(source, PYTL_CACHE_DIR=str(directory))
        # dpnp is imported by numba-dpex where it is installed
        assert (done.stderr, done.stdout.strip().replace(" dpnp", "", 1)) == ("", expected)
