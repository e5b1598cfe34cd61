"""Kernels that are built ahead of time: what launches them, what is refused, and what hostile folders do."""

import hashlib
import json
import pickle
import random
import shutil
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from cli_kit import Run
from launch_kit import clean_python, needs_sycl

import pytl
from pytl import (
    Group,
    Memref,
    axpby,
    bf16,
    bool_,
    c32,
    c64,
    cast,
    f16,
    f32,
    gemm,
    group_id,
    i8,
    i32,
    i64,
    index,
    parallel,
    subgroup,
)
from pytl.kernels.built import FILE

pytestmark = needs_sycl

WITHOUT_COMPILERS = """
class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.split('.')[0] in ('numba', 'llvmlite', 'numba_dpex', 'dpcpp_llvm_spirv'): raise ImportError(name)
sys.meta_path.insert(0, Blocked())
import numpy as np, pytl
"""


@pytl.kernel
def multiply(alpha: f32, A: Memref[f32, "m", "k"], B: Memref[f32, "k", "n", ...], C: Memref[f32, "m", "n", ...]):
    g = group_id()
    gemm(alpha, A, B[:, :, g], 0.0, C[:, :, g])


@pytl.kernel
def double(x: Memref[f32, 8, ...]):
    g = group_id()
    axpby(1.0, x[:, g], 1.0, x[:, g])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    special = multiply.specialize(A=(4, 4), B=(4, 4, ...), C=(4, 4, ...))
    return pytl.build([multiply, special, double], tmp_path_factory.mktemp("ahead") / "kernels")


@pytest.fixture
def copied(folder: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(folder, tmp_path / "copy"))


def test_a_process_without_compilers_launches(folder: Path) -> None:
    done = clean_python(
        f"""{WITHOUT_COMPILERS}
kernels = pytl.load({str(folder)!r})
rng = np.random.default_rng(1)
for m, k, n in ((4, 4, 4), (3, 5, 2)):
    A, B = (np.asfortranarray(rng.random(s, dtype=np.float32)) for s in ((m, k), (k, n, 7)))
    C = np.full((m, n, 7), np.nan, np.float32, order="F")
    kernels["multiply"][7](2.0, A, B, C)
    kernels["multiply"][...](2.0, A, B, C)
    print(np.allclose(C, 2 * np.einsum("ik,kng->ing", A, B), atol=1e-5))
x = np.ones((8, 3), np.float32, order="F")
kernels["double"][3](x)
print(x.sum(), *sorted(v.sizes.get("A", "any") for v in kernels["multiply"].cache_info().variants))
for wrong in (lambda: kernels["double"][4](x), lambda: kernels["double"][3](x.astype(float))):
    try: wrong()
    except pytl.PytlError as error: print(error.code)
B = np.zeros((5, 4, 7), np.float32, order="F")
try: kernels["multiply"][7](2.0, A[:, :4], B, C)
except pytl.PytlError as error: print(error.code)
print(*sorted({{"numba", "llvmlite", "numba_dpex"}} & set(sys.modules)), "no compiler")
"""
    )
    assert done.stderr == ""
    told = ["True", "True", "48.0 4x4 any", "PYTL-2060", "PYTL-2003", "PYTL-2080", "no compiler"]
    assert [line.strip() for line in done.stdout.splitlines()] == told


def test_a_loaded_kernel_is_one(folder: Path) -> None:
    kernels = pytl.load(folder)
    assert list(kernels) == ["multiply", "double"]
    assert str(kernels["double"]) == str(double)
    assert kernels["double"].ir("cpu-tiles") == double.ir("cpu-tiles")
    x = np.ones((8, 2), np.float32, order="F")
    kernels["double"][2](x, backend="reference")
    bound = kernels["double"][2, {"matrix": "vectors"}].bind(x)
    bound()
    pickle.loads(pickle.dumps(kernels["double"]))[2](x)
    assert x.tolist() == [[8.0, 8.0]] * 8


@pytl.kernel
def everything(
    x: Group[Memref[c32, 4, ...]], s: c64, h: f16, n: i64, b: bool_, small: i8, y: Memref[c64, ...], z: Memref[bf16, 2]
):
    g = group_id()
    value = cast(x[g][1, 0], c64) * s + cast(h, c64)
    if b:
        value = value + cast(n, c64) + cast(small, c64) + cast(z[1], c64)
    y[g] = value


