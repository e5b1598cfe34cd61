"""Kernels in a folder that were built ahead of time: SPIR-V, and a file of JSON that says what it is.

What is read here may have been written by anyone: every name, number and type is looked at before it is used, texts go
through the parser and the verifier, and the code is compared with its hash and with the arguments that a launch passes.
Code itself is trusted, as that of any package.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Mapping, Sequence
from dataclasses import field
from pathlib import Path
from typing import Any, NoReturn, TypeVar

from ..backends.base import Backend, Lowered, Prebuilt
from ..backends.registry import find_backend
from ..devices.owned import LARGEST
from ..diagnostics import PlatformError, PytlError, Rule
from ..frontends.lang.sizes import Size
from ..ir.text import parse
from ..ir.types import DYNAMIC, item_type
from ..ir.values import Function, Module
from ..ir.verifier import verify
from ..launch.lowering import lowered_by
from ..launch.signature import parameters_of
from ..launch.symbols import SizeUse
from ..ops.launch_defaults import subgroup_size, work_group_shape
from ..process.records import dataclass
from .python_signature import PythonSignature

T = TypeVar("T")

ARGUMENTS = Rule(
    "PYTL-3300",
    "what is built ahead of time is kernels with names of their own, and kinds of devices",
    "Ahead of time",
    explanation="Kernels of one name are a kernel with dynamic sizes, which comes first, and its specializations.",
)
FOLDER = Rule("PYTL-3301", "a folder for kernels that are built ahead of time can be written", "Ahead of time")
OF_THEIR_OWN = Rule(
    "PYTL-1273",
    "a module of SPIR-V and its interface are files of their own, and not what they are made of",
    "Ahead of time",
)
READ = Rule(
    "PYTL-3302",
    "a folder of kernels that were built ahead of time is whole, and in a form that this pytl reads",
    "Ahead of time",
    explanation="The folder has a file pytl_kernels.json, and the files with SPIR-V that this file names. All of them "
    "are looked at before anything is launched.",
)

FILE = "pytl_kernels.json"
FORMAT, VERSION = "kernels of pytl", 1
BACKEND = "sycl"
"""The backend that builds, and that checks what was built."""
MAX_JSON = 32_000_000
"""Bytes of the largest file of JSON that is read."""
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,99}")
_CODE_FILE = re.compile(r"[A-Za-z0-9_]{1,100}-[0-9a-f]{16}\.spv")


@dataclass(frozen=True)
class Form:
    """A function as it was compiled for a kind of device. `sizes` is its specialization for sizes, if it is one."""

    device: str
    options: Mapping[str, Any]
    function: Function
    code: Sequence[Prebuilt]
    is_specialized: bool

    def lowered(self, backend: Backend, general: Function) -> Lowered:
        """The function for launches, none of which compiles it. `general` is what it may be a specialization of."""
        lowered = lowered_by(backend, self.options, self.function, general)
        lowered.prebuilt = self.code
        return lowered


@dataclass(frozen=True)
class BuiltFunction:
    """A function with all its forms, and its named sizes."""

    name: str
    function: Function
    sizes: tuple[SizeUse, ...]
    forms: Sequence[Form] = field(default_factory=list)
    python: PythonSignature | None = None
    """How a launch passes arguments, where that is more than an order of names."""


def is_word(name: Any) -> bool:
    """Whether a kernel may be kept under a name, which is part of names of files."""
    return isinstance(name, str) and _WORD.fullmatch(name) is not None


def write(folder: Path, functions: Sequence[BuiltFunction]) -> None:
    """Write a folder. Whoever reads it meanwhile finds the old kernels or the new ones. Raises OSError."""
    import json  # not at `import pytl`

    folder.mkdir(parents=True, exist_ok=True)
    before = {file.name for file in folder.glob("*.spv")} if (folder / FILE).exists() else set()
    code: dict[str, bytes] = {}
    listed = {each.name: _described(each, code) for each in functions}
    for name, words in code.items():
        _write_file(folder / name, words)
    content = {"format": FORMAT, "version": VERSION, "kernels": listed}
    _write_file(folder / FILE, (json.dumps(content, indent=1, allow_nan=False) + "\n").encode())
    for name in before - code.keys():
        if _CODE_FILE.fullmatch(name):
            (folder / name).unlink(missing_ok=True)


def _write_file(path: Path, content: bytes) -> None:
    new = path.with_name(f".{path.name}.{os.getpid()}")
    new.write_bytes(content)
    os.replace(new, path)


def _described(built: BuiltFunction, code: dict[str, bytes]) -> dict[str, Any]:
    forms = []
    for form in built.forms:
        parts = []
        for prebuilt in form.code:
            digest = _digest(prebuilt.code)
            name = f"{built.name}-{digest[:16]}.spv"
            code[name] = prebuilt.code
            parts.append({"file": name, "sha256": digest, "interface": prebuilt.details})
        text = str(Module.of(form.function)) if form.is_specialized else None
        forms.append({"device": form.device, "options": dict(form.options), "text": text, "code": parts})
    sizes = [{"parameter": use.position, "mode": use.mode, "size": use.size.text} for use in built.sizes]
    call = {} if built.python is None else {"arguments": built.python.to_json()}
    return {
        "text": str(Module.of(built.function)),
        **_shape_of(built.function),
        "named sizes": sizes,
        **call,
        "forms": forms,
    }


def _shape_of(function: Function) -> dict[str, Any]:
    """What other programs want to know of a function; it follows from the text."""
    parameters = [{"name": p.name, "type": str(p.type), "written": p.written} for p in parameters_of(function)]
    shape = list(work_group_shape(function))
    return {"parameters": parameters, "work_group_size": shape, "subgroup_size": subgroup_size(function)}


class _Wrong(ValueError):
    """What is wrong with a folder, in the words of a message."""


def read(folder: Path) -> list[BuiltFunction]:
    """The kernels of a folder. Raises `pytl.PlatformError` where they are damaged, of another version, or none."""
    try:
        content = _object(_json_of(_bytes_of(folder / FILE, MAX_JSON)), FILE)
        if content.get("format") != FORMAT:
            raise _Wrong(f"{FILE} is no list of kernels")
        if content.get("version") != VERSION or type(content["version"]) is not int:
            version = str(content.get("version"))[:20]
            raise _Wrong(f"it is in version {version} of the form, and this pytl reads version {VERSION}")
        return [_function(folder, name, each) for name, each in _object(content.get("kernels"), "kernels").items()]
    except OSError as error:
        _refuse(folder, f"{Path(error.filename or FILE).name} cannot be read: {error.strerror}")
    except RecursionError:
        _refuse(folder, "it is nested too deeply")
    except ValueError as error:
        _refuse(folder, str(error))


def _refuse(folder: Path, problem: str) -> NoReturn:
    help = "build the kernels again: pytl build"
    raise PlatformError.single(READ, f"{folder} is refused: {problem}", help=help) from None


def _function(folder: Path, name: str, content: Any) -> BuiltFunction:
    if not is_word(name):
        raise _Wrong("it has a kernel without a proper name")
    entry = _object(content, name)
    function = _parsed(name, _typed(entry, "text", str))
    if any(entry.get(key) != value for key, value in _shape_of(function).items()):
        raise _Wrong(f"the parameters of {name} are not those of its text")
    sizes = tuple(_size_use(function, each) for each in _list(entry, "named sizes"))
    forms = [_form(folder, name, function, _object(each, name)) for each in _list(entry, "forms")]
    if not any(not form.is_specialized for form in forms):
        raise _Wrong(f"{name} has no code")
    python = None
    if "arguments" in entry:
        try:
            names = [value.name or "" for value in function.parameters]
            python = PythonSignature.from_json(name, entry["arguments"], names)
        except ValueError as error:
            raise _Wrong(str(error)) from None
    return BuiltFunction(name, function, sizes, forms, python)


def _form(folder: Path, name: str, general: Function, entry: Mapping[str, Any]) -> Form:
    ahead = find_backend(BACKEND).ahead_of_time
    assert ahead is not None
    device, options = _typed(entry, "device", str), _object(entry.get("options"), name)
    if device not in ahead.devices:
        raise _Wrong(f"{name} is for a kind of device that is not known")
    if not all(value is None or type(value) in (bool, int, str) for value in options.values()):
        raise _Wrong(f"{name} has options of no known kind")
    text = entry.get("text")
    function = general if text is None else _parsed(name, _typed(entry, "text", str))
    if text is not None and not refines(function, general):
        raise _Wrong(f"{name} has a form for sizes that it does not take")
    code = []
    for part in _list(entry, "code"):
        part = _object(part, name)
        prebuilt = Prebuilt(_object(part.get("interface"), name), _code(folder, part))
        try:
            ahead.check(function, options, prebuilt)
        except ValueError as error:
            raise _Wrong(f"{name}: {error}") from None
        code.append(prebuilt)
    if not code:
        raise _Wrong(f"{name} has no code")
    return Form(device, options, function, code, text is not None)


def _code(folder: Path, part: Mapping[str, Any]) -> bytes:
    name, digest = _typed(part, "file", str), _typed(part, "sha256", str)
    if not _CODE_FILE.fullmatch(name):
        raise _Wrong("it names a file that is none of pytl's")
    code = _bytes_of(folder / name, LARGEST)
    if _digest(code) != digest:
        raise _Wrong(f"{name} was changed after it was built")
    return code


def _digest(code: bytes) -> str:
    import hashlib  # not at `import pytl`

    return hashlib.sha256(code).hexdigest()


def _parsed(name: str, text: str) -> Function:
    try:
        module = parse(text, f"<{name} as it was built>")
        verify(module)
    except PytlError as error:
        raise _Wrong(f"the text of {name} is wrong: {error.diagnostics[0].message}") from None
    if len(module.kernels) != 1 or not module.functions[0].is_kernel:
        raise _Wrong(f"the text of {name} is not one kernel")
    return module.functions[0]


def _size_use(function: Function, content: Any) -> SizeUse:
    entry = _object(content, "named sizes")
    position, mode = _typed(entry, "parameter", int), entry.get("mode")
    if not 0 <= position < len(function.parameters):
        raise _Wrong("a named size is of no parameter")
    value = function.parameters[position]
    order = len(item_type(value.type).shape) if _has_modes(value.type) else 0
    if not (mode is None or (type(mode) is int and 0 <= mode < order)):
        raise _Wrong("a named size is of no mode")
    try:
        size = Size.read(_typed(entry, "size", str))
    except PytlError:
        raise _Wrong("a named size is no expression") from None
    return SizeUse(position, value.name or str(position), mode, size)


def refines(special: Function, general: Function) -> bool:
    """Whether a function is another one for some of the sizes that the other takes."""
    pairs = list(zip(special.parameters, general.parameters))
    if len(special.parameters) != len(general.parameters):
        return False
    return all(
        a.name == b.name and a.attributes == b.attributes and (a.type == b.type or _is_narrower(a.type, b.type))
        for a, b in pairs
    )


def _has_modes(type_: Any) -> bool:
    return hasattr(getattr(type_, "memref", type_), "shape") and hasattr(getattr(type_, "memref", type_), "strides")


def _is_narrower(special: Any, general: Any) -> bool:
    if type(special) is not type(general) or not _has_modes(general):
        return False
    if special is not item_type(special) and (special.count, special.offset) != (general.count, general.offset):
        return False
    a, b = item_type(special), item_type(general)
    if a.element != b.element or len(a.shape) != len(b.shape):
        return False
    return all(y is DYNAMIC or x == y for x, y in zip((*a.shape, *a.strides), (*b.shape, *b.strides)))


# JSON.


def _json_of(content: bytes) -> Any:
    import json  # not at `import pytl`

    try:
        return json.loads(content.decode("utf-8"), parse_constant=_no_number)
    except ValueError:
        raise _Wrong(f"{FILE} is not JSON") from None


def _no_number(word: str) -> NoReturn:
    raise ValueError(word)


def _list(entry: Mapping[str, Any], key: str) -> list[Any]:
    entries: list[Any] = _typed(entry, key, list)
    return entries


def _object(content: Any, what: str) -> dict[str, Any]:
    if not isinstance(content, dict):
        raise _Wrong(f"what it says of {what} is not an object")
    return content


def _typed(entry: Mapping[str, Any], key: str, kind: type[T]) -> T:
    value = entry.get(key)
    if type(value) is not kind:
        raise _Wrong(f"`{key}` is missing, or of the wrong kind")
    return value


def _bytes_of(path: Path, max_size: int) -> bytes:
    """The content of a plain file; a pipe does not block."""
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode) or status.st_size > max_size:
            raise _Wrong(f"{path.name} is not a plain file of at most {max_size} bytes")
        with open(descriptor, "rb", closefd=False) as file:
            return file.read(max_size)
    finally:
        os.close(descriptor)
