"""What pytl is measured beside: libxsmm and the machine itself through C of our own, and libraries of Python."""

from __future__ import annotations


class Missing(Exception):
    """A peer that isn't there: its name, why, and the command that installs it."""

    def __init__(self, peer: str, why: str, command: str) -> None:
        super().__init__(f"{peer} is missing ({why}); `{command}` installs it")
