"""The data of each workload, and what is to be found. Arrays have the batch first, items in row-major order."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

Arrays = dict[str, np.ndarray]
EPSILON = 1e-5
"""What a layer norm adds to the variance."""


@dataclass(frozen=True)
class Case:
    """A row of a table."""

    table: str
    row: str
    kind: str
    """The name of the functions that compute it."""
    dtype: str
    work: float
    """Operations of all items."""
    steps: int
    """Roundings on the way to an entry."""
    arrays: Callable[[], Arrays]
    """In the order of parameters; what all items share has no batch."""
    result: Callable[..., np.ndarray]
    """From the arrays, in f64."""
    counts: Callable[[np.ndarray], np.ndarray] = lambda result: result
    """The part of a result that counts."""

    def given(self) -> Arrays:
        return {name: array.astype(self.dtype) for name, array in self.arrays().items()}

    def expected(self, given: Arrays) -> np.ndarray:
        found = self.result(**{name: array.astype(np.float64) for name, array in given.items()})
        return self.counts(np.ascontiguousarray(found, self.dtype))


def normal(**shapes: tuple[int, ...]) -> Arrays:
    """Standard normal numbers, over the root of the size of a tensor's last mode."""
    random = np.random.default_rng(1)
    return {name: random.standard_normal(shape) / np.sqrt(shape[-1]) for name, shape in shapes.items()}


# Learning


def gelu(x: np.ndarray) -> np.ndarray:
    return 0.5 * x * (1 + np.tanh(0.7978845608 * (x + 0.044715 * x**3)))


def perceptron(X: np.ndarray, W: np.ndarray, b: np.ndarray, V: np.ndarray, c: np.ndarray) -> np.ndarray:
    return gelu(X @ W.T + b) @ V.T + c


def softmax(x: np.ndarray) -> np.ndarray:
    raised = np.exp(x - x.max(-1, keepdims=True))
    return raised / raised.sum(-1, keepdims=True)


def attention(Q: np.ndarray, K: np.ndarray, V: np.ndarray) -> np.ndarray:
    return softmax(Q @ K.swapaxes(1, 2) / np.sqrt(Q.shape[2])) @ V


def flash_block(
    Q: np.ndarray,
    K: np.ndarray,
    V: np.ndarray,
    M: np.ndarray,
    L: np.ndarray,
    O: np.ndarray,  # noqa: E741
) -> np.ndarray:
    scores = Q @ K.swapaxes(1, 2) / np.sqrt(Q.shape[2])
    larger = np.maximum(M, scores.max(2))
    weights, shrink = np.exp(scores - larger[..., None]), np.exp(M - larger)
    return (O * (L * shrink)[..., None] + weights @ V) / (L * shrink + weights.sum(2))[..., None]


def layer_norm(X: np.ndarray) -> np.ndarray:
    centred = X - X.mean(-1, keepdims=True)
    return centred / np.sqrt((centred**2).mean(-1, keepdims=True) + EPSILON)


def layer_norm_product(X: np.ndarray, W: np.ndarray) -> np.ndarray:
    return layer_norm(X) @ W.T


def sigmoid(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-x))


def gru(X: np.ndarray, H: np.ndarray, W: np.ndarray, U: np.ndarray, b: np.ndarray) -> np.ndarray:
    x, h, n = X @ W.T + b, H @ U.T, H.shape[2]
    reset, update = sigmoid(x[..., :n] + h[..., :n]), sigmoid(x[..., n : 2 * n] + h[..., n : 2 * n])
    new = np.tanh(x[..., 2 * n :] + reset * h[..., 2 * n :])
    return new + update * (H - new)