def test_all_kinds_of_parameters_are_passed(tmp_path: Path) -> None:
    loaded = pytl.load(pytl.build(everything, tmp_path / "k"))["everything"]
    x = [np.full((4, n), n + 1j, np.complex64, order="F") for n in (1, 2, 3)]
    y, z = np.zeros(3, np.complex128), np.full(2, 2, ml_dtypes.bfloat16)
    loaded[3](x, 2j, 0.5, 2**40, True, -3, y, z)
    assert y.tolist() == [(n + 1j) * 2j + 0.5 + 2**40 - 3 + 2 for n in (1, 2, 3)]
    loaded[3](x, 2j, 0.5, 7, False, 0, y, z)
    assert y.tolist() == [(n + 1j) * 2j + 0.5 for n in (1, 2, 3)]


def test_a_launch_in_parts_is_refused(tmp_path: Path) -> None:
    kernel = pytl.compile("func @f(%x: memref<f32x4>) { }")["f"]
    loaded = pytl.load(pytl.build(kernel, tmp_path / "k"))["f"]
    x = np.zeros(4, np.float32)
    loaded[2**20](x)
    for launch in (lambda: loaded[2**31](x), lambda: loaded[2**31].bind(x)):
        with pytest.raises(pytl.LaunchError) as caught:
            launch()
        assert caught.value.code == "PYTL-2092"


def test_checks_on_the_device_are_built_in(tmp_path: Path) -> None:
    text = "func @f(%x: memref<f32x?>, %k: memref<i64x1>) { %z = constant 0 : index  %i = load %k[%z] : i64 "
    text += "%c = cast %i : index  %one = constant 1.0 : f32  store %one, %x[%c] }"
    kernel = pytl.compile(text)["f"]
    checked = pytl.load(pytl.build(kernel, tmp_path / "k", checks=True))["f"]
    x, k = np.zeros(4, np.float32), np.array([9])
    with pytest.raises(pytl.ExecutionError):
        checked[1, {"checks": True}](x, k)
    with pytest.raises(pytl.LaunchError) as caught:
        checked[1](x, k)
    assert caught.value.code == "PYTL-2091"
    assert not x.any()


@pytl.kernel(subgroup_size=16)
def total(x: Memref[i32, 16, ...]):
    g = group_id()
    with parallel():
        i = index(subgroup.local_id())
        x[i, g] = subgroup.add.reduce(x[i, g])


def test_a_kernel_that_looks_at_its_subgroups(tmp_path: Path) -> None:
    loaded = pytl.load(pytl.build(total, tmp_path / "k"))["total"]
    x = np.asfortranarray(np.arange(32, dtype=np.int32).reshape(2, 16).T)
    loaded[2](x)
    assert x.tolist() == [[120, 376]] * 16


@pytest.mark.parametrize(
    ("launch", "code"),
    [
        (lambda k, x: k[1, {"strategy": "many-items"}](x), "PYTL-2091"),
        (lambda k, x: k[1, {"checks": True}](x), "PYTL-2091"),
        (lambda k, x: k[1, {"strange": 1}](x), "PYTL-3012"),
        (lambda k, x: k[2](x), "PYTL-2060"),
    ],
)
def test_what_a_launch_refuses(folder: Path, launch: Callable[[Any, Any], None], code: str) -> None:
    x = np.ones((8, 1), np.float32, order="F")
    with pytest.raises(pytl.PytlError) as caught:
        launch(pytl.load(folder)["double"], x)
    assert caught.value.code == code
    assert x.sum() == 8


def test_one_that_was_built_for_other_devices(tmp_path: Path) -> None:
    folder = pytl.build(double, tmp_path / "k", devices=["gpu"])
    with pytest.raises(pytl.LaunchError) as caught:
        pytl.load(folder)["double"][1](np.ones((8, 1), np.float32, order="F"))
    assert caught.value.code == "PYTL-2090"
    forms = json.loads((folder / FILE).read_text())["kernels"]["double"]["forms"]
    assert [form["options"]["strategy"] for form in forms] == ["many-items"]


def test_the_widest_vectors_that_the_device_has(tmp_path: Path) -> None:
    from pytl.backends.numba_dpex.prebuilt import SpirvAheadOfTime

    class Device:
        is_cpu, native_vector_width_float = True, 8

    class Queue:
        sycl_device = Device

    ahead = SpirvAheadOfTime(None, None, None)  # type: ignore[arg-type]
    assert ahead.device_of(Queue, ["cpu", "cpu:16", "gpu"]) == "cpu:16"
    assert ahead.device_of(Queue, ["cpu", "cpu:32", "cpu:16"]) == "cpu:32"
    assert ahead.device_of(Queue, ["cpu"]) == "cpu"
    assert ahead.device_of(Queue, ["gpu"]) is None


