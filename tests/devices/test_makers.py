"""Who compiles: what is missing, which versions are installed, and whose code in the cache does here."""

from __future__ import annotations

import importlib.metadata
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from cache_kit import TEXT, recorded_calls
from launch_kit import ROOT, needs_sycl

import pytl
from pytl.backends.numba_dpex import builds
from pytl.devices import compilers, versions
from pytl.devices.cache import Cache
from pytl.devices.compilers import LLVMLITE, NUMBA, NUMBA_DPEX, Compiler, installed_compiler, is_compatible
from pytl.process.settings import TRANSLATOR

pytestmark = pytest.mark.at_most(4)


def test_versions_are_those_of_importlib(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    installed = {each.metadata["Name"] for each in importlib.metadata.distributions()}
    assert len(installed) > 10
    for name in installed:
        assert versions.version_of(name) == importlib.metadata.version(name)
    (tmp_path / "Some_Thing.else-1.2rc1+local.dist-info").mkdir()
    monkeypatch.setattr(sys, "path", ["/no/such/place", str(tmp_path), *sys.path])
    assert versions.version_of("some-thing-else") == versions.version_of("some_thing.Else") == "1.2rc1+local"


def test_what_has_no_directory_of_its_own_is_asked_of_importlib(monkeypatch: pytest.MonkeyPatch) -> None:
    """As an egg, or what comes from an importer of its own."""
    monkeypatch.setattr(versions, "_versions", lambda directory: {})
    assert versions.version_of("pytest") == pytest.__version__
    assert versions.version_of("no-such-distribution") == "unknown"


def test_code_of_another_maker_serves_and_that_of_another_release_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compilers, "version_of", lambda name: "0.68.1")
    own, other = NUMBA.identity(), NUMBA_DPEX.identity()
    assert own["maker"] != other["maker"] and own["numba"] == "0.68.1"
    monkeypatch.setattr(compilers, "installed_compiler", lambda: NUMBA)
    assert is_compatible(own) and is_compatible(other) and is_compatible({})
    assert not is_compatible({**own, "llvmlite": "0.68.0"})
    monkeypatch.setattr(compilers, "installed_compiler", lambda: None)
    assert is_compatible({**own, "llvmlite": "0.68.0"})


NEW = {"numba": "0.68.1", "llvmlite": "0.50.0", "dpcpp-llvm-spirv": "2024.2.0"}


@pytest.mark.parametrize(
    ("installed", "translator", "expected"),
    [
        (NEW, "llvm-spirv", NUMBA),
        (NEW, "llvmlite", LLVMLITE),
        ({"numba": "0.68.1", "llvmlite": "0.50.0"}, "llvm-spirv", LLVMLITE),
        ({"numba": "0.68.1", "llvmlite": "0.49.2"}, "llvm-spirv", None),
        ({"numba": "0.61.0", "llvmlite": "0.50.0"}, "llvmlite", None),
        ({**NEW, "numba": "0.59.1", "numba-dpex": "0.23.0"}, "llvmlite", NUMBA_DPEX),
        ({"numba-dpex": "0.23.0"}, "llvm-spirv", None),
    ],
)
def test_which_maker_compiles(
    installed: dict[str, str], translator: str, expected: Compiler | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compilers, "version_of", lambda name: installed.get(name, "unknown"))
    monkeypatch.setattr(
        compilers.importlib.util, "find_spec", lambda module: module if module.replace("_", "-") in installed else None
    )
    with TRANSLATOR.scope(translator):
        assert installed_compiler() is expected


def test_a_release_that_is_too_old_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compilers.importlib.util, "find_spec", lambda module: module)
    monkeypatch.setattr(compilers, "version_of", lambda name: "0.49.2")
    assert LLVMLITE.missing() == ["numba 0.65 or newer", "llvmlite 0.50 or newer"]
    assert NUMBA.missing() == ["numba 0.65 or newer"]