def learning(g: int) -> Iterator[Case]:
    t, d = 16, 32
    case = partial(Case, "learning", dtype="float32")
    sizes = {"X": (g, t, d), "W": (64, d), "b": (64,), "V": (d, 64), "c": (d,)}
    yield case(
        "GELU perceptron, 16×32, 64 hidden", "perceptron", work=4.0 * g * t * 64 * d, steps=96,
        arrays=partial(normal, **sizes), result=perceptron,
    )  # fmt: skip
    heads = dict.fromkeys("QKV", (g, 32, 32))
    work = 4.0 * g * 32**3
    yield case("attention, 32×32", "attention", work=work, steps=64, arrays=partial(normal, **heads), result=attention)
    running = {"M": (g, 32), "L": (g, 32), "O": (g, 32, 32)}

    def flash() -> Arrays:
        made = normal(**heads, **running)
        return {**made, "L": 1 + made["L"] ** 2}

    yield case("flash attention, a block, 32×32", "flash_block", work=work, steps=64, arrays=flash, result=flash_block)
    rows = {"X": (g, 16, 64)}
    yield case(
        "layer norm, 16×64", "layer_norm", work=6.0 * g * 16 * 64, steps=64,
        arrays=partial(normal, **rows), result=layer_norm,
    )  # fmt: skip
    yield case(
        "layer norm, product, 16×64 by 64×32", "layer_norm_product", work=2.0 * g * 16 * 64 * 32, steps=128,
        arrays=partial(normal, **rows, W=(32, 64)), result=layer_norm_product,
    )  # fmt: skip
    cell = {"X": (g, 8, 32), "H": (g, 8, 32), "W": (96, 32), "U": (96, 32), "b": (96,)}
    yield case(
        "GRU step, 8×32", "gru", work=4.0 * g * 8 * 96 * 32, steps=64, arrays=partial(normal, **cell), result=gru
    )


# Factorisations


def definite(g: int, n: int) -> Arrays:
    A = normal(A=(g, n, n))["A"]
    return {"A": A @ A.swapaxes(1, 2) + np.eye(n)}


def dominant(g: int, n: int) -> Arrays:
    """Matrices for which partial pivoting exchanges nothing."""
    return {"A": normal(A=(g, n, n))["A"] + 4 * np.sqrt(n) * np.eye(n)}


def lu(A: np.ndarray) -> np.ndarray:
    A = A.copy()
    for k in range(A.shape[1]):
        A[:, k + 1 :, k] /= A[:, k, k, None]
        A[:, k + 1 :, k + 1 :] -= A[:, k + 1 :, k, None] * A[:, k, None, k + 1 :]
    return A


def triangular(g: int, n: int, columns: int) -> Arrays:
    L = np.tril(normal(L=(g, n, n))["L"]) + 2 * np.eye(n)
    return {"L": L, **normal(B=(g, n, columns))}


def kalman_arrays(g: int) -> Arrays:
    F, H = np.eye(4) + 0.1 * np.eye(4, k=2), np.eye(2, 4)
    P = definite(g, 4)["A"]
    return {"F": F, "H": H, "Q": 0.01 * np.eye(4), "R": 0.25 * np.eye(2), **normal(Z=(g, 2), X=(g, 4)), "P": P}


def kalman(
    F: np.ndarray, H: np.ndarray, Q: np.ndarray, R: np.ndarray, Z: np.ndarray, X: np.ndarray, P: np.ndarray
) -> np.ndarray:
    X, P = X @ F.T, F @ P @ F.T + Q
    gain = P @ H.T @ np.linalg.inv(H @ P @ H.T + R)
    X = X + (gain @ (Z - X @ H.T)[..., None])[..., 0]
    return np.concatenate([X[..., None], P - gain @ H @ P], 2)


def quaternions(P: np.ndarray, Q: np.ndarray) -> np.ndarray:
    a, b, c, d = np.moveaxis(P, 2, 0)
    e, f, g, h = np.moveaxis(Q, 2, 0)
    product = (
        *(a * e - b * f - c * g - d * h, a * f + b * e + c * h - d * g),
        *(a * g - b * h + c * e + d * f, a * h + b * g - c * f + d * e),
    )
    return np.stack(product, 2)


