"""The workloads as kernels of pytl, an item per work-group.

Rows of features and cubes of points have their modes reversed, as a row-major array is a column-major one with its
modes reversed; matrices of linear algebra are column-major with the batch last.
"""

# Without `from __future__ import annotations`: those of the kernels have names of the functions around them.
from collections.abc import Callable
from typing import Any

import numpy as np
from memory import on_device, on_host

import pytl
from peers.natural.cases import BINS, EPSILON, MOST_STEPS, NEWTON_STEPS, TOLERANCE, Arrays
from pytl import (
    Memref,
    alloca,
    atomic,
    contract,
    cos,
    exp,
    f32,
    f64,
    foreach,
    fuse,
    gemm,
    gemv,
    group_id,
    index,
    log,
    rsqrt,
    sin,
    sqrt,
    tanh,
)


def gelu(x):  # type: ignore[no-untyped-def]
    return 0.5 * x * (1.0 + tanh(0.7978845608 * (x + 0.044715 * x * x * x)))


def sigmoid(x):  # type: ignore[no-untyped-def]
    return 1.0 / (1.0 + exp(-x))


def softmax(columns):  # type: ignore[no-untyped-def]
    n = columns.shape[0]
    for t in foreach(columns.shape[1]):
        largest = columns[0, t]
        for i in range(n):
            largest = max(largest, columns[i, t])
        total = f32(0.0)
        for i in range(n):
            columns[i, t] = exp(columns[i, t] - largest)
            total += columns[i, t]
        for i in range(n):
            columns[i, t] = columns[i, t] / total


def normalise(x, y):  # type: ignore[no-untyped-def]
    n = x.shape[0]
    for t in foreach(x.shape[1]):
        total = f32(0.0)
        for i in range(n):
            total += x[i, t]
        mean = total / float(n)
        squares = f32(0.0)
        for i in range(n):
            off = x[i, t] - mean
            squares += off * off
        factor = rsqrt(squares / float(n) + EPSILON)
        for i in range(n):
            y[i, t] = (x[i, t] - mean) * factor


def perceptron(X, W, b, V, c):  # type: ignore[no-untyped-def]
    (d, t, _), h = X, W[0]

    @pytl.kernel
    def kernel(
        X: Memref[f32, d, t, ...],
        W: Memref[f32, h, d],
        b: Memref[f32, h],
        V: Memref[f32, d, h],
        c: Memref[f32, d],
        Y: Memref[f32, d, t, ...],
    ):
        g = group_id()
        hidden, y = alloca(f32, h, t), Y[:, :, g]
        gemm(1.0, W, X[:, :, g], 0.0, hidden)
        for i, j in foreach((0, 0), (h, t)):
            hidden[i, j] = gelu(hidden[i, j] + b[i])
        gemm(1.0, V, hidden, 0.0, y)
        for i, j in foreach((0, 0), (d, t)):
            y[i, j] += c[i]

    return kernel


def attention(Q, K, V):  # type: ignore[no-untyped-def]
    d, t, _ = Q

    @pytl.kernel
    def kernel(
        Q: Memref[f32, d, t, ...], K: Memref[f32, d, t, ...], V: Memref[f32, d, t, ...], Y: Memref[f32, d, t, ...]
    ):
        g = group_id()
        scores = alloca(f32, t, t)
        gemm(1.0 / d**0.5, K[:, :, g].T, Q[:, :, g], 0.0, scores)
        softmax(scores)
        gemm(1.0, V[:, :, g], scores, 0.0, Y[:, :, g])

    return kernel


def flash_block(Q, K, V, M, L, O):  # type: ignore[no-untyped-def]  # noqa: E741
    d, t, _ = Q

    @pytl.kernel
    def kernel(
        Q: Memref[f32, d, t, ...],
        K: Memref[f32, d, t, ...],
        V: Memref[f32, d, t, ...],
        M: Memref[f32, t, ...],
        L: Memref[f32, t, ...],
        O: Memref[f32, d, t, ...],  # noqa: E741
        Y: Memref[f32, d, t, ...],
    ):
        g = group_id()
        y = Y[:, :, g]
        scores, kept, sums = alloca(f32, t, t), alloca(f32, t), alloca(f32, t)
        gemm(1.0 / d**0.5, K[:, :, g].T, Q[:, :, g], 0.0, scores)
        for j in foreach(t):
            larger = M[j, g]
            for i in range(t):
                larger = max(larger, scores[i, j])
            kept[j] = L[j, g] * exp(M[j, g] - larger)
            total = kept[j]
            for i in range(t):
                scores[i, j] = exp(scores[i, j] - larger)
                total += scores[i, j]
            sums[j] = total
        gemm(1.0, V[:, :, g], scores, 0.0, y)
        for i, j in foreach((0, 0), (d, t)):
            y[i, j] = (O[i, j, g] * kept[j] + y[i, j]) / sums[j]

    return kernel


