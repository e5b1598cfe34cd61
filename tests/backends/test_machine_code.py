"""Machine code in the compilation cache: when it is used, when the driver compiles SPIR-V, what it holds on to."""

from __future__ import annotations

import ctypes
import gc
import os
import sys
import threading
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from cache_kit import TEXT, recorded_calls
from launch_kit import clean_python, needs_sycl

import pytl
from pytl import Memref, alloca, atomic, exp, f64, foreach, gemm, group_id, i32
from pytl.backends.numba_dpex import builds, launch, machine_code
from pytl.backends.registry import find_backend
from pytl.devices import bootstrap
from pytl.devices import cache as cache_module
from pytl.devices.cache import Cache, Entry, decode, encode

pytestmark = [
    needs_sycl,
    pytest.mark.skipif(sys.platform != "linux", reason="machine code is kept under Linux only"),
]


class Forgetful(dict[Any, Any]):
    """What is compiled is not shared in the process, so that each kernel is one of a new process."""

    def __setitem__(self, key: Any, value: Any) -> None:
        pass


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Cache:
    """A cache of its own, empty."""
    monkeypatch.setenv("PYTL_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(cache_module, "_warned", set())
    monkeypatch.setattr(find_backend("sycl"), "_shared", Forgetful())
    return Cache(tmp_path / "cache", 100_000_000)


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """ "build" for each compilation; "spirv" or "machine code" for each kernel that the driver is given."""
    return recorded_calls(
        monkeypatch, lambda kernel: "spirv" if isinstance(kernel, launch.SpirvKernel) else "machine code"
    )


def launched(text: str = TEXT) -> pytl.Kernel:
    """A kernel that no memory knows, as in a new process, after a launch whose result is right."""
    kernel = next(iter(pytl.compile(text).values()))
    x, y = np.ones(8, np.float32), np.full(8, 3.0, np.float32)
    kernel[1](2.0, x, y, backend="sycl")
    np.testing.assert_array_equal(y, np.full(8, 5.0))
    return kernel


def files(cache: Cache) -> dict[str, Path]:
    """The files of the cache, by what they hold."""
    return {each.entry.kind: cache.directory / f"{each.key}.pytl" for each in cache.stored() if each.entry}


def entry_of(file: Path) -> Entry:
    entry = decode(file.stem, file.read_bytes())
    assert entry is not None
    return entry


def code_of(file: Path) -> bytes:
    return entry_of(file).code


# When it is used.


def test_a_later_process_compiles_nothing(cache: Cache, calls: list[str]) -> None:
    first = launched()
    assert calls == ["build", "spirv"]
    assert set(files(cache)) == {"kernel", "machine code"}
    later = launched()
    assert calls == ["build", "spirv", "machine code"]
    (before,), (after,) = first.cache_info().variants, later.cache_info().variants
    assert (before.built.is_machine_code, after.built.is_machine_code) == (False, True)
    assert after.built.size == len(code_of(files(cache)["machine code"]))
    assert later.cache_info().disk_hits == 1
    assert ": machine code from disk in " in str(later.cache_info())
    assert "disk, machine code" in later.cache_info()._repr_html_()


PROGRAM = f"""
import numpy as np
import pytl
kernel = pytl.compile({TEXT!r})["add"]
x, y = np.ones(8, np.float32), np.full(8, 3.0, np.float32)
for _ in range(3):
    kernel[1](2.0, x, y)
assert (y == 9.0).all()
print(kernel.cache_info().variants[0].built.is_machine_code, "numba" in sys.modules, "email" in sys.modules)
"""


@pytest.mark.at_night
def test_processes_take_it_from_another_one(cache: Cache) -> None:
    launched()
    done = clean_python(PROGRAM, PYTL_CACHE_DIR=str(cache.directory))
    assert (done.stderr, done.stdout.strip()) == ("", "True False False")


def test_it_is_used_where_only_it_is_left(cache: Cache, calls: list[str]) -> None:
    """As where the SPIR-V, which was not used for longer, made room."""
    launched()
    files(cache)["kernel"].unlink()
    calls.clear()
    launched()
    assert calls == ["machine code"]


def test_a_setting_does_without(cache: Cache, calls: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTL_CACHE_MACHINE_CODE", "0")
    launched()
    assert set(files(cache)) == {"kernel"}
    monkeypatch.setenv("PYTL_CACHE_MACHINE_CODE", "1")
    launched()
    assert set(files(cache)) == {"kernel", "machine code"}
    monkeypatch.setenv("PYTL_CACHE_MACHINE_CODE", "0")
    launched()
    assert calls == ["build", "spirv", "spirv", "spirv"]


def test_threads_and_kernels_meet(cache: Cache, calls: list[str]) -> None:
    """Each thread finds the SPIR-V alone, or machine code of another's; what they leave is whole."""
    launched()
    files(cache)["machine code"].unlink()
    threads = [threading.Thread(target=launched) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert calls.count("build") == 1 and len(calls) == 6
    calls.clear()
    launched()
    assert calls == ["machine code"]


@pytl.kernel
def mixed(A: Memref[f64, 8, 8, ...], B: Memref[f64, 8, 8], n: i32, D: Memref[f64, 8, 8, ...], count: Memref[i32, 1]):
    """Products, a function of the driver's library, local memory, an atomic, a number as an argument."""
    g = group_id()
    t = alloca(f64, 8, 8)
    gemm(0.5, A[:, :, g], B, 0.0, t)
    gemm(1.0, B, t, 0.0, D[:, :, g])
    for i, j in foreach((0, 0), (8, 8)):
        D[i, j, g] = exp(D[i, j, g])
    atomic.add(count[0], n)


WIDEST = (Path(__file__).parents[1] / "backends" / "regressions" / "subgroups_of_one_widest.tl").read_text()


def arguments(which: str) -> list[Any]:
    random = np.random.default_rng(1)
    if which == "sub-groups":
        return [np.ones(1, np.float32), np.zeros((1, 5), np.float32, "F"), np.zeros((64, 5), np.int32, "F")]
    A, B = (np.asfortranarray(random.standard_normal(shape) / 4) for shape in ((8, 8, 5), (8, 8)))
    return [A, B, 3, np.zeros((8, 8, 5), order="F"), np.zeros(1, np.int32)]


@pytest.mark.at_night
@pytest.mark.parametrize("which", ["mixed", "sub-groups"])
def test_it_computes_the_same(cache: Cache, calls: list[str], which: str) -> None:
    text = str(mixed.ir()) if which == "mixed" else WIDEST
    found = []
    for backend in ("reference", "sycl", "sycl"):
        kernel = next(iter(pytl.compile(text).values()))
        given = arguments(which)
        kernel[5](*given, backend=backend)
        found.append(given)
    assert calls[0] == "build" and calls[-1] == "machine code" and calls.count("machine code") == 1
    for expected, built, taken in zip(*found):
        np.testing.assert_allclose(taken, expected, rtol=1e-13)
        np.testing.assert_array_equal(taken, built)


# What is not used, and what follows.


def damage(kind: str, content: bytes) -> bytes:
    middle = len(content) // 2
    return {
        "empty": b"",
        "cut": content[:-100],
        "changed": content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :],
    }[kind]


@pytest.mark.parametrize("kind", ["empty", "cut", "changed"])
def test_a_damaged_file_is_replaced(cache: Cache, calls: list[str], kind: str) -> None:
    launched()
    file = files(cache)["machine code"]
    content = file.read_bytes()
    file.write_bytes(damage(kind, content))
    calls.clear()
    assert launched().cache_info().disk_hits == 1
    assert calls == ["spirv"]
    launched()
    assert calls == ["spirv", "machine code"]


@pytest.mark.parametrize("kind", ["no binary", "nothing", "part", "another kernel"])
def test_what_the_driver_refuses_is_replaced(cache: Cache, calls: list[str], kind: str) -> None:
    """It is whole as a file, and says so."""
    launched()
    file = files(cache)["machine code"]
    entry = entry_of(file)
    wrong = {"no binary": b"planted", "nothing": b"", "part": entry.code[: len(entry.code) // 2]}
    if kind == "another kernel":
        details = {**entry.details, "entry": "no_such_kernel"}
        file.write_bytes(encode(file.stem, replace(entry, details=details)))
    else:
        file.write_bytes(encode(file.stem, replace(entry, code=wrong[kind])))
    calls.clear()
    launched()
    assert calls == ["machine code", "spirv"]
    launched()
    assert calls == ["machine code", "spirv", "machine code"]


@pytest.fixture
def elsewhere(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Changes what machine code depends on."""
    vendor, features = bootstrap.processor()

    def change(what: str) -> None:
        if what == "processor":
            monkeypatch.setattr(bootstrap, "processor", lambda: (vendor, features - {"fma"}))
        elif what == "vendor":
            monkeypatch.setattr(bootstrap, "processor", lambda: ("Other", features))
        elif what == "unknown processor":
            monkeypatch.setattr(bootstrap, "processor", lambda: (vendor, frozenset()))
        elif what == "settings":
            monkeypatch.setattr(bootstrap, "driver_settings", lambda: {"CL_CONFIG_CPU_TARGET_ARCH": "corei7"})
        elif what == "unknown settings":
            monkeypatch.setattr(bootstrap, "driver_settings", lambda: None)
        elif what == "driver":
            monkeypatch.setattr(machine_code, "_driver", lambda: Path(__file__))
        elif what == "unknown driver":
            monkeypatch.setattr(machine_code, "_driver", lambda: None)
        elif what == "functions":
            monkeypatch.setattr(machine_code, "functions_of_drivers", lambda: None)
        machine_code.made_for.cache_clear()

    yield change
    monkeypatch.undo()
    machine_code.made_for.cache_clear()


@pytest.mark.at_most(2)
@pytest.mark.parametrize("what", ["processor", "vendor", "settings", "driver"])
def test_another_processor_or_driver_has_its_own(cache: Cache, calls: list[str], elsewhere, what: str) -> None:
    launched()
    before = set(cache.directory.iterdir())
    elsewhere(what)
    launched()
    assert calls == ["build", "spirv", "spirv"]
    assert len(set(cache.directory.iterdir()) - before) == 1 and before <= set(cache.directory.iterdir())
    launched()
    assert calls == ["build", "spirv", "spirv", "machine code"]


@pytest.mark.at_most(2)
@pytest.mark.parametrize("what", ["unknown processor", "unknown settings", "unknown driver", "functions"])
def test_where_something_is_unknown_there_is_none(cache: Cache, calls: list[str], elsewhere, what: str) -> None:
    launched()
    before = set(cache.directory.iterdir())
    elsewhere(what)
    launched()
    assert calls == ["build", "spirv", "spirv"]
    assert set(cache.directory.iterdir()) == before


def test_the_device_is_in_the_key() -> None:
    function = pytl.compile(TEXT)["add"].function

    def key(**other: Any) -> str:
        return builds.key(function, {}, SimpleNamespace(**{"name": "a", "sub_group_sizes": [4], **other}))

    assert len({key(), key(name="b"), key(sub_group_sizes=[8])}) == 3


def test_parts_of_a_device_have_none(cache: Cache, calls: list[str]) -> None:
    import dpctl
    from device_kit import dpt

    try:
        part = dpctl.SyclDevice("cpu").create_sub_devices(partition=1)[0]
    except dpctl.SyclSubDeviceCreationError:
        pytest.skip("the device has one compute unit")
    x = dpt.ones(8, dtype="f4", sycl_queue=dpctl.SyclQueue(part))
    y = dpt.ones(8, dtype="f4", sycl_queue=x.sycl_queue)
    pytl.compile(TEXT)["add"][1](2.0, x, y)
    assert (dpt.asnumpy(y) == 3.0).all()
    assert set(files(cache)) == {"kernel"}


def test_kernels_with_tile_registers_have_none(cache: Cache) -> None:
    launched()
    before = set(cache.directory.iterdir())
    lowered: Any = SimpleNamespace(options={"matrix": "amx"})
    builds.keep_machine_code(cache, "0" * 64, lowered, None, None)  # type: ignore[arg-type]
    assert set(cache.directory.iterdir()) == before


@pytest.mark.skipif(getattr(os, "geteuid", lambda: 1)() != 0, reason="only root can give files away")
def test_that_of_another_user_is_not_used(cache: Cache, calls: list[str]) -> None:
    launched()
    file = files(cache)["machine code"]
    os.chown(file, 12345, -1)
    calls.clear()
    with pytest.warns(UserWarning, match="PYTL-3080") as warned:
        launched()
    assert any(file.name in str(each.message) for each in warned)
    assert calls == ["spirv"]


# What the driver read when it began.

SETTINGS = """
import os
import sys
import types
{before}
from pytl.devices import bootstrap
bootstrap._cpuinfo = lambda: {cpuinfo!r}
bootstrap.prepare()
print(bootstrap.driver_settings())
"""
DPCTL = "sys.modules['dpctl'] = types.ModuleType('dpctl')"
CHANGED = "os.environ['CL_CONFIG_CPU_VECTORIZER_MODE'] = '4'"
AMD = "vendor_id: AuthenticAMD\nflags: avx2 fma bmi1 bmi2 f16c movbe abm\n"
NAMED = {"CL_CONFIG_CPU_TARGET_ARCH": "core-avx2"}
MODE = {"CL_CONFIG_CPU_VECTORIZER_MODE": "4"}


@pytest.mark.parametrize(
    ("before", "cpuinfo", "expected"),
    [
        ("", "", {}),
        (CHANGED, "", MODE),
        ("", AMD, NAMED),
        (DPCTL, "", {}),  # nothing has changed since the process began
        (f"{DPCTL}; {CHANGED}", "", None),  # the driver may have begun before, or not
        (DPCTL, AMD, None),
    ],
)
def test_settings_of_the_driver_are_known_or_not(before: str, cpuinfo: str, expected: Any) -> None:
    done = clean_python(SETTINGS.format(before=before, cpuinfo=cpuinfo))
    assert (done.stderr, done.stdout.strip()) == ("", str(expected))


# References.


def cpu_queue() -> Any:
    import dpctl

    return dpctl.SyclQueue("cpu")


def references(found: dict[str, Any], program: int) -> int:
    return int(machine_code.asked(found["clGetProgramInfo"], (program, 0x1160), ctypes.c_uint()))


@pytest.mark.at_night
def test_what_is_made_of_it_is_released(cache: Cache, monkeypatch: pytest.MonkeyPatch) -> None:
    """The program lives as long as dpctl's object, and the context's references are as many as before."""
    queue = cpu_queue()
    launched()
    entry = entry_of(files(cache)["machine code"])
    found, programs = machine_code.functions_of_drivers(), []
    assert found is not None
    retain = ctypes.CDLL("libOpenCL.so.1").clRetainProgram
    whole = machine_code._is_whole

    def observed(found: dict[str, Any], program: int, *rest: Any) -> bool:
        programs.append(program)
        retain(ctypes.c_void_p(program))
        return whole(found, program, *rest)

    def of_context() -> int:
        context = found[machine_code.NATIVE_CONTEXT](queue.sycl_context.addressof_ref())
        number = ctypes.c_uint()
        ask = ctypes.CDLL("libOpenCL.so.1").clGetContextInfo
        assert not ask(ctypes.c_void_p(context), 0x1080, ctypes.c_size_t(4), ctypes.byref(number), None)
        found["clReleaseContext"](context)
        return number.value

    monkeypatch.setattr(machine_code, "_is_whole", observed)
    before = of_context()
    made = machine_code.program_of(queue, entry.details["entry"], entry.code)
    assert made is not None
    (program,) = programs
    assert references(found, program) == 2  # the one of this test, and the one of the bundle
    del made
    gc.collect()
    assert references(found, program) == 1
    assert machine_code.program_of(queue, "no_such_kernel", entry.code) is None
    assert references(found, programs[1]) == 1
    for each in programs:
        found["clReleaseProgram"](each)
    assert of_context() == before


def test_reading_it_leaves_references_as_they_were(cache: Cache) -> None:
    queue = cpu_queue()
    launched()
    entry = entry_of(files(cache)["machine code"])
    kernel = machine_code.program_of(queue, entry.details["entry"], entry.code).get_sycl_kernel(entry.details["entry"])
    found = machine_code.functions_of_drivers()
    assert found is not None

    def of_kernel() -> int:
        native = found[machine_code.NATIVE_KERNEL](kernel.addressof_ref())
        number = int(machine_code.asked(found["clGetKernelInfo"], (native, 0x1192), ctypes.c_uint()))
        found["clReleaseKernel"](native)
        return number

    before = of_kernel()
    assert machine_code.read(queue, kernel) == entry.code
    assert of_kernel() == before
