"""The compilation cache: a directory of built kernels, each in a file that is named by a hash of all that decides it.

Beside them are tunings, the options that were found to be best for a kernel, which have no code; and machine code that
the device's driver made of a kernel.

What is in the directory is never trusted to be whole. A file carries a checksum, and one that does not match is removed
as if it had not been there; that is why nothing is forced to disk before a file gets its name. Several processes may
share the directory, and each may be killed at any moment: a file is written under a temporary name and renamed when it
is complete. The temporary file is locked while it is written, so that a later process can tell a writer at work from
one that was killed, and remove the killed writer's file.

Entries are executed. A directory or a file that anybody but the user or root can have written is therefore not used,
and a warning says so (PYTL-3080).
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
import os
import re
import secrets
import time
from collections.abc import Mapping
from dataclasses import field
from pathlib import Path
from typing import Any, get_origin, get_type_hints

from ..diagnostics import PlatformError, Rule, warn
from ..diagnostics.words import counted
from ..process.records import dataclass
from ..process.settings import CACHE, CACHE_DIR, CACHE_SIZE
from .owned import LARGEST, Directory, Foreign, foreign_reason, own_directory

DIRECTORY = Rule(
    "PYTL-3040",
    "the directory of the compilation cache can be read and written",
    "Compilation cache",
    explanation="A launch that cannot write there warns once, and does without: the kernel is compiled anew by each "
    "process.",
)

FOREIGN = Rule(
    "PYTL-3080",
    "what is kept on disk belongs to the user or to root, and nobody else may write it",
    "Compilation cache",
    severity="warning",
    explanation="Entries of the cache are executed. A directory or a file that another user can have written is not "
    "used, and kernels are compiled anew. The same holds for directories that a group or all users may write to, such "
    "as /tmp.",
)

MAGIC = b"pytl kernel 4\n"
"""What a file begins with; the number changes with the format."""
SUFFIX = ".pytl"
KERNEL, TUNING, MACHINE_CODE = "kernel", "tuning", "machine code"
"""The kinds of entries."""
_NAME = re.compile(r"[0-9a-f]{64}\.pytl")
_TEMPORARY = re.compile(r"[0-9a-f]{64}\.[0-9a-f]{16}\.tmp")
_KEPT = 0.9
"""The part of its limit that a cache is reduced to when it has grown beyond, so that not every store has to."""
_WRITER_LIVES = 3600.0
"""Seconds that a temporary file is left alone where the file system has no locks that show whether its writer lives."""


@dataclass(frozen=True)
class Entry:
    """A built kernel: what people want to know of it, what its backend needs to launch it, and its code."""

    kernel: str
    backend: str
    device: str
    options: dict[str, Any]
    seconds: float
    """What it took to build, or to tune."""
    details: dict[str, Any]
    """Data of the backend, as JSON values."""
    code: bytes
    created: float = field(default_factory=time.time)
    kind: str = KERNEL
    """KERNEL; TUNING, whose options are those that won; or MACHINE_CODE, which a driver made of another entry."""
    compiler: dict[str, str] = field(default_factory=dict)
    """Who compiled it, which is no part of the key: see `Compiler.identity`. Empty where there is but one."""

    @property
    def is_tuning(self) -> bool:
        """Whether it has options, and no code."""
        return self.kind == TUNING


_HEAD = {name: get_origin(hint) or hint for name, hint in get_type_hints(Entry).items() if name != "code"}


@dataclass(frozen=True)
class Stored:
    """A file of the cache, and the time of its last use. `entry` is None where it is damaged, or another user's."""

    key: str
    size: int
    used: float
    entry: Entry | None
    is_foreign: bool = False


def encode(key: str, entry: Entry) -> bytes:
    """The bytes of a file: a magic line, a checksum of the rest, a line of JSON, the code."""
    head = {name: value for name, value in vars(entry).items() if name != "code"}
    rest = json.dumps({"key": key, **head}).encode() + b"\n" + entry.code
    return MAGIC + hashlib.sha256(rest).digest() + rest


def decode(key: str, content: bytes) -> Entry | None:
    """The entry that a file holds under this key; None where it holds anything else."""
    start = len(MAGIC) + hashlib.sha256().digest_size
    rest = content[start:]
    if not content.startswith(MAGIC) or content[len(MAGIC) : start] != hashlib.sha256(rest).digest():
        return None
    line, _, code = rest.partition(b"\n")
    try:
        head = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(head, dict) or head.pop("key", None) != key or {n: type(v) for n, v in head.items()} != _HEAD:
        return None
    return Entry(code=code, **head)