def layer_norm(X):  # type: ignore[no-untyped-def]
    n, t, _ = X

    @pytl.kernel
    def kernel(X: Memref[f32, n, t, ...], Y: Memref[f32, n, t, ...]):
        g = group_id()
        normalise(X[:, :, g], Y[:, :, g])

    return kernel


def layer_norm_product(X, W):  # type: ignore[no-untyped-def]
    (n, t, _), m = X, W[0]

    @pytl.kernel
    def kernel(X: Memref[f32, n, t, ...], W: Memref[f32, m, n], Y: Memref[f32, m, t, ...]):
        g = group_id()
        normal = alloca(f32, n, t)
        normalise(X[:, :, g], normal)
        gemm(1.0, W, normal, 0.0, Y[:, :, g])

    return kernel


def gru(X, H, W, U, b):  # type: ignore[no-untyped-def]
    (d, t, _), n = X, H[0]

    @pytl.kernel
    def kernel(
        X: Memref[f32, d, t, ...],
        H: Memref[f32, n, t, ...],
        W: Memref[f32, 3 * n, d],
        U: Memref[f32, 3 * n, n],
        b: Memref[f32, 3 * n],
        Y: Memref[f32, n, t, ...],
    ):
        g = group_id()
        x, h = alloca(f32, 3 * n, t), alloca(f32, 3 * n, t)
        gemm(1.0, W, X[:, :, g], 0.0, x)
        gemm(1.0, U, H[:, :, g], 0.0, h)
        for i, j in foreach((0, 0), (n, t)):
            reset = sigmoid(x[i, j] + b[i] + h[i, j])
            update = sigmoid(x[n + i, j] + b[n + i] + h[n + i, j])
            new = tanh(x[2 * n + i, j] + b[2 * n + i] + reset * h[2 * n + i, j])
            Y[i, j, g] = new + update * (H[i, j, g] - new)

    return kernel


def cholesky(A):  # type: ignore[no-untyped-def]
    n = A[0]

    @pytl.kernel
    def kernel(A: Memref[f64, n, n, ...], L: Memref[f64, n, n, ...]):
        g = group_id()
        a = L[:, :, g]
        a[:] = A[:, :, g]
        for j in range(n):
            root = sqrt(a[j, j])
            for i in foreach(j, n):
                a[i, j] = a[i, j] / root
            for i, k in foreach((j + 1, j + 1), (n, n)):
                a[i, k] -= a[i, j] * a[k, j]

    return kernel


def lu(A):  # type: ignore[no-untyped-def]
    n = A[0]

    @pytl.kernel
    def kernel(A: Memref[f64, n, n, ...], Y: Memref[f64, n, n, ...]):
        g = group_id()
        a = Y[:, :, g]
        a[:] = A[:, :, g]
        for k in range(n):
            for i in foreach(k + 1, n):
                a[i, k] = a[i, k] / a[k, k]
            for i, j in foreach((k + 1, k + 1), (n, n)):
                a[i, j] -= a[i, k] * a[k, j]

    return kernel


def solve(L, B):  # type: ignore[no-untyped-def]
    n, m, _ = B

    @pytl.kernel
    def kernel(L: Memref[f64, n, n, ...], B: Memref[f64, n, m, ...], X: Memref[f64, n, m, ...]):
        g = group_id()
        for j in foreach(m):
            for i in range(n):
                x = B[i, j, g]
                for k in range(i):
                    x -= L[i, k, g] * X[k, j, g]
                X[i, j, g] = x / L[i, i, g]

    return kernel