def small(g: int) -> Iterator[Case]:
    case = partial(Case, "small matrices", dtype="float64")
    for n in (6, 8, 12, 16, 24):
        yield case(
            f"Cholesky, {n}", "cholesky", work=g * n**3 / 3, steps=8 * n,
            arrays=partial(definite, g, n), result=lambda A: np.linalg.cholesky(A), counts=np.tril,
        )  # fmt: skip
    for n in (6, 8, 12, 16, 24):
        yield case(f"LU, {n}", "lu", work=g * 2 * n**3 / 3, steps=8 * n, arrays=partial(dominant, g, n), result=lu)
    for n in (6, 12, 24):
        yield case(
            f"triangular solve, {n}, 8 columns", "solve", work=g * 8.0 * n**2, steps=8 * n,
            arrays=partial(triangular, g, n, 8), result=lambda L, B: np.linalg.solve(L, B),
        )  # fmt: skip
    yield case(
        "Kalman step, 4 states", "kalman", work=g * 600.0, steps=64, arrays=partial(kalman_arrays, g), result=kalman
    )
    rotations = dict.fromkeys("PQ", (g, 64, 4))
    yield case(
        "quaternion products, 64", "quaternions", dtype="float32", work=g * 64 * 28.0, steps=8,
        arrays=partial(normal, **rotations), result=quaternions,
    )  # fmt: skip


# Numbers of each item

NEWTON_STEPS = 6


def uniform(low: float, high: float, **shapes: tuple[int, ...]) -> Arrays:
    random = np.random.default_rng(1)
    return {name: random.uniform(low, high, shape) for name, shape in shapes.items()}


def kepler(M: np.ndarray, e: np.ndarray) -> np.ndarray:
    x = M
    for _ in range(NEWTON_STEPS):
        x = x - (x - e * np.sin(x) - M) / (1 - e * np.cos(x))
    return x


def haversine(P: np.ndarray) -> np.ndarray:
    a, b, c, d = P.T
    s, t = np.sin((c - a) / 2), np.sin((d - b) / 2)
    return 2 * np.sqrt(s * s + np.cos(a) * np.cos(c) * t * t)


def boys(T: np.ndarray, x: np.ndarray, w: np.ndarray) -> np.ndarray:
    return (w * np.exp(-T[:, None] * x * x)).sum(1)


def gauss(g: int) -> Arrays:
    x, w = np.polynomial.legendre.leggauss(16)
    return {**uniform(0.0, 10.0, T=(g,)), "x": 0.5 + 0.5 * x, "w": 0.5 * w}


def neo_hookean(F: np.ndarray) -> np.ndarray:
    inverse = np.linalg.inv(F)
    return 2 * F + (3 * np.log(np.linalg.det(F)) - 2)[:, None, None] * inverse.swapaxes(1, 2)


def deformations(g: int) -> Arrays:
    return {"F": np.eye(3) + 0.2 * normal(F=(g, 3, 3))["F"]}


def euler_flux(U: np.ndarray) -> np.ndarray:
    r, u, v, w = U[:, 0], *(U[:, 1:4] / U[:, :1]).T
    p = 0.4 * (U[:, 4] - 0.5 * r * (u * u + v * v + w * w))
    fluxes = (r * u, r * u * u + p, r * u * v, r * u * w, u * (U[:, 4] + p))
    return np.stack([a + np.sqrt(1.4 * p / r) * b for a, b in zip(fluxes, U.T)], 1)


def states(g: int) -> Arrays:
    U = uniform(0.5, 1.0, U=(g, 5))["U"]
    U[:, 4] += 3
    return {"U": U}


def numbers(g: int) -> Iterator[Case]:
    case = partial(Case, "numbers of each item", dtype="float64")
    yield case(
        f"Kepler's equation, {NEWTON_STEPS} steps", "kepler", work=g * NEWTON_STEPS * 8.0, steps=64,
        arrays=lambda: {**uniform(0.0, 6.0, M=(g,)), **uniform(0.0, 0.5, e=(g,))}, result=kepler,
    )  # fmt: skip
    yield case(
        "great-circle distance", "haversine", work=g * 15.0, steps=64,
        arrays=partial(uniform, 0.0, 1.5, P=(g, 4)), result=haversine,
    )  # fmt: skip
    yield case("Boys function, 16 points", "boys", work=g * 64.0, steps=32, arrays=partial(gauss, g), result=boys)
    yield case(
        "neo-Hookean stress", "neo_hookean", work=g * 60.0, steps=64,
        arrays=partial(deformations, g), result=neo_hookean,
    )  # fmt: skip
    yield case("flux of the Euler equations", "euler_flux", work=g * 40.0, steps=32, arrays=partial(states, g),
               result=euler_flux)  # fmt: skip


