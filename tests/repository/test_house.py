"""The rules of the house: who imports whom, how large modules are, what `import pytl` costs, what is documented."""

import ast
import functools
import importlib
import pkgutil
import re
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter

import pytest
from launch_kit import PUBLIC, ROOT, clean_python

import pytl

PACKAGE = ROOT / "pytl"
MODULES = {
    ".".join(["pytl", *file.relative_to(PACKAGE).with_suffix("").parts]).removesuffix(".__init__"): file
    for file in sorted(PACKAGE.rglob("*.py"))
}

PICTURE = re.search(r"## The rooms\n+```\n(.*?)```", (ROOT / "docs/architecture.md").read_text(), re.DOTALL)
ROOMS = re.findall(r"^ (\w+) ", PICTURE[1] if PICTURE else "", re.MULTILINE)
"""The rooms of the picture, from the top down."""
ON_HOST = {f"backends.{name}" for name in ("base", "rules", "overlap", "host_copies")}
INSIDE = {
    "passes.analysis": set(),
    "passes.targets": {"passes.analysis"},
    "frontends.lang": set(),
    "launch.arrays": set(),
    "backends.reference": ON_HOST,
    "backends.numba_dpex": {
        *(
            f"backends.{name}"
            for name in ("base", "rules", "overlap", "checked", "building", "machines", "tile_check", "vector_options")
        )
    },
    "backends.opencl": {"backends.base", "backends.numba_dpex"},
    "backends.mlir": {
        *(
            f"backends.{name}"
            for name in ("base", "rules", "overlap", "host_copies", "checked", "building", "machines", "tile_check")
        ),
        "backends.vector_options",
    },
    "backends.arm_sme": {
        *(f"backends.{name}" for name in ("base", "rules", "overlap", "host_copies", "checked", "mlir", "machines")),
        "backends.vector_options",
    },
    "backends.xegpu": {"backends.base", "backends.mlir"},
}
"""What folders import of their own room, besides themselves."""
QUOTING = {"python_comment", "mlir_comment", "mlir_location", "mlir_source", "comment"}
"""What takes words of users for generated source; the last is the MLIR builder's."""
SYCL = {"numba", "numba_dpex", "dpctl", "dpnp", "llvmlite", "pyopencl"}
WITH_SYCL = ("pytl.backends.numba_dpex.device", "pytl.backends.numba_dpex.vector.")
"""What is imported with the first kernel, for numba to compile."""


def room_of(module: str) -> str:
    """The room that a module is in; nothing for `pytl` and `python -m pytl`, which use what users do."""
    name = module.split(".")[1:2]
    return name[0] if name and name[0] in ROOMS else ""


@functools.cache
def tree_of(module: str) -> ast.Module:
    """The syntax tree of a module, which most rules look at."""
    return ast.parse(MODULES[module].read_text(), str(MODULES[module]))


@functools.cache
def imports_of(module: str) -> list[tuple[str, int, bool]]:
    """Every module that a module imports, with the line, and whether at its top level."""
    package = module if MODULES[module].name == "__init__.py" else module.rpartition(".")[0]
    tree = tree_of(module)
    return [
        (target, node.lineno, node in tree.body)
        for node in ast.walk(tree)
        if isinstance(node, (ast.Import, ast.ImportFrom))
        for target in _targets(node, package)
    ]


def _targets(node: ast.Import | ast.ImportFrom, package: str) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
        return
    base = node.module or ""
    if node.level:
        parts = package.split(".")[: len(package.split(".")) - node.level + 1]
        base = ".".join([*parts, base] if base else parts)
    for alias in node.names:
        whole = f"{base}.{alias.name}"
        yield whole if whole in MODULES else base


def test_the_picture_has_every_room() -> None:
    folders = {path.name for path in PACKAGE.iterdir() if list(path.glob("*.py"))}
    assert folders == set(ROOMS)
    assert len(ROOMS) <= 12
    assert {path.name for path in PACKAGE.iterdir() if path.is_file()} == {"__init__.py", "__main__.py", "py.typed"}


def test_folders_of_tests_are_rooms_or_told_on_their_page() -> None:
    page = (ROOT / "docs/notes/tests.md").read_text().partition("## Folders")[2].partition("## ")[0]
    told = re.findall(r"`(\w+)`", "".join(line.split("|")[1] for line in page.splitlines() if line.startswith("| `")))
    folders = {file.relative_to(ROOT / "tests").parts[0] for file in (ROOT / "tests").rglob("*/test_*.py")}
    assert folders - set(ROOMS) | {"generator", "golden"} == set(told)
    assert set(ROOMS) <= folders
    assert [path.name for path in (ROOT / "tests").glob("test_*.py")] == []


