"""Fixtures that every test may use."""

import gc
import importlib.util
import os
import shutil
import tempfile
from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from sampling import WITH_DPNP, WITH_TOOLS, has_any, limited, may_have, try_everything, what_is_cut

# One example of the properties costs well under a second, but a busy machine may take longer, and few mutated programs
# are valid.
_COMMON = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
# The same programs at every run: a change that breaks a property is told at once, and nothing else is.
settings.register_profile("ci", _COMMON, max_examples=50, derandomize=True, database=None)
settings.register_profile("nightly", _COMMON, max_examples=20_000, print_blob=True)
settings.load_profile("ci")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="rewrite the files of tests/golden/ that differ")
    parser.addoption("--cache-rounds", type=int, default=1, help="processes that are killed while numba compiles")
    parser.addoption("--interrupt-rounds", type=int, default=0, help="processes that get Ctrl-C at a random moment")
    parser.addoption("--all-forms", action="store_true", help="run all cases of which other runs try a sample")
    parser.addoption("--list-cut", action="store_true", help="list what runs without --all-forms leave out")
    parser.addoption("--with-tools", action="store_true", help="run the tests that call the tools of MLIR, too")
    parser.addoption(
        "--tools-only",
        action="store_true",
        help="run only the tests that call the tools of MLIR or need dpnp",
    )
    parser.addoption("--dpnp-only", action="store_true", help="run only the tests that need dpnp")
    parser.addoption(
        "--with-drivers", action="store_true", help="run the tests of machines with other OpenCL drivers, too"
    )
    parser.addoption("--update-coverage", action="store_true", help="write docs/coverage.md from the tests that passed")


# What the tests of tests/forms have proved. The hooks stand here since xdist's main process reads no other conftest.

_proved = pytest.StashKey[set]()
_devices = pytest.StashKey[set]()
_cache = pytest.StashKey[tempfile.TemporaryDirectory]()


def pytest_configure(config: pytest.Config) -> None:
    config.stash[_proved], config.stash[_devices] = set(), set()
    try_everything(config.getoption("--all-forms"))
    config.addinivalue_line(
        "markers", "tools_of(backend): needs what a backend calls, which is told where it is missing"
    )
    config.addinivalue_line("markers", "at_most(cases): so many cases of a test run without --all-forms")
    config.addinivalue_line("markers", "at_night: runs with --all-forms alone, for tests like it run always")
    config.addinivalue_line("markers", "additions: names what is missing where something was added to pytl")
    config.addinivalue_line("markers", "needs_dpnp: needs dpnp, which is told where it is missing")
    config.addinivalue_line("markers", "needs_torch: needs torch, which is told where it is missing")
    config.addinivalue_line("markers", "needs_numba_dpex: needs numba-dpex, which is told where it is missing")
    config.addinivalue_line("markers", "needs_spirv_val: needs spirv-val, which is told where it is missing")
    config.addinivalue_line("markers", "needs_sme2: needs a QEMU that has SME2, which is told where it is missing")
    config.addinivalue_line("markers", "needs_other_drivers: needs an OpenCL driver that takes no SPIR-V")
    config.addinivalue_line(
        "markers", "needs_tensors: needs dpctl.tensor or dpnp.tensor, which is told where both are missing"
    )
    if not hasattr(config, "workerinput"):
        # One compilation cache for the run, which xdist's workers share, and processes that tests start; never the
        # user's.
        config.stash[_cache] = tempfile.TemporaryDirectory(prefix="pytl-tests-")
        os.environ["PYTL_CACHE_DIR"] = os.path.join(config.stash[_cache].name, "cache")
        for variable in ("PYTL_CACHE", "PYTL_CACHE_SIZE", "PYTL_CACHE_MACHINE_CODE"):
            os.environ.pop(variable, None)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    # To import the others would take a third of a minute.
    marks = _marks(config)
    if marks is None or not collection_path.name.startswith("test_"):
        return None
    return None if may_have(collection_path.read_text(encoding="utf-8"), marks) else True


def _marks(config: pytest.Config) -> tuple[str, ...] | None:
    """The marks of the tests that a run is limited to."""
    if config.getoption("--tools-only"):
        return WITH_TOOLS
    return WITH_DPNP if config.getoption("--dpnp-only") else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    marks = _marks(config)
    if marks is not None:
        config.hook.pytest_deselected(items=[item for item in items if not has_any(item, marks)])
        items[:] = [item for item in items if has_any(item, marks)]
    is_asked_for = config.option.keyword or config.option.markexpr or any("::" in argument for argument in config.args)
    if not is_asked_for:
        tried, left = limited(items)
        config.hook.pytest_deselected(items=left)
        items[:] = tried


def pytest_collection(session: pytest.Session) -> None:
    gc.disable()  # what is made until all tests are collected stays