# Grids and loops


BINS, TOLERANCE, MOST_STEPS = 32, 1e-9, 30
"""Bins of a histogram of numbers in [0, 1); the change below which a root is found, and the most steps to it."""


def periodic(U: np.ndarray) -> np.ndarray:
    return U - 0.5 * (np.roll(U, -1, 1) - np.roll(U, 1, 1))


def window(X: np.ndarray, W: np.ndarray) -> np.ndarray:
    padded = np.pad(X, ((0, 0), (2, 2), (2, 2)), "edge")
    return sum(W[a, b] * padded[:, a : a + X.shape[1], b : b + X.shape[2]] for a in range(5) for b in range(5))


def histogram(X: np.ndarray) -> np.ndarray:
    bins = (X * BINS).astype(int)
    return (bins[..., None] == np.arange(BINS)).sum(1)


def triangle(L: np.ndarray, x: np.ndarray) -> np.ndarray:
    return (np.tril(L) @ x[..., None])[..., 0]


def root(a: np.ndarray) -> np.ndarray:
    return np.cbrt(a)


def grids(g: int) -> Iterator[Case]:
    case = partial(Case, "grids and loops")
    yield case("periodic advection, 512 points", "periodic", dtype="float32", work=g * 512 * 3.0, steps=8,
               arrays=partial(normal, U=(g, 512)), result=periodic)  # fmt: skip
    yield case("window of 5×5 with clamped edges, 32×32", "window", dtype="float32", work=g * 1024 * 50.0, steps=32,
               arrays=partial(normal, X=(g, 32, 32), W=(5, 5)), result=window)  # fmt: skip
    yield case(f"histogram of 512 numbers, {BINS} bins", "histogram", dtype="float32", work=g * 512 * 2.0, steps=1,
               arrays=partial(uniform, 0.0, 1.0, X=(g, 512)), result=histogram)  # fmt: skip
    yield case("triangular product, 32×32", "triangle", dtype="float64", work=g * 32 * 33.0, steps=64,
               arrays=partial(normal, L=(g, 32, 32), x=(g, 32)), result=triangle)  # fmt: skip
    yield case("cube root by Newton's iteration until it stays", "root", dtype="float64", work=g * 16 * 40.0, steps=8,
               arrays=partial(uniform, 0.5, 8.0, a=(g, 16)), result=root)  # fmt: skip


# Finite elements


def stiffness_matrix(B: np.ndarray, D: np.ndarray, w: np.ndarray) -> np.ndarray:
    return np.einsum("gqia,gqib->gab", B, w[..., None, None] * (D @ B))


def laplacian(K: np.ndarray, w: np.ndarray, U: np.ndarray) -> np.ndarray:
    terms = ("ia,gajk,j,k->gijk", "ja,giak,i,k->gijk", "ka,gija,i,j->gijk")
    return sum(np.einsum(term, K, U, w, w, optimize=True) for term in terms)


def along(B: np.ndarray, U: np.ndarray) -> np.ndarray:
    """B applied along each of three modes."""
    U = np.einsum("ai,gijk->gajk", B, U, optimize=True)
    U = np.einsum("bj,gajk->gabk", B, U, optimize=True)
    return np.einsum("ck,gabk->gabc", B, U, optimize=True)


def interpolation(B: np.ndarray, U: np.ndarray) -> np.ndarray:
    return along(B, U)


def mass(B: np.ndarray, W: np.ndarray, U: np.ndarray) -> np.ndarray:
    return along(B.T, W * along(B, U))


