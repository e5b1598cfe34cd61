"""What a developer runs: `nox -s demo`, `nox -s tests`, `nox -s bench`, `nox -s docs`, `nox -s lint`,
`nox -s arm`, `nox -s dpnp`, `nox -s drivers` and `nox -s newer`.

All sessions share the .venv that install.py makes: the SYCL run time takes 1.5 GB, too much for one a
session.
"""

import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

import nox

nox.options.default_venv_backend = "none"
nox.options.sessions = ["lint", "tests"]

GENERATED = "<!-- Made of the definitions"
"""What pages begin with that are made of docstrings; `python -m pytl.tools.docs` writes them."""

WITH_TOOLS = ("--tools-only", "tests")
"""The tests that call the tools of MLIR, and those of dpnp's arrays; the others run without."""

PYTHON = ".venv/Scripts/python" if sys.platform == "win32" else ".venv/bin/python"


def install(session: nox.Session, *extras: str) -> None:
    session.run(sys.executable, "install.py", "--if-needed", *extras, silent=True)


@nox.session
def demo(session: nox.Session) -> None:
    """Run the first example."""
    install(session)
    session.run(PYTHON, "examples/fused_kernel.py", *session.posargs)


@nox.session
def tests(session: nox.Session) -> None:
    """Run the tests; what follows `--` goes to pytest."""
    install(session, "test")
    session.run(PYTHON, "-m", "pytest", "-n", "auto", *session.posargs)


@nox.session
def nightly(session: nox.Session) -> None:
    """Run what CI leaves out: all cases of which it tries a sample, those of the tools of MLIR included; the properties
    on 20,000 new random programs. Kill 25 processes that share the compilation cache, and interrupt 50. Measure the
    errors of functions on a million arguments each. Try out the mutants, each of which some test must see. Then the
    suite once more on a newer Python, where there is one.

    That the SYCL backend does as the reference does is tried with 2,000. What follows `--` goes to pytest. What CI
    leaves out is listed first, by module.
    """
    install(session, "test", "dpnp", "bench-torch")
    session.run(PYTHON, "-m", "pytest", "--collect-only", "-qq", "--list-cut", "tests")
    session.run(sys.executable, "install_arm.py", external=True)
    session.run(PYTHON, "-m", "pytest", "-n", "auto", "--all-forms", *session.posargs)
    session.run(PYTHON, "-m", "pytest", "-n", "auto", "--all-forms", *WITH_TOOLS, *session.posargs)
    properties = ("tests/properties", "tests/ir/test_generated.py")
    # each worker takes whole tests, so that the examples of one are drawn together
    profile = ("--hypothesis-profile=nightly", "--with-tools")
    session.run(PYTHON, "-m", "pytest", "-n", "auto", *profile, *properties, *session.posargs)
    killed = "tests/devices/test_cache_stress.py"
    session.run(PYTHON, "-m", "pytest", "--cache-rounds=25", killed, *session.posargs)
    session.run(PYTHON, "benchmarks/accuracy.py", "--backends=sycl,mlir")
    interrupted = "tests/process/test_interrupts.py"
    session.run(PYTHON, "-m", "pytest", "--interrupt-rounds=25", interrupted, *session.posargs)
    session.run(PYTHON, "tests/mutants.py")
    newer = make_newer(session, ".[test,dpnp,bench-torch]")
    if newer is not None:
        session.run(newer, "-m", "pytest", "-n", "auto", "--all-forms", *session.posargs, external=True)


@nox.session
def arm(session: nox.Session) -> None:
    """Install MLIR's tools and QEMU where this is root's to do, and dpnp, and run the tests that need them.

    Elsewhere it says what to install, if something is missing. What follows `--` goes to pytest.
    """
    install(session, "test", "dpnp")
    session.run(sys.executable, "install_arm.py", external=True)
    session.run(PYTHON, "-m", "pytest", "-n", "auto", *WITH_TOOLS, *session.posargs)


@nox.session
def dpnp(session: nox.Session) -> None:
    """Run the tests that need dpnp, too few for several processes. What follows `--` goes to pytest."""
    install(session, "test", "dpnp")
    session.run(PYTHON, "-m", "pytest", "--dpnp-only", "tests", *session.posargs)


