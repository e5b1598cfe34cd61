"""A numba-dpex application with pytl in it: heat in a box, by spectral elements, without a matrix.

∂u/∂t = Δu on a unit cube whose elements are deformed, zero on its surface, in time by Crank and Nicolson: each step
solves (M + τK) v = (M − τK) u by conjugate gradients. Applying K to a vector is

    gather        every element gets the values at its points                   numba-dpex, the program's own
    gradient      three derivatives: products with the N×N matrix D             pytl, launched by call_kernel
    metric        at each point, what the element's shape makes of them         numba-dpex, the program's own
    divergence    three products with the transposed matrix, added up           pytl, launched by pytl
    assemble      the sum at points that elements share, and the mass matrix    numba-dpex, the program's own

and the vectors are dpnp's, which computes the inner products and the updates. All of it works on the same memory.

Run it with `python examples/dpex_application.py [--elements 4] [--order 7] [--steps 5] [--time-step 1e-3]`.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

import pytl
from pytl import Memref, f64, fuse, gemm, group_id

try:  # behind pytl, which makes them loadable
    import dpnp
    import numba_dpex
    from numba_dpex import kernel_api
except ImportError as missing:
    raise SystemExit(f"this program needs numba-dpex and dpnp ({missing}): python3 install.py dpnp") from None

TOLERANCE = 1e-11
"""Of the residual, relative to the right-hand side."""


# The program's own kernels: pointwise, gathering, adding.


@numba_dpex.kernel
def gather(item: kernel_api.Item, numbers, values, local):
    """The values at the points of all elements."""
    i = item.get_id(0)
    local[i] = values[numbers[i]]


@numba_dpex.kernel
def metric(item: kernel_api.Item, factors, r, s, t):
    """A symmetric 3×3 matrix at each point, times the gradient there."""
    i = item.get_id(0)
    a, b, c = r[i], s[i], t[i]
    r[i] = factors[0, i] * a + factors[1, i] * b + factors[2, i] * c
    s[i] = factors[1, i] * a + factors[3, i] * b + factors[4, i] * c
    t[i] = factors[2, i] * a + factors[4, i] * b + factors[5, i] * c


@numba_dpex.kernel
def assemble(item: kernel_api.Item, starts, places, local, mass, tau, values, result):
    """M v + τ times the sum of what the elements have at a point; nothing on the surface, where the mass is 0."""
    j = item.get_id(0)
    total = 0.0
    for k in range(starts[j], starts[j + 1]):
        total += local[places[k]]
    result[j] = mass[j] * values[j] + tau * total if mass[j] > 0.0 else 0.0


# pytl's: the batched small products, one element per work-group.


@cache
def make_kernels(N: int) -> tuple[pytl.Kernel, pytl.Kernel]:
    """The kernels for elements of N×N×N points."""

    @pytl.kernel
    def gradient(
        u: Memref[f64, N, N, N, ...],
        D: Memref[f64, N, N],
        r: Memref[f64, N, N, N, ...],
        s: Memref[f64, N, N, N, ...],
        t: Memref[f64, N, N, N, ...],
    ):
        """The derivatives of u along the three modes of an element."""
        e = group_id()
        gemm(1.0, D, fuse(u[:, :, :, e], 1, 2), 0.0, fuse(r[:, :, :, e], 1, 2))
        for k in range(N):
            gemm(1.0, u[:, :, k, e], D.T, 0.0, s[:, :, k, e])
        gemm(1.0, fuse(u[:, :, :, e], 0, 1), D.T, 0.0, fuse(t[:, :, :, e], 0, 1))

    @pytl.kernel
    def divergence(
        r: Memref[f64, N, N, N, ...],
        s: Memref[f64, N, N, N, ...],
        t: Memref[f64, N, N, N, ...],
        D: Memref[f64, N, N],
        y: Memref[f64, N, N, N, ...],
    ):
        """The transposed of the gradient, applied to (r, s, t)."""
        e = group_id()
        gemm(1.0, D.T, fuse(r[:, :, :, e], 1, 2), 0.0, fuse(y[:, :, :, e], 1, 2))
        for k in range(N):
            gemm(1.0, s[:, :, k, e], D, 1.0, y[:, :, k, e])
        gemm(1.0, fuse(t[:, :, :, e], 0, 1), D, 1.0, fuse(y[:, :, :, e], 0, 1))

    return gradient, divergence


# The discretisation, which NumPy sets up.


@dataclass
class Mesh:
    """Elements of the box: what their points have for numbers, how they are shaped."""

    D: np.ndarray
    """Derivatives at an element's points along one mode, from values there."""
    numbers: np.ndarray
    """N×N×N×elements, column-major, as all fields of elements are: the number of each point."""
    points: np.ndarray
    """3×points: where they lie."""
    mass: np.ndarray
    """Of each point; 0 on the surface, where nothing is unknown."""
    factors: np.ndarray
    """6×(N·N·N·elements): the metric, with the weights of the quadrature."""