def test_arrows_point_down() -> None:
    """A module imports from its own room, and from rooms below; examples are programs of a user's."""
    wrong = []
    for module, file in MODULES.items():
        room = room_of(module)
        if not room or module.startswith("pytl.ops.examples"):
            continue
        for target, line, _ in imports_of(module):
            other = room_of(target)
            if target.split(".")[0] == "pytl" and other and ROOMS.index(other) < ROOMS.index(room):
                wrong.append(f"{file.relative_to(ROOT)}:{line}: {room} imports {target}")
    assert not wrong, "\n" + "\n".join(wrong)


def test_folders_inside_of_rooms() -> None:
    wrong = []
    for module, file in MODULES.items():
        folder = ".".join(module.split(".")[1:3])
        if folder not in INSIDE:
            continue
        for target, line, _ in imports_of(module):
            other = ".".join(target.split(".")[1:3])
            if room_of(target) == room_of(module) and other not in {folder, *INSIDE[folder]}:
                wrong.append(f"{file.relative_to(ROOT)}:{line}: {folder} imports {target}")
    assert not wrong, "\n" + "\n".join(wrong)


def test_imports_have_no_circles() -> None:
    """No circles of imports, counting those for types and those inside of functions.

    A module is imported after the packages that it is in, unless the importer is in them, too.
    """
    imported = {
        module: {
            part
            for target, _, _ in imports_of(module)
            for part in ([target, *_packages(target)] if target in MODULES else [])
            if part != module and not module.startswith(f"{part}.")
        }
        for module in MODULES
    }
    try:
        TopologicalSorter(imported).prepare()
    except CycleError as error:
        raise AssertionError(" is imported by ".join(error.args[1])) from None


def _packages(module: str) -> list[str]:
    parts = module.split(".")
    return [".".join(parts[:n]) for n in range(2, len(parts))]


OF_LIBRARIES = {
    *("_getframe", "_asdict", "_replace", "_actions", "_at_fork_reinit", "_lock"),  # Python's own
    *("_AppendAction", "_HelpAction", "_SubParsersAction"),
    *("_name", "_compiler", "_final_module"),  # numba's and numba-dpex's functions and code libraries
    *("_pointer", "_cl"),  # dpctl's address of memory, pyopencl's extension module
}
"""Private names of others that pytl uses, where no public one says the same."""


def test_private_names_stay_in_their_modules() -> None:
    """What begins with an underscore is used where it is defined: of modules, of classes, and of objects."""
    wrong = []
    for module, file in MODULES.items():
        tree = tree_of(module)
        defined = set(_defined(tree))
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute):
                of_itself = isinstance(node.value, ast.Name) and node.value.id in ("self", "cls")
                of_itself |= isinstance(node.value, ast.Call) and getattr(node.value.func, "id", "") == "super"
                names = [] if of_itself else [node.attr]
            elif isinstance(node, ast.ImportFrom):
                names = (
                    [alias.name for alias in node.names] if (node.module or "").startswith("pytl") or node.level else []
                )
            else:
                continue
            wrong += [
                f"{file.relative_to(ROOT)}:{node.lineno}: {name}"
                for name in names
                if name.startswith("_") and not name.startswith("__") and name not in {*defined, *OF_LIBRARIES}
            ]
    assert not wrong, "\n" + "\n".join(wrong)


def _defined(tree: ast.Module) -> Iterator[str]:
    """The names that a module gives to functions, classes, variables and attributes."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            yield node.name
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.attr
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id


@pytest.mark.parametrize("words", ["reference", "numba_dpex", "arm_sme"])
def test_backends_are_reached_through_the_registry_only(words: str) -> None:
    importers = [
        module
        for module in MODULES
        if not module.startswith((f"pytl.backends.{words}", "pytl.backends.opencl"))  # which builds on numba_dpex
        for target, _, _ in imports_of(module)
        if target.startswith(f"pytl.backends.{words}")
    ]
    assert importers == []


def test_the_sycl_stack_is_imported_on_demand() -> None:
    wrong = []
    for module, file in MODULES.items():
        for target, line, at_top in imports_of(module):
            beyond = target.split(".")[0] in SYCL
            if beyond and at_top and not module.startswith(WITH_SYCL):
                wrong.append(f"{file.relative_to(ROOT)}:{line}: imports {target}")
    assert not wrong, "\n" + "\n".join(wrong)


def test_words_of_users_are_quoted() -> None:
    """A backend hands lines and names of the user's sources to what quotes them, and writes no other comments."""
    wrong = []
    for module, file in MODULES.items():
        if module.startswith("pytl.backends."):
            wrong += [f"{file.relative_to(ROOT)}:{line}" for line in _unquoted(tree_of(module), False)]
    assert not wrong, "\n" + "\n".join(wrong)


