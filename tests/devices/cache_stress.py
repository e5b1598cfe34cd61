"""Two processes use one cache, and one of them is killed, over and over: `cache_stress.py DIRECTORY ROUNDS SEED`.

A program of its own, without threads, so that it can fork. What it stores is made of a number and not by a compiler;
the code that stores, loads, sweeps and evicts is the real one.
"""

from __future__ import annotations

import fcntl
import os
import random
import signal
import sys
import time
import traceback
import warnings
from collections.abc import Callable
from pathlib import Path

from pytl.devices.cache import Cache, Entry, key_of

KERNELS = 12
STEPS = 30
KILLED_WITHIN = 0.03


def entry(number: int) -> Entry:
    """What the build of a kernel would give: from 4 to 250 kB."""
    code = random.Random(number).randbytes(1000) * (4 if number % 3 else 20 * number + 10)
    return Entry(f"kernel{number}", "none", "none", {"number": number}, 1.0, {"items": number}, code, created=1.0)


BUILT = {key_of({"number": number}): entry(number) for number in range(KERNELS)}
LIMIT = sum(len(built.code) for built in BUILT.values()) // 2
"""So that there is always something to evict, and to build again."""


def use(cache: Cache, seed: int, steps: int) -> None:
    """Launch kernels, as it were: load each, or build and store it. Raises where a load gives what was not stored."""
    draw = random.Random(seed)
    for _ in range(steps):
        key = draw.choice(list(BUILT))
        found = cache.load(key)
        if found is None:
            cache.store(key, BUILT[key])
        elif found != BUILT[key]:
            raise AssertionError(f"{found.kernel} is not what was stored")


def forked(cache: Cache, seed: int, steps: int) -> int:
    """The process that does so; it ends with 0 where nothing was wrong."""
    process = os.fork()
    if process:
        return process
    code = 1
    try:
        os.replace = replace_slowly
        use(cache, seed, steps)
        code = 0
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(code)


def replace_slowly(old: str, new: str, replace: Callable[..., None] = os.replace, **where: int) -> None:
    """As on a slow disk, so that many are killed while they write."""
    time.sleep(0.001)
    replace(old, new, **where)


def is_abandoned(temporary: Path) -> bool:
    """Whether nobody writes a file any more."""
    try:
        with temporary.open("r+b") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:  # it is locked, or gone
        return False
    return True


def main(directory: str, rounds: int, seed: int) -> None:
    warnings.simplefilter("error")
    draw = random.Random(seed)
    cache = Cache(Path(directory), LIMIT)
    half_written = 0
    for number in range(rounds):
        survivor = forked(cache, rounds + number, STEPS)
        victim = forked(cache, number, 1_000_000_000)
        time.sleep(draw.uniform(0, KILLED_WITHIN))
        os.kill(victim, signal.SIGKILL)
        os.waitpid(victim, 0)
        half_written += any(map(is_abandoned, cache.directory.glob("*.tmp")))
        _, status = os.waitpid(survivor, 0)
        assert status == 0, f"round {number}: the survivor ended with {status}"
        # the next store removes what the victim left, and keeps to the limit
        key = draw.choice(list(BUILT))
        cache.store(key, BUILT[key])
        stored = cache.stored()
        assert {file.name for file in cache.directory.iterdir()} == {f"{each.key}.pytl" for each in stored}
        assert all(each.entry == BUILT[each.key] for each in stored), f"round {number}: an entry is damaged"
        assert sum(each.size for each in stored) <= LIMIT, f"round {number}: the cache has grown beyond its limit"
    print(f"{rounds} rounds, {half_written} of the killed processes left a file half written")


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:4]))
