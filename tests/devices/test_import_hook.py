"""`import pytl`, and then dpctl, dpnp or numba_dpex as they are: in fresh processes without any variable."""

import os
import sys
from typing import Any

import pytest
from launch_kit import clean_python, needs_sycl

from pytl.devices import compilers
from pytl.devices.usm import library_name

pytestmark = pytest.mark.at_most(4)


def hiding(*names: str) -> str:
    """The begin of a program that runs as where packages are not installed: no finder finds them."""
    return f"""
class Hide:
    def __init__(self, finder): self.finder = finder
    def find_spec(self, name, path=None, target=None):
        return None if name in {names!r} else self.finder.find_spec(name, path, target)
import sys
sys.meta_path[:] = [Hide(f) if hasattr(f, "find_spec") else f for f in sys.meta_path]
"""


HIDDEN = hiding("dpctl", "dpnp", "numba_dpex")


def with_dpnp(*values: str) -> Any:
    return pytest.param(*values, marks=pytest.mark.needs_dpnp)


@pytest.mark.at_night
@needs_sycl
@pytest.mark.parametrize(
    ("source", "printed"),
    [
        pytest.param(
            "import pytl, LIBRARY as dpt, dpctl; print(dpt.arange(3).shape, dpctl.get_num_devices())",
            "(3,) 1",
            marks=pytest.mark.needs_tensors,
        ),
        ("import pytl, dpctl.memory; print(dpctl.memory.MemoryUSMShared(3).nbytes, dpctl.get_num_devices())", "3 1"),
        with_dpnp("import pytl, dpnp; print(dpnp.arange(4).sum())", "6"),
        with_dpnp("import pytl, dpnp, dpctl; print(len({*map(id, [dpctl, dpnp.dpctl])}))", "1"),
        pytest.param(
            "import pytl, numba_dpex, dpnp, dpctl; print(len({*map(id, [dpctl, dpnp.dpctl])}))",
            "1",
            marks=[pytest.mark.needs_dpnp, pytest.mark.needs_numba_dpex],
        ),
    ],
)
def test_imports_after_pytl(source: str, printed: str) -> None:
    done = clean_python(source.replace("LIBRARY", library_name() or "none"))
    assert (done.stderr, done.stdout.strip()) == ("", printed)


@pytest.mark.at_night
@pytest.mark.needs_dpnp
def test_a_package_looks_as_if_nobody_had_listened() -> None:
    done = clean_python(
        "import pytl, dpctl, importlib.resources, sys\n"
        "spec = dpctl.__spec__\n"
        "print(type(dpctl.__loader__).__name__, spec.loader is dpctl.__loader__, spec._initializing)\n"
        "import dpnp  # the last that needs help\n"
        "print(any('pytl' in type(f).__module__ for f in sys.meta_path))\n"
        "print(importlib.resources.files('dpctl').joinpath('__init__.py').is_file())\n"
        "import importlib; print(importlib.reload(dpctl) is dpctl)\n"
    )
    assert done.stderr == ""
    assert done.stdout.split("\n") == ["SourceFileLoader True False", "False", "True", "True", ""]


@pytest.mark.at_night
@pytest.mark.needs_dpnp
@pytest.mark.skipif(sys.platform != "linux", reason="the loader of Linux")
def test_libraries_that_bring_an_mkl_of_their_own_keep_it() -> None:
    """What is loaded for the whole process takes the place of functions of that name in libraries that come later."""
    source = (
        "import pytl, dpnp, ctypes, numpy as np\n"
        "print([name for name in ('dgemm_', 'mkl_serv_malloc') if hasattr(ctypes.CDLL(None), name)])\n"
        "x = np.random.default_rng(0).random((50, 50)); y = dpnp.asarray(x)\n"
        "print(np.allclose(dpnp.asnumpy(y @ y), x @ x), np.allclose(dpnp.asnumpy(dpnp.fft.fft(y)), np.fft.fft(x)))"
    )
    assert clean_python(source).stdout.splitlines() == ["[]", "True True"]


@pytest.mark.at_night
@pytest.mark.needs_dpnp
def test_dpctl_alone_does_not_load_what_dpnp_needs() -> None:
    done = clean_python(
        "import pytl, dpctl, os\n"
        "def loaded(): return 'libmkl_sycl_blas' in open('/proc/self/maps').read()\n"
        "print(loaded()); import dpnp; print(loaded())"
    )
    assert (done.stderr, done.stdout) == ("", "False\nTrue\n")


