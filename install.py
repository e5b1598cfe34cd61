"""Make .venv in this checkout, or reuse it, and install pytl into it: python3 install.py [EXTRA ...]

It needs nothing but Python and its pip, and changes nothing outside the checkout. So it works where the system's Python
is managed by the distribution and refuses `pip install`, and where `python3 -m venv` alone fails for want of ensurepip.
"""

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")

NO_SYCL = """
Note: pytl is installed without its SYCL backend; kernels run on the reference backend.
The SYCL wheels exist for CPython 3.10 and 3.11 on x86-64 Linux and Windows, and .venv has {version} on {platform}.
With such a Python at hand, remove .venv and run this again with it, e.g. as `python3.11 install.py`.
"""


def run(*command):
    """Run a command that shows its own errors: where it fails, stop, and add no traceback to them."""
    status = subprocess.call([str(part) for part in command], cwd=ROOT)
    if status:
        sys.exit(status)


def ask(code):
    """What .venv's Python prints for a line of code, or None where it is missing or fails."""
    try:
        answer = subprocess.run(
            [str(PYTHON), "-c", code], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True
        )
    except (OSError, subprocess.CalledProcessError):
        return None
    return answer.stdout.decode().strip()


def make_venv():
    """Make .venv with a pip in it."""
    venv = [sys.executable, "-m", "venv", "--clear"]
    if find_spec("ensurepip"):
        run(*venv, VENV)
    else:  # as on Debian without python3-venv: let the pip that is there put a pip into .venv
        run(*venv, "--without-pip", VENV)
        run(
            sys.executable,
            "-m",
            "pip",
            "install",
            "--target",
            ask("import sysconfig; print(sysconfig.get_path('purelib'))"),
            "pip",
        )


def main(extras):
    if sys.version_info < (3, 10):
        sys.exit(
            "pytl needs Python 3.10 or newer; this is %s. Try `python3.11 install.py`."
            % sys.version.split()[0]
        )
    # Without pip it is what an interrupted run left; without a Python, the one it was made from is gone.
    if ask("import pip") is None:
        make_venv()
    run(PYTHON, "-m", "pip", "install", "--editable", ".[" + ",".join(extras) + "]" if extras else ".")
    if ask("import importlib.util as u; print(u.find_spec('numba_dpex') is not None)") != "True":
        print(
            NO_SYCL.format(
                version=ask("import platform as p; print(p.python_implementation(), p.python_version())"),
                platform=ask("import platform as p; print(p.system(), p.machine())"),
            )
        )


if __name__ == "__main__":
    main(sys.argv[1:])