@pytest.mark.parametrize(
    ("name", "sizes", "expected"),
    [
        ("Intel(R) Data Center GPU Max 1550", (16, 32), "pvc"),
        ("Intel(R) Arc(TM) B580 Graphics", (16, 32), "bmg"),
        ("Intel(R) Iris(R) Xe Graphics", (8, 16, 32), "integrated"),
        ("Intel(R) Arc(TM) Graphics", (16, 32), "gpu"),
        ("NVIDIA H100", (32,), "gpu"),
    ],
)
def test_a_device_takes_the_code_for_its_preset(name: str, sizes: tuple[int, ...], expected: str) -> None:
    from pytl.backends.numba_dpex.prebuilt import SpirvAheadOfTime

    queue = SimpleNamespace(
        sycl_device=SimpleNamespace(is_cpu=False, name=name, sub_group_sizes=sizes, local_mem_size=1 << 16)
    )
    ahead = SpirvAheadOfTime(None, None, None)  # type: ignore[arg-type]
    assert ahead.device_of(queue, ["cpu", *PRESETS]) == expected
    assert ahead.device_of(queue, ["cpu", "gpu"]) == "gpu"
    assert ahead.device_of(queue, ["cpu", expected]) == expected
    assert ahead.device_of(queue, ["cpu"]) is None
    assert ahead.device_of(queue, sorted({"bmg", "pvc"} - {expected})[:1]) is None


PRESETS = ("gpu", "integrated", "bmg", "pvc")