def kalman(F, H, Q, R, Z, X, P):  # type: ignore[no-untyped-def]
    @pytl.kernel
    def kernel(
        F: Memref[f64, 4, 4],
        H: Memref[f64, 2, 4],
        Q: Memref[f64, 4, 4],
        R: Memref[f64, 2, 2],
        Z: Memref[f64, 2, ...],
        X: Memref[f64, 4, ...],
        P: Memref[f64, 4, 4, ...],
        Y: Memref[f64, 4, 5, ...],
    ):
        g = group_id()
        x, p, t = Y[:, 0, g], Y[:, 1:5, g], alloca(f64, 4, 4)
        r, s, inverse = alloca(f64, 2), alloca(f64, 2, 2), alloca(f64, 2, 2)
        pht, gain = alloca(f64, 4, 2), alloca(f64, 4, 2)
        gemv(1.0, F, X[:, g], 0.0, x)
        t[:] = F @ P[:, :, g]  # p := F P Fᵀ + Q
        p[:] = Q
        p[:] += t @ F.T
        r[:] = Z[:, g]  # r := z - H x
        gemv(-1.0, H, x, 1.0, r)
        pht[:] = p @ H.T  # s := H p Hᵀ + R
        s[:] = R
        s[:] += H @ pht
        determinant = s[0, 0] * s[1, 1] - s[0, 1] * s[1, 0]
        inverse[0, 0] = s[1, 1] / determinant
        inverse[1, 1] = s[0, 0] / determinant
        inverse[0, 1] = -s[0, 1] / determinant
        inverse[1, 0] = -s[1, 0] / determinant
        gain[:] = pht @ inverse
        gemv(1.0, gain, r, 1.0, x)
        p[:] -= gain @ pht.T

    return kernel


def quaternions(P, Q):  # type: ignore[no-untyped-def]
    _, n, _ = P

    @pytl.kernel
    def kernel(P: Memref[f32, 4, n, ...], Q: Memref[f32, 4, n, ...], Y: Memref[f32, 4, n, ...]):
        item = group_id()
        for i in foreach(n):
            a, b, c, d = [P[k, i, item] for k in range(4)]
            e, f, g, h = [Q[k, i, item] for k in range(4)]
            Y[0, i, item] = a * e - b * f - c * g - d * h
            Y[1, i, item] = a * f + b * e + c * h - d * g
            Y[2, i, item] = a * g - b * h + c * e + d * f
            Y[3, i, item] = a * h + b * g - c * f + d * e

    return kernel


def kepler(M, e):  # type: ignore[no-untyped-def]
    @pytl.kernel
    def kernel(M: Memref[f64, ...], e: Memref[f64, ...], Y: Memref[f64, ...]):
        g = group_id()
        x = M[g]
        for _ in range(NEWTON_STEPS):
            x = x - (x - e[g] * sin(x) - M[g]) / (1.0 - e[g] * cos(x))
        Y[g] = x

    return kernel


def haversine(P):  # type: ignore[no-untyped-def]
    @pytl.kernel
    def kernel(P: Memref[f64, 4, ...], Y: Memref[f64, ...]):
        g = group_id()
        a, b, c, d = [P[k, g] for k in range(4)]
        s, t = sin((c - a) * 0.5), sin((d - b) * 0.5)
        Y[g] = 2.0 * sqrt(s * s + cos(a) * cos(c) * t * t)

    return kernel


def boys(T, x, w):  # type: ignore[no-untyped-def]
    (points,) = x

    @pytl.kernel
    def kernel(T: Memref[f64, ...], x: Memref[f64, points], w: Memref[f64, points], Y: Memref[f64, ...]):
        g = group_id()
        total = f64(0.0)
        for k in range(points):
            total += w[k] * exp(-T[g] * x[k] * x[k])
        Y[g] = total

    return kernel


def neo_hookean(F):  # type: ignore[no-untyped-def]
    @pytl.kernel
    def kernel(F: Memref[f64, 3, 3, ...], Y: Memref[f64, 3, 3, ...]):
        n = group_id()
        a, b, c, d, e, f, g, h, i = [F[k, j, n] for j in range(3) for k in range(3)]
        x, y, z = e * i - f * h, f * g - d * i, d * h - e * g
        volume = a * x + b * y + c * z
        s = (3.0 * log(volume) - 2.0) / volume
        Y[0, 0, n], Y[1, 0, n], Y[2, 0, n] = 2.0 * a + s * x, 2.0 * b + s * y, 2.0 * c + s * z
        Y[0, 1, n] = 2.0 * d + s * (c * h - b * i)
        Y[1, 1, n] = 2.0 * e + s * (a * i - c * g)
        Y[2, 1, n] = 2.0 * f + s * (b * g - a * h)
        Y[0, 2, n] = 2.0 * g + s * (b * f - c * e)
        Y[1, 2, n] = 2.0 * h + s * (c * d - a * f)
        Y[2, 2, n] = 2.0 * i + s * (a * e - b * d)

    return kernel