class Cache:
    """The entries of one directory, which together take no more than `limit` bytes. It keeps no state of its own."""

    def __init__(self, directory: Path, limit: int) -> None:
        self.directory = directory
        self.limit = limit

    def has(self, key: str) -> bool:
        """Whether there is a file for a key, whatever it holds."""
        try:
            with own_directory(self.directory) as directory:
                return directory.has(_name_of(key))
        except (OSError, Foreign):
            return False

    def load(self, key: str) -> Entry | None:
        """The entry of a key. A file that does not hold it as it was stored is removed."""
        try:
            with own_directory(self.directory) as directory:
                return self._load(directory, key)
        except Foreign as foreign:
            warn_of_foreign(foreign)
        except OSError:  # there is no directory, or none that can be read
            pass
        return None

    def _load(self, directory: Directory, key: str) -> Entry | None:
        name = _name_of(key)
        try:
            content = directory.read(name)
        except FileNotFoundError:
            return None
        except OSError:
            content = b""
        entry = decode(key, content)
        with contextlib.suppress(OSError):
            if entry is None:
                self.remove(key)
            else:
                directory.touch(name)  # the time of its last use, by which entries make room for others
        return entry

    def store(self, key: str, entry: Entry) -> None:
        """Keep an entry, if there is room for it at all. What prevents that is reported once, as a warning."""
        content = encode(key, entry)
        try:
            if len(content) <= min(self.limit, LARGEST):
                self._write(key, content)
            self._tidy()
        except Foreign as foreign:
            warn_of_foreign(foreign)
        except OSError as error:
            _warn(f"the compilation cache {self.directory} cannot be written: {error.strerror or error}")

    def remove(self, key: str) -> bool:
        """Remove the file of a key; returns whether it is gone."""
        path = self._path(key)
        try:
            if path.is_dir() and not path.is_symlink():
                path.rmdir()
            else:
                path.unlink()
        except FileNotFoundError:
            return True
        except OSError:
            return False
        return True

    def stored(self) -> list[Stored]:
        """Every file of the cache, the last used first. Raises PYTL-3040 where the directory can't be read."""
        entries = []
        try:
            directory = Directory(self.directory, None)  # of any owner: this only lists entries
            for item in os.scandir(self.directory):
                if _NAME.fullmatch(item.name):
                    with contextlib.suppress(FileNotFoundError):  # another process has just removed it
                        entries.append(self._look(directory, item))
        except FileNotFoundError:
            return []
        except OSError as error:
            raise self._refused("read", error) from None
        return sorted(entries, key=lambda each: -each.used)

    def clear(self, keys: list[str]) -> None:
        """Remove entries, and what killed writers left. Raises PYTL-3040 where they stay."""
        left = [key for key in keys if not self.remove(key)]
        with contextlib.suppress(OSError):
            self._tidy()
        if left:
            number = counted(len(left), "entry", "entries")
            raise PlatformError.single(
                DIRECTORY, f"{number} cannot be removed from {self.directory}", help="remove the directory by hand"
            )

    def rejection_reason(self) -> str | None:
        """Why launches don't use the directory, in the words of a message; None if they use it or it is missing."""
        with contextlib.suppress(OSError):
            return foreign_reason(self.directory.stat())
        return None

    def _path(self, key: str) -> Path:
        return self.directory / _name_of(key)

    def _look(self, directory: Directory, item: os.DirEntry[str]) -> Stored:
        key, status = item.name.removesuffix(SUFFIX), item.stat(follow_symlinks=False)
        content, is_foreign = b"", False
        try:
            content = directory.read(item.name)
        except FileNotFoundError:
            raise
        except Foreign:
            is_foreign = True
        except OSError:
            pass
        return Stored(key, status.st_size, status.st_mtime, decode(key, content), is_foreign)

    def _refused(self, what: str, error: OSError) -> Any:
        message = f"the compilation cache {self.directory} cannot be {what}: {error.strerror or error}"
        return PlatformError.single(DIRECTORY, message, help="set PYTL_CACHE_DIR to another directory")

    # Writing.

    def _write(self, key: str, content: bytes) -> None:
        for _ in range(3):
            self.directory.mkdir(mode=0o700, parents=True, exist_ok=True)
            # Somebody may sweep the temporary file in the moments in which it is not locked, or remove the directory.
            with contextlib.suppress(FileNotFoundError), own_directory(self.directory) as directory:
                self._replace(directory, key, content)
                return

    def _replace(self, directory: Directory, key: str, content: bytes) -> None:
        temporary = f"{key}.{secrets.token_hex(8)}.tmp"
        try:
            with directory.created(temporary) as descriptor, open(descriptor, "wb", closefd=False) as file:
                _locked(descriptor)
                file.write(content)
            directory.rename(temporary, _name_of(key))
        except BaseException:
            with contextlib.suppress(OSError):
                directory.unlink(temporary)
            raise

    def _tidy(self) -> None:
        """Remove what killed writers left, and the entries that were not used for longest if there are too many."""
        if not self.directory.exists() or self.rejection_reason():
            return
        files: list[tuple[float, int, str]] = []
        for item in os.scandir(self.directory):
            with contextlib.suppress(FileNotFoundError):
                if _TEMPORARY.fullmatch(item.name):
                    _sweep(item.path)
                elif _NAME.fullmatch(item.name):
                    status = item.stat(follow_symlinks=False)
                    files.append((status.st_mtime, status.st_size, item.name.removesuffix(SUFFIX)))
        total = sum(size for _, size, _ in files)
        if total <= self.limit:
            return
        for _, size, key in sorted(files):
            if total <= self.limit * _KEPT:
                break
            if self.remove(key):
                total -= size


