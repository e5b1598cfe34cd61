"""Make .venv in this checkout, or reuse it, and install pytl into it: python3 install.py [--if-needed] [EXTRA ...]

With --if-needed pip isn't asked again for what it has installed there since pyproject.toml last changed: to find that
nothing is left to do takes it ten seconds.

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

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")

INSTALLED = VENV / "installed.json"

NO_SYCL = """
Note: pytl is installed without its SYCL backend; kernels run on the reference backend.
The SYCL wheels exist for CPython 3.10 to 3.14 on x86-64 Linux and Windows; .venv has {}.
With such a Python at hand, remove .venv and run this again with it, e.g. as `python3.11 install.py`.
"""


def run(*command):
    """Run a command; where it fails it has said why, so stop without a traceback of our own."""
    status = subprocess.call([str(part) for part in command], cwd=ROOT)
    if status:
        sys.exit(status)


def ask(code):
    """What .venv's Python prints for a line of code; None if it fails, or if .venv has no Python."""
    try:
        output = subprocess.check_output([str(PYTHON), "-c", code], stderr=subprocess.DEVNULL)
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


def installed():
    """The extras that pip has installed for this description; None if it has never been asked."""
    try:
        found = json.loads(INSTALLED.read_text("utf-8"))
        return found["extras"] if found["description"] == described() else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def compiler():
    """The line of pyproject.toml that pins numba-dpex, which pip is to install without dpnp and MKL."""
    found = re.search(r'^ *"(numba-dpex==[^"]*)"', (ROOT / "pyproject.toml").read_text("utf-8"), re.MULTILINE)
    return found[1]


def main(arguments):
    extras = [argument for argument in arguments if argument != "--if-needed"]
    if sys.version_info < (3, 10):  # else .venv would keep this Python, and be reused
        sys.exit(f"pytl needs Python 3.10 or newer, and this is {sys.version.split()[0]}.")
    if ask("") is None:  # there is none, or the Python that it was made from is gone
        run(sys.executable, "-m", "venv", "--clear", "--without-pip", VENV)
    if ask("import pip") is None:
        add_pip()
    before = installed()
    if "--if-needed" in arguments and before is not None and set(extras) <= set(before):
        return
    INSTALLED.unlink(missing_ok=True)
    # no warning that numba-dpex asks for dpnp, which the extra `dpnp` installs
    pip = (PYTHON, "-m", "pip", "install", "--no-warn-conflicts")
    run(*pip, "--editable", f".[{','.join(extras)}]" if extras else ".")
    if "dpnp" not in extras:
        run(*pip, "--no-deps", compiler())
    extras = sorted({*(before or []), *extras})
    INSTALLED.write_text(json.dumps({"description": described(), "extras": extras}), "utf-8")
    if ask("from pytl.runtime.makers import can_launch; assert can_launch()") is None:
        name = "p.python_implementation(), p.python_version(), 'on', p.system(), p.machine()"
        print(NO_SYCL.format(ask(f"import platform as p; print({name})")))


if __name__ == "__main__":
    main(sys.argv[1:])