def euler_flux(U):  # type: ignore[no-untyped-def]
    @pytl.kernel
    def kernel(U: Memref[f64, 5, ...], Y: Memref[f64, 5, ...]):
        g = group_id()
        r, x, y, z, energy = [U[k, g] for k in range(5)]
        u, v, w = x / r, y / r, z / r
        p = 0.4 * (energy - 0.5 * r * (u * u + v * v + w * w))
        speed = sqrt(1.4 * p / r)
        Y[0, g] = x + speed * r
        Y[1, g] = x * u + p + speed * x
        Y[2, g] = x * v + speed * y
        Y[3, g] = x * w + speed * z
        Y[4, g] = u * (energy + p) + speed * energy

    return kernel


def periodic(U):  # type: ignore[no-untyped-def]
    n = U[0]

    @pytl.kernel
    def kernel(U: Memref[f32, n, ...], Y: Memref[f32, n, ...]):
        g = group_id()
        for i in foreach(n):
            Y[i, g] = U[i, g] - 0.5 * (U[(i + 1) % n, g] - U[(i + n - 1) % n, g])

    return kernel


def window(X, W):  # type: ignore[no-untyped-def]
    n, m = X[:2]

    @pytl.kernel
    def kernel(X: Memref[f32, n, m, ...], W: Memref[f32, 5, 5], Y: Memref[f32, n, m, ...]):
        g = group_id()
        for i, j in foreach((0, 0), (n, m)):
            total = f32(0.0)
            for b in range(5):
                for a in range(5):
                    total += W[b, a] * X[min(max(i + a - 2, 0), n - 1), min(max(j + b - 2, 0), m - 1), g]
            Y[i, j, g] = total

    return kernel


def histogram(X):  # type: ignore[no-untyped-def]
    n = X[0]

    @pytl.kernel
    def kernel(X: Memref[f32, n, ...], Y: Memref[f32, BINS, ...]):
        g = group_id()
        Y[:, g] = 0.0
        for i in foreach(n):
            atomic.add(Y[index(X[i, g] * f32(BINS)), g], 1.0)

    return kernel


def triangle(L, x):  # type: ignore[no-untyped-def]
    n = x[0]

    @pytl.kernel
    def kernel(L: Memref[f64, n, n, ...], x: Memref[f64, n, ...], Y: Memref[f64, n, ...]):
        g = group_id()
        for i in foreach(n):
            total = f64(0.0)
            for k in range(i + 1):
                total += L[i, k, g] * x[k, g]
            Y[i, g] = total

    return kernel


def root(a):  # type: ignore[no-untyped-def]
    n = a[0]

    @pytl.kernel
    def kernel(a: Memref[f64, n, ...], Y: Memref[f64, n, ...]):
        g = group_id()
        for i in foreach(n):
            x = a[i, g]
            for _ in range(MOST_STEPS):
                change = (x - a[i, g] / (x * x)) * (1.0 / 3.0)
                x = x - change
                if abs(change) < TOLERANCE:
                    break
            Y[i, g] = x

    return kernel


def stiffness_matrix(B, D, w):  # type: ignore[no-untyped-def]
    n, m, q, _ = B

    @pytl.kernel
    def kernel(B: Memref[f64, n, m, q, ...], D: Memref[f64, m, m], w: Memref[f64, q, ...], K: Memref[f64, n, n, ...]):
        g = group_id()
        contract("aiq,ij,bjq,q->ba", B[:, :, :, g], D, B[:, :, :, g], w[:, g], out=K[:, :, g])

    return kernel


