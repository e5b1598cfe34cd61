"""The examples and the README's sample do what they say."""

from __future__ import annotations

import functools
import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import ml_dtypes
import nbformat
import numpy as np
import pytest
from differential.cases import NEEDS_OPENCL
from launch_kit import needs_sycl
from nbclient import NotebookClient
from sampling import at_night

import pytl

pytestmark = pytest.mark.at_most(4)

ROOT = Path(__file__).resolve().parents[2]


@functools.cache
def load_example(name: str):
    """The example as a module; its kernels are compiled once for all tests."""
    specification = importlib.util.spec_from_file_location(name, ROOT / "examples" / f"{name}.py")
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def test_ader_volume_has_the_same_numbers_from_text_and_from_contract(capsys, monkeypatch):
    monkeypatch.setenv("PYTL_BACKEND", "reference")
    load_example("ader_volume").main(2, 3)
    printed = capsys.readouterr().out
    assert printed.startswith("define @neighbour(%U: group<memref<f32x10x9>,pointers>,")
    assert "2 elements of order 3 on reference: 10 functions, 6 on a face" in printed
    differences = re.findall(r"(\w+) +largest difference of the two, of 1: (.+)", printed)
    assert [name for name, _ in differences] == ["volume", "local", "neighbour"]
    assert all(float(difference) < 1e-5 for _, difference in differences)


@pytest.mark.at_night
@needs_sycl
def test_ader_volume_on_sycl(capsys):
    load_example("ader_volume").main(3, 3)
    assert len(re.findall("contract +[0-9.]+ ms", capsys.readouterr().out)) == 3


def test_fused_kernel_checks_itself_and_prints_both_rates(capsys):
    load_example("fused_kernel").main(200)
    printed = capsys.readouterr().out
    assert printed.startswith("func @fused(%alpha: f32,")
    assert "gemm.n.t" in printed and "gemm.n.n %alpha" in printed
    assert re.search(r"On .+, 200 items:", printed)
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


def page(name: str) -> str:
    return (ROOT / "docs" / "examples" / f"{name}.md").read_text()


@pytest.mark.parametrize("name", ["dg_advection", "attention", "dask_batches", "gallery"])
def test_the_excerpts_of_a_page_are_there_in_its_program(name):
    excerpts = re.findall(r"```{literalinclude} (\S+)\n(.*?)```", page(name), re.S)
    assert len(excerpts) == page(name).count("literalinclude")
    for file, options in excerpts:
        source = (ROOT / "docs" / "examples" / file).read_text()
        for option, value in re.findall(r":(pyobject|start-at|end-at): (.*)", options):
            assert (f"\ndef {value}(" if option == "pyobject" else value.strip('"')) in source


# examples/dg_advection.py


@pytest.mark.at_night
@needs_sycl
def test_dg_advection_converges_with_the_expected_order_and_draws_it(capsys, tmp_path):
    file = tmp_path / "waves.png"
    load_example("dg_advection").main(
        ["--degrees", "3", "1", "--sizes", "16", "8", "--time", "0.25", "--plot", str(file)]
    )
    printed = capsys.readouterr().out
    rows = [line.split() for line in printed.splitlines() if "×" in line]
    assert [row[:2] for row in rows] == [["1", "8×8"], ["1", "16×16"], ["3", "8×8"], ["3", "16×16"]]
    errors = [float(row[3]) for row in rows]
    for degree, coarse, fine in ((1, 0, 1), (3, 2, 3)):
        assert float(rows[fine][4]) == pytest.approx(np.log2(errors[coarse] / errors[fine]), abs=0.01)
        assert float(rows[fine][4]) == pytest.approx(degree + 1, abs=0.4)
    assert errors[3] < 1e-4
    assert all(abs(float(row[-1])) < 1e-14 for row in rows), "mass is conserved"
    assert f"Drawn: {file}" in printed
    assert "\n".join(printed.splitlines()[1:3]) in page("dg_advection"), "the page shows such a table"
    picture = file.read_bytes()
    assert picture.startswith(b"\x89PNG\r\n") and len(picture) > 10_000


