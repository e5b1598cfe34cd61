"""What a developer runs: `nox -s demo`, `nox -s tests`, `nox -s bench`, `nox -s docs`, `nox -s lint`.

All sessions share the .venv that install.py makes: the SYCL run time takes 2.8 GB, too much for one a
session.
"""

import os
import shutil
import sys

import nox

nox.options.default_venv_backend = "none"
nox.options.sessions = ["lint", "tests"]

PYTHON = ".venv/Scripts/python" if sys.platform == "win32" else ".venv/bin/python"


def install(session: nox.Session, *extras: str) -> None:
    session.run(sys.executable, "install.py", *extras, silent=True)


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
    """Run the properties on 20,000 new random programs, and kill 25 processes that share the compilation cache.

    That the SYCL backend does as the reference does is tried with 2,000. What follows `--` goes to pytest.
    """
    install(session, "test")
    properties = ("tests/properties", "tests/ir/test_generated.py")
    # each worker takes whole tests, so that the examples of one are drawn together
    session.run(PYTHON, "-m", "pytest", "-n", "auto", "--hypothesis-profile=nightly", *properties, *session.posargs)
    killed = "tests/runtime/test_cache_stress.py"
    session.run(PYTHON, "-m", "pytest", "--cache-rounds=25", killed, *session.posargs)


@nox.session
def docs(session: nox.Session) -> None:
    """Write the pages that are made of definitions, and make the site of all pages, in site/."""
    install(session, "docs")
    session.run(PYTHON, "-m", "pytl.docs", "docs")
    # -n: what is referred to and isn't there is an error, too
    session.run(PYTHON, "-m", "sphinx", "-W", "--keep-going", "-n", "-q", "docs", "site")


@nox.session
def lint(session: nox.Session) -> None:
    """Check style, format and types."""
    install(session, "dev")
    session.run(PYTHON, "-m", "ruff", "check")
    session.run(PYTHON, "-m", "ruff", "format", "--check")
    session.run(PYTHON, "-m", "mypy")


@nox.session
def bench(session: nox.Session) -> None:
    """Measure, and print the tables; `-- torch` installs torch, too, and `-- write` writes docs/performance.md."""
    install(session, "bench", *(["bench-torch"] if "torch" in session.posargs else []))
    if shutil.which("apt-get") and hasattr(os, "geteuid") and os.geteuid() == 0:
        # without them the run goes on, and the foot of its tables says what is missing
        session.run("apt-get", "install", "-y", "-q", "libxsmm-dev", "gcc", external=True, success_codes=[0, 100])
    session.run(PYTHON, "benchmarks/text.py")
    session.run(PYTHON, "benchmarks/launch.py")
    session.run(PYTHON, "benchmarks/cold_start.py")
    written = ["--write"] if "write" in session.posargs else []
    session.run(PYTHON, "benchmarks/gemm.py", *written)
    session.run(PYTHON, "benchmarks/chain.py", *written)
