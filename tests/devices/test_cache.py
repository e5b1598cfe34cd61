"""The compilation cache on disk: what it gives back, what it does with damage, how it makes room, what it cannot do."""

from __future__ import annotations

import itertools
import os
import random
import threading
import time
import warnings
from dataclasses import replace
from pathlib import Path

import pytest

import pytl
from pytl.devices import cache as module
from pytl.devices.cache import MAGIC, Cache, Entry, current, decode, default_directory, encode, key_of, sources
from pytl.devices.owned import Directory
from pytl.process.settings import CACHE_DIR, CACHE_SIZE

ENTRY = Entry("fused", "sycl", "opencl:cpu:0", {"strategy": "one-item"}, 1.5, {"entry": "fused"}, bytes(range(256)))
KEY, OTHER = key_of({"function": "a"}), key_of({"function": "b"})


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    return Cache(tmp_path / "cache", 1_000_000)


@pytest.fixture
def untold(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing has been warned of in this process yet."""
    monkeypatch.setattr(module, "_warned", set())


def files(cache: Cache) -> list[str]:
    return sorted(os.listdir(cache.directory))


def path(cache: Cache, key: str = KEY) -> Path:
    return cache.directory / f"{key}.pytl"


# What it keeps.


def test_an_entry_comes_back_as_it_was_stored(cache: Cache) -> None:
    assert cache.load(KEY) is None
    cache.store(KEY, ENTRY)
    assert cache.load(KEY) == ENTRY
    assert cache.load(OTHER) is None
    assert files(cache) == [f"{KEY}.pytl"]


def test_an_entry_is_replaced(cache: Cache) -> None:
    cache.store(KEY, ENTRY)
    cache.store(KEY, replace(ENTRY, code=b"other"))
    assert cache.load(KEY).code == b"other"
    assert files(cache) == [f"{KEY}.pytl"]


def test_the_directory_is_the_users_own(cache: Cache) -> None:
    cache.store(KEY, ENTRY)
    assert cache.directory.stat().st_mode & 0o777 == 0o700


def test_keys_tell_everything_apart_but_the_order() -> None:
    assert key_of({"a": 1, "b": {"c": [2]}}) == key_of({"b": {"c": [2]}, "a": 1})
    assert len({key_of({"a": value}) for value in (1, "1", True, None, [1], {"1": 1})}) == 6


def test_the_hash_of_sources_changes_with_these_and_with_nothing_else(tmp_path: Path, monkeypatch) -> None:
    def ask() -> str:
        sources.cache_clear()
        return sources()

    (tmp_path / "ops").mkdir()
    monkeypatch.setattr(module, "__file__", str(tmp_path / "runtime" / "cache.py"))
    source = tmp_path / "ops" / "a.py"
    source.write_text("x = 1\n")
    before = ask()
    status = source.stat()
    source.write_text("x = 2\n")
    os.utime(source, ns=(status.st_atime_ns, status.st_mtime_ns))  # as an installer that sets all times does
    after = ask()
    assert before != after
    source.rename(tmp_path / "ops" / "b.py")
    assert ask() != after
    (tmp_path / "ops" / "notes.txt").write_text("no source")
    (tmp_path / "ops" / "b.py").rename(source)
    assert ask() == after
    sources.cache_clear()


# Damage.


def damaged(content: bytes) -> dict[str, bytes]:
    """One of each kind of damage, in each part of a file."""
    line = content.index(b"\n", len(MAGIC) + 32)
    ends = {"magic": 0, "checksum": len(MAGIC), "header": len(MAGIC) + 32, "code": line + 1, "end": len(content)}
    names = list(ends)
    found = {
        "empty": b"",
        "longer": content + b"\0",
        "another": b"#!/bin/sh\n",
        "version": content.replace(b" 1", b" 2", 1),
    }
    for name, following in itertools.pairwise(names):
        middle = (ends[name] + ends[following]) // 2
        flipped = bytearray(content)
        flipped[middle] ^= 1
        found |= {f"cut in the {name}": content[:middle], f"flipped in the {name}": bytes(flipped)}
        found[f"zeros in the {name}"] = (
            content[: ends[name]] + bytes(ends[following] - ends[name]) + content[ends[following] :]
        )
    return found


@pytest.mark.parametrize("kind", damaged(encode(KEY, ENTRY)))
def test_a_damaged_file_is_no_entry_and_goes(cache: Cache, kind: str) -> None:
    cache.store(KEY, ENTRY)
    path(cache).write_bytes(damaged(encode(KEY, ENTRY))[kind])
    assert cache.load(KEY) is None
    assert files(cache) == []
    cache.store(KEY, ENTRY)
    assert cache.load(KEY) == ENTRY


def test_any_changed_byte_is_noticed() -> None:
    content = encode(KEY, ENTRY)
    assert decode(KEY, content) == ENTRY
    for place in range(len(content)):
        changed = bytearray(content)
        changed[place] ^= 1 << place % 8
        assert decode(KEY, bytes(changed)) is None
        assert decode(KEY, content[:place]) is None


def test_the_file_of_another_key_is_no_entry(cache: Cache) -> None:
    cache.store(KEY, ENTRY)
    path(cache).rename(path(cache, OTHER))
    assert cache.load(OTHER) is None
    assert files(cache) == []


@pytest.mark.parametrize("head", [b"[]", b"{}", b"[" * 100_000, b"\xff", b'{"key": "KEY", "kernel": 1}'])
def test_a_header_of_somebody_elses_is_no_entry(head: bytes) -> None:
    import hashlib

    rest = head.replace(b"KEY", KEY.encode()) + b"\n"
    assert decode(KEY, MAGIC + hashlib.sha256(rest).digest() + rest) is None


def test_what_stands_in_the_place_of_a_file(cache: Cache, untold: None) -> None:
    path(cache).mkdir(parents=True)
    assert cache.load(KEY) is None
    assert files(cache) == []
    os.mkfifo(path(cache))
    assert cache.load(KEY) is None
    assert files(cache) == []
    (path(cache) / "of the user").mkdir(parents=True)  # which nobody asked to remove
    assert cache.load(KEY) is None
    with pytest.warns(UserWarning, match=r"\[PYTL-3040\] the compilation cache .* cannot be written: Is a directory"):
        cache.store(KEY, ENTRY)
    assert cache.load(KEY) is None
    assert files(cache) == [f"{KEY}.pytl"]


def test_an_entry_that_may_not_be_read_is_rebuilt(cache: Cache, monkeypatch: pytest.MonkeyPatch) -> None:
    cache.store(KEY, ENTRY)

    def refuse(self: object, name: str) -> bytes:
        raise PermissionError(13, "Permission denied")

    with monkeypatch.context() as patch:
        patch.setattr(Directory, "read", refuse)
        assert [stored.entry for stored in cache.stored()] == [None]
        assert cache.load(KEY) is None
    assert files(cache) == []


# Room.


def test_the_least_recently_used_make_room(cache: Cache) -> None:
    keys = [key_of({"n": n}) for n in range(10)]
    size = len(encode(KEY, ENTRY))
    small = Cache(cache.directory, 5 * size + size // 2)
    for age, key in enumerate(keys[:5]):
        small.store(key, ENTRY)
        os.utime(path(small, key), (0, 1000 + age))
    assert len(files(small)) == 5
    assert small.load(keys[0]) == ENTRY  # which is a use
    small.store(keys[5], ENTRY)
    assert set(files(small)) == {f"{key}.pytl" for key in (keys[0], keys[3], keys[4], keys[5])}


def test_what_is_larger_than_the_cache_is_not_kept(cache: Cache) -> None:
    Cache(cache.directory, 100).store(KEY, ENTRY)
    assert not cache.directory.exists()
    cache.store(KEY, ENTRY)
    Cache(cache.directory, 0).store(OTHER, ENTRY)
    assert files(cache) == []


def test_other_files_in_the_directory_are_left_alone(cache: Cache) -> None:
    cache.store(KEY, ENTRY)
    others = {"notes.txt", "a.pytl", f"{KEY}.pytl.bak", f"{KEY}.tmp", f".{KEY}.pytl"}
    for name in others:
        (cache.directory / name).write_bytes(b"x" * 1000)
    Cache(cache.directory, 0).store(OTHER, ENTRY)
    cache.clear([stored.key for stored in cache.stored()])
    assert set(files(cache)) == others


def test_what_a_killed_writer_left_is_swept_and_what_a_living_one_writes_is_not(cache: Cache) -> None:
    import fcntl

    cache.store(KEY, ENTRY)
    abandoned, written = (cache.directory / f"{KEY}.{digit * 16}.tmp" for digit in "ab")
    abandoned.write_bytes(b"half")
    with written.open("wb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        cache.store(OTHER, ENTRY)
        assert not abandoned.exists() and written.exists()
    cache.store(OTHER, ENTRY)
    assert files(cache) == sorted([f"{KEY}.pytl", f"{OTHER}.pytl"])


def test_where_locks_are_missing_age_tells(cache: Cache, monkeypatch: pytest.MonkeyPatch) -> None:
    import fcntl

    def refuse(*arguments: object) -> None:
        raise OSError(95, "Operation not supported")

    monkeypatch.setattr(fcntl, "flock", refuse)
    cache.store(KEY, ENTRY)
    old, young = (cache.directory / f"{KEY}.{digit * 16}.tmp" for digit in "ab")
    for file in (old, young):
        file.write_bytes(b"half")
    os.utime(old, (0, time.time() - 7200))
    cache.store(OTHER, ENTRY)
    assert files(cache) == sorted([f"{KEY}.pytl", f"{OTHER}.pytl", young.name])


def test_the_directory_may_vanish_at_any_time(cache: Cache, monkeypatch: pytest.MonkeyPatch) -> None:
    import shutil

    replace_file, left = os.replace, [2]

    def vanish(old: str, new: str, **where: int) -> None:
        if left[0]:
            left[0] -= 1
            shutil.rmtree(cache.directory)
        replace_file(old, new, **where)

    monkeypatch.setattr(os, "replace", vanish)
    cache.store(KEY, ENTRY)
    assert cache.load(KEY) == ENTRY


# What cannot be written.


@pytest.mark.parametrize("directory", ["/dev/null", "/dev/null/below", "/proc/pytl"])
def test_a_directory_that_cannot_be_written_is_told_once(directory: str, untold: None) -> None:
    cache = Cache(Path(directory), 1_000_000)
    assert cache.load(KEY) is None
    with pytest.warns(UserWarning) as told:
        cache.store(KEY, ENTRY)
        cache.store(OTHER, ENTRY)
    assert len(told) == 1
    assert str(told[0].message).startswith(f"[PYTL-3040] the compilation cache {directory} cannot be written: ")
    assert str(told[0].message).endswith("Set PYTL_CACHE_DIR to a directory that can be written, or PYTL_CACHE=0")
    assert told[0].filename == __file__


def test_a_full_disk_leaves_nothing_behind(cache: Cache, untold: None, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(old: str, new: str, **where: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", full)
        with pytest.warns(UserWarning, match="cannot be written: No space left on device; kernels are compiled anew"):
            cache.store(KEY, ENTRY)
    assert files(cache) == []


def test_without_a_home_there_is_no_cache(untold: None, monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("HOME", "XDG_CACHE_HOME", "PYTL_CACHE_DIR"):
        monkeypatch.delenv(variable, raising=False)
    assert default_directory().is_absolute()  # the one of the system's list of users
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)  # a user that is not on it
    with pytest.warns(UserWarning, match=r"\[PYTL-3040\] there is no home directory to keep compiled kernels in"):
        assert current() is None
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert current() is None  # said once
        monkeypatch.setenv("PYTL_CACHE_DIR", "/somewhere")
        assert current().directory == Path("/somewhere")
        monkeypatch.setenv("PYTL_CACHE", "0")
        assert current() is None


# Settings.


@pytest.mark.parametrize(
    ("text", "size"),
    [
        *[("65536", 65536), ("0", 0), ("512MB", 512_000_000), ("1.5 GiB", 3 << 29), (" 2k ", 2000), ("2ki", 2048)],
        *[("10B", 10), ("3tb", 3_000_000_000_000), ("0.5KiB", 512)],
    ],
)
def test_sizes_have_units(text: str, size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTL_CACHE_SIZE", text)
    assert CACHE_SIZE.get() == size


@pytest.mark.parametrize("text", ["-1", "many", "1e9", "12XB", "MB", "1,5GB", "9" * 400, "½GB"])
def test_sizes_that_are_none(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTL_CACHE_SIZE", text)
    with pytest.raises(pytl.PlatformError) as caught:
        current()
    assert f"error[PYTL-3020]: PYTL_CACHE_SIZE is {text!r}" in str(caught.value)
    assert "it takes a number of bytes, such as 512MB or 1.5GiB, or may be unset" in str(caught.value)


def test_directories_begin_at_home_or_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", "/home/me")
    monkeypatch.setenv("PYTL_CACHE_DIR", "~/kernels")
    assert CACHE_DIR.get() == Path("/home/me/kernels")
    monkeypatch.setenv("PYTL_CACHE_DIR", "kernels")
    assert CACHE_DIR.get() == tmp_path / "kernels"
    monkeypatch.setenv("PYTL_CACHE_DIR", "~nobody-of-that-name/kernels")
    with pytest.raises(pytl.PlatformError, match="PYTL-3020"):
        current()


def test_threads_share_it(cache: Cache) -> None:
    keys = [key_of({"n": n}) for n in range(8)]
    small = Cache(cache.directory, 5 * len(encode(KEY, ENTRY)))
    failures: list[BaseException] = []

    def work(seed: int) -> None:
        draw = random.Random(seed)
        try:
            for _ in range(150):
                key = draw.choice(keys)
                found = small.load(key)
                if found is None:
                    small.store(key, replace(ENTRY, code=key.encode()))
                else:
                    assert found.code == key.encode()
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(2)]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert failures == []
    assert all(name.endswith(".pytl") for name in files(small))
