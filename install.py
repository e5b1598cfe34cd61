"""Make .venv in this checkout, or reuse it, and install pytl into it: python3 install.py [EXTRA ...]

It needs nothing but Python and its pip, and changes nothing outside the checkout. So it works where the
system's Python belongs to the distribution and refuses `pip install`, and where `python3 -m venv` alone fails
for want of ensurepip.
"""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")

NO_SYCL = """
Note: pytl is installed without its SYCL backend; kernels run on the reference backend.
The SYCL wheels exist for CPython 3.10 and 3.11 on x86-64 Linux and Windows; .venv has {}.
With such a Python at hand, remove .venv and run this again with it, e.g. as `python3.11 install.py`.
"""


def run(*command):
    """Run a command; where it fails it has said why, so stop without a traceback of our own."""
    status = subprocess.call([str(part) for part in command], cwd=ROOT)
    if status:
        sys.exit(status)


def ask(code):
    """What .venv's Python prints for a line of code; None if it fails, or there is no such Python."""
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


def main(extras):
    if sys.version_info < (3, 10):  # else .venv would keep this Python, and be reused
        sys.exit(f"pytl needs Python 3.10 or newer, and this is {sys.version.split()[0]}.")
    if ask("") is None:  # there is none, or the Python that it was made from is gone
        run(sys.executable, "-m", "venv", "--clear", "--without-pip", VENV)
    if ask("import pip") is None:
        add_pip()
    run(PYTHON, "-m", "pip", "install", "--editable", f".[{','.join(extras)}]" if extras else ".")
    if ask("from importlib.util import find_spec; assert find_spec('numba_dpex')") is None:
        name = "p.python_implementation(), p.python_version(), 'on', p.system(), p.machine()"
        print(NO_SYCL.format(ask(f"import platform as p; print({name})")))


if __name__ == "__main__":
    main(sys.argv[1:])
