"""`pytl cache ls` and `pytl cache clear`."""

from __future__ import annotations

import os
import re
import time
from dataclasses import replace
from pathlib import Path

import pytest

from pytl.devices.cache import Cache, Entry
from pytl.tools.cli import main

ENTRY = Entry("fused", "sycl", "opencl:cpu:0 Xeon", {"strategy": "one-item"}, 1.5, {}, b"code" * 2500)
KEYS = [digits * 16 for digits in ("00aa", "00bb", "77cc")]


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Cache:
    """A cache of three kernels, used 10 s, 3 hours and 40 days ago."""
    monkeypatch.setenv("PYTL_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("PYTL_CACHE_SIZE", "2MB")
    cache = Cache(tmp_path / "cache", 2_000_000)
    for key, name, age in zip(KEYS, ("fused", "add", "scale"), (10, 3 * 3600, 40 * 86400)):
        used = time.time() - age - 1
        cache.store(key, replace(ENTRY, kernel=name, created=used - 5 * 60))
        os.utime(cache.directory / f"{key}.pytl", (0, used))
    return cache


def run(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> str:
    assert main(["cache", *arguments]) == code
    out, err = capsys.readouterr()
    return out + err


def kept(cache: Cache) -> list[str]:
    return [stored.key for stored in cache.stored()]


def test_ls_shows_what_was_used_last_first(cache: Cache, capsys) -> None:
    shown = run(capsys, "ls")
    assert (
        re.sub(r"10\.\d kB", "10.2 kB", shown)
        == f"""\
kernel  key           size     age    last use  device             options
@fused  00aa00aa00aa  10.2 kB  5 min  11 s      opencl:cpu:0 Xeon  strategy=one-item
@add    00bb00bb00bb  10.2 kB  3 h    3 h       opencl:cpu:0 Xeon  strategy=one-item
@scale  77cc77cc77cc  10.2 kB  5 w    5 w       opencl:cpu:0 Xeon  strategy=one-item

3 kernels, {sum(stored.size for stored in cache.stored()) / 1000:.3g} kB of at most 2 MB, in {cache.directory}
"""
    )


def test_ls_shows_no_commands_to_a_terminal(tmp_path: Path, capsys, monkeypatch) -> None:
    directory = tmp_path / "a\x1b[31m\nb"
    monkeypatch.setenv("PYTL_CACHE_DIR", str(directory))
    hostile = replace(ENTRY, kernel="f\x1b]0;a\x07", device="cpu\r\u202e", options={"a\x9b1m": "b\nc"})
    Cache(directory, 2_000_000).store(KEYS[0], hostile)
    for command in (["ls"], ["clear"], ["clear", "k\x1b[1m"]):
        shown = run(capsys, *command, code=int(len(command) > 1))
        assert shown.replace("\n", "").isprintable()
        assert shown.count("\n") == {"ls": 4, "clear": 1}[command[0]] or len(command) > 1
        assert ("@f\\x1b]0;a\\x07" in shown) == (command == ["ls"])


def test_ls_shows_damage_and_that_the_cache_is_off(cache: Cache, capsys, monkeypatch) -> None:
    (cache.directory / f"{KEYS[0]}.pytl").write_bytes(b"nothing")
    monkeypatch.setenv("PYTL_CACHE", "0")
    shown = run(capsys, "ls").splitlines()
    assert shown[1].split() == ["(damaged)", "00aa00aa00aa", "7", "bytes", "0", "s"]
    assert shown[-1] == "not in use, for PYTL_CACHE is 0"
    assert len(kept(cache)) == 3


def test_ls_of_no_directory(tmp_path: Path, capsys, monkeypatch) -> None:
    monkeypatch.setenv("PYTL_CACHE_DIR", str(tmp_path / "none"))
    assert run(capsys, "ls") == f"0 kernels, 0 bytes of at most 512 MB, in {tmp_path / 'none'}\n"
    assert run(capsys, "clear") == f"removed 0 kernels, 0 bytes, from {tmp_path / 'none'}\n"
    assert not (tmp_path / "none").exists()


def test_clear_removes_all(cache: Cache, capsys) -> None:
    leftover = cache.directory / f"{KEYS[0]}.{'a' * 16}.tmp"
    leftover.write_bytes(b"half")
    assert re.fullmatch(r"removed 3 kernels, 3[01](\.\d)? kB, from \S+\n", run(capsys, "clear"))
    assert os.listdir(cache.directory) == []


@pytest.mark.parametrize(
    ("arguments", "left"),
    [
        (["00a"], [1, 2]),
        (["00A", "77", "00aa00"], [1]),
        (["--older-than", "2h"], [0]),
        (["--older-than", "30 d"], [0, 1]),
        (["--older-than", "8w"], [0, 1, 2]),
        (["00", "--older-than", "1min"], None),
        (["00bb", "77", "--older-than", "1d"], [0, 1]),
    ],
)
def test_clear_removes_what_is_named(cache: Cache, capsys, arguments: list[str], left: list[int] | None) -> None:
    run(capsys, "clear", *arguments, code=int(left is None))
    assert kept(cache) == [KEYS[k] for k in ([0, 1, 2] if left is None else left)]


def test_clear_says_which_keys_it_does_not_find(cache: Cache, capsys) -> None:
    shown = run(capsys, "clear", "77", "00", code=1)
    assert "error[PYTL-3041]: 00 begins the keys 00aa00aa00aa, 00bb00bb00bb\n" in shown
    assert "error[PYTL-3041]: no kernel's key begins with xyz\n" in run(capsys, "clear", "xyz", code=1)
    assert "help: `pytl cache ls` lists the keys" in run(capsys, "clear", "12", code=1)
    assert len(kept(cache)) == 3


@pytest.mark.parametrize("age", ["5", "d", "-1d", "1.5d", "3 months", "9" * 30 + "d"])
def test_ages_that_are_none(age: str, capsys) -> None:
    with pytest.raises(SystemExit):
        main(["cache", "clear", f"--older-than={age}"])
    assert f"{age!r} is not an age such as 90min, 12h, 30d or 8w" in capsys.readouterr().err


def test_what_cannot_be_removed_is_told(cache: Cache, capsys) -> None:
    file = cache.directory / f"{KEYS[2]}.pytl"
    file.unlink()
    (file / "of the user").mkdir(parents=True)
    shown = run(capsys, "clear", code=1)
    assert f"error[PYTL-3040]: 1 entry cannot be removed from {cache.directory}" in shown
    assert os.listdir(cache.directory) == [file.name]


def test_a_directory_that_is_none(capsys, monkeypatch) -> None:
    monkeypatch.setenv("PYTL_CACHE_DIR", "/dev/null")
    for command in ("ls", "clear"):
        shown = run(capsys, command, code=1)
        assert "error[PYTL-3040]: the compilation cache /dev/null cannot be read: Not a directory" in shown


def test_without_a_home(capsys, monkeypatch) -> None:
    monkeypatch.delenv("PYTL_CACHE_DIR")
    for variable in ("HOME", "XDG_CACHE_HOME"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)
    shown = run(capsys, "ls", code=1)
    assert "error[PYTL-3040]: there is no home directory to keep compiled kernels in" in shown
    assert "help: set PYTL_CACHE_DIR" in shown
