"""The examples and the README's sample do what they say."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import numpy as np
import pytest
from launch_kit import needs_sycl

import pytl

ROOT = Path(__file__).resolve().parents[1]


def load_example(name: str):
    specification = importlib.util.spec_from_file_location(name, ROOT / "examples" / f"{name}.py")
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def test_fused_kernel_checks_itself_and_prints_both_rates(capsys):
    load_example("fused_kernel").main(200)
    printed = capsys.readouterr().out
    assert printed.startswith("func @fused(%alpha: f32,")
    assert "gemm.n.t" in printed and "gemm.n.n %alpha" in printed
    assert re.search(r"On \S+, 200 items:", printed)
    assert re.search(r"pytl +[\d.]+ ms +[\d.]+ GFLOP/s", printed)
    assert re.search(r"NumPy +[\d.]+ ms +[\d.]+ GFLOP/s", printed)


def test_fused_kernel_runs_without_items(capsys):
    load_example("fused_kernel").main(0)
    assert "0 items" in capsys.readouterr().out


def test_fused_kernel_is_the_manuals_sample():
    fused = load_example("fused_kernel").fused
    items = 3
    random = np.random.default_rng(0)
    A, B, C, D = (
        np.asfortranarray(random.standard_normal(shape).astype(np.float32))
        for shape in ((16, 8, items), (8, 8), (8, 16), (16, 16, items))
    )
    expected = np.stack([2.0 * A[:, :, g] @ B.T @ C + D[:, :, g] for g in range(items)], axis=-1)
    fused[items](2.0, A, B, C, D)
    np.testing.assert_allclose(D, expected, rtol=1e-5, atol=1e-4)


def test_the_readmes_sample_is_the_example():
    sample = re.search(r"```python\n(.*?)\n```", (ROOT / "README.md").read_text(), re.S).group(1)
    body = sample.split("print(fused)")[0].replace("import pytl\n", "", 1)
    namespace = {"pytl": pytl, "__name__": "readme"}
    file = "<README sample>"
    import linecache

    linecache.cache[file] = (len(body), None, body.splitlines(keepends=True), file)
    exec(compile(body, file, "exec"), namespace)
    assert str(namespace["fused"]) == str(load_example("fused_kernel").fused)


def test_the_readmes_commands_are_two_lines():
    commands = re.findall(r"^python3 install\.py.*$", (ROOT / "README.md").read_text(), re.M)
    assert commands == [
        "python3 install.py && .venv/bin/python examples/fused_kernel.py",
        "python3 install.py test && .venv/bin/python -m pytest -n auto",
    ]


@needs_sycl
def test_the_dpex_application_converges_without_copies(capsys):
    example = load_example("dpex_application")
    example.main(elements=2, order=3, steps=2)
    printed = capsys.readouterr().out
    assert re.match(r"8 elements of order 3, 343 points, on \S+\n", printed)
    # it stops where the operator is not NumPy's, the solver does not converge, or something was copied
    rows = re.findall(r"^ +(\d) +(\S+) +(\d+) +(\S+) +(\S+)$", printed, re.M)
    assert [row[:2] for row in rows] == [("1", "0.0010"), ("2", "0.0020")]
    assert all(0 < int(row[2]) < 20 and float(row[3]) <= 1e-11 and float(row[4]) < 1e-3 for row in rows)
    assert "nothing was copied" in printed
    assert re.search(r"applying the operator: [\d.]+ ms, by NumPy [\d.]+ ms", printed)
    with pytest.raises(SystemExit, match="a point inside of the box"):
        example.main(elements=1, order=1)


@needs_sycl
def test_the_dpex_applications_mesh():
    """The quadrature is exact and the mass is the volume, so that what the program compares with is right."""
    example = load_example("dpex_application")
    x, weights, D = example.quadrature(6)
    for power in range(10):
        assert weights @ x**power == pytest.approx((1 + (-1) ** power) / (power + 1))
    np.testing.assert_allclose(D @ x**5, 5 * x**4, atol=1e-12)
    mesh = example.make_mesh(2, 6)
    ones, coordinate = np.ones(mesh.mass.size), mesh.points[0]
    assert np.abs(example.numpy_operator(mesh, 1.0, ones) - mesh.mass).max() < 1e-14  # K 1 = 0
    harmonic = example.numpy_operator(mesh, 1.0, coordinate) - mesh.mass * coordinate
    assert np.abs(harmonic).max() < 1e-4  # K x = 0 up to the deformation, which is no polynomial


def test_pages_of_examples_quote_them():
    for page in (ROOT / "docs/examples").glob("*.md"):
        source = (ROOT / "examples" / f"{page.stem}.py").read_text()
        for excerpt in re.findall(r"```python\n(.*?)\n```", page.read_text(), re.S):
            assert excerpt in source, f"{page.name} quotes what {page.stem}.py does not say"
