"""Make .venv in this checkout, or reuse it, and install pytl into it:
python3 install.py [--if-needed] [--current] [EXTRA ...]

With --current Python 3.10 and 3.11 get the SYCL stack of Python 3.12 and later, in place of numba-dpex's.
.venv keeps to it until it is removed. With --if-needed pip isn't asked again for what it has installed there since
pyproject.toml last changed: to find that nothing is left to do takes it ten seconds.

It needs nothing but Python and its pip, and changes nothing outside the checkout. So it works where the
system's Python belongs to the distribution and refuses `pip install`, and where `python3 -m venv` alone fails
for want of ensurepip.
"""

import hashlib
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import install_arm

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")

INSTALLED = VENV / "installed.json"

OLDER, NEWER = "python_version < '3.12' and ", "python_version >= '3.12' and "
"""What the markers of pyproject.toml begin with, of numba-dpex's stack and of the one after it."""

MIXED = """.venv has numba-dpex, and the two stacks need different releases of the same packages.
Remove .venv and run this again."""

REQUIREMENTS = """
import json
try:
    import tomllib
except ImportError:  # Python 3.10
    from pip._vendor import tomli as tomllib
print(json.dumps(tomllib.load(open("pyproject.toml", "rb"))["project"]))
"""

NO_SYCL = """
Note: pytl is installed without its SYCL backend; kernels run on the {} backend.
The SYCL wheels exist for CPython 3.10 to 3.14 on x86-64 Linux and Windows; .venv has {}.
With such a Python at hand, remove .venv and run this again with it, e.g. as `python3.11 install.py`.
"""

NO_TOOLS = """
Note: pytl is installed without a compiler; kernels run on the reference backend, which is slow.
The SYCL wheels exist for CPython 3.10 to 3.14 on x86-64 Linux and Windows; .venv has {}.
Elsewhere the backend mlir compiles, with LLVM's tools: {}
"""


def run(*command):
    """Run a command; where it fails it has said why, so stop without a traceback of our own."""
    status = subprocess.call([str(part) for part in command], cwd=ROOT)
    if status:
        sys.exit(status)


def ask(code):
    """What .venv's Python prints for a line of code; None if it fails, or if .venv has no Python."""
    try:
        output = subprocess.check_output([str(PYTHON), "-c", code], stderr=subprocess.DEVNULL, cwd=ROOT)
    except (OSError, subprocess.CalledProcessError):
        return None
    return output.decode().strip()


def add_pip():
    """Put a pip into .venv."""
    if ask("import ensurepip") is not None:
        run(PYTHON, "-m", "ensurepip", "--default-pip")
    else:  # Debian without python3-venv: the pip that is there installs another
        packages = ask("import sysconfig; print(sysconfig.get_path('purelib'))")
        run(sys.executable, "-m", "pip", "install", "--target", packages, "pip")


def described():
    """What decides what pip installs: the project's description, where it stands, and .venv's Python."""
    python = ask("import sys; print(sys.version)")
    return hashlib.sha256(f"{ROOT}\n{python}\n{(ROOT / 'pyproject.toml').read_text('utf-8')}".encode()).hexdigest()


def noted():
    """What the last run has noted in .venv; nothing if there was none, or if its note can't be read."""
    try:
        found = json.loads(INSTALLED.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def installed():
    """The extras that pip has installed for this description; None if it has never been asked."""
    found = noted()
    return found.get("extras") if found.get("description") == described() else None


def note(current, extras):
    """Note in .venv what is installed there."""
    text = json.dumps({"description": described(), "extras": sorted(extras), "current": current})
    INSTALLED.write_text(text, "utf-8")


def compiler():
    """The line of pyproject.toml that pins numba-dpex, which pip is to install without dpnp and MKL."""
    found = re.search(r'^ *"(numba-dpex==[^"]*)"', (ROOT / "pyproject.toml").read_text("utf-8"), re.MULTILINE)
    return found[1]


def requirements(extras, current):
    """What pytl and its extras require; with `current` the stack of Python 3.12 and later, on any Python."""
    project = json.loads(ask(REQUIREMENTS))
    found, names = list(project["dependencies"]), list(extras)
    for name in names:
        if name not in project["optional-dependencies"]:
            sys.exit(f"pytl has no extra {name}. Its extras are {', '.join(project['optional-dependencies'])}.")
        for requirement in project["optional-dependencies"][name]:
            inner = re.fullmatch(r"pytl\[(.*)\]", requirement)
            if inner:
                names.append(inner[1])
            else:
                found.append(requirement)
    return [each.replace(NEWER, "") for each in found if OLDER not in each] if current else found


def install(extras, current, is_there):
    """Ask pip for pytl with extras; where pytl is there, for what the extras require alone.

    To make pytl's own metadata again takes pip ten seconds.
    """
    # no warning that numba-dpex asks for dpnp, which the extra `dpnp` installs
    pip = (PYTHON, "-m", "pip", "install", "--no-warn-conflicts")
    if is_there and extras:
        run(*pip, *requirements(extras, current))
    elif current:
        run(*pip, *requirements(extras, current))
        run(*pip, "--no-deps", "--editable", ".")
    else:
        run(*pip, "--editable", f".[{','.join(extras)}]" if extras else ".")
        if "dpnp" not in extras:
            run(*pip, "--no-deps", compiler())


def main(arguments):
    extras = [argument for argument in arguments if not argument.startswith("--")]
    unknown = {argument for argument in arguments if argument.startswith("--")} - {"--if-needed", "--current"}
    if unknown:
        sys.exit(f"This program has no option {', '.join(sorted(unknown))}. Its options are --if-needed and --current.")
    if sys.version_info < (3, 10):  # else .venv would keep this Python, and be reused
        sys.exit(f"pytl needs Python 3.10 or newer, and this is {sys.version.split()[0]}.")
    if ask("") is None:  # there is none, or the Python that it was made from is gone
        run(sys.executable, "-m", "venv", "--clear", "--without-pip", VENV)
    if ask("import pip") is None:
        add_pip()
    current = "--current" in arguments or bool(noted().get("current"))
    if current and ask("import importlib.metadata as m; m.version('numba-dpex')") is not None:
        sys.exit(MIXED)
    before = installed()
    if "--if-needed" in arguments and before is not None and set(extras) <= set(before):
        return
    is_there = before is not None and ask("import importlib.metadata as m; m.version('pytl')") is not None
    if is_there and extras:  # others may ask meanwhile for what is there already
        note(current, set(before) - set(extras))
    else:
        INSTALLED.write_text(json.dumps({"current": current}), "utf-8")  # which stack is there, even if pip fails
    install(extras, current, is_there)
    note(current, {*(before or []), *extras})
    if ask("from pytl.devices.compilers import can_launch; assert can_launch()") is None:
        compile_by_mlir()


def compile_by_mlir():
    """Install LLVM's tools for the backend `mlir`, which kernels run on where there is no SYCL, and say so."""
    name = ask(
        "import platform as p; print(p.python_implementation(), p.python_version(), 'on', p.system(), p.machine())"
    )
    problem = "pytl calls them on Linux and macOS." if os.name == "nt" else install_arm.install_host()
    print(NO_TOOLS.format(name, problem) if problem else NO_SYCL.format("mlir", name))


if __name__ == "__main__":
    main(sys.argv[1:])