@needs_sycl
def test_asking_loads_nothing() -> None:
    done = clean_python(
        "import pytl, importlib.util, sys, os\n"
        "print([importlib.util.find_spec(n) is not None for n in ('dpctl', 'numba')])\n"
        "print(pytl.default_backend(), 'dpctl' in sys.modules, 'OCL_ICD_FILENAMES' in os.environ)\n"
        "import dpctl; print(dpctl.get_num_devices())"
    )
    assert (done.stderr, done.stdout) == ("", "[True, True]\nsycl False False\n1\n")


@pytest.mark.at_night
@needs_sycl
@pytest.mark.parametrize(
    ("imports", "show"),
    [
        ("dpctl, numpy as arrays", "x"),
        pytest.param("dpctl, LIBRARY as arrays", "arrays.asnumpy(x)", marks=pytest.mark.needs_tensors),
    ],
)
def test_dpctl_before_pytl_where_the_user_set_the_variables(imports: str, show: str) -> None:
    libraries = f"{sys.prefix}/lib"
    done = clean_python(
        f"import {imports.replace('LIBRARY', library_name() or 'none')}\nimport pytl\n"
        "x = arrays.ones(4, dtype='f4')\n"
        "pytl.compile('func @f(%a: memref<f32x4>) { %0 = constant 1.0 : f32  axpby.n %0, %a, %0, %a }')['f'][1](x)\n"
        f"print({show}.tolist())",
        LD_LIBRARY_PATH=libraries,
        OCL_ICD_FILENAMES=f"{libraries}/libintelocl.so",
    )
    assert done.stdout == "[2.0, 2.0, 2.0, 2.0]\n"


@needs_sycl
def test_threads_that_import_and_load_at_once() -> None:
    done = clean_python(
        "import pytl, threading, importlib\n"
        "from pytl.devices.bootstrap import load_sycl\n"
        "load = importlib.import_module\n"
        f"work = [load_sycl, lambda: load('dpctl'), lambda: load({library_name() or 'dpctl'!r})]\n"
        "threads = [threading.Thread(target=w, daemon=True) for w in work * 3]\n"
        "[t.start() for t in threads]; [t.join(30) for t in threads]\n"
        "print(any(t.is_alive() for t in threads))"
    )
    assert (done.stderr, done.stdout) == ("", "False\n")


def test_where_dpctl_is_not_installed() -> None:
    done = clean_python(
        f"{HIDDEN}import pytl, importlib.util\n"
        "print(importlib.util.find_spec('dpctl'), importlib.util.find_spec('numba_dpex'))\n"
        "try: import dpctl\nexcept ModuleNotFoundError as error: print(error, error.name)\n"
        "import warnings\n"
        "with warnings.catch_warnings(record=True) as told:\n"
        "    print(pytl.default_backend(), pytl.default_backend(), len(told))\n"
        "print(told[0].message)",
        PYTL_MLIR_TOOLS="/nowhere",
    )
    first = "numba-dpex" if compilers.installed_compiler() in (None, compilers.NUMBA_DPEX) else "dpctl"
    assert done.stderr == ""
    assert done.stdout.splitlines() == [
        "None None",
        "No module named 'dpctl' dpctl",
        "reference reference 1",
        f"{first} is not installed here, nor are MLIR's tools, so kernels run on the reference backend, which is slow; "
        "`pytl devices` says what would install it",
    ]


@pytest.mark.tools_of("mlir")
def test_where_there_is_no_sycl_the_host_backend_launches() -> None:
    done = clean_python(
        f"{HIDDEN}import numpy as np, pytl\n"
        "kernel = pytl.compile('func @f(%a: memref<f32x4>) { %0 = constant 1.0 : f32  axpby.n %0, %a, %0, %a }')['f']\n"
        "x = np.ones(4, np.float32)\n"
        "kernel[1](x)\n"
        "print(pytl.default_backend(), x.tolist())",
        PATH=os.environ["PATH"],
    )
    assert (done.stderr, done.stdout) == ("", "mlir [2.0, 2.0, 2.0, 2.0]\n")


