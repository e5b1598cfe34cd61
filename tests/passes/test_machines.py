"""Machines: presets, the processor that is detected, what was calibrated, and the options that name one."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, fields, is_dataclass, replace
from pathlib import Path
from typing import Any

import pytest

import pytl
from pytl.devices.cache import configured
from pytl.devices.processors import Processor, processor_in, running_processor
from pytl.ir.types import bf16, i16
from pytl.passes import find_pass
from pytl.passes.targets import calibrated, host
from pytl.passes.targets.calibrated import calibrated_machine, decoded, encoded
from pytl.passes.targets.costs import RANGE, Measurement
from pytl.passes.targets.host import (
    absent_features,
    find_machine,
    host_machine,
    machine_for,
    machine_of_width,
    without,
)
from pytl.passes.targets.machine import ARM, AVX512, FEATURES, MACHINES, X86, Machine

TEXT = """func @f(%a: memref<f32x64x16>, %b: memref<f32x16x16>, %c: memref<f32x64x16>) {
  gemm.n.n 1.0, %a, %b, 1.0, %c
}"""
EPYC = Processor(X86, "AuthenticAMD", "AMD EPYC", 25, 1, frozenset({"avx2", "fma"}))


@pytest.fixture
def kernel() -> pytl.Kernel:
    return pytl.compile(TEXT)["f"]


def constants(value: Any, path: str = "") -> Iterator[tuple[str, Any, tuple[float, float]]]:
    """The numbers of a machine with their ranges."""
    for each in fields(value):
        inner = getattr(value, each.name)
        if is_dataclass(inner):
            yield from constants(inner, f"{path}{each.name}.")
        elif RANGE in each.metadata:
            yield f"{path}{each.name}", inner, each.metadata[RANGE]


@pytest.mark.parametrize("machine", MACHINES.values(), ids=str)
def test_presets(machine: Machine) -> None:
    for name, value, (lowest, highest) in constants(machine):
        assert lowest <= value <= highest, name
    assert set(machine.features) <= set(FEATURES)
    assert machine.named() == machine
    parts = [getattr(machine, each.name) for each in fields(machine)]
    measured = [part.measured for part in parts if is_dataclass(part)]
    assert len(measured) == 9
    for each in measured:
        assert isinstance(each, Measurement) and each.processor and each.date.startswith("2026-") and each.script


def test_registers() -> None:
    of = {name: (machine.register_bytes, machine.registers) for name, machine in MACHINES.items()}
    assert of == {
        "sse": (16, 16),
        "avx2": (32, 16),
        "avx512": (64, 32),
        "zen4": (64, 32),
        "zen5": (64, 32),
        "amx": (64, 32),
        "amxfp16": (64, 32),
        "neon": (16, 32),
        "sve256": (32, 32),
        "sve512": (64, 32),
        "sme": (64, 32),
        "sme2": (64, 32),
    }


def test_processors_with_avx_512_have_the_same_code() -> None:
    costs = ("tiles", "items", "prefetches", "loops", "blocks")
    for name in ("zen5", "amx"):
        assert all(getattr(MACHINES[name], part) == getattr(MACHINES["avx512"], part) for part in costs)


def test_a_machine_that_decides_otherwise_has_a_name_of_its_own() -> None:
    machine = MACHINES["avx2"]
    larger = replace(machine, caches=replace(machine.caches, second_level=1 << 21))
    assert larger.named().name == "avx2"
    other = replace(machine, tiles=replace(machine.tiles, load=0.5)).named()
    assert other.name.startswith("avx2-") and other.kind == "avx2"
    again = replace(other, tiles=replace(machine.tiles, load=0.25)).named()
    assert again.name not in (other.name, "avx2")
    assert replace(again, tiles=machine.tiles).named().name == "avx2"
    slower = replace(machine, caches=replace(machine.caches, from_memory=1.0))
    assert slower.named().name not in (other.name, "avx2")


# Detection.


@pytest.mark.parametrize(
    ("flags", "vendor", "family", "name"),
    [
        ("sse2 avx avx2 avx512f avx512vl", "GenuineIntel", 6, "avx512"),
        ("sse2 avx avx2 avx512f avx512_vnni avx512_bf16 amx_tile amx_fp16", "GenuineIntel", 6, "amxfp16"),
        ("sse2 avx avx2 avx512f avx512_vnni avx512_bf16 amx_tile", "GenuineIntel", 6, "amx"),
        ("avx2 avx512f avx512_vnni avx512_bf16", "AuthenticAMD", 26, "zen5"),
        ("avx2 avx512f avx512_vnni avx512_bf16", "AuthenticAMD", 25, "zen4"),
        ("sse2 avx avx2", "AuthenticAMD", 25, "avx2"),
        ("sse2 avx", "GenuineIntel", 6, "sse"),
        ("", "", 0, "sse"),
    ],
)
def test_x86(tmp_path: Path, flags: str, vendor: str, family: int, name: str) -> None:
    (tmp_path / "proc").mkdir()
    (tmp_path / "proc/cpuinfo").write_text(
        f"processor\t: 0\nvendor_id\t: {vendor}\ncpu family\t: {family}\nmodel\t\t: 1\nmodel name\t: one\n"
        f"flags\t\t: fpu {flags}\n\nprocessor\t: 1\nvendor_id\t: {vendor}\nmodel name\t: two\n"
    )
    for number, (level, kind, size) in enumerate([(1, "Data", "48K"), (1, "Instruction", "32K"), (2, "Unified", "2M")]):
        folder = tmp_path / f"sys/devices/system/cpu/cpu0/cache/index{number}"
        folder.mkdir(parents=True)
        for file, text in (("level", level), ("type", kind), ("size", size), ("coherency_line_size", 64)):
            (folder / file).write_text(f"{text}\n")
    processor = processor_in(tmp_path, X86)
    assert processor.identity == {"vendor": vendor, "name": "one", "family": family, "model": 1}
    machine = machine_for(processor)
    assert machine.kind == name and (AVX512 in machine.features) == ("avx512f" in flags)
    caches = machine.caches
    assert (caches.first_level, caches.second_level, caches.line) == (48 * 1024, 2 << 20, 64)


def test_a_preset_has_only_what_the_processor_has() -> None:
    flags = frozenset({"avx2", "avx512f"})
    machine = machine_for(Processor(X86, "AuthenticAMD", "one", 25, 17, flags))
    assert machine.name.startswith("zen4-")
    assert machine.features == (AVX512,)
    assert not machine.multiplies_pairs(i16) and not machine.multiplies_pairs(bf16)


def test_code_that_is_executed_has_only_what_this_processor_has() -> None:
    for preset in MACHINES.values():
        machine = without(preset, absent_features())
        assert find_machine(machine.name) == machine
        for pairs in (i16, bf16):
            assert machine.multiplies_pairs(pairs) == all(m.multiplies_pairs(pairs) for m in (preset, host_machine()))


@pytest.mark.parametrize(("length", "name"), [(0, "neon"), (16, "neon"), (32, "sve256"), (64, "sve512")])
def test_arm(length: int, name: str) -> None:
    assert machine_for(Processor(ARM, vector_bytes=length)).name == name


@pytest.mark.parametrize("text", ["", "\0" * 100, ": : :\n" * 9, "cpu family : many\nmodel : -1", "flags"])
def test_nothing_is_known(tmp_path: Path, text: str) -> None:
    (tmp_path / "proc").mkdir()
    (tmp_path / "proc/cpuinfo").write_text(text)
    folder = tmp_path / "sys/devices/system/cpu/cpu0/cache/index0"
    folder.mkdir(parents=True)
    for file, content in (("level", "1"), ("type", "Data"), ("size", "12"), ("coherency_line_size", "-64")):
        (folder / file).write_text(content)
    machine = machine_for(processor_in(tmp_path, X86))
    assert machine == MACHINES["sse"]  # a size of no cache is none
    assert machine_for(processor_in(tmp_path / "nothing", "riscv64")) == MACHINES["sse"]


def test_the_processor_of_this_process() -> None:
    assert running_processor().architecture
    assert find_machine("host") is host_machine()
    assert find_machine(host_machine().name) is not None


def test_devices_of_a_width(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(host, "host_machine", lambda: MACHINES["neon"])
    assert [machine_of_width(size).name for size in (16, 24, 32, 64)] == ["neon", "sse", "avx2", "avx512"]


# What was calibrated.


def measured() -> Machine:
    machine = MACHINES["avx2"]
    measured = Measurement("AMD EPYC", "2026-11-28", "benchmarks/calibrate.py")
    return replace(machine, tiles=replace(machine.tiles, load=0.5, measured=measured)).named()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    tmp_path.chmod(0o700)
    monkeypatch.setenv("PYTL_CACHE_DIR", str(tmp_path))
    return tmp_path


def test_what_was_calibrated_is_found(folder: Path) -> None:
    assert calibrated_machine(EPYC, MACHINES["avx2"]) is None
    machine = measured()
    assert calibrated.store(machine, EPYC) == folder / calibrated.FILE
    assert calibrated_machine(EPYC, MACHINES["avx2"]) == machine
    assert calibrated_machine(replace(EPYC, model=2), MACHINES["avx2"]) is None
    assert calibrated_machine(EPYC, MACHINES["avx512"]) is None
    assert [file.name for file in folder.iterdir()] == [calibrated.FILE]


def changed(*path: str, to: Any) -> bytes:
    values = json.loads(encoded(measured(), EPYC))
    inner = values
    for word in path[:-1]:
        inner = inner[word]
    if to is None:
        del inner[path[-1]]
    else:
        inner[path[-1]] = to
    return json.dumps(values).encode()


DAMAGED = {
    "nothing": b"",
    "no JSON": b"\xff{",
    "nested": b"[" * 100_000,
    "a list": b"[]",
    "too large": b" " * 70_000,
    "another format": changed("format", to=2),
    "no measurement": changed("measured", to=7),
    "a part less": changed("measured", "tiles", to=None),
    "a constant less": changed("measured", "tiles", "load", to=None),
    "a constant more": changed("measured", "tiles", "more", to=1),
    "a text": changed("measured", "tiles", "load", to="0.5"),
    "a boolean": changed("measured", "tiles", "max_vectors", to=True),
    "a fraction": changed("measured", "tiles", "max_vectors", to=2.5),
    "too many": changed("measured", "tiles", "max_vectors", to=10**30),
    "none": changed("measured", "tiles", "max_vectors", to=0),
    "no number": changed("measured", "tiles", "load", to=float("nan")),
    "infinite": changed("measured", "tiles", "load", to=float("inf")),
    "control characters": changed("measured", "tiles", "measured", "date", to="\x1b[2J"),
    "a long text": changed("measured", "tiles", "measured", "date", to="x" * 300),
}


@pytest.mark.parametrize("name", DAMAGED)
def test_what_is_damaged_is_left_out(folder: Path, name: str) -> None:
    with pytest.raises(ValueError, match=r"\S"):
        decoded(DAMAGED[name], EPYC, MACHINES["avx2"])
    (folder / calibrated.FILE).write_bytes(DAMAGED[name])
    with pytest.warns(UserWarning, match=r"PYTL-3086.*is not used") as warnings:
        assert calibrated_machine(EPYC, MACHINES["avx2"]) is None
    assert len(warnings) == 1 and "\x1b" not in str(warnings[0].message)


def test_what_others_may_write_is_left_out(folder: Path) -> None:
    calibrated.store(measured(), EPYC)
    (folder / calibrated.FILE).chmod(0o666)
    with pytest.warns(UserWarning, match="PYTL-3086.*others may write"):
        assert calibrated_machine(EPYC, MACHINES["avx2"]) is None


def test_a_folder_that_others_may_write_is_told_once(folder: Path) -> None:
    calibrated.store(measured(), EPYC)
    folder.chmod(0o777)
    cache = configured()
    assert cache is not None
    with pytest.warns(UserWarning, match="PYTL-3080.*others may write") as warnings:
        assert calibrated_machine(EPYC, MACHINES["avx2"]) is None
        assert cache.load("0" * 64) is None
        assert calibrated_machine(EPYC, MACHINES["avx2"]) is None
    assert len(warnings) == 1


def test_without_a_cache_nothing_is_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calibrated.store(measured(), EPYC)
    monkeypatch.setenv("PYTL_CACHE", "0")
    assert calibrated_machine(EPYC, MACHINES["avx2"]) is None


def test_all_that_is_measured_is_stored() -> None:
    values = json.loads(encoded(measured(), EPYC))["measured"]
    stored = asdict(measured())
    assert values == {name: stored[name] for name in values}
    assert [name for name in stored if name not in values] == [
        *("name", "description", "architecture", "llvm", "vector_bits", "registers", "features", "without"),
        *("has_scalable_vectors", "has_any_length", "has_cheap_masks", "has_broadcast_loads", "has_lane_products"),
    ]


# Options.


def test_a_machine_is_chosen_by_its_name(kernel: pytl.Kernel) -> None:
    shown = {name: kernel.ir("cpu-tiles", machine=name) for name in MACHINES}
    lanes = {name: text.partition('"lanes"=')[2].partition(",")[0] for name, text in shown.items()}
    assert lanes == {
        "sse": "4",
        "avx2": "8",
        "avx512": "16",
        "zen4": "16",
        "zen5": "16",
        "amx": "16",
        "amxfp16": "16",
        "neon": "4",
        "sve256": "8",
        "sve512": "16",
        "sme": "16",
        "sme2": "16",
    }
    assert shown["avx512"] == kernel.ir("cpu-tiles")
    assert kernel.ir("cpu-tiles", machine="host") == kernel.ir("cpu-tiles", machine=host_machine().name)


def test_other_registers_give_other_code(kernel: pytl.Kernel) -> None:
    texts = {name: kernel.emit("mlir", machine=name) for name in ("avx2", "avx512", "neon")}
    assert [f"vector<{lanes}xf32>" in text for lanes, text in zip((8, 16, 4), texts.values())] == [True] * 3
    assert len(set(texts.values())) == 3


@pytest.mark.parametrize("name", ["avx3", "AVX2", "avx2-00000000", "", 2, "../avx2", "é"])
def test_a_machine_that_does_not_exist(kernel: pytl.Kernel, name: Any) -> None:
    for ask in (lambda: kernel.ir(machine=name, stage="cpu-tiles"), lambda: kernel.emit("mlir", machine=name)):
        with pytest.raises(pytl.PytlError) as error:
            ask()
        assert str(error.value).splitlines()[1:] == [
            f"error[PYTL-3012]: the option machine is {name!r}",
            "   = rule: an option of a launch is one that the backend has",
            "   = help: it takes the machine that vector code is made for: 'host', 'sse', 'avx2', 'avx512', 'zen4', "
            "'zen5', 'amx', 'amxfp16', 'neon', 'sve256', 'sve512', 'sme', 'sme2'",
        ]


def test_backends_without_vector_code_refuse_the_option(kernel: pytl.Kernel) -> None:
    with pytest.raises(pytl.PytlError, match=r"PYTL-3012.*\n?.*the backend xegpu has no option `machine`"):
        kernel.emit("xegpu", machine="avx2")


def test_a_pass_names_its_machine() -> None:
    step = find_pass("cpu-kernels{machine=neon}")
    assert str(step) == "cpu-kernels{machine=neon,may-overlap=false,fastmath=false,apart=false}"
    assert str(find_pass("cpu-schedule")) == "cpu-schedule{machine=avx512}"
    with pytest.raises(pytl.PytlError, match="`machine=none` is not an option of cpu-schedule"):
        find_pass("cpu-schedule{machine=none}")
