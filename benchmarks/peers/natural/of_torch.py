"""The workloads under torch.compile."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from peers.libraries import import_peer
from peers.natural.cases import BINS, EPSILON, MOST_STEPS, TOLERANCE, Arrays
from peers.natural.formulas import formulas

torch = import_peer("torch", "python install.py bench-torch")
functional, linalg = torch.nn.functional, torch.linalg


def perceptron(X: Any, W: Any, b: Any, V: Any, c: Any) -> Any:
    return functional.linear(functional.gelu(functional.linear(X, W, b), approximate="tanh"), V, c)


def attention(Q: Any, K: Any, V: Any) -> Any:
    return functional.scaled_dot_product_attention(Q, K, V)


def flash_block(Q: Any, K: Any, V: Any, M: Any, L: Any, O: Any) -> Any:  # noqa: E741
    scores = Q @ K.mT / Q.shape[2] ** 0.5
    larger = torch.maximum(M, scores.amax(2))
    weights, shrink = torch.exp(scores - larger[..., None]), torch.exp(M - larger)
    return (O * (L * shrink)[..., None] + weights @ V) / (L * shrink + weights.sum(2))[..., None]


def layer_norm(X: Any) -> Any:
    return functional.layer_norm(X, X.shape[-1:], eps=EPSILON)


def layer_norm_product(X: Any, W: Any) -> Any:
    return functional.linear(layer_norm(X), W)


def gru(X: Any, H: Any, W: Any, U: Any, b: Any) -> Any:
    x, h = functional.linear(X, W, b).chunk(3, 2), functional.linear(H, U).chunk(3, 2)
    reset, update = torch.sigmoid(x[0] + h[0]), torch.sigmoid(x[1] + h[1])
    new = torch.tanh(x[2] + reset * h[2])
    return new + update * (H - new)


def cholesky(A: Any) -> Any:
    return linalg.cholesky(A)


def lu(A: Any) -> Any:
    return linalg.lu_factor(A)[0]


def solve(L: Any, B: Any) -> Any:
    return linalg.solve_triangular(L, B, upper=False)


def kalman(F: Any, H: Any, Q: Any, R: Any, Z: Any, X: Any, P: Any) -> Any:
    X, P = X @ F.T, F @ P @ F.T + Q
    gain = P @ H.T @ linalg.inv(H @ P @ H.T + R)
    X = X + (gain @ (Z - X @ H.T)[..., None])[..., 0]
    return torch.cat([X[..., None], P - gain @ H @ P], 2)


def quaternions(P: Any, Q: Any) -> Any:
    a, b, c, d = P.unbind(2)
    e, f, g, h = Q.unbind(2)
    product = (
        *(a * e - b * f - c * g - d * h, a * f + b * e + c * h - d * g),
        *(a * g - b * h + c * e + d * f, a * h + b * g - c * f + d * e),
    )
    return torch.stack(product, 2)


kepler, haversine, boys, neo_hookean, euler_flux = formulas(torch)


def periodic(U: Any) -> Any:
    return U - 0.5 * (torch.roll(U, -1, 1) - torch.roll(U, 1, 1))


def window(X: Any, W: Any) -> Any:
    padded = functional.pad(X[:, None], (2, 2, 2, 2), mode="replicate")
    return functional.conv2d(padded, W[None, None])[:, 0]


def histogram(X: Any) -> Any:
    bins = (X * BINS).to(torch.int64)
    return torch.zeros(len(X), BINS, dtype=X.dtype).scatter_add(1, bins, torch.ones_like(X))


def triangle(L: Any, x: Any) -> Any:
    return (torch.tril(L) @ x[..., None])[..., 0]


def root(a: Any) -> Any:
    x, change = a, torch.ones_like(a)
    for _ in range(MOST_STEPS):
        change = torch.where(abs(change) < TOLERANCE, 0.0, (x - a / (x * x)) / 3)
        x = x - change
    return x


def stiffness_matrix(B: Any, D: Any, w: Any) -> Any:
    return torch.einsum("gqia,gqib->gab", B, w[..., None, None] * (D @ B))


def laplacian(K: Any, w: Any, U: Any) -> Any:
    x, y, z = (torch.einsum(term, K, U) for term in ("ia,gajk->gijk", "ja,giak->gijk", "ka,gija->gijk"))
    i, j, k = w[:, None, None], w[:, None], w
    return x * j * k + y * i * k + z * i * j


def interpolation(B: Any, U: Any) -> Any:
    U = torch.einsum("ai,gijk->gajk", B, U)
    U = torch.einsum("bj,gajk->gabk", B, U)
    return torch.einsum("ck,gabk->gabc", B, U)


def mass(B: Any, W: Any, U: Any) -> Any:
    return interpolation(B.T, W * interpolation(B, U))


def stiffness(D: Any, G: Any, U: Any) -> Any:
    terms = ("ai,gijk->gajk", "bj,gijk->gibk", "ck,gijk->gijc")
    x, y, z = (torch.einsum(term, D, U) for term in terms)
    a, b, c, d, e, f = G.unbind(1)
    flux = (a * x + b * y + c * z, b * x + d * y + e * z, c * x + e * y + f * z)
    return sum(torch.einsum(term, D.T, each) for term, each in zip(terms, flux))


def made(kind: str, given: Arrays) -> tuple[Callable[[], Any], Callable[[Any], Any]]:
    """What computes a workload once, and what makes an array of its result."""
    arrays = [torch.from_numpy(array) for array in given.values()]
    function = (lambda A, B: torch.einsum(kind, A, B)) if "->" in kind else globals()[kind]
    compiled = torch.compile(function, dynamic=False)

    def run() -> Any:
        with torch.no_grad():
            return compiled(*arrays)

    return run, lambda result: result.numpy()