def _unquoted(node: ast.AST, is_quoted: bool) -> Iterator[int]:
    if isinstance(node, ast.Call):
        called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        is_quoted = is_quoted or called in QUOTING
    is_compared = isinstance(node, ast.Compare) or "_shown" in {
        target.attr for target in getattr(node, "targets", ()) if isinstance(target, ast.Attribute)
    }
    if not is_quoted:
        if isinstance(node, ast.Attribute) and node.attr in ("name", "line", "text"):
            if isinstance(node.value, ast.Attribute) and node.value.attr == "source":
                yield node.lineno
        if isinstance(node, ast.JoinedStr) and node.values and isinstance(node.values[0], ast.Constant):
            if str(node.values[0].value).lstrip().startswith(("#", "//")):
                yield node.lineno
    for child in ast.iter_child_nodes(node):
        yield from _unquoted(child, is_quoted or is_compared)


TO_IMPORT = {
    "pytl",
    *("pytl.process", "pytl.process.on_demand", "pytl.devices", "pytl.devices.import_hook"),
    *("pytl.frontends", "pytl.frontends.lang"),
}
TO_DECORATE = {
    *TO_IMPORT,
    *(
        f"pytl.{name}"
        for name in (
            *("process.interrupts", "process.once", "process.records", "kernels", "kernels.kernel", "launch"),
            "diagnostics.quoting",
            *("kernels.recording", "kernels.reloading", "kernels.traces"),
        )
    ),
    *(f"pytl.diagnostics{name}" for name in ("", ".callers", ".catalogue", ".diagnostic", ".errors", ".location")),
    *("pytl.diagnostics.render", "pytl.frontends.python", "pytl.frontends.python.annotations"),
    *("pytl.frontends.python.content", "pytl.frontends.python.source_texts", "pytl.ir", "pytl.ir.layouts"),
    *(
        "pytl.ir.types",
        "pytl.frontends.lang.annotations",
        "pytl.frontends.lang.rules",
        "pytl.frontends.lang.scalars",
        "pytl.frontends.lang.sizes",
    ),
}
DECORATE = """
import pytl
from pytl import Group, Memref, f32

@pytl.kernel(subgroup_size=16)
def scale(alpha: f32, x: Memref[f32, 8, ...], y: Group[f32, "n"]):
    pytl.axpby(alpha, x[:, 0], 0.0, x[:, 1])

assert callable(pytl.kernel)
"""


def modules_of(program: str) -> set[str]:
    """What a program imports beyond what an empty one has."""
    listed = "\nimport sys; print(*sys.modules)"
    done, empty = clean_python(program + listed), clean_python(listed)
    assert (done.stderr, empty.stderr) == ("", "")
    return set(done.stdout.split()) - set(empty.stdout.split())


def test_what_import_pytl_imports() -> None:
    """Of pytl what is listed, and of the standard library what takes a millisecond in all."""
    loaded = modules_of("import pytl")
    assert {name for name in loaded if name.partition(".")[0] == "pytl"} == TO_IMPORT
    assert loaded - TO_IMPORT <= {
        "__future__",
        "importlib",
        "importlib._bootstrap",
        "importlib._bootstrap_external",
        "warnings",
    }


def test_what_a_decorated_kernel_imports() -> None:
    """To make a kernel takes no tracer, no instruction, no pass, no backend, and nothing that launches it."""
    loaded = modules_of(DECORATE)
    assert {name for name in loaded if name.partition(".")[0] == "pytl"} == TO_DECORATE
    unwanted = {
        "contextvars",
        "logging",
        "pathlib",
        "string",
        "textwrap",
        "traceback",
        "unicodedata",
    }
    assert not unwanted & loaded