@pytest.mark.at_most(1)
@pytest.mark.parametrize("device", PRESETS)
def test_code_for_presets_is_right(device: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The processor's driver executes it, too: the work-items of a sub-group are lanes of its vectors."""
    from pytl.backends.numba_dpex.prebuilt import SpirvAheadOfTime

    special = multiply.specialize(A=(20, 9), B=(9, 12, ...), C=(20, 12, ...))
    folder = pytl.build([multiply, special], tmp_path / "k", devices=[device])
    forms = json.loads((folder / FILE).read_text())["kernels"]["multiply"]["forms"]
    assert [form["device"] for form in forms if not form["text"]] == [device]
    assert {form["code"][0]["interface"]["subgroup_size"] for form in forms if form["text"]} <= {8, 16, 32}
    rng = np.random.default_rng(1)
    monkeypatch.setattr(SpirvAheadOfTime, "device_of", lambda *_: device)
    loaded = pytl.load(folder)["multiply"]
    for m, k, n in ((20, 9, 12), (33, 5, 7)):
        A, B = (np.asfortranarray(rng.random(s, dtype=np.float32)) for s in ((m, k), (k, n, 3)))
        C = np.full((m, n, 3), np.nan, np.float32, order="F")
        loaded[3](2.0, A, B, C)
        np.testing.assert_allclose(C, 2 * np.einsum("ik,kng->ing", A, B), rtol=1e-5)


@pytest.mark.parametrize(
    ("build", "code"),
    [
        (lambda at: pytl.build([], at), "PYTL-3300"),
        (lambda at: pytl.build([3], at), "PYTL-3300"),  # type: ignore[list-item]
        (lambda at: pytl.build({"../up": double}, at), "PYTL-3300"),
        (lambda at: pytl.build({"both": [double, multiply]}, at), "PYTL-3300"),
        (lambda at: pytl.build(double, at, devices=["tpu"]), "PYTL-3300"),
        (lambda at: pytl.build(double, at, devices="cpu"), "PYTL-3300"),
        (lambda at: pytl.build(double, at, matrix="amx"), "PYTL-3304"),
        (lambda at: pytl.build(double, at, unknown=1), "PYTL-3012"),
    ],
)
def test_what_is_not_built(tmp_path: Path, build: Callable[[Path], object], code: str) -> None:
    with pytest.raises(pytl.PytlError) as caught:
        build(tmp_path / "k")
    assert caught.value.code == code
    assert not (tmp_path / "k").exists()


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(pytl.PlatformError) as caught:
        pytl.build(double, tmp_path / "file" / "k")
    assert caught.value.code == "PYTL-3301"


def test_building_again_replaces_what_was_there(copied: Path) -> None:
    (copied / "own.txt").write_text("kept")
    pytl.build(double, copied)
    assert list(pytl.load(copied)) == ["double"]
    assert {file.name.split("-")[0] for file in copied.iterdir()} == {"double", FILE, "own.txt"}


# Folders that anyone may have written.


def _entry(content: Any) -> Any:
    return content["kernels"]["double"]


def _form(content: Any) -> Any:
    return _entry(content)["forms"][0]


def _part(content: Any) -> Any:
    return _form(content)["code"][0]


HOSTILE: dict[str, Callable[[Any], Any]] = {
    "another version": lambda c: c.update(version=2),
    "a version that is true": lambda c: c.update(version=True),
    "no format": lambda c: c.pop("format"),
    "kernels that are a list": lambda c: c.update(kernels=[]),
    "a name with a path": lambda c: c["kernels"].update({"../x": _entry(c)}),
    "a text that is none": lambda c: _entry(c).update(text=3),
    "a text with an error": lambda c: _entry(c).update(text="func @f( {"),
    "two functions": lambda c: _entry(c).update(text=_entry(c)["text"] + "func @g() {}"),
    "another text": lambda c: _entry(c).update(text="func @double(%x: memref<f64x8x?>) { }"),
    "other parameters": lambda c: _entry(c)["parameters"][0].update(type="memref<f32x9x?>"),
    "no forms": lambda c: _entry(c).update(forms=[]),
    "a form that is a number": lambda c: _entry(c).update(forms=[3]),
    "no code": lambda c: _form(c).update(code=[]),
    "an unknown device": lambda c: _form(c).update(device="toaster"),
    "options that are lists": lambda c: _form(c)["options"].update(tile=[1]),
    "a check of the device that is not built in": lambda c: _form(c)["options"].update(checks=True),
    "a file elsewhere": lambda c: _part(c).update(file="../../../etc/passwd"),
    "a file that is missing": lambda c: _part(c).update(file="double-0123456789abcdef.spv"),
    "a hash of something else": lambda c: _part(c).update(sha256="0" * 64),
    "no interface": lambda c: _part(c).pop("interface"),
    "an interface with more": lambda c: _part(c)["interface"].update(more=1),
    "another entry": lambda c: _part(c)["interface"].update(entry="other"),
    "an entry that is no text": lambda c: _part(c)["interface"].update(entry="\ud800"),
    "more work-items": lambda c: _part(c)["interface"].update(items=1024),
    "no work-items": lambda c: _part(c)["interface"].update(items=0),
    "many work-groups an item": lambda c: _part(c)["interface"].update(groups_per_item=10**9),
    "private memory of a list": lambda c: _part(c)["interface"].update(is_private=[]),
    "parameters that are numbers": lambda c: _part(c)["interface"].update(parameters=[1]),
    "a parameter too few": lambda c: _part(c)["interface"]["parameters"].pop(),
    "a parameter of another kind": lambda c: _part(c)["interface"]["parameters"][0].update(kind="scalar"),
    "a parameter of another element": lambda c: _part(c)["interface"]["parameters"][0].update(element="f64"),
    "an element that is a list": lambda c: _part(c)["interface"]["parameters"][0].update(element=[]),
    "a parameter of nothing": lambda c: _part(c)["interface"]["parameters"][0].update(parameter=7),
    "a mode that is none": lambda c: _part(c)["interface"]["parameters"][0].update(mode=-3),
    "a named size of no parameter": lambda c: _entry(c)["named sizes"].append({"parameter": 9, "mode": 0, "size": "n"}),
    "a named size of no mode": lambda c: _entry(c)["named sizes"].append({"parameter": 0, "mode": 2, "size": "n"}),
    "a named size that is code": lambda c: _entry(c)["named sizes"].append(
        {"parameter": 0, "mode": 0, "size": "__import__('os')"}
    ),
    "the code of another kernel": lambda c: _part(c).update(
        {key: c["kernels"]["multiply"]["forms"][0]["code"][0][key] for key in ("file", "sha256")}
    ),
    "the whole form of another kernel": lambda c: _entry(c).update(forms=c["kernels"]["multiply"]["forms"]),
    "a special form of other parameters": lambda c: _form(c).update(
        text="func @double(%x: memref<f32x8x?>, %y: f32) { }"
    ),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_folders_are_refused(copied: Path, name: str) -> None:
    content = json.loads((copied / FILE).read_text())
    HOSTILE[name](content)
    (copied / FILE).write_text(json.dumps(content))
    _refused(copied)


def _refused(folder: Path) -> None:
    with pytest.raises(pytl.PlatformError) as caught:
        pytl.load(folder)
    assert caught.value.code == "PYTL-3302", caught.value
    assert str(folder) in str(caught.value)


@pytest.mark.parametrize(
    "words", [b"", b"{", b"[]", b"\xff\xfe", b"[" * 100_000, b'{"version": NaN}', b"9" * 10_000], ids=range(7)
)
def test_what_is_no_json_is_refused(copied: Path, words: bytes) -> None:
    (copied / FILE).write_bytes(words)
    _refused(copied)


def test_a_folder_that_is_none(tmp_path: Path) -> None:
    _refused(tmp_path / "nothing")
    (tmp_path / FILE).mkdir()
    _refused(tmp_path)


def _with_code(folder: Path, code: bytes) -> None:
    """Give the first kernel other code, with the right hash."""
    content = json.loads((folder / FILE).read_text())
    digest = hashlib.sha256(code).hexdigest()
    _part(content).update(sha256=digest)
    (folder / _part(content)["file"]).write_bytes(code)
    (folder / FILE).write_text(json.dumps(content))


@pytest.mark.parametrize(
    "edit",
    [
        lambda code: b"",
        lambda code: code[:-3],
        lambda code: b"\x7fELF" + code[4:],
        lambda code: code[:20],
        lambda code: code[:20] + b"\0" * 4 + code[24:],
        lambda code: code[:-4] + b"\xff\xff\xff\xff",
    ],
    ids=["nothing", "a part of a word", "another format", "no kernel", "no length", "beyond the end"],
)
def test_damaged_code_is_refused(copied: Path, edit: Callable[[bytes], bytes]) -> None:
    content = json.loads((copied / FILE).read_text())
    _with_code(copied, edit((copied / _part(content)["file"]).read_bytes()))
    _refused(copied)


def test_changed_bytes_do_no_harm(copied: Path) -> None:
    """Whatever is changed, the folder is refused, or has kernels: no other error, no crash."""
    rng = random.Random(5)
    whole = (copied / FILE).read_bytes()
    outcomes = set()
    for _ in range(60):
        words = bytearray(whole)
        for _ in range(rng.randint(1, 3)):
            words[rng.randrange(len(words))] = rng.choice(b'{}[]",:0129-abn\\ \x00\xff')
        (copied / FILE).write_bytes(words)
        try:
            outcomes.add(len(pytl.load(copied)))
        except pytl.PlatformError as error:
            outcomes.add(error.code)
    assert "PYTL-3302" in outcomes and outcomes <= {"PYTL-3302", 1, 2, 3}


# The command.


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    return Run(capsys)


PROGRAM = """
import pytl
from pytl import Memref, axpby, constexpr, f32

@pytl.kernel
def fill(x: Memref[f32, 8], n: constexpr):
    axpby(0.0, x, 1.0, x)
    for k in range(n):
        x[k] = 1.0
"""


@pytest.mark.parametrize("named", ["shapes_of_mine:fill.specialize(n=3)", "shapes_of_mine.py:fill.specialize(n=3)"])
def test_the_command_builds(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, named: str) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "shapes_of_mine.py").write_text(PROGRAM)
    assert run("build", f"three={named}", "-o", "out", "--option", "strategy=one-item") == "built three into out\n"
    x = np.zeros(8, np.float32)
    pytl.load("out")["three"][1](x)
    assert x.tolist() == [1, 1, 1, 0, 0, 0, 0, 0]


@pytest.mark.parametrize(
    ("named", "told"),
    [
        ("shapes_of_mine:fill", "PYTL-2020"),
        ("shapes_of_mine:nothing", "PYTL-3030"),
        ("no_such_module:fill", "PYTL-3030"),
        ("json:dumps", "PYTL-3030"),
        ("math", "PYTL-3030"),
    ],
)
def test_what_the_command_refuses(run: Run, tmp_path: Path, monkeypatch: Any, named: str, told: str) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "shapes_of_mine.py").write_text(PROGRAM)
    run("build", named, "-o", "out", code=1)
    assert f"error[{told}]" in run.err
    assert not Path("out").exists()


def test_without_a_compiler_what_is_missing_is_told(tmp_path: Path) -> None:
    done = clean_python(
        f"""
import sys
from pytl.devices import compilers
sys.modules["numba_dpex" if compilers.required_compiler() is compilers.NUMBA_DPEX else "llvmlite"] = None
import numpy as np, pytl
k = pytl.compile("func @f(%x: memref<f32x4>) {{ %a = constant 2.0 : f32  axpby.n %a, %x, %a, %x }}")["f"]
for compiled in (lambda: k[1](np.ones(4, np.float32), backend="sycl"), lambda: pytl.build(k, {str(tmp_path / "k")!r})):
    try: compiled()
    except pytl.PytlError as error: print(error.code, "pytl build" in str(error))
""",
        PYTL_CACHE="0",
    )
    assert (done.stderr, done.stdout) == ("", "PYTL-3314 True\n" * 2)
