"""The workloads under jax.jit."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from peers.libraries import import_peer
from peers.natural.cases import BINS, EPSILON, MOST_STEPS, TOLERANCE, Arrays
from peers.natural.formulas import formulas

jax = import_peer("jax", "python install.py bench-jax")
jnp, nn = jax.numpy, jax.nn
jax.config.update("jax_enable_x64", True)  # without it, jax makes float32 of float64


def perceptron(X: Any, W: Any, b: Any, V: Any, c: Any) -> Any:
    return nn.gelu(X @ W.T + b, approximate=True) @ V.T + c


def attention(Q: Any, K: Any, V: Any) -> Any:
    return nn.softmax(Q @ K.mT / Q.shape[2] ** 0.5) @ V


def flash_block(Q: Any, K: Any, V: Any, M: Any, L: Any, O: Any) -> Any:  # noqa: E741
    scores = Q @ K.mT / Q.shape[2] ** 0.5
    larger = jnp.maximum(M, scores.max(2))
    weights, shrink = jnp.exp(scores - larger[..., None]), jnp.exp(M - larger)
    return (O * (L * shrink)[..., None] + weights @ V) / (L * shrink + weights.sum(2))[..., None]


def layer_norm(X: Any) -> Any:
    centred = X - X.mean(-1, keepdims=True)
    return centred * jax.lax.rsqrt((centred**2).mean(-1, keepdims=True) + EPSILON)


def layer_norm_product(X: Any, W: Any) -> Any:
    return layer_norm(X) @ W.T


def gru(X: Any, H: Any, W: Any, U: Any, b: Any) -> Any:
    x, h = jnp.split(X @ W.T + b, 3, 2), jnp.split(H @ U.T, 3, 2)
    reset, update = nn.sigmoid(x[0] + h[0]), nn.sigmoid(x[1] + h[1])
    new = jnp.tanh(x[2] + reset * h[2])
    return new + update * (H - new)


def cholesky(A: Any) -> Any:
    return jnp.linalg.cholesky(A)


def lu(A: Any) -> Any:
    return jax.scipy.linalg.lu_factor(A)[0]


def solve(L: Any, B: Any) -> Any:
    return jax.vmap(partial(jax.scipy.linalg.solve_triangular, lower=True))(L, B)


def kalman(F: Any, H: Any, Q: Any, R: Any, Z: Any, X: Any, P: Any) -> Any:
    X, P = X @ F.T, F @ P @ F.T + Q
    gain = P @ H.T @ jnp.linalg.inv(H @ P @ H.T + R)
    X = X + (gain @ (Z - X @ H.T)[..., None])[..., 0]
    return jnp.concatenate([X[..., None], P - gain @ H @ P], 2)


def quaternions(P: Any, Q: Any) -> Any:
    a, b, c, d = jnp.moveaxis(P, 2, 0)
    e, f, g, h = jnp.moveaxis(Q, 2, 0)
    product = (
        *(a * e - b * f - c * g - d * h, a * f + b * e + c * h - d * g),
        *(a * g - b * h + c * e + d * f, a * h + b * g - c * f + d * e),
    )
    return jnp.stack(product, 2)


kepler, haversine, boys, neo_hookean, euler_flux = formulas(jnp)


def periodic(U: Any) -> Any:
    return U - 0.5 * (jnp.roll(U, -1, 1) - jnp.roll(U, 1, 1))


def window(X: Any, W: Any) -> Any:
    padded = jnp.pad(X, ((0, 0), (2, 2), (2, 2)), mode="edge")
    return sum(W[a, b] * padded[:, a : a + X.shape[1], b : b + X.shape[2]] for a in range(5) for b in range(5))


def histogram(X: Any) -> Any:
    bins = (X * BINS).astype(int)
    return jnp.zeros((len(X), BINS), X.dtype).at[jnp.arange(len(X))[:, None], bins].add(1)


def triangle(L: Any, x: Any) -> Any:
    return (jnp.tril(L) @ x[..., None])[..., 0]


def root(a: Any) -> Any:
    def step(state: Any) -> Any:
        x, _, n = state
        change = (x - a / (x * x)) / 3
        return x - change, change, n + 1

    def goes_on(state: Any) -> Any:
        return (abs(state[1]).max() >= TOLERANCE) & (state[2] < MOST_STEPS)

    return jax.lax.while_loop(goes_on, step, (a, jnp.ones_like(a), 0))[0]


def stiffness_matrix(B: Any, D: Any, w: Any) -> Any:
    return jnp.einsum("gqia,gqib->gab", B, w[..., None, None] * (D @ B))


def laplacian(K: Any, w: Any, U: Any) -> Any:
    x, y, z = (jnp.einsum(term, K, U) for term in ("ia,gajk->gijk", "ja,giak->gijk", "ka,gija->gijk"))
    i, j, k = w[:, None, None], w[:, None], w
    return x * j * k + y * i * k + z * i * j


def interpolation(B: Any, U: Any) -> Any:
    return jnp.einsum("ai,bj,ck,gijk->gabc", B, B, B, U)


def mass(B: Any, W: Any, U: Any) -> Any:
    return interpolation(B.T, W * interpolation(B, U))


def stiffness(D: Any, G: Any, U: Any) -> Any:
    terms = ("ai,gijk->gajk", "bj,gijk->gibk", "ck,gijk->gijc")
    x, y, z = (jnp.einsum(term, D, U) for term in terms)
    a, b, c, d, e, f = jnp.moveaxis(G, 1, 0)
    flux = (a * x + b * y + c * z, b * x + d * y + e * z, c * x + e * y + f * z)
    return sum(jnp.einsum(term, D.T, each) for term, each in zip(terms, flux))


def made(kind: str, given: Arrays) -> tuple[Callable[[], Any], Callable[[Any], Any]]:
    """What computes a workload once, and what makes an array of its result."""
    import numpy

    arrays = [jnp.asarray(array) for array in given.values()]
    compiled = jax.jit(partial(jnp.einsum, kind) if "->" in kind else globals()[kind])
    return lambda: jax.block_until_ready(compiled(*arrays)), numpy.asarray