@pytest.mark.parametrize(
    "package", ["pytl", "pytl.frontends.lang", "pytl.launch", "pytl.frontends.python", "pytl.ir.text"]
)
@pytest.mark.additions
def test_names_that_are_imported_at_their_first_use(package: str) -> None:
    """Python finds each name where type checkers do."""
    imports = next(node for node in tree_of(package).body if isinstance(node, ast.If)).body
    told = {
        alias.name: ".".join(filter(None, [package, node.module]))
        for node in imports
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    found = importlib.import_module(package)
    public = set(PUBLIC) if package == "pytl" else set(found.__all__)
    assert set(told) == public
    assert public <= set(dir(found))
    for name, module in told.items():
        defined = importlib.import_module(f"{module}.{name}" if module == package else module)
        expected = defined if module == package else getattr(defined, name)
        assert getattr(found, name) is expected


INTERRUPTED = """
import signal, sys
import pytl

class Interrupt:
    def find_spec(self, name, path=None, target=None):
        if name == "pytl.kernels.traces":  # which `pytl.kernels.kernel` imports
            sys.meta_path.remove(self)
            signal.raise_signal(signal.SIGINT)

sys.meta_path.insert(0, Interrupt())
try:
    pytl.kernel
except KeyboardInterrupt:
    print("interrupted when it was imported:", "pytl.kernels.kernel" in sys.modules)
print(pytl.kernel.__name__, sys.meta_path[0].__class__.__name__)
"""


def test_ctrl_c_waits_for_the_import_of_a_name() -> None:
    """A module that ends half-way has registered its rules, and could not be imported again."""
    done = clean_python(INTERRUPTED)
    assert (done.stdout, done.stderr) == ("interrupted when it was imported: True\nkernel _Listener\n", "")


@pytest.mark.parametrize("name", ["gem", "kernels_", "numpy"])
def test_a_name_that_pytl_has_not(name: str) -> None:
    with pytest.raises(AttributeError, match=f"^module 'pytl' has no attribute '{name}'$"):
        getattr(pytl, name)


def test_a_name_that_is_meant_is_suggested() -> None:
    done = clean_python("import pytl; pytl.gem")
    assert done.stderr.endswith("AttributeError: module 'pytl' has no attribute 'gem'. Did you mean: 'gemm'?\n")


def test_what_the_public_names_import() -> None:
    loaded = {name.partition(".")[0] for name in modules_of("from pytl import *")}
    unwanted = {
        "numpy",
        "ml_dtypes",
        "platformdirs",
        "typeguard",
        "typing_extensions",
        *SYCL,
        "IPython",
        "asyncio",
        "unittest",
        # of the standard library, each as long to import as a part of pytl; benchmarks/cold_start.py has the times
        "argparse",
        "email",
        "json",
        "multiprocessing",
        "socket",
        "subprocess",
        "tempfile",
        "zipfile",
    }
    assert not unwanted & loaded


def test_what_a_lowered_text_imports() -> None:
    """Tracing, passes and generated source come without what launches need: NumPy takes longer than all of them."""
    kernel = "pytl.compile('func @f(%a: memref<f32x4>) { %0 = constant 1.0 : f32  axpby.n %0, %a, %0, %a }')['f']"
    done = clean_python(f"import pytl, sys; {kernel}.emit('numba_dpex'); print(*sys.modules)")
    assert done.stderr == ""
    assert not {"numpy", "json", "hashlib", "typeguard", *SYCL} & set(done.stdout.split())


def test_modules_have_docstrings() -> None:
    assert [module for module in MODULES if not (ast.get_docstring(tree_of(module)) or "").strip()] == []


@pytest.mark.parametrize("name", PUBLIC)
def test_public_names_are_documented(name: str) -> None:
    value = getattr(pytl, name)
    if name == "constexpr":  # an Annotated, which carries no text; the module says it below the name
        source = (PACKAGE / "frontends/lang/annotations.py").read_text()
        assert 'constexpr = Annotated[T, CONSTEXPR]\n"""A parameter that is a Python value' in source
        return
    assert (value.__doc__ or "").strip()
    assert "\n\n\n" not in value.__doc__


@pytest.mark.additions
def test_public_names_are_complete() -> None:
    assert len(PUBLIC) == len(set(PUBLIC))
    public = {name for name in dir(pytl) if not name.startswith("_") and not _is_module(getattr(pytl, name))}
    assert public | {"atomic", "coop", "subgroup", "tile"} == set(PUBLIC)  # these are modules of functions


def _is_module(value: object) -> bool:
    return type(value).__name__ == "module"


def test_every_package_is_one() -> None:
    """A folder without an __init__.py would be left out of what is installed."""
    found = {info.name for info in pkgutil.walk_packages([str(PACKAGE)], "pytl.", onerror=lambda name: None)}
    assert set(MODULES) - found - {"pytl"} <= {name for name in MODULES if ".numba_dpex.device." in name}


def test_every_module_imports_without_the_sycl_stack() -> None:
    names = [name for name in MODULES if not name.startswith(WITH_SYCL) and name != "pytl.__main__"]
    done = clean_python(
        "import sys\n"
        "class Blocked:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        f"        if name.split('.')[0] in {SYCL!r}: raise ImportError(name)\n"
        "sys.meta_path.insert(0, Blocked())\n"
        f"import importlib\nfor name in {names!r}: importlib.import_module(name)\nprint('all')"
    )
    assert (done.stderr, done.stdout) == ("", "all\n")