def stiffness(D: np.ndarray, G: np.ndarray, U: np.ndarray) -> np.ndarray:
    terms = ("ai,gijk->gajk", "bj,gijk->gibk", "ck,gijk->gijc")
    x, y, z = (np.einsum(term, D, U, optimize=True) for term in terms)
    a, b, c, d, e, f = np.moveaxis(G, 1, 0)
    flux = (a * x + b * y + c * z, b * x + d * y + e * z, c * x + e * y + f * z)
    return sum(np.einsum(term, D.T, each, optimize=True) for term, each in zip(terms, flux))


def elements(g: int) -> Iterator[Case]:
    case = partial(Case, "finite elements", dtype="float64")
    sizes = {"B": (g, 8, 6, 24), "D": (6, 6), "w": (g, 8)}
    yield case(
        "element stiffness, 24×24", "stiffness_matrix", work=g * 8 * (2.0 * 6 * 6 * 24 + 2 * 24 * 24 * 6), steps=64,
        arrays=partial(normal, **sizes), result=stiffness_matrix,
    )  # fmt: skip
    cube = (g, 6, 6, 6)
    yield case(
        "sum-factorised Laplacian, order 5", "laplacian", work=g * 6.0 * 6**4, steps=64,
        arrays=partial(normal, K=(6, 6), w=(6,), U=cube), result=laplacian,
    )  # fmt: skip
    for order in range(3, 10):
        n, q = order + 1, order + 2
        work = g * 2.0 * (q * n**3 + q**2 * n**2 + q**3 * n)
        yield case(
            f"sum factorisation, order {order}", "interpolation", work=work, steps=64,
            arrays=partial(normal, B=(q, n), U=(g, n, n, n)), result=interpolation,
        )  # fmt: skip
    for order in (3, 5, 7):
        n, q = order + 1, order + 2
        work = g * (4.0 * (q * n**3 + q**2 * n**2 + q**3 * n) + q**3)
        sizes = {"B": (q, n), "W": (g, q, q, q), "U": (g, n, n, n)}
        yield case(
            f"mass operator, order {order}", "mass", work=work, steps=128,
            arrays=partial(normal, **sizes), result=mass,
        )  # fmt: skip
    for order in (3, 5, 7):
        n = order + 1
        sizes = {"D": (n, n), "G": (g, 6, n, n, n), "U": (g, n, n, n)}
        yield case(
            f"stiffness operator, order {order}", "stiffness", work=g * (12.0 * n**4 + 15 * n**3), steps=128,
            arrays=partial(normal, **sizes), result=stiffness,
        )  # fmt: skip


# Tensors


def contraction(subscripts: str) -> Callable[..., np.ndarray]:
    return lambda A, B: np.einsum(subscripts, A, B, optimize=True)


CONTRACTIONS = {
    "CCSD, particle-particle ladder": ("abef,efij->abij", dict(zip("abefij", (24, 24, 24, 24, 12, 12)))),
    "CCSD, ring": ("aeim,mbej->abij", dict(zip("abeijm", (24, 24, 24, 12, 12, 12)))),
    "four modes": ("aebf,dfce->abcd", dict(zip("abcdef", (28, 24) * 3))),
}


def tensors() -> Iterator[Case]:
    for row, (subscripts, sizes) in CONTRACTIONS.items():
        left, right, _ = subscripts.replace("->", ",").split(",")
        shapes = {name: tuple(sizes[mode] for mode in modes) for name, modes in (("A", left), ("B", right))}
        work = 2.0 * float(np.prod([*sizes.values()]))
        yield Case(
            "tensors", f"{row}, {subscripts}", subscripts, "float64", work, 1024, partial(normal, **shapes),
            contraction(subscripts),
        )  # fmt: skip


def cases(items: int) -> dict[str, Case]:
    """All of them by their rows, with so many items where there are several."""
    listed = (*learning(items), *small(items), *numbers(items), *grids(items), *elements(items), *tensors())
    return {case.row: case for case in listed}


CASES = cases(4096)