@pytest.mark.at_night
@needs_sycl
@pytest.mark.parametrize("begin", ["import pytl, dpctl", "import dpctl, pytl"])
@pytest.mark.needs_numba_dpex
def test_without_dpnp_numba_dpex_compiles_and_no_dpnp_is_to_be_seen(begin: str) -> None:
    """What stands in for dpnp is gone once numba_dpex is imported, and its functions say what is missing."""
    libraries = f"{sys.prefix}/lib"
    done = clean_python(
        f"{hiding('dpnp')}{begin}, numpy as np\n"
        "import numba_dpex, importlib.util\n"
        "print([name for name in sys.modules if name.split('.')[0] == 'dpnp'], importlib.util.find_spec('dpnp'))\n"
        "try: import dpnp\nexcept ModuleNotFoundError as error: print(error)\n"
        "kernel = pytl.compile('func @f(%a: memref<f32>, %x: f32) { store %x, %a[] }')['f']\n"
        "a = np.zeros((), np.float32); kernel[1](a, 2.5); print(a)\n"
        "from dpctl import tensor\n"
        "b = tensor.zeros((), dtype='f4'); numba_dpex.call_kernel(*kernel.dpex(1, b, 3.5)); print(b)\n"
        "from numba_dpex.core.parfors import parfor_pass\n"
        "try: parfor_pass.dpnp.divide(1, 2)\nexcept ImportError as error: print(error)",
        PYTL_CACHE="0",
        LD_LIBRARY_PATH=libraries,
        OCL_ICD_FILENAMES=f"{libraries}/libintelocl.so",
    )
    assert done.stderr == ""
    assert done.stdout.splitlines() == [
        "[] None",
        "No module named 'dpnp'",
        "2.5",
        "3.5",
        "dpnp.divide: dpnp is not installed; python3 install.py dpnp, or pip install 'pytl[dpnp]' installs it",
    ]


@needs_sycl
def test_where_dpctl_is_installed_but_broken() -> None:
    done = clean_python(
        "import pytl\nfrom pytl.devices import bootstrap\n"
        "bootstrap._load_libraries = lambda interface: None\n"
        "try: import dpctl\nexcept ImportError as error: print(error)\n"
        "kernel = pytl.compile('func @f() {}')['f']\n"
        "try: kernel[1]()\nexcept pytl.PlatformError as error: print(error)"
    )
    lines = done.stdout.splitlines()
    if not lines[0]:
        pytest.skip("dpctl of this release finds its libraries by itself")
    assert lines[0].startswith("lib") and "cannot open shared object file" in lines[0]
    assert lines[2].startswith("error[PYTL-3013]: dpctl does not load: lib")
    assert "= help: Install the versions that work together, not with --target: pip install" in done.stdout


@needs_sycl
def test_a_program_from_nothing_but_python(tmp_path) -> None:
    """No variable, no setup: what a newcomer runs."""
    program = tmp_path / "twice.py"
    program.write_text(
        "import pytl, numpy as np\nfrom pytl import Memref, axpby, f32\n"
        "@pytl.kernel\ndef twice(x: Memref[f32, 4]):\n    axpby(1.0, x, 1.0, x)\n"
        "x = np.ones(4, np.float32)\ntwice[1](x)\nprint(x.tolist())\n"
    )
    done = clean_python(f"import runpy; runpy.run_path({str(program)!r})")
    assert (done.stderr, done.stdout) == ("", "[2.0, 2.0, 2.0, 2.0]\n")


@pytest.mark.at_night
@pytest.mark.needs_dpnp
def test_the_spirv_is_the_same_without_dpnp() -> None:
    program = (
        "import pytl, hashlib\nfrom pytl.backends.numba_dpex import toolchain\n"
        "build, made = toolchain.build, []\n"
        "def recorded(*given):\n    made.append(build(*given))\n    return made[-1]\n"
        "toolchain.build = recorded\n"
        "text = '''func @f(%alpha: f32, %A: memref<f32x16x8>, %B: memref<f32x8x16>, %C: memref<f32x16x16>) {\n"
        "  gemm.n.n %alpha, %A, %B, %alpha, %C\n}'''\n"
        "import numpy as np\n"
        "a, b, c = (np.ones(shape, 'f4', order='F') for shape in ((16, 8), (8, 16), (16, 16)))\n"
        "pytl.compile(text)['f'][1](2.0, a, b, c)\n"
        "print(len(made), hashlib.sha256(made[0].spirv).hexdigest(), c.sum())"
    )
    printed = [clean_python(f"{begin}{program}", PYTL_CACHE="0").stdout for begin in ("", hiding("dpnp"))]
    assert printed[0] == printed[1] and printed[0].startswith("1 ") and printed[0].endswith(" 4608.0\n")
