"""Three pictures, each of one kernel: the Mandelbrot set, interfering waves, and patterns of a reaction.

Run it with `python examples/gallery.py`; it draws `mandelbrot.png`, `interference.png` and `patterns.png` into the
working directory. `--help` lists the options.
"""

from __future__ import annotations

import argparse
import functools
from collections.abc import Sequence
from pathlib import Path

import numpy as np

import pytl
from pytl import Memref, alloca, axpby, c64, exp, f32, f64, foreach, gemm, group_id, i32


@functools.cache
def mandelbrot_kernel(columns: int) -> pytl.Kernel:
    @pytl.kernel
    def mandelbrot(left: f64, width: f64, C: Memref[f64, ...], steps: i32, counts: Memref[i32, columns, ...]):
        """How many steps of z := z² + c stay within |z| ≤ 2; one line of the picture per work-group."""
        g = group_id()
        for i in foreach(columns):
            x0, y0 = left + width * f64(i32(i)) / columns, C[g]
            x, y, count = f64(0.0), f64(0.0), i32(0)
            for _ in range(steps):
                if x * x + y * y <= 4.0:
                    x, y, count = x * x - y * y + x0, 2.0 * x * y + y0, count + 1
            counts[i, g] = count

    return mandelbrot


def draw_mandelbrot(size: int) -> np.ndarray:
    counts = np.zeros((size, size), np.int32, order="F")
    mandelbrot_kernel(size)[size](-2.1, 2.8, np.linspace(-1.4, 1.4, size), 100, counts)
    return counts.T


@functools.cache
def interference_kernel(columns: int) -> pytl.Kernel:
    @pytl.kernel
    def interference(k: f64, sources: Memref[c64, ...], lines: Memref[f64, ...], field: Memref[c64, columns, ...]):
        """field := Σ exp(i k r) / (1 + r); sources are complex numbers of the plane; one line per work-group."""
        g = group_id()
        for i in foreach(columns):
            here = c64(f64(i32(i)) / columns) + c64(lines[g]) * 1j
            total = c64(0.0)
            for s in range(sources.shape[0]):
                r = abs(here - sources[s])
                total += exp(c64(k * r) * 1j) / c64(1.0 + r)
            field[i, g] = total

    return interference


def draw_interference(size: int) -> np.ndarray:
    sources = np.array([0.25 + 0.3j, 0.75 + 0.3j, 0.5 + 0.75j])
    field = np.zeros((size, size), np.complex128, order="F")
    interference_kernel(size)[size](90.0, sources, np.linspace(0, 1, size), field)
    return field.T.real


@functools.cache
def reaction_kernel(n: int) -> pytl.Kernel:
    @pytl.kernel
    def react(
        feed: Memref[f32, ...],
        kill: Memref[f32, ...],
        steps: i32,
        L: Memref[f32, n, n],
        U: Memref[f32, n, n, ...],
        V: Memref[f32, n, n, ...],
    ):
        """Gray and Scott's reaction on a periodic square per work-group; L is the second difference."""
        g = group_id()
        u, v = U[:, :, g], V[:, :, g]
        du, dv = alloca(f32, n, n), alloca(f32, n, n)
        for _ in range(steps):
            gemm(0.16, L, u, 0.0, du)  # diffusion along both modes
            gemm(0.16, u, L, 1.0, du)
            gemm(0.08, L, v, 0.0, dv)
            gemm(0.08, v, L, 1.0, dv)
            for i, j in foreach((0, 0), (n, n)):
                a, b = u[i, j], v[i, j]
                du[i, j] += feed[g] * (1.0 - a) - a * b * b
                dv[i, j] += a * b * b - (feed[g] + kill[g]) * b
            axpby(1.0, du, 1.0, u)
            axpby(1.0, dv, 1.0, v)

    return react


def draw_patterns(n: int, steps: int) -> np.ndarray:
    """Squares of several rates of feeding and killing, side by side."""
    feed = np.array([0.037, 0.03, 0.025, 0.055], np.float32)
    kill = np.array([0.06, 0.062, 0.06, 0.062], np.float32)
    U = np.ones((n, n, feed.size), np.float32, order="F")
    V = np.zeros_like(U, order="F")
    V[n // 3 : n // 2, n // 3 : n // 2] = 0.5
    V[n // 2 : n // 2 + 4, n // 6 : n // 3] = 0.5
    L = np.asfortranarray((np.roll(np.eye(n), 1, 0) + np.roll(np.eye(n), -1, 0) - 2 * np.eye(n)).astype(np.float32))
    reaction_kernel(n)[feed.size](feed, kill, steps, L, U, V)
    return np.concatenate(np.moveaxis(V, -1, 0), axis=1)


PICTURES = {
    "mandelbrot": (draw_mandelbrot, "twilight_shifted"),
    "interference": (draw_interference, "RdBu"),
    "patterns": (lambda size: draw_patterns(max(size // 4, 8), 12 * size), "magma"),
}
"""The function that draws each picture, in a number of points per side, and its colours."""


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__.partition("\n")[0], formatter_class=argparse.ArgumentDefaultsHelpFormatter
    )
    parser.add_argument("--size", type=int, default=512, help="points of a picture's side, 16 or more")
    parser.add_argument("--folder", type=Path, default=Path(), help="where the pictures go")
    options = parser.parse_args(arguments)
    if options.size < 16:
        parser.error("--size is 16 or more")
    try:
        import matplotlib.image
    except ImportError:
        raise SystemExit("this draws with matplotlib: `python3 install.py examples` installs it") from None
    for name, (draw, colours) in PICTURES.items():
        file = options.folder / f"{name}.png"
        matplotlib.image.imsave(file, draw(options.size), cmap=colours)
        print(f"Drawn: {file}")


if __name__ == "__main__":
    main()