def test_another_translator_does_not_exist(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTL_TRANSLATOR", "clang")
    with pytest.raises(pytl.PlatformError, match=r"(?s)PYTL-3020.*clang.*one of llvm-spirv, llvmlite"):
        TRANSLATOR.get()


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Cache:
    monkeypatch.setenv("PYTL_CACHE_DIR", str(tmp_path / "cache"))
    return Cache(tmp_path / "cache", 1_000_000)


def launched() -> None:
    x, y = np.ones(8, np.float32), np.full(8, 3.0, np.float32)
    next(iter(pytl.compile(TEXT).values()))[1](2.0, x, y, backend="sycl")
    assert (y == 5.0).all()


@needs_sycl
def test_kernels_in_the_cache_say_who_made_them(cache: Cache, monkeypatch: pytest.MonkeyPatch) -> None:
    """SPIR-V, and the machine code that a driver made of it."""
    calls = recorded_calls(monkeypatch, lambda kernel: type(kernel).__name__)
    launched()
    compiler = installed_compiler()
    assert compiler is not None
    stored = {each.key: each.entry for each in cache.stored()}
    assert stored and all(entry is not None and entry.compiler == compiler.identity() for entry in stored.values())

    def all_made_by(identity: dict[str, str]) -> None:
        for key, entry in stored.items():
            assert entry is not None
            cache.store(key, replace(entry, compiler=identity))

    calls.clear()
    all_made_by({**compiler.identity(), "numba": "0.1"})  # an older release of the same
    launched()
    assert calls[0] == "build"
    assert all(each.entry is not None and each.entry.compiler == compiler.identity() for each in cache.stored())
    calls.clear()
    all_made_by({"maker": "another", "numba": "0.1"})
    launched()
    assert "build" not in calls and len(calls) == 1


def test_python_the_packages_and_the_driver_are_no_part_of_a_kernels_key(monkeypatch: pytest.MonkeyPatch) -> None:
    from types import SimpleNamespace

    function = pytl.compile(TEXT)["add"].function

    def keys(driver: str) -> tuple[str, str]:
        device = SimpleNamespace(
            name="a", driver_version=driver, sub_group_sizes=[4], filter_string="cpu", parent_device=None
        )
        return builds.key(function, {}, device), builds.tuning_key(function, {}, device)

    kernel, tuning = keys("1")
    assert keys("2")[0] == kernel and keys("2")[1] != tuning  # what was fastest depends on the driver
    monkeypatch.setattr(sys, "version", "3.99")
    monkeypatch.setattr(versions, "_versions", lambda directory: {"numba": "99"})
    assert keys("1") == (kernel, tuning)


PROGRAM = """\
import sys, numpy as np, pytl
@pytl.kernel
def scale(x: pytl.Memref[pytl.f32, 4]):
    pytl.axpby(2.0, x, 0.0, x)
x = np.ones(4, np.float32)
scale[1](x)
print(x[0], *(name in sys.modules for name in ("numba", "llvmlite", "numba_dpex")), scale.cache_info().builds)
"""


@pytest.mark.at_most(1)
@needs_sycl
@pytest.mark.parametrize("machine_code", ["0", "1"])
def test_a_kernel_of_the_cache_is_launched_without_a_compiler(tmp_path: Path, machine_code: str) -> None:
    """Of numba and llvmlite nothing is imported by a process that finds its kernel."""
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    environment = {**os.environ, "PYTL_CACHE": "1", "PYTL_CACHE_DIR": str(tmp_path / "cache"), "PYTHONPATH": str(ROOT)}
    environment["PYTL_CACHE_MACHINE_CODE"] = machine_code
    first, second = (
        subprocess.run([sys.executable, program], env=environment, capture_output=True, text=True, check=True).stdout
        for _ in range(2)
    )
    assert first == f"2.0 True True {installed_compiler() is NUMBA_DPEX} 1\n"
    assert second == "2.0 False False False 0\n"