def pytest_collection_finish() -> None:
    # A tenth of the time of kernels' compilation went to looking for garbage among the tests that were collected, and
    # in what numba makes, of which little is garbage.
    gc.freeze()
    gc.enable()
    gc.set_threshold(50_000, 20, 50)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Each worker takes half of the tests in their order, so that tests of one kernel stay together to the end."""
    from xdist.scheduler import WorkStealingScheduling

    # for `-n auto`, which does not say how: other ways remain
    return WorkStealingScheduling(config, log) if config.getoption("dist") == "load" else None


@pytest.hookimpl(wrapper=True)
def pytest_collect_file() -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Tests have no examples to run: to look for some would pass over a module that can't be imported, in silence."""
    collectors = yield
    return [found for found in collectors if type(found) is pytest.Module or not isinstance(found, pytest.Module)]


def pytest_report_header() -> list[str]:
    from pytl.backends.registry import find_backend
    from pytl.devices.tile_registers import unavailable_reason

    problem = unavailable_reason()
    registers = "tile registers: " + ("the processor's" if problem is None else f"emulated, for {problem}")
    return [registers, *(f"{name}: {'; '.join(find_backend(name).describe())}" for name in ("mlir", "arm_sme"))]


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    for line in what_is_cut() if config.getoption("--list-cut") else []:
        terminalreporter.write_line(line)


def pytest_runtest_setup(item: pytest.Item) -> None:
    from pytl.backends.arm_sme.machine import emulates_sme2
    from pytl.backends.registry import find_backend
    from pytl.devices.usm import library_name

    for mark in item.iter_markers("tools_of"):
        # A process of their own: what is loaded for them stays loaded, beside what the SYCL driver never gives back.
        if not (item.config.getoption("--with-tools") or item.config.getoption("--tools-only")):
            pytest.skip("calls the tools of MLIR: nox -s arm installs them, and runs this")
        missing = find_backend(mark.args[0]).unavailable()
        if missing is not None:
            pytest.fail("; ".join(missing))

    if item.get_closest_marker("needs_other_drivers") and not item.config.getoption("--with-drivers"):
        pytest.skip("needs an OpenCL driver that takes no SPIR-V: nox -s drivers unpacks PoCL, and runs this")
    if item.get_closest_marker("needs_dpnp") and importlib.util.find_spec("dpnp") is None:
        pytest.skip("dpnp is not installed: python3 install.py dpnp installs it, and nox -s dpnp runs this")
    if item.get_closest_marker("needs_spirv_val") and shutil.which("spirv-val") is None:
        pytest.skip("spirv-val is not installed: python3 install_arm.py installs it, and nox -s arm runs this")
    if item.get_closest_marker("needs_sme2") and not emulates_sme2():
        pytest.skip("QEMU here is older than 10.1, which has SME2: python3 install_arm.py gets a newer one")
    if item.get_closest_marker("needs_torch") and importlib.util.find_spec("torch") is None:
        pytest.skip("torch is not installed: python3 install.py bench-torch installs it, and nox -s nightly runs this")
    if item.get_closest_marker("needs_numba_dpex") and importlib.util.find_spec("numba_dpex") is None:
        pytest.skip("numba-dpex is not installed: its wheels are for CPython 3.10 and 3.11")
    if item.get_closest_marker("needs_tensors") and library_name() is None:
        pytest.skip("dpctl has no arrays from release 0.22 on, and dpnp is not installed: python3 install.py dpnp")


def pytest_unconfigure(config: pytest.Config) -> None:
    if _cache in config.stash:
        config.stash[_cache].cleanup()


def pytest_report_teststatus(report: pytest.TestReport, config: pytest.Config) -> None:
    if report.when == "call":
        config.stash[_proved].update(tuple(entry) for name, entry in report.user_properties if name == "coverage")
        config.stash[_devices].update(entry for name, entry in report.user_properties if name == "coverage of device")


def pytest_sessionfinish(session: pytest.Session) -> None:
    is_worker = hasattr(session.config, "workerinput")
    if session.config.getoption("--update-coverage") and not is_worker:
        from forms.table import update

        update(session.config.stash[_proved], session.config.stash[_devices])


@dataclass(frozen=True)
class Golden:
    """Compares texts with files, or writes the files."""

    directory: Path
    update: bool

    def __call__(self, name: str, text: str) -> None:
        """Assert that `text` is the content of the file `name`."""
        file = self.directory / name
        if self.update:
            file.parent.mkdir(parents=True, exist_ok=True)
            # Bytes: a golden file has the same line ends on every platform.
            file.write_bytes(text.encode())
            return
        if not file.exists():
            pytest.fail(f"no golden file {file}: pytest --update-golden writes it", pytrace=False)
        expected = file.read_bytes().decode()
        assert text == expected, f"differs from {file}: if the new text is right, pytest --update-golden writes it"


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Golden:
    """`golden("fused.txt", text)` asserts that the text is that of tests/golden/fused.txt."""
    return Golden(Path(__file__).parent / "golden", request.config.getoption("--update-golden"))