def quadrature(N: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Points and weights of Gauss, Lobatto and Legendre on [-1, 1], and the matrix that differentiates there."""
    legendre = np.polynomial.legendre.Legendre.basis(N - 1)
    x = np.concatenate([[-1.0], np.sort(legendre.deriv().roots().real), [1.0]])
    values = legendre(x)
    D = values[:, None] / values[None, :] / (x[:, None] - x[None, :] + np.eye(N))
    np.fill_diagonal(D, 0.0)
    D[0, 0], D[-1, -1] = -N * (N - 1) / 4, N * (N - 1) / 4
    return x, 2 / (N * (N - 1) * values**2), D


def make_mesh(elements: int, N: int) -> Mesh:
    """A cube of elements×elements×elements, deformed inside."""
    x, weights, D = quadrature(N)
    side = elements * (N - 1) + 1  # points along an edge of the box; neighbours share those between them
    along = (np.arange(elements)[:, None] * (N - 1) + np.arange(N)).T  # of each element's points along a mode
    grid = np.arange(side**3).reshape((side,) * 3, order="F")
    every = along.reshape(-1, order="F")
    numbers = grid[np.ix_(every, every, every)].reshape((N, elements) * 3, order="F")
    numbers = numbers.transpose(0, 2, 4, 1, 3, 5).reshape((N, N, N, -1), order="F")

    edge = np.empty(side)
    edge[along] = ((x + 1) / 2)[:, None] / elements + np.arange(elements) / elements
    straight = np.stack(np.meshgrid(edge, edge, edge, indexing="ij"))
    bump = 0.05 * np.sin(np.pi * straight).prod(axis=0)
    points = (straight + bump).reshape((3, -1), order="F")

    local = points[:, numbers]
    jacobian = np.stack([derivatives(D, coordinate) for coordinate in local])  # of point d along mode m
    jacobian = np.moveaxis(jacobian, (0, 1), (-2, -1))
    volume = np.linalg.det(jacobian) * np.einsum("i,j,k->ijk", weights, weights, weights)[..., None]
    inverse = np.linalg.inv(jacobian)
    full = np.einsum("...md,...nd->mn...", inverse, inverse) * volume
    factors = np.stack([full[m, n].reshape(-1, order="F") for m in range(3) for n in range(m, 3)])

    mass = np.bincount(numbers.reshape(-1, order="F"), volume.reshape(-1, order="F"))
    inside = np.zeros((side,) * 3, bool)
    inside[1:-1, 1:-1, 1:-1] = True
    return Mesh(np.asfortranarray(D), numbers, points, mass * inside.reshape(-1, order="F"), factors)


def derivatives(D: np.ndarray, u: np.ndarray) -> np.ndarray:
    """The derivatives along the three modes, as NumPy computes them."""
    return np.stack(
        [
            np.einsum("ia,ajke->ijke", D, u),
            np.einsum("ja,iake->ijke", D, u),
            np.einsum("ka,ijae->ijke", D, u),
        ]
    )


def numpy_operator(mesh: Mesh, tau: float, values: np.ndarray) -> np.ndarray:
    """(M + τK) v by NumPy, for comparison."""
    r, s, t = (g.reshape(-1, order="F") for g in derivatives(mesh.D, values[mesh.numbers]))
    f = mesh.factors
    turned = [f[0] * r + f[1] * s + f[2] * t, f[1] * r + f[3] * s + f[4] * t, f[2] * r + f[4] * s + f[5] * t]
    r, s, t = (g.reshape(mesh.numbers.shape, order="F") for g in turned)
    local = np.einsum("ai,ajke->ijke", mesh.D, r)
    local += np.einsum("aj,iake->ijke", mesh.D, s) + np.einsum("ak,ijae->ijke", mesh.D, t)
    summed = np.bincount(mesh.numbers.reshape(-1, order="F"), local.reshape(-1, order="F"))
    return np.where(mesh.mass > 0, mesh.mass * values + tau * summed, 0.0)


# The solver.


class Heat:
    """The operator and the time steps, on dpnp's arrays."""

    def __init__(self, mesh: Mesh, time_step: float) -> None:
        N, count = mesh.numbers.shape[0], mesh.numbers.shape[-1]
        self.tau, self.elements, self.unknowns = time_step / 2, count, mesh.mass.size
        self.mass, self.factors = dpnp.asarray(mesh.mass), dpnp.asarray(mesh.factors)
        self.inverse_mass = dpnp.asarray(np.divide(1, mesh.mass, where=mesh.mass > 0, out=np.zeros_like(mesh.mass)))
        flat = mesh.numbers.reshape(-1, order="F")
        self.numbers = dpnp.asarray(flat)
        # where the copies of each point are, one point after another
        self.places = dpnp.asarray(np.argsort(flat, kind="stable"))
        self.starts = dpnp.asarray(np.concatenate([[0], np.cumsum(np.bincount(flat))]))
        self.u, self.r, self.s, self.t = (dpnp.zeros(flat.size) for _ in range(4))
        self.D = dpnp.asarray(mesh.D, order="F")

        # The same memory as pytl's kernels see it: an element's points in three modes, the element last.
        self.fields = [x.reshape(count, N, N, N).T for x in (self.u, self.r, self.s, self.t)]
        gradient, self.divergence = make_kernels(N)
        u, r, s, t = self.fields
        self.gradient = gradient.dpex(count, u, self.D, r, s, t)

    def apply(self, tau: float, values: Any) -> Any:
        """(M + τK) v."""
        result = dpnp.empty_like(values)
        local = kernel_api.Range(self.u.size)
        numba_dpex.call_kernel(gather, local, self.numbers, values, self.u)
        numba_dpex.call_kernel(*self.gradient)
        numba_dpex.call_kernel(metric, local, self.factors, self.r, self.s, self.t)
        u, r, s, t = self.fields
        self.divergence[self.elements](r, s, t, self.D, u)
        every = kernel_api.Range(self.unknowns)
        numba_dpex.call_kernel(assemble, every, self.starts, self.places, self.u, self.mass, tau, values, result)
        return result

    def step(self, values: Any) -> tuple[Any, int, float]:
        """A step in time: the new values, the iterations, and the residual relative to the right-hand side."""
        b = self.apply(-self.tau, values)
        x = values.copy()
        residual = b - self.apply(self.tau, x)
        z = self.inverse_mass * residual
        direction, old = z, float(dpnp.dot(residual, z))
        limit = TOLERANCE * float(dpnp.sqrt(dpnp.dot(b, b)))
        for iteration in range(1000):
            size = float(dpnp.sqrt(dpnp.dot(residual, residual)))
            if size <= limit:
                return x, iteration, size * TOLERANCE / limit if limit else 0.0
            product = self.apply(self.tau, direction)
            alpha = old / float(dpnp.dot(direction, product))
            x += alpha * direction
            residual -= alpha * product
            z = self.inverse_mass * residual
            new = float(dpnp.dot(residual, z))
            direction, old = z + (new / old) * direction, new
        raise SystemExit(f"no convergence: a residual of {size:.1e} after {iteration + 1} iterations")

    def addresses(self) -> list[int]:
        """Where the fields of the elements lie."""
        return [field.get_array()._pointer for field in (self.u, self.r, self.s, self.t)]


def median_seconds(run: Callable[[], Any], repetitions: int = 9) -> float:
    """The median time of several runs."""
    times = []
    for _ in range(repetitions):
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def main(elements: int = 4, order: int = 7, steps: int = 5, time_step: float = 1e-3) -> None:
    if min(elements, order) < 1 or elements * order < 2:
        raise SystemExit("there must be a point inside of the box: two elements along an edge, or an order of 2")
    mesh = make_mesh(elements, order + 1)
    heat = Heat(mesh, time_step)
    device = heat.u.sycl_device.filter_string
    print(f"{elements**3} elements of order {order}, {mesh.mass.size} points, on {device}")

    began = time.perf_counter()
    random = np.random.default_rng(0).standard_normal(mesh.mass.size)
    applied = dpnp.asnumpy(heat.apply(heat.tau, dpnp.asarray(random)))
    print(f"  first application, five kernels compiled   {time.perf_counter() - began:8.3f} s")
    expected = numpy_operator(mesh, heat.tau, random)
    difference = np.abs(applied - expected).max() / np.abs(expected).max()
    if not difference < 1e-13:
        raise SystemExit(f"wrong: the operator differs from NumPy's by {difference:.1e}")
    print(f"  largest difference from NumPy              {difference:8.1e}")

    before = heat.addresses()
    mode = np.sin(np.pi * mesh.points).prod(axis=0) * (mesh.mass > 0)
    values = dpnp.asarray(mode)
    print("  step    time  iterations  residual     error")
    for step in range(1, steps + 1):
        values, iterations, residual = heat.step(values)
        now = step * time_step
        error = np.abs(dpnp.asnumpy(values) - mode * np.exp(-3 * np.pi**2 * now)).max()
        print(f"  {step:4d}  {now:6.4f}  {iterations:10d}  {residual:8.1e}  {error:8.1e}")

    passed = [argument._pointer for argument in heat.gradient.arguments if hasattr(argument, "_pointer")]
    fields = [passed[0], *passed[2:]]  # the second is D
    if not before == heat.addresses() == fields:
        raise SystemExit("wrong: a field of the elements was copied")
    print("  the fields of the elements are where they were, for dpnp, numba-dpex and pytl: nothing was copied")

    ours = median_seconds(lambda: heat.apply(heat.tau, values))
    theirs = median_seconds(lambda: numpy_operator(mesh, heat.tau, random), 3)
    print(f"  applying the operator: {ours * 1e3:.2f} ms, by NumPy {theirs * 1e3:.2f} ms")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Heat in a box, by numba-dpex, dpnp and pytl.")
    parser.add_argument("--elements", type=int, default=4, help="along each edge of the box")
    parser.add_argument("--order", type=int, default=7, help="of the polynomials in an element")
    parser.add_argument("--steps", type=int, default=5)
    parser.add_argument("--time-step", type=float, default=1e-3)
    main(**vars(parser.parse_args()))