@pytest.mark.at_night
@needs_sycl
def test_dg_advection_computes_the_same_on_both_backends():
    solve = load_example("dg_advection").solve
    with pytl.use("reference"):
        expected = solve(degree=1, n=3, end=0.1)
    actual = solve(degree=1, n=3, end=0.1)
    assert actual.steps == expected.steps == 5
    np.testing.assert_allclose(actual.Q, expected.Q, rtol=0, atol=1e-14)


def test_dg_advection_starts_with_the_best_polynomial():
    dg = load_example("dg_advection")
    with pytl.use("reference"):
        solution = dg.solve(degree=4, n=6, end=0.0)
    np.testing.assert_allclose(solution.Q, dg.project(4, 6))
    assert solution.error < 1e-3


@pytest.mark.at_night
@pytest.mark.parametrize(("file", "message"), [("missing/waves.png", "No such file"), ("waves.xyz", "not supported")])
def test_dg_advection_says_why_it_cannot_draw(file, message, tmp_path, capsys):
    with pytl.use("reference"), pytest.raises(SystemExit, match=rf"{file} can't be drawn: .*{message}"):
        load_example("dg_advection").main(["--degrees", "0", "--sizes", "1", "--plot", str(tmp_path / file)])
    assert "1×1" in capsys.readouterr().out


@pytest.mark.parametrize("velocity", [2.0, -2.0])
def test_dg_advections_matrices_are_those_of_the_derivative(velocity):
    """A polynomial over several elements, for which volume and edges together give what differentiating does."""
    dg = load_example("dg_advection")
    gradient, volume, outflow, inflow = dg.operators(3, velocity, width=0.5)
    x, _ = dg.quadrature(4)
    polynomial, slope = np.polynomial.Polynomial([1, -2, 3, 0.5]), np.polynomial.Polynomial([-2, 6, 1.5])
    here, upwind = (np.linalg.solve(dg.basis(3, x), polynomial(0.5 * (x + e))) for e in (0, -np.sign(velocity)))
    expected = np.linalg.solve(dg.basis(3, x), -velocity * slope(0.5 * x))
    np.testing.assert_allclose(gradient @ here, expected, atol=1e-12)
    np.testing.assert_allclose((volume + outflow) @ here + inflow @ upwind, expected, atol=1e-12)


@pytest.mark.at_most(1)
@pytest.mark.parametrize(
    ("example", "options", "message"),
    [
        ("dg_advection", ["--degrees", "-1"], "argument --degrees: -1 is not 0 or more"),
        ("dg_advection", ["--time", "nan"], "argument --time: nan is not 0.0 or more"),
        ("attention", ["--tokens", "24"], "argument --tokens: 24 is not a multiple of 16"),
        ("attention", ["--heads", "0"], "argument --heads: 0 is not a multiple of 1"),
        ("dask_batches", ["--blocks", "0"], "argument --blocks: 0 is not 1 or more"),
    ],
)
def test_options_that_make_no_sense_are_refused(example, options, message, capsys):
    with pytest.raises(SystemExit):
        load_example(example).main(options)
    assert message in capsys.readouterr().err


# examples/attention.py


@pytest.mark.at_night
@needs_sycl
@pytest.mark.parametrize("size", [1.0, 300.0], ids=["usual", "scores whose exp overflows"])
def test_attention_is_as_near_to_numpy_as_its_types_allow(size):
    attention = load_example("attention")
    kernel = attention.attention_kernel(pytl.f16, 32, 16)
    Q, K, V = attention.random_heads(np.float16, (32, 16, 3, 2))
    Q *= np.float16(size)
    R = np.full(Q.shape, np.nan, np.float32, order="F")
    kernel[6](0.25, Q, K, V, R)
    bound = attention.error_bound(0.25, Q, K, V)
    assert bound < 0.02
    np.testing.assert_allclose(R, attention.numpy_attention(0.25, Q, K, V), rtol=0, atol=bound)


@pytest.mark.at_most(1)
@pytest.mark.parametrize("element", ["f16", "bf16"])
def test_attention_prints_its_error_and_its_rate(element, capsys):
    with pytl.use("reference"):
        load_example("attention").main(
            ["--tokens", "16", "--features", "16", "--heads", "1", "--sequences", "1", "--type", element]
        )
    printed = capsys.readouterr().out
    assert printed.startswith(f"1 heads of 16 tokens with 16 features in {element}, on the backend reference\n")
    error, bound = (float(number) for number in re.findall(r"(?:error|bound for \w+) +(\S+)", printed))
    rounding = float(ml_dtypes.finfo(load_example("attention").TYPES[element][1]).eps) / 2
    assert 0 < error <= bound < 8 * rounding
    assert re.search(r"a launch +[\d.]+ ms, [\d.]+ GFLOP/s", printed)


