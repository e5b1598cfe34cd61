"""Directories and files that only the user and root can have written, so that their content may be executed.

A directory is opened once, and its files through it, so that the checked file is the one that is used: a name may lead
elsewhere a moment later. Windows has neither owners nor modes of this kind; its directory for caches is the user's.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

LARGEST = 256_000_000
"""Bytes of the largest file that is read. Kernels are far smaller, and a sparse file may be larger than memory."""
_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH
_HERE = getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
# links are not followed, and a pipe does not block
_PLAIN = _HERE | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
_BY_DIRECTORY = {os.open, os.stat, os.unlink, os.rename, os.utime} <= os.supports_dir_fd


class Foreign(Exception):
    """A file or directory that another user may have written."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(f"{path}: {reason}")
        self.path = path
        self.reason = reason


def foreign_reason(status: os.stat_result) -> str | None:
    """Why another user may have written a file of this status, in the words of a message; None where none can have."""
    if not hasattr(os, "geteuid"):
        return None
    if status.st_uid not in (os.geteuid(), 0):
        return f"it belongs to {_user(status.st_uid)}"
    if status.st_mode & _OTHERS_WRITE:
        return f"others may write to it, as its mode {stat.S_IMODE(status.st_mode):o} says"
    return None


def _user(number: int) -> str:
    import pwd

    try:
        return f"the user {pwd.getpwuid(number).pw_name}"
    except KeyError:
        return f"user {number}"


class Directory:
    """An open directory of the user, or its path where files can't be opened through it."""

    def __init__(self, path: Path, descriptor: int | None) -> None:
        self.path = path
        self._descriptor = descriptor

    def read(self, name: str) -> bytes:
        """The content of a file; None where it is not a plain file, or is larger than any of ours."""
        with self._opened(name, os.O_RDONLY | _PLAIN) as file:
            status = os.fstat(file)
            self._check(name, status)
            if not stat.S_ISREG(status.st_mode) or status.st_size > LARGEST:
                return b""
            with open(file, "rb", closefd=False) as reader:
                return reader.read(LARGEST)

    def has(self, name: str) -> bool:
        """Whether there is a plain file of this name, whatever its content."""
        status = os.stat(self._name(name), follow_symlinks=False, **self._at)
        self._check(name, status)
        return stat.S_ISREG(status.st_mode)

    @contextmanager
    def created(self, name: str) -> Iterator[int]:
        """A new file, which others may read if the user's umask lets them."""
        with self._opened(name, os.O_CREAT | os.O_EXCL | os.O_RDWR | _PLAIN, 0o644) as file:
            yield file

    def rename(self, old: str, new: str) -> None:
        both = {} if self._descriptor is None else {"src_dir_fd": self._descriptor, "dst_dir_fd": self._descriptor}
        os.replace(self._name(old), self._name(new), **both)

    def unlink(self, name: str) -> None:
        os.unlink(self._name(name), **self._at)

    def touch(self, name: str) -> None:
        """Set the time of a file's last use to now."""
        os.utime(self._name(name), **self._at)

    def _check(self, name: str, status: os.stat_result) -> None:
        reason = foreign_reason(status)
        if reason is not None:
            raise Foreign(self.path / name, reason)

    @property
    def _at(self) -> dict[str, Any]:
        return {} if self._descriptor is None else {"dir_fd": self._descriptor}

    def _name(self, name: str) -> str:
        return name if self._descriptor is not None else str(self.path / name)

    @contextmanager
    def _opened(self, name: str, flags: int, mode: int = 0) -> Iterator[int]:
        file = os.open(self._name(name), flags, mode, **self._at)
        try:
            yield file
        finally:
            os.close(file)


@contextmanager
def own_directory(path: Path) -> Iterator[Directory]:
    """A directory, opened. Raises `Foreign` where another user may have written to it, and OSError as `os.open`."""
    if not _BY_DIRECTORY:
        if not path.is_dir():
            raise FileNotFoundError(2, "No such directory", str(path))
        yield Directory(path, None)
        return
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | _HERE)
    try:
        reason = foreign_reason(os.fstat(descriptor))
        if reason is not None:
            raise Foreign(path, reason)
        yield Directory(path, descriptor)
    finally:
        os.close(descriptor)