OTHER_DRIVERS = ("pocl-opencl-icd", "mesa-opencl-icd")
DEVICE_TESTS = (
    *("tests/devices/test_sycl_devices.py", "tests/devices/test_bootstrap.py", "tests/launch/test_errors.py"),
    "tests/tools/cli/test_ops_and_devices.py",
)


def unpack_drivers() -> dict[str, str]:
    """Download Debian's drivers of OpenCL with their libraries, and unpack them into .nox/drivers; no package is
    installed. The variables with which OpenCL finds them.
    """
    folder = Path(".nox/drivers").resolve()
    libraries, vendors = folder / "usr/lib" / f"{platform.machine()}-linux-gnu", folder / "vendors"
    if not vendors.exists():
        folder.mkdir(parents=True, exist_ok=True)
        plan = subprocess.run(
            ["apt-get", "install", "-s", "--no-install-recommends", *OTHER_DRIVERS],
            capture_output=True,
            text=True,
            check=True,
        )
        wanted = [line.split()[1] for line in plan.stdout.splitlines() if line.startswith("Inst ")]
        # what compiles is left out: no kernel gets there
        needed = [name for name in wanted if name in OTHER_DRIVERS or (name.startswith("lib") and "-dev" not in name)]
        subprocess.run(["apt-get", "download", "-q", *needed], cwd=folder, check=True)
        for package in folder.glob("*.deb"):
            subprocess.run(["dpkg-deb", "-x", package, folder], check=True)
            package.unlink()
        vendors.mkdir()
        for listed in folder.glob("etc/OpenCL/vendors/*.icd"):
            (vendors / listed.name).write_text(f"{libraries / listed.read_text().strip()}\n")
    return {"OCL_ICD_VENDORS": str(vendors), "LD_LIBRARY_PATH": str(libraries)}


@nox.session
def drivers(session: nox.Session) -> None:
    """Run the tests that look for devices beside drivers that most desktops have: PoCL's and Mesa's.

    What follows `--` goes to pytest.
    """
    install(session, "test")
    if shutil.which("apt-get") is None:
        session.skip("the drivers are Debian's packages")
    variables = unpack_drivers()
    session.run(PYTHON, "-m", "pytest", "-q", "--with-drivers", *(session.posargs or DEVICE_TESTS), env=variables)


NEWER = "3.13"
"""A Python for which numba-dpex has no wheels, with NumPy 2: pytl's own target of numba compiles there."""
NEWER_TESTS = (
    *("tests/frontends/test_lazy_annotations.py", "tests/frontends/test_signature.py"),
    *("tests/frontends/test_expressions.py", "tests/frontends/test_control_flow.py"),
    *("tests/frontends/test_jumps.py", "tests/frontends/test_grammar.py", "tests/frontends/test_trace_time.py"),
    *("tests/frontends/test_sources.py", "tests/frontends/test_inlining.py", "tests/frontends/test_mistakes.py"),
    *("tests/kernels/test_changed_names.py", "tests/kernels/test_shells.py"),
    "tests/launch/test_arguments.py",
    *("tests/differential/test_aliasing.py", "tests/differential/test_atomics.py"),
    *("tests/backends/test_newer_llvm.py", "tests/backends/test_hidden_counts.py", "tests/properties/test_backends.py"),
)


def find_newer() -> str | None:
    """A Python of that version that runs: the system's, or one of pyenv's."""
    found = [shutil.which(f"python{NEWER}"), *map(str, Path.home().glob(f".pyenv/versions/{NEWER}*/bin/python"))]
    runs = (each for each in found if each and subprocess.run([each, "-c", ""], capture_output=True).returncode == 0)
    return next(runs, None)  # pyenv puts a command on the path that fails where the version is not chosen


def make_newer(session: nox.Session, *packages: str) -> str | None:
    """The Python of an environment of a newer Python, with these packages; None where there is no such Python."""
    python = find_newer()
    if python is None:
        return None
    session.run(python, "-m", "venv", ".nox/newer", external=True)
    own = ".nox/newer/Scripts/python" if sys.platform == "win32" else ".nox/newer/bin/python"
    session.run(own, "-m", "pip", "install", "-q", "--editable", *packages, external=True)
    return own


