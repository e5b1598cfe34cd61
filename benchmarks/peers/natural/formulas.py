"""The formulas of numbers of each item, by what arrays of jax and of torch have in common."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from peers.natural.cases import NEWTON_STEPS

Formula = Callable[..., Any]


def formulas(library: Any) -> tuple[Formula, Formula, Formula, Formula, Formula]:
    """Each by its arrays, as `cases` names them: Kepler's equation, a distance, an integral, a stress and a flux."""

    def kepler(M: Any, e: Any) -> Any:
        x = M
        for _ in range(NEWTON_STEPS):
            x = x - (x - e * library.sin(x) - M) / (1 - e * library.cos(x))
        return x

    def haversine(P: Any) -> Any:
        a, b, c, d = P.T
        s, t = library.sin((c - a) / 2), library.sin((d - b) / 2)
        return 2 * library.sqrt(s * s + library.cos(a) * library.cos(c) * t * t)

    def boys(T: Any, x: Any, w: Any) -> Any:
        return (w * library.exp(-T[:, None] * x * x)).sum(1)

    def neo_hookean(F: Any) -> Any:
        a, b, c = F[:, 0].T
        d, e, f = F[:, 1].T
        g, h, i = F[:, 2].T
        cofactors = (
            *(e * i - f * h, f * g - d * i, d * h - e * g),
            *(c * h - b * i, a * i - c * g, b * g - a * h),
            *(b * f - c * e, c * d - a * f, a * e - b * d),
        )
        volume = a * cofactors[0] + b * cofactors[1] + c * cofactors[2]
        return 2 * F + ((3 * library.log(volume) - 2) / volume)[:, None, None] * library.stack(cofactors, 1).reshape(
            -1, 3, 3
        )

    def euler_flux(U: Any) -> Any:
        r, x, y, z, energy = U.T
        u, v, w = x / r, y / r, z / r
        p = 0.4 * (energy - 0.5 * r * (u * u + v * v + w * w))
        speed = library.sqrt(1.4 * p / r)
        fluxes = (x, x * u + p, x * v, x * w, u * (energy + p))
        return library.stack([a + speed * b for a, b in zip(fluxes, (r, x, y, z, energy))], 1)

    return kepler, haversine, boys, neo_hookean, euler_flux
