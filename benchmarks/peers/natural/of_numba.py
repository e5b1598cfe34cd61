"""The workloads as loops under numba, items in parallel."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from peers.libraries import import_peer
from peers.natural.cases import BINS, CONTRACTIONS, EPSILON, MOST_STEPS, NEWTON_STEPS, TOLERANCE, Arrays

numba = import_peer("numba")
prange = numba.prange
helper, loops = numba.njit, numba.njit(parallel=True)


@helper
def multiply(A: Any, B: Any, C: Any) -> None:
    """C := A B."""
    for i in range(C.shape[0]):
        for j in range(C.shape[1]):
            C[i, j] = 0
        for k in range(A.shape[1]):
            for j in range(C.shape[1]):
                C[i, j] += A[i, k] * B[k, j]


@helper
def gelu(x: Any) -> Any:
    half, root, cubic, one = np.float32(0.5), np.float32(0.7978845608), np.float32(0.044715), np.float32(1)
    return half * x * (one + math.tanh(root * (x + cubic * x * x * x)))


@loops
def perceptron(X: Any, W: Any, b: Any, V: Any, c: Any, Y: Any) -> None:
    first, second = np.ascontiguousarray(W.T), np.ascontiguousarray(V.T)
    for g in prange(X.shape[0]):
        hidden = np.empty((X.shape[1], W.shape[0]), X.dtype)
        multiply(X[g], first, hidden)
        for t in range(hidden.shape[0]):
            for i in range(hidden.shape[1]):
                hidden[t, i] = gelu(hidden[t, i] + b[i])
        multiply(hidden, second, Y[g])
        for t in range(Y.shape[1]):
            for i in range(Y.shape[2]):
                Y[g, t, i] += c[i]


@loops
def attention(Q: Any, K: Any, V: Any, Y: Any) -> None:
    scale = np.float32(1 / math.sqrt(Q.shape[2]))
    for g in prange(Q.shape[0]):
        scores = np.empty((Q.shape[1], K.shape[1]), Q.dtype)
        multiply(Q[g], np.ascontiguousarray(K[g].T), scores)
        for t in range(scores.shape[0]):
            largest = scores[t, 0]
            for s in range(scores.shape[1]):
                largest = max(largest, scores[t, s])
            total = np.float32(0)
            for s in range(scores.shape[1]):
                scores[t, s] = math.exp(scale * (scores[t, s] - largest))
                total += scores[t, s]
            for s in range(scores.shape[1]):
                scores[t, s] /= total
        multiply(scores, V[g], Y[g])


@loops
def flash_block(Q: Any, K: Any, V: Any, M: Any, L: Any, O: Any, Y: Any) -> None:  # noqa: E741
    scale = np.float32(1 / math.sqrt(Q.shape[2]))
    for g in prange(Q.shape[0]):
        scores = np.empty((Q.shape[1], K.shape[1]), Q.dtype)
        multiply(Q[g], np.ascontiguousarray(K[g].T), scores)
        kept, sums = np.empty(Q.shape[1], Q.dtype), np.empty(Q.shape[1], Q.dtype)
        for t in range(scores.shape[0]):
            larger = M[g, t]
            for s in range(scores.shape[1]):
                scores[t, s] *= scale
                larger = max(larger, scores[t, s])
            kept[t] = L[g, t] * math.exp(M[g, t] - larger)
            total = kept[t]
            for s in range(scores.shape[1]):
                scores[t, s] = math.exp(scores[t, s] - larger)
                total += scores[t, s]
            sums[t] = total
        multiply(scores, V[g], Y[g])
        for t in range(Y.shape[1]):
            for i in range(Y.shape[2]):
                Y[g, t, i] = (O[g, t, i] * kept[t] + Y[g, t, i]) / sums[t]


@helper
def normalise(x: Any, y: Any) -> None:
    n = np.float32(x.shape[1])
    for t in range(x.shape[0]):
        total = np.float32(0)
        for i in range(x.shape[1]):
            total += x[t, i]
        mean = total / n
        squares = np.float32(0)
        for i in range(x.shape[1]):
            squares += (x[t, i] - mean) * (x[t, i] - mean)
        factor = np.float32(1) / np.sqrt(squares / n + np.float32(EPSILON))
        for i in range(x.shape[1]):
            y[t, i] = (x[t, i] - mean) * factor


@loops
def layer_norm(X: Any, Y: Any) -> None:
    for g in prange(X.shape[0]):
        normalise(X[g], Y[g])


@loops
def layer_norm_product(X: Any, W: Any, Y: Any) -> None:
    turned = np.ascontiguousarray(W.T)
    for g in prange(X.shape[0]):
        normal = np.empty(X.shape[1:], X.dtype)
        normalise(X[g], normal)
        multiply(normal, turned, Y[g])


@helper
def sigmoid(x: Any) -> Any:
    return np.float32(1) / (np.float32(1) + math.exp(-x))


@loops
def gru(X: Any, H: Any, W: Any, U: Any, b: Any, Y: Any) -> None:
    n = H.shape[2]
    of_x, of_h = np.ascontiguousarray(W.T), np.ascontiguousarray(U.T)
    for g in prange(X.shape[0]):
        x, h = np.empty((X.shape[1], 3 * n), X.dtype), np.empty((X.shape[1], 3 * n), X.dtype)
        multiply(X[g], of_x, x)
        multiply(H[g], of_h, h)
        for t in range(X.shape[1]):
            for i in range(n):
                reset = sigmoid(x[t, i] + b[i] + h[t, i])
                update = sigmoid(x[t, n + i] + b[n + i] + h[t, n + i])
                new = math.tanh(x[t, 2 * n + i] + b[2 * n + i] + reset * h[t, 2 * n + i])
                Y[g, t, i] = new + update * (H[g, t, i] - new)


@loops
def cholesky(A: Any, L: Any) -> None:
    n = A.shape[1]
    for g in prange(A.shape[0]):
        a = L[g]
        a[:] = A[g]
        for j in range(n):
            a[j, j] = math.sqrt(a[j, j])
            for i in range(j + 1, n):
                a[i, j] /= a[j, j]
            for i in range(j + 1, n):
                for k in range(j + 1, i + 1):
                    a[i, k] -= a[i, j] * a[k, j]


@loops
def lu(A: Any, Y: Any) -> None:
    n = A.shape[1]
    for g in prange(A.shape[0]):
        a = Y[g]
        a[:] = A[g]
        for k in range(n):
            for i in range(k + 1, n):
                a[i, k] /= a[k, k]
                for j in range(k + 1, n):
                    a[i, j] -= a[i, k] * a[k, j]


@loops
def solve(L: Any, B: Any, X: Any) -> None:
    for g in prange(L.shape[0]):
        for i in range(L.shape[1]):
            X[g, i] = B[g, i]
            for k in range(i):
                for j in range(X.shape[2]):
                    X[g, i, j] -= L[g, i, k] * X[g, k, j]
            for j in range(X.shape[2]):
                X[g, i, j] /= L[g, i, i]


@loops
def kalman(F: Any, H: Any, Q: Any, R: Any, Z: Any, X: Any, P: Any, Y: Any) -> None:
    for g in prange(X.shape[0]):
        t, p, pht, s = np.empty((4, 4)), np.empty((4, 4)), np.empty((4, 2)), np.empty((2, 2))
        inverse, gain, correction = np.empty((2, 2)), np.empty((4, 2)), np.empty((4, 4))
        x, r = np.zeros(4), np.empty(2)
        multiply(F, P[g], t)
        multiply(t, F.T, p)
        p += Q
        for i in range(4):
            for j in range(4):
                x[i] += F[i, j] * X[g, j]
        multiply(p, H.T, pht)
        multiply(H, pht, s)
        s += R
        determinant = s[0, 0] * s[1, 1] - s[0, 1] * s[1, 0]
        inverse[0, 0], inverse[1, 1] = s[1, 1] / determinant, s[0, 0] / determinant
        inverse[0, 1], inverse[1, 0] = -s[0, 1] / determinant, -s[1, 0] / determinant
        multiply(pht, inverse, gain)
        multiply(gain, pht.T, correction)
        for i in range(2):
            r[i] = Z[g, i]
            for j in range(4):
                r[i] -= H[i, j] * x[j]
        for i in range(4):
            Y[g, i, 0] = x[i] + gain[i, 0] * r[0] + gain[i, 1] * r[1]
            for j in range(4):
                Y[g, i, 1 + j] = p[i, j] - correction[i, j]


@loops
def quaternions(P: Any, Q: Any, Y: Any) -> None:
    for item in prange(P.shape[0]):
        for i in range(P.shape[1]):
            a, b, c, d = P[item, i, 0], P[item, i, 1], P[item, i, 2], P[item, i, 3]
            e, f, g, h = Q[item, i, 0], Q[item, i, 1], Q[item, i, 2], Q[item, i, 3]
            Y[item, i, 0] = a * e - b * f - c * g - d * h
            Y[item, i, 1] = a * f + b * e + c * h - d * g
            Y[item, i, 2] = a * g - b * h + c * e + d * f
            Y[item, i, 3] = a * h + b * g - c * f + d * e


@loops
def kepler(M: Any, e: Any, Y: Any) -> None:
    for g in prange(M.shape[0]):
        x = M[g]
        for _ in range(NEWTON_STEPS):
            x = x - (x - e[g] * math.sin(x) - M[g]) / (1 - e[g] * math.cos(x))
        Y[g] = x


@loops
def haversine(P: Any, Y: Any) -> None:
    for g in prange(P.shape[0]):
        s, t = math.sin((P[g, 2] - P[g, 0]) / 2), math.sin((P[g, 3] - P[g, 1]) / 2)
        Y[g] = 2 * math.sqrt(s * s + math.cos(P[g, 0]) * math.cos(P[g, 2]) * t * t)


@loops
def boys(T: Any, x: Any, w: Any, Y: Any) -> None:
    for g in prange(T.shape[0]):
        total = 0.0
        for k in range(x.shape[0]):
            total += w[k] * math.exp(-T[g] * x[k] * x[k])
        Y[g] = total


@loops
def neo_hookean(F: Any, Y: Any) -> None:
    for n in prange(F.shape[0]):
        a, b, c = F[n, 0, 0], F[n, 0, 1], F[n, 0, 2]
        d, e, f = F[n, 1, 0], F[n, 1, 1], F[n, 1, 2]
        g, h, i = F[n, 2, 0], F[n, 2, 1], F[n, 2, 2]
        x, y, z = e * i - f * h, f * g - d * i, d * h - e * g
        volume = a * x + b * y + c * z
        s = (3 * math.log(volume) - 2) / volume
        Y[n, 0, 0], Y[n, 0, 1], Y[n, 0, 2] = 2 * a + s * x, 2 * b + s * y, 2 * c + s * z
        Y[n, 1, 0] = 2 * d + s * (c * h - b * i)
        Y[n, 1, 1] = 2 * e + s * (a * i - c * g)
        Y[n, 1, 2] = 2 * f + s * (b * g - a * h)
        Y[n, 2, 0] = 2 * g + s * (b * f - c * e)
        Y[n, 2, 1] = 2 * h + s * (c * d - a * f)
        Y[n, 2, 2] = 2 * i + s * (a * e - b * d)


@loops
def euler_flux(U: Any, Y: Any) -> None:
    for g in prange(U.shape[0]):
        r = U[g, 0]
        u, v, w = U[g, 1] / r, U[g, 2] / r, U[g, 3] / r
        p = 0.4 * (U[g, 4] - 0.5 * r * (u * u + v * v + w * w))
        speed = math.sqrt(1.4 * p / r)
        Y[g, 0] = U[g, 1] + speed * r
        Y[g, 1] = U[g, 1] * u + p + speed * U[g, 1]
        Y[g, 2] = U[g, 1] * v + speed * U[g, 2]
        Y[g, 3] = U[g, 1] * w + speed * U[g, 3]
        Y[g, 4] = u * (U[g, 4] + p) + speed * U[g, 4]


@loops
def periodic(U: Any, Y: Any) -> None:
    half, n = U.dtype.type(0.5), U.shape[1]
    for g in prange(U.shape[0]):
        for i in range(n):
            Y[g, i] = U[g, i] - half * (U[g, (i + 1) % n] - U[g, (i + n - 1) % n])


@loops
def window(X: Any, W: Any, Y: Any) -> None:
    n, m = X.shape[1:]
    for g in prange(X.shape[0]):
        for i in range(n):
            for j in range(m):
                total = X.dtype.type(0)
                for a in range(5):
                    for b in range(5):
                        total += W[a, b] * X[g, min(max(i + a - 2, 0), n - 1), min(max(j + b - 2, 0), m - 1)]
                Y[g, i, j] = total


@loops
def histogram(X: Any, Y: Any) -> None:
    bins = X.dtype.type(BINS)
    for g in prange(X.shape[0]):
        Y[g] = 0
        for i in range(X.shape[1]):
            Y[g, int(X[g, i] * bins)] += 1


@loops
def triangle(L: Any, x: Any, Y: Any) -> None:
    for g in prange(L.shape[0]):
        for i in range(L.shape[1]):
            total = 0.0
            for k in range(i + 1):
                total += L[g, i, k] * x[g, k]
            Y[g, i] = total


@loops
def root(a: Any, Y: Any) -> None:
    for g in prange(a.shape[0]):
        for i in range(a.shape[1]):
            x = a[g, i]
            for _ in range(MOST_STEPS):
                change = (x - a[g, i] / (x * x)) / 3
                x -= change
                if abs(change) < TOLERANCE:
                    break
            Y[g, i] = x


@loops
def stiffness_matrix(B: Any, D: Any, w: Any, K: Any) -> None:
    for g in prange(B.shape[0]):
        t = np.empty(B.shape[2:], B.dtype)
        K[g] = 0
        for q in range(B.shape[1]):
            multiply(D, B[g, q], t)
            for a in range(t.shape[1]):
                for i in range(t.shape[0]):
                    for b in range(t.shape[1]):
                        K[g, a, b] += w[g, q] * B[g, q, i, a] * t[i, b]


@loops
def laplacian(K: Any, w: Any, U: Any, Y: Any) -> None:
    n = len(w)
    for g in prange(U.shape[0]):
        for i in range(n):
            for j in range(n):
                for k in range(n):
                    x, y, z = 0.0, 0.0, 0.0
                    for a in range(n):
                        x += K[i, a] * U[g, a, j, k]
                        y += K[j, a] * U[g, i, a, k]
                        z += K[k, a] * U[g, i, j, a]
                    Y[g, i, j, k] = x * w[j] * w[k] + y * w[i] * w[k] + z * w[i] * w[j]


@helper
def first(B: Any, u: Any, v: Any) -> None:
    multiply(B, u.reshape(u.shape[0], -1), v.reshape(v.shape[0], -1))


@helper
def second(B: Any, u: Any, v: Any) -> None:
    for i in range(u.shape[0]):
        multiply(B, u[i], v[i])


@helper
def third(B: Any, u: Any, v: Any) -> None:
    multiply(u.reshape(-1, u.shape[2]), B.T, v.reshape(-1, v.shape[2]))


@helper
def along(B: Any, u: Any, v: Any) -> None:
    """B applied along each of three modes."""
    q, n = B.shape
    x, y = np.empty((q, n, n)), np.empty((q, q, n))
    first(B, u, x)
    second(B, x, y)
    third(B, y, v)


@loops
def interpolation(B: Any, U: Any, Y: Any) -> None:
    for g in prange(U.shape[0]):
        along(B, U[g], Y[g])


@loops
def mass(B: Any, W: Any, U: Any, Y: Any) -> None:
    turned = np.ascontiguousarray(B.T)
    for g in prange(U.shape[0]):
        points = np.empty(W.shape[1:])
        along(B, U[g], points)
        points *= W[g]
        along(turned, points, Y[g])


@loops
def stiffness(D: Any, G: Any, U: Any, Y: Any) -> None:
    n = len(D)
    turned = np.ascontiguousarray(D.T)
    for g in prange(U.shape[0]):
        x, y, z, t = np.empty((n, n, n)), np.empty((n, n, n)), np.empty((n, n, n)), np.empty((n, n, n))
        first(D, U[g], x)
        second(D, U[g], y)
        third(D, U[g], z)
        for i in range(n):
            for j in range(n):
                for k in range(n):
                    a, b, c = x[i, j, k], y[i, j, k], z[i, j, k]
                    x[i, j, k] = G[g, 0, i, j, k] * a + G[g, 1, i, j, k] * b + G[g, 2, i, j, k] * c
                    y[i, j, k] = G[g, 1, i, j, k] * a + G[g, 3, i, j, k] * b + G[g, 4, i, j, k] * c
                    z[i, j, k] = G[g, 2, i, j, k] * a + G[g, 4, i, j, k] * b + G[g, 5, i, j, k] * c
        first(turned, x, Y[g])
        second(turned, y, t)
        Y[g] += t
        third(turned, z, t)
        Y[g] += t


@loops
def ladder(A: Any, B: Any, Y: Any) -> None:
    for a in prange(A.shape[0]):
        for b in range(A.shape[1]):
            Y[a, b] = 0
            for e in range(A.shape[2]):
                for f in range(A.shape[3]):
                    for i in range(Y.shape[2]):
                        for j in range(Y.shape[3]):
                            Y[a, b, i, j] += A[a, b, e, f] * B[e, f, i, j]


@loops
def ring(A: Any, B: Any, Y: Any) -> None:
    for a in prange(A.shape[0]):
        Y[a] = 0
        for e in range(A.shape[1]):
            for i in range(A.shape[2]):
                for m in range(A.shape[3]):
                    for b in range(B.shape[1]):
                        for j in range(B.shape[3]):
                            Y[a, b, i, j] += A[a, e, i, m] * B[m, b, e, j]


@loops
def four_modes(A: Any, B: Any, Y: Any) -> None:
    for a in prange(A.shape[0]):
        for b in range(A.shape[2]):
            for c in range(B.shape[2]):
                for d in range(B.shape[0]):
                    total = 0.0
                    for f in range(A.shape[3]):
                        for e in range(A.shape[1]):
                            total += A[a, e, b, f] * B[d, f, c, e]
                    Y[a, b, c, d] = total


OF_SUBSCRIPTS = dict(zip((subscripts for subscripts, _ in CONTRACTIONS.values()), (ladder, ring, four_modes)))


def made(kind: str, given: Arrays, like: np.ndarray) -> tuple[Callable[[], Any], Callable[[Any], Any]]:
    """What computes a workload once, and what makes an array of its result."""
    function, result = OF_SUBSCRIPTS[kind] if "->" in kind else globals()[kind], np.empty_like(like)
    return lambda: function(*given.values(), result), lambda _: result