@nox.session
def newer(session: nox.Session) -> None:
    """Run the first example and a sample of the tests on a newer Python: kernels are read, checked, and launched there.

    What follows `--` goes to pytest, other tests among it.
    """
    own = make_newer(session, ".", "pytest", "hypothesis", "ipython")
    if own is None:
        session.skip(f"there is no Python {NEWER} here")
    session.run(own, "examples/fused_kernel.py", external=True)
    session.run(own, "-m", "pytest", "-q", *(session.posargs or NEWER_TESTS), external=True)


@nox.session
def docs(session: nox.Session) -> None:
    """Write the pages that are made of definitions, check spelling and style, and make the site, in site/."""
    install(session, "docs")
    session.run(PYTHON, "-m", "pytl.tools.docs", "docs")
    # docstrings and messages are checked for spelling, too
    session.run(PYTHON, "-m", "codespell_lib", "pytl", "docs", "examples", "benchmarks", *map(str, Path().glob("*.*")))
    pages = [Path("README.md"), Path("CHANGELOG.md"), *Path("docs").rglob("*.md")]
    written = [str(page) for page in pages if not page.read_text(encoding="utf-8").startswith(GENERATED)]
    session.run(PYTHON, "docs/prose.py", *written)
    # -n: what is referred to and isn't there is an error, too
    session.run(PYTHON, "-m", "sphinx", "-W", "--keep-going", "-n", "-q", "docs", "site")


@nox.session
def lint(session: nox.Session) -> None:
    """Check style, format and types."""
    install(session, "dev")
    session.run(PYTHON, "-m", "ruff", "check")
    session.run(PYTHON, "-m", "ruff", "format", "--check")
    session.run(PYTHON, "-m", "mypy")


# Scripts of benchmarks/, in their order; the first three print only.
WORKLOADS = (
    *("text", "launch", "cold_start"),
    *("gemm", "chain", "seissol", "transposes", "mixed", "dynamic", "coopmatrix", "schemes", "bandwidth", "compile"),
    *("einsum", "tccg", "mlir_in", "mlir_tensors", "rows", "patterns", "host", "tiles", "natural"),
    "arm_instructions",
)
# PyPI's torch for Linux brings gigabytes of CUDA; here are wheels for processors alone.
TORCH_INDEX = "https://download.pytorch.org/whl/cpu"


@nox.session
def bench(session: nox.Session) -> None:
    """Measure, and print the tables: about half an hour on two cores, a second for each cell of the tables.

    What follows `--`: names of workloads, all if left out; `write` writes docs/performance.md; `budget=0.1` gives each
    cell a tenth of a second, and `cells=2` makes two cells of each workload, to see that all of it runs.
    """
    options, named = [], []
    for word in session.posargs:
        name, equals, value = word.partition("=")
        if word in WORKLOADS:
            named.append(word)
        elif word == "write" or (name in ("budget", "cells") and value):
            options += [f"--{name}", *([value] if equals else [])]
        else:
            session.error(
                f"{word} is no workload ({', '.join(WORKLOADS)}), nor `write`, `budget=SECONDS` or `cells=NUMBER`"
            )
    install(session, "bench", "dpnp")
    # Without torch, jax, libxsmm or a compiler the run continues, and the foot of its tables names what is missing.
    look = "import importlib.util; print(importlib.util.find_spec('torch'))"
    if str(session.run(PYTHON, "-c", look, silent=True)).strip() == "None":
        torch = ("--extra-index-url", TORCH_INDEX, "--editable", ".[bench-torch]")
        session.run(PYTHON, "-m", "pip", "install", "-q", *torch, success_codes=[0, 1])
    session.run(PYTHON, "-m", "pip", "install", "-q", "--editable", ".[bench-jax]", success_codes=[0, 1])
    if shutil.which("apt-get") and hasattr(os, "geteuid") and os.geteuid() == 0:
        session.run("apt-get", "install", "-y", "-q", "libxsmm-dev", "gcc", external=True, success_codes=[0, 100])
    for name in named or WORKLOADS:
        session.run(PYTHON, f"benchmarks/{name}.py", *(options if name not in WORKLOADS[:3] else []))
