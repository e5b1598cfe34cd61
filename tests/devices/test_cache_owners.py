"""What another user can have written into the compilation cache is not used."""

from __future__ import annotations

import os
import re
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from launch_kit import ROOT, needs_sycl

import pytl
from pytl.devices import cache as module
from pytl.devices import owned
from pytl.devices.cache import Cache, Entry, encode, key_of
from pytl.diagnostics import find
from pytl.tools.cli import main

ENTRY = Entry("fused", "sycl", "opencl:cpu:0", {"strategy": "one-item"}, 1.5, {"entry": "fused"}, bytes(range(256)))
KEY, OTHER = key_of({"function": "a"}), key_of({"function": "b"})
STRANGER = 54321
TEXT = "func @twice(%a: memref<f32x4>) { %0 = constant 1.0 : f32  axpby.n %0, %a, %0, %a }"

pytestmark = pytest.mark.skipif(not hasattr(os, "geteuid"), reason="Windows has no owners of this kind")


@pytest.fixture(autouse=True)
def untold(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing has been warned of in this process yet."""
    monkeypatch.setattr(module, "_warned", set())


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Cache:
    """A cache with one entry, which launches use."""
    cache = Cache(tmp_path / "cache", 10_000_000)
    cache.store(KEY, ENTRY)
    monkeypatch.setenv("PYTL_CACHE_DIR", str(cache.directory))
    return cache


@pytest.fixture
def give_away(monkeypatch: pytest.MonkeyPatch):
    """`give_away(path)`: the file belongs to somebody else; for a user that is not root, as it seems to pytl."""
    if os.geteuid() == 0:
        return lambda path: os.chown(path, STRANGER, STRANGER, follow_symlinks=False)
    given: set[tuple[int, int]] = set()
    why = owned.foreign_reason

    def foreign_reason(status: os.stat_result) -> str | None:
        if (status.st_dev, status.st_ino) in given:
            status = os.stat_result((*status[:4], STRANGER, *status[5:]))
        return why(status)

    monkeypatch.setattr(owned, "foreign_reason", foreign_reason)
    monkeypatch.setattr(module, "foreign_reason", foreign_reason)
    return lambda path: given.add((os.lstat(path).st_dev, os.lstat(path).st_ino))


def file_of(cache: Cache, key: str = KEY) -> Path:
    return cache.directory / f"{key}.pytl"


def test_an_entry_of_another_user_is_not_used(cache: Cache, give_away) -> None:
    give_away(file_of(cache))
    assert not cache.has(KEY)
    warned = f"[PYTL-3080] {file_of(cache)} is not used, for it belongs to user {STRANGER}"
    with pytest.warns(UserWarning, match=re.escape(warned)):
        assert cache.load(KEY) is None
    assert cache.load(KEY) is None  # told once
    assert file_of(cache).exists()  # which is not ours to remove
    (stored,) = cache.stored()
    assert stored.is_foreign and stored.entry is None
    cache.store(KEY, ENTRY)  # takes its place where the directory lets us
    assert cache.load(KEY) == ENTRY


@pytest.mark.parametrize("mode", [0o622, 0o662, 0o666, 0o620, 0o602])
def test_an_entry_that_others_may_write_is_not_used(cache: Cache, mode: int) -> None:
    file_of(cache).chmod(mode)
    with pytest.warns(UserWarning, match=rf"is not used, for others may write to it, as its mode {mode:o} says"):
        assert cache.load(KEY) is None


@pytest.mark.parametrize("mode", [0o600, 0o644, 0o640, 0o400])
def test_an_entry_that_others_may_read_is_used(cache: Cache, mode: int) -> None:
    file_of(cache).chmod(mode)
    assert cache.has(KEY) and cache.load(KEY) == ENTRY


@pytest.mark.parametrize("mode", [0o1777, 0o777, 0o770, 0o2775, 0o702])
def test_a_directory_that_others_may_write_is_not_used(cache: Cache, mode: int, capsys) -> None:
    cache.directory.chmod(mode)
    with pytest.warns(UserWarning) as warned:
        assert cache.load(KEY) is None
        cache.store(OTHER, ENTRY)
    assert [str(each.message) for each in warned] == [
        f"[PYTL-3080] {cache.directory} is not used, for others may write to it, as its mode {mode:o} says. What is "
        "kept there would be executed. Set PYTL_CACHE_DIR to a directory that is yours alone (chmod go-w), or "
        "PYTL_CACHE=0"
    ]
    assert not cache.has(KEY) and not file_of(cache, OTHER).exists()
    assert main(["cache", "ls"]) == 0
    assert f"not in use, for others may write to it, as its mode {mode:o} says" in capsys.readouterr().out
    assert main(["cache", "clear"]) == 0  # which its owner may
    assert not file_of(cache).exists()


def test_a_directory_of_another_user_is_not_used(cache: Cache, give_away) -> None:
    give_away(cache.directory)
    with pytest.warns(UserWarning, match=rf"PYTL-3080. {cache.directory} is not used, for it belongs to user"):
        assert cache.load(KEY) is None
    cache.store(OTHER, ENTRY)
    assert not file_of(cache, OTHER).exists()


def test_the_directory_may_be_a_link_and_an_entry_may_not(cache: Cache, tmp_path: Path) -> None:
    linked = Cache(tmp_path / "link", cache.limit)
    linked.directory.symlink_to(cache.directory)
    assert linked.load(KEY) == ENTRY
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_bytes(encode(OTHER, ENTRY))
    file_of(cache, OTHER).symlink_to(elsewhere)
    assert not cache.has(OTHER) and cache.load(OTHER) is None
    assert elsewhere.exists() and not file_of(cache, OTHER).is_symlink()


def test_what_was_looked_at_is_what_is_read(cache: Cache, tmp_path: Path, give_away, monkeypatch) -> None:
    """The directory and the file may be replaced between any two calls: what is open stays what it was."""
    planted = Cache(tmp_path / "planted", cache.limit)
    planted.store(KEY, Entry(**{**vars(ENTRY), "code": b"planted"}))
    give_away(file_of(planted))
    give_away(planted.directory)
    check, places = owned.foreign_reason, iter([cache.directory, None])

    def swap(status: os.stat_result) -> str | None:
        found = check(status)
        place = next(places, None)
        if place is not None:
            os.rename(place, tmp_path / "moved")
            os.rename(planted.directory, place)
        return found

    monkeypatch.setattr(owned, "foreign_reason", swap)
    assert cache.load(KEY) == ENTRY


def test_files_are_made_for_their_owner_to_write(cache: Cache) -> None:
    before = os.umask(0)
    try:
        cache.store(OTHER, ENTRY)
    finally:
        os.umask(before)
    assert stat.S_IMODE(file_of(cache, OTHER).stat().st_mode) == 0o644
    assert cache.load(OTHER) == ENTRY


def test_a_file_with_holes_is_not_read(cache: Cache, capsys) -> None:
    """40 GB that take no room on disk would be read into memory."""
    file = file_of(cache)
    with file.open("r+b") as opened:
        try:
            opened.truncate(40 * 10**9)
        except OSError as error:
            pytest.skip(f"the file system has no such files: {error}")
    assert main(["cache", "ls"]) == 0
    assert "(damaged)" in capsys.readouterr().out
    assert cache.load(KEY) is None
    assert not file.exists()


# Launches.


def launched(backend: str, options: dict[str, str]) -> tuple[np.ndarray, int]:
    kernel = pytl.compile(TEXT)["twice"]
    array = np.ones(4, np.float32)
    kernel[1, options](array, backend=backend)
    return array, kernel.cache_info().disk_hits


BACKENDS = [
    pytest.param("sycl", marks=needs_sycl),
    *(pytest.param(name, marks=pytest.mark.tools_of(name)) for name in ("mlir", "arm_sme")),
]


@pytest.mark.parametrize("backend", BACKENDS)
def test_planted_code_is_not_executed(backend: str, cache: Cache, give_away, tmp_path: Path) -> None:
    cache.clear([KEY])
    launched(backend, {})
    made = list(cache.directory.iterdir())
    assert made
    assert launched(backend, {})[1] == 1
    for number, file in enumerate(made):
        # as good as ours but for what it does, which is nothing
        key = file.name.removesuffix(".pytl")
        entry = module.decode(key, file.read_bytes())
        file.write_bytes(encode(key, Entry(**{**vars(entry), "code": b"planted"})))
        if number % 2:
            file.chmod(0o666)
        else:
            give_away(file)
    with pytest.warns(UserWarning, match="PYTL-3080") as warned:
        array, hits = launched(backend, {})
    np.testing.assert_array_equal(array, 2)
    assert hits == 0
    told = " ".join(str(each.message) for each in warned)
    assert all(file.name in told for file in made)


AS_STRANGER = f"""
import os, sys, warnings
import pytl
from pytl.devices.cache import Cache
from pathlib import Path
os.setegid({STRANGER}); os.seteuid({STRANGER})
warnings.simplefilter("always")
print(Cache(Path(sys.argv[1]), 10**7).load(sys.argv[2]) is not None)
"""


@pytest.mark.skipif(getattr(os, "geteuid", lambda: 1)() != 0, reason="only root can be somebody else")
def test_users_who_share_a_sticky_directory(tmp_path: Path) -> None:
    """A third user takes root's entries out of root's directory, and nothing that a stranger can have written."""
    shared = Path("/tmp" if os.access("/tmp", os.W_OK) else tmp_path) / f"pytl-test-{os.getpid()}"
    shared.mkdir()
    try:
        shared.chmod(0o755)
        Cache(shared, 10**7).store(KEY, ENTRY)

        def asked() -> tuple[str, str]:
            command = [sys.executable, "-c", AS_STRANGER, str(shared), KEY]
            done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
            return done.stdout, done.stderr

        assert asked() == ("True\n", "")
        os.chown(shared / f"{KEY}.pytl", STRANGER + 1, -1)
        answer, warned = asked()
        assert answer == "False\n" and f"belongs to user {STRANGER + 1}" in warned
        shared.chmod(0o1777)
        os.chown(shared / f"{KEY}.pytl", STRANGER, -1)  # its own, in a directory in which all may write
        answer, warned = asked()
        assert answer == "False\n" and "its mode 1777 says" in warned
    finally:
        shutil.rmtree(shared)


def test_the_rule_is_a_warning() -> None:
    assert find("PYTL-3080").severity == "warning"