# examples/dask_batches.py


@pytest.mark.at_night
def test_dask_batches_are_computed_in_other_processes():
    command = [sys.executable, str(ROOT / "examples" / "dask_batches.py"), "--items", "101", "--blocks", "2"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    first, *rest = done.stdout.splitlines()
    assert first == f"101 items in 2 blocks, 2 workers, {pytl.default_backend()} backend"
    assert sum(map(int, re.findall(r"blocks in tcp://127\.0\.0\.1:\d+: (\d)", done.stdout))) == 2
    assert rest[-1] == "  0 of 25856 numbers differ from NumPy's"


# What the examples have in common.


NEEDS = [("dg_advection", "matplotlib"), ("gallery", "matplotlib"), ("dask_batches", "dask")]


@pytest.mark.parametrize(("example", "library"), NEEDS)
def test_an_example_that_lacks_a_library_says_how_to_install_it(example, library, monkeypatch):
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(SystemExit, match=r"`python3 install\.py examples` installs"):
        load_example.__wrapped__(example).main([])


def test_the_list_of_examples_has_all_of_them():
    listed = (ROOT / "examples" / "README.md").read_text()
    assert [file.name for file in (ROOT / "examples").glob("*.py") if f"({file.name})" not in listed] == []


# examples/dpex_application.py


@pytest.mark.needs_dpnp
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


@pytest.mark.needs_dpnp
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


def test_the_page_of_the_dpex_application_quotes_it():
    source = (ROOT / "examples" / "dpex_application.py").read_text()
    for excerpt in re.findall(r"```python\n(.*?)\n```", page("dpex_application"), re.S):
        assert excerpt in source


# examples/gallery.py


@pytest.mark.at_night
def test_the_gallery_draws_its_pictures(tmp_path, capsys):
    load_example("gallery").main(["--size", "16", "--folder", str(tmp_path)])
    printed = capsys.readouterr().out
    for name in ("mandelbrot", "interference", "patterns"):
        assert f"Drawn: {tmp_path / name}.png\n" in printed
        assert (tmp_path / f"{name}.png").read_bytes().startswith(b"\x89PNG\r\n")
        assert f"({name}.png)" in page("gallery")


@pytest.mark.at_night
def test_the_gallerys_numbers_are_numpys():
    gallery, size = load_example("gallery"), 16
    x, y = np.meshgrid(-2.1 + 2.8 * np.arange(size) / size, np.linspace(-1.4, 1.4, size))
    z, counts = np.zeros((size, size), np.complex128), np.zeros((size, size), np.int32)
    for _ in range(100):
        inside = abs(z) <= 2
        z[inside] = z[inside] ** 2 + (x + 1j * y)[inside]
        counts[inside] += 1
    assert (gallery.draw_mandelbrot(size) == counts).mean() > 0.98  # a point close to the border may round otherwise

    here = (np.arange(size) / size)[None, :] + 1j * np.linspace(0, 1, size)[:, None]
    r = abs(here[:, :, None] - np.array([0.25 + 0.3j, 0.75 + 0.3j, 0.5 + 0.75j]))
    waves = (np.exp(90j * r) / (1 + r)).sum(axis=-1).real
    np.testing.assert_allclose(gallery.draw_interference(size), waves, atol=1e-12)

    steps, squares = 5, gallery.draw_patterns(size, 5)
    feed, kill = np.float32([0.037, 0.03, 0.025, 0.055]), np.float32([0.06, 0.062, 0.06, 0.062])
    v = gallery.draw_patterns(size, 0).reshape(size, 4, size).transpose(1, 0, 2).astype(np.float64)
    u = np.ones_like(v)
    for _ in range(steps):
        spread = [sum(np.roll(w, shift, axis) for shift in (1, -1) for axis in (1, 2)) - 4 * w for w in (u, v)]
        made = u * v * v
        u, v = (
            u + 0.16 * spread[0] + feed[:, None, None] * (1 - u) - made,
            v + 0.08 * spread[1] + made - (feed + kill)[:, None, None] * v,
        )
    np.testing.assert_allclose(squares.reshape(size, 4, size).transpose(1, 0, 2), v, atol=1e-5)


# examples/tutorial.ipynb


@pytest.mark.at_night
def test_the_notebook_runs(tmp_path):
    """The page that it is made of is tested with the guide; here, that it runs in Jupyter as it is."""
    notebook = nbformat.read(ROOT / "examples" / "tutorial.ipynb", as_version=4)
    NotebookClient(notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": tmp_path}}).execute()
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    printed = ["".join(output.get("text", "") for output in cell.outputs) for cell in code]
    assert [text for text in printed if re.match(r"(einsum|matmul|two kernels|fused): [\d.]+ ms\n", text)] == [
        printed[position] for position in (1, 2, 4, 5)
    ]
    assert "%t = cpu.registers" in printed[6]


ON_ARM = pytest.mark.tools_of("arm_sme")
ON_XE = {"interpreted": True, "matrices": "lanes"}
"""Work-items of one sub-group after the other: slow, so that little is computed."""
BACKENDS = [
    "reference",
    "mlir",
    pytest.param("sycl", marks=needs_sycl),
    pytest.param("opencl", marks=NEEDS_OPENCL),
    pytest.param("arm_sme", marks=ON_ARM),
    *at_night(["xegpu"]),
]


@pytest.mark.at_night
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("element", ["f32", "f16", "bf16"])
def test_flash_attention_on_every_backend(backend, element):
    example = load_example("flash_attention")
    type_, dtype = example.TYPES[element]
    is_slow = backend == "xegpu"
    tokens, features, heads = (1 if is_slow else 2) * example.COLUMNS, 8, 1 if is_slow else 2
    Q, K, V = example.random_heads(dtype, (tokens, features, heads))
    R = np.zeros(Q.shape, np.float32, order="F")
    kernel = example.flash_attention_kernel(type_, tokens, features)
    kernel[heads * tokens // example.ROWS, ON_XE if is_slow else {}](0.25, Q, K, V, R, backend=backend)
    assert np.abs(R - example.numpy_attention(0.25, Q, K, V)).max() <= example.bound(element, V)


@pytest.mark.at_night
@needs_sycl
def test_flash_attention_prints_its_time_beside_others(capsys, monkeypatch):
    example = load_example("flash_attention")
    monkeypatch.setattr(example, "REPETITIONS", 1)
    monkeypatch.setitem(sys.modules, "torch", None)
    example.main(["--heads", "2", "--tokens", "256", "--features", "8"])
    printed = capsys.readouterr().out
    assert re.search(r"pytl +[\d.]+ ms, [\d.]+ GFLOP/s", printed)
    assert re.search(r"NumPy +[\d.]+ ms in f32; pytl takes [\d.]+ of it", printed)
    assert "torch is not installed" in printed
    with pytest.raises(SystemExit):
        example.main(["--tokens", "100"])


@pytest.mark.at_night
@pytest.mark.parametrize("backend", BACKENDS)
def test_ozaki_on_every_backend(backend):
    example = load_example("ozaki")
    is_slow = backend == "xegpu"
    A, B = example.random_matrices(*((10, 12, 14) if is_slow else (40, 50, 70)))
    exact = example.exact_entries(A, B, 20)
    of_numpy = example.largest_error(A @ B, A, B, exact)
    for slices in (2, 8):
        product = example.multiply(A, B, slices, backend, ON_XE if is_slow else {})
        error = example.largest_error(product, A, B, exact)
        assert error <= example.bound(slices)
    assert error <= 4 * of_numpy, "eight slices are as good as doubles"
    with pytest.raises(ValueError, match="may not fit in 32 bits"):
        example.multiply(np.zeros((1, 20000), order="F"), np.zeros((20000, 1), order="F"))


@pytest.mark.at_night
@needs_sycl
def test_ozaki_prints_errors_and_times(capsys, monkeypatch):
    example = load_example("ozaki")
    monkeypatch.setattr(example, "REPETITIONS", 1)
    example.main(["--size", "40", "--slices", "2"])
    printed = capsys.readouterr().out
    assert re.search(r"NumPy +error +[\d.e-]+ +[\d.]+ ms", printed)
    assert re.search(r"2 slices +error +[\d.e-]+ +[\d.]+ ms", printed)