def _name_of(key: str) -> str:
    return f"{key}{SUFFIX}"


def _sweep(path: str) -> None:
    """Remove a temporary file if its writer has ended."""
    try:
        descriptor = os.open(path, os.O_RDWR | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    except OSError:  # not ours to remove
        return
    try:
        abandoned = _locked(descriptor)
    finally:
        os.close(descriptor)
    if abandoned:
        with contextlib.suppress(OSError):
            os.unlink(path)


def _locked(descriptor: int) -> bool:
    """Lock a temporary file until it is closed; False if somebody else has."""
    try:
        import fcntl
    except ImportError:
        return True  # Windows, where a file that is open cannot be removed
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return time.time() - os.fstat(descriptor).st_mtime > _WRITER_LIVES
    return True


# The cache that the settings name.


def current() -> Cache | None:
    """The cache that launches use; None where it is turned off, or there is no place for one."""
    if not CACHE.get():
        return None
    cache = configured()
    if cache is None:
        _warn(NO_HOME)
    return cache


def configured() -> Cache | None:
    """The cache that the settings name, in use or not; None where there is no place for one."""
    directory = CACHE_DIR.get() or default_directory()
    return Cache(directory, CACHE_SIZE.get()) if directory is not None else None


def default_directory() -> Path | None:
    """The platform's directory for caches of the user; None for a user without a home."""
    from platformdirs import user_cache_path

    try:
        path = user_cache_path("pytl", appauthor=False)
    except RuntimeError:
        return None
    return path if path.is_absolute() else None  # releases of platformdirs before 4.5 give `~` as it is


NO_HOME = "there is no home directory to keep compiled kernels in"

_warned: set[str] = set()


def warn_of_foreign(foreign: Foreign) -> None:
    """Warn once of a file or directory that is not used, as another user may have written it."""
    problem = f"{foreign.path} is not used, for {foreign.reason}"
    if problem not in _warned:
        _warned.add(problem)
        warn(
            FOREIGN,
            f"{problem}. What is kept there would be executed. Set PYTL_CACHE_DIR to a directory that is yours alone "
            "(chmod go-w), or PYTL_CACHE=0",
        )


def _warn(problem: str) -> None:
    if problem in _warned:
        return
    _warned.add(problem)
    warn(
        DIRECTORY,
        f"{problem}; kernels are compiled anew by each process. "
        "Set PYTL_CACHE_DIR to a directory that can be written, or PYTL_CACHE=0",
    )


# Keys.


def key_of(parts: Mapping[str, Any]) -> str:
    """The key of an entry that depends on these parts, each a JSON value."""
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


@functools.cache
def sources() -> str:
    """A hash of pytl's own sources, as a part of a key.

    All sources of the package are hashed, so that no list has to name those that decide the code. Hashing takes 10 ms.
    Neither the version nor the time of change of a file tells every edit, and installers may set the latter.
    """
    digest = hashlib.sha256()
    package = str(Path(__file__).parents[1])
    for folder, inner, files in os.walk(package):
        inner.sort()
        for name in sorted(files):
            if name.endswith((".py", ".c")):
                path = f"{folder}{os.sep}{name}"
                with open(path, "rb", buffering=0) as file:
                    digest.update(f"{path[len(package) :]}\n".encode() + file.read())
    return digest.hexdigest()
