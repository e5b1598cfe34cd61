"""Matrices of a solver of the elastic wave equation on tetrahedra, from their definition, and where they are zero.

Functions on the reference tetrahedron are Dubiner's orthogonal polynomials, sorted by degree. An entry of a stiffness
matrix is the integral of a function's derivative times another function, over the norm of the former.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np

STRESS = {"xx": 0, "yy": 1, "zz": 2, "xy": 3, "yz": 4, "xz": 5}
VELOCITY = {"x": 6, "y": 7, "z": 8}


def star() -> np.ndarray:
    """Which entries of A in Q_p += I_q A_qp are not zero: a sum of the Jacobians of the three directions."""
    mask = np.zeros((9, 9), bool)
    for name, stress in STRESS.items():
        for along, velocity in VELOCITY.items():
            mask[velocity, stress] = along in name or name[0] == name[1]  # stress changes by gradients of the velocity
            mask[stress, velocity] = along in name  # velocity by the divergence of the stress
    return mask


def functions(order: int) -> list[tuple[int, int, int]]:
    """The degrees of each function in its three variables, sorted by the total degree."""
    return [(d - k - j, j, k) for d in range(order) for k in range(d + 1) for j in range(d - k + 1)]


def stiffness(order: int) -> list[np.ndarray]:
    """The stiffness matrices along x, y and z, with columns for the functions of lower degree alone."""
    points, weights = _quadrature(order + 1)
    values = np.array([_value(degrees, *points) for degrees in functions(order)])
    monomials = [powers for powers in product(range(order), repeat=3) if sum(powers) < order]
    of_monomials = np.linalg.lstsq(_evaluated(monomials, points).T, values.T, rcond=None)[0].T
    norms = (values * weights * values).sum(axis=1)
    matrices = []
    for along in range(3):
        factors = np.array([powers[along] for powers in monomials])
        lower = [tuple(max(n - (mode == along), 0) for mode, n in enumerate(powers)) for powers in monomials]
        derivatives = of_monomials @ (factors[:, None] * _evaluated(lower, points))
        matrix = (derivatives * weights) @ values.T / norms[:, None]
        matrix[np.abs(matrix) < 1e-8] = 0
        matrices.append(matrix[:, : len(functions(order - 1))])
    return matrices


def fluxes(order: int, face: int) -> tuple[np.ndarray, np.ndarray]:
    """What lifts functions of a face, polynomials of two variables, to those of the element, and what restricts these.

    The faces are those where z, y and x are zero, and the one between the three other corners.
    """
    points, weights = _quadrature(order + 1)
    on_element = np.array([_value(degrees, *points) for degrees in functions(order)])
    norms = (on_element * weights * on_element).sum(axis=1)
    nodes, of_nodes = np.polynomial.legendre.leggauss(order + 2)
    a, b = (each.ravel() for each in np.meshgrid(*[(nodes + 1) / 2] * 2, indexing="ij"))
    weights = np.multiply.outer(of_nodes, of_nodes).ravel() / 4 * (1 - b)
    r, s, none = a * (1 - b), b, np.zeros_like(a)
    x, y, z = [(r, s, none), (r, none, s), (none, r, s), (1 - r - s, r, s)][face]
    of_face = np.array([_value(degrees, r, s, none) for degrees in functions(order) if degrees[2] == 0])
    integrals = (np.array([_value(degrees, x, y, z) for degrees in functions(order)]) * weights) @ of_face.T
    integrals[np.abs(integrals) < 1e-8] = 0
    return integrals / norms[:, None], integrals.T / (of_face * weights * of_face).sum(axis=1)[:, None]


def _evaluated(monomials: list[tuple[int, ...]], points: np.ndarray) -> np.ndarray:
    return np.array([np.prod([x**n for x, n in zip(points, powers)], axis=0) for powers in monomials])


def _quadrature(count: int) -> tuple[np.ndarray, np.ndarray]:
    """Points and weights of the tetrahedron: Gauss's, on a cube that is collapsed to it."""
    nodes, of_nodes = np.polynomial.legendre.leggauss(count + 1)
    a, b, c = np.meshgrid(*[(nodes + 1) / 2] * 3, indexing="ij")
    weights = np.prod(np.meshgrid(*[of_nodes / 2] * 3, indexing="ij"), axis=0)
    y = b * (1 - c)
    x = a * (1 - y - c)
    return np.array([x, y, c]).reshape(3, -1), (weights * (1 - c) * (1 - y - c)).ravel()


def _value(degrees: tuple[int, int, int], x: np.ndarray, y: np.ndarray, z: np.ndarray) -> np.ndarray:
    """One of Dubiner's polynomials, inside of the tetrahedron."""
    i, j, k = degrees
    a, b, c = 2 * x / (1 - y - z) - 1, 2 * y / (1 - z) - 1, 2 * z - 1
    first = _jacobi(i, 0, a)
    second = ((1 - b) / 2) ** i * _jacobi(j, 2 * i + 1, b)
    third = ((1 - c) / 2) ** (i + j) * _jacobi(k, 2 * (i + j) + 2, c)
    return first * second * third


def _jacobi(degree: int, alpha: int, x: np.ndarray) -> np.ndarray:
    """The Jacobi polynomial of a degree with beta = 0, by its recurrence."""
    *_, last = _recurrence(degree, alpha, x)
    return last


def _recurrence(degree: int, alpha: int, x: np.ndarray) -> Iterator[np.ndarray]:
    before, now = np.zeros_like(x), np.ones_like(x)
    yield now
    for n in range(degree):
        if n == 0:
            before, now = now, ((alpha + 2) * x + alpha) / 2
        else:
            both = 2 * n + alpha
            scaled = (both + 1) * (both * (both + 2) * x + alpha**2) * now - 2 * (n + alpha) * n * (both + 2) * before
            before, now = now, scaled / (2 * (n + 1) * (n + alpha + 1) * both)
        yield now