def laplacian(K, w, U):  # type: ignore[no-untyped-def]
    n = K[0]

    @pytl.kernel
    def kernel(K: Memref[f64, n, n], w: Memref[f64, n], U: Memref[f64, n, n, n, ...], Y: Memref[f64, n, n, n, ...]):
        g = group_id()
        u, v = U[:, :, :, g], Y[:, :, :, g]
        x, y, z = alloca(f64, n, n, n), alloca(f64, n, n, n), alloca(f64, n, n, n)
        gemm(1.0, K, fuse(u, 1, 2), 0.0, fuse(x, 1, 2))
        for k in range(n):
            gemm(1.0, u[:, :, k], K.T, 0.0, y[:, :, k])
        gemm(1.0, fuse(u, 0, 1), K.T, 0.0, fuse(z, 0, 1))
        for i, j, k in foreach((0, 0, 0), (n, n, n)):
            v[i, j, k] = x[i, j, k] * w[j] * w[k] + y[i, j, k] * w[i] * w[k] + z[i, j, k] * w[i] * w[j]

    return kernel


def interpolation(B, U):  # type: ignore[no-untyped-def]
    q, n = B

    @pytl.kernel
    def kernel(B: Memref[f64, q, n], U: Memref[f64, n, n, n, ...], Y: Memref[f64, q, q, q, ...]):
        g = group_id()
        contract("ai,bj,ck,ijk->abc", B, B, B, U[:, :, :, g], out=Y[:, :, :, g])

    return kernel


def mass(B, W, U):  # type: ignore[no-untyped-def]
    q, n = B

    @pytl.kernel
    def kernel(
        B: Memref[f64, q, n], W: Memref[f64, q, q, q, ...], U: Memref[f64, n, n, n, ...], Y: Memref[f64, n, n, n, ...]
    ):
        g = group_id()
        points = contract("ai,bj,ck,ijk->abc", B, B, B, U[:, :, :, g])
        points[:] *= W[:, :, :, g]
        contract("ai,bj,ck,abc->ijk", B, B, B, points, out=Y[:, :, :, g])

    return kernel


def stiffness(D, G, U):  # type: ignore[no-untyped-def]
    n = D[0]

    @pytl.kernel
    def kernel(
        D: Memref[f64, n, n],
        G: Memref[f64, n, n, n, 6, ...],
        U: Memref[f64, n, n, n, ...],
        Y: Memref[f64, n, n, n, ...],
    ):
        g = group_id()
        u, v, metric = U[:, :, :, g], Y[:, :, :, g], G[:, :, :, :, g]
        x, y, z = contract("ai,kji->kja", D, u), contract("bj,kji->kbi", D, u), contract("ck,kji->cji", D, u)
        for i, j, k in foreach((0, 0, 0), (n, n, n)):
            a, b, c, d, e, f = [metric[i, j, k, m] for m in range(6)]
            p, q, r = x[i, j, k], y[i, j, k], z[i, j, k]
            x[i, j, k] = a * p + b * q + c * r
            y[i, j, k] = b * p + d * q + e * r
            z[i, j, k] = c * p + e * q + f * r
        contract("ai,kja->kji", D, x, out=v)
        contract("bj,kbi->kji", D, y, out=v, beta=1.0)
        contract("ck,cji->kji", D, z, out=v, beta=1.0)

    return kernel


OF_MATRICES = ("cholesky", "lu", "solve", "kalman", "triangle")
"""Those whose items are matrices, and not rows or cubes, whose modes are reversed."""


def made(kind: str, given: Arrays, like: np.ndarray) -> tuple[Callable[[], Any], Callable[[Any], Any]]:
    """What computes a workload once, and what makes an array of its result."""
    if "->" in kind:
        return lambda: pytl.einsum(kind, *given.values()), lambda result: result
    flipped = kind not in OF_MATRICES

    def layout(array: np.ndarray) -> np.ndarray:
        if array.shape[0] != len(like):
            return array
        return array.T if flipped else np.moveaxis(array, 0, -1)

    shaped = {name: layout(array) for name, array in {**given, "": np.zeros_like(like)}.items()}
    kernel = globals()[kind](**{name: array.shape for name, array in shaped.items() if name})
    *arrays, result = (on_device(array) for array in shaped.values())
    launch = kernel[len(like)]

    def found(_: Any) -> np.ndarray:
        array = on_host(result)
        return array.T if flipped else np.moveaxis(array, -1, 0)

    return lambda: launch(*arrays, result), found
