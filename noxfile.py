"""What a developer runs: `nox -s demo`, `nox -s tests`, `nox -s bench`, `nox -s docs`, `nox -s lint`.

All sessions share the .venv that install.py makes: the SYCL run time takes 2.8 GB, too much for one a
session.
"""

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
    """Run the properties on 20,000 new random programs, 2,000 of them on SYCL; what follows `--` goes to pytest."""
    install(session, "test")
    properties = ("tests/properties", "tests/ir/test_generated.py")
    # each worker takes whole tests, so that the examples of one are drawn together
    session.run(PYTHON, "-m", "pytest", "-n", "auto", "--hypothesis-profile=nightly", *properties, *session.posargs)


@nox.session
def docs(session: nox.Session) -> None:
    """Write the pages that are made of definitions: docs/rules.md and docs/reference."""
    install(session)
    session.run(PYTHON, "-m", "pytl.docs", "docs")


@nox.session
def lint(session: nox.Session) -> None:
    """Check style, format and types."""
    install(session, "dev")
    session.run(PYTHON, "-m", "ruff", "check")
    session.run(PYTHON, "-m", "ruff", "format", "--check")
    session.run(PYTHON, "-m", "mypy")


@nox.session
def bench(session: nox.Session) -> None:
    """Measure, and print the tables."""
    install(session)
    session.run(PYTHON, "benchmarks/text.py")
