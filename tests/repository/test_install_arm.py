"""What install_arm.py finds missing, and what it says where it may not install it."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest
from launch_kit import ROOT

from pytl.backends.arm_sme import machine
from pytl.backends.mlir import toolchain

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Debian's packages")
ALL = ["mlir-22-tools", "llvm-22", "gcc", "libc6-dev", "gcc-aarch64-linux-gnu", "libc6-dev-arm64-cross", "qemu-user"]
ALL += ["spirv-tools"]


@pytest.fixture
def script(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The script, in a checkout without .venv and a PATH without anything."""
    specification = importlib.util.spec_from_file_location("install_arm", ROOT / "install_arm.py")
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    monkeypatch.setattr(module, "VENV", tmp_path / ".venv")
    monkeypatch.setenv("PATH", str(tmp_path))
    return module


def programs(directory: Path, *names: str) -> None:
    for name in names:
        (directory / name).write_text("#!/bin/sh\n")
        (directory / name).chmod(0o755)


def test_it_knows_what_the_backends_know(script):
    assert script.VERSIONS == toolchain.VERSIONS
    assert script.HOMEBREW == toolchain._USUAL_UNVERSIONED
    assert script.QEMU_HAS_PRODUCTS == machine.RIGHT_FROM
    assert (script.QEMU_WANTED, 0) >= machine.SME2_FROM
    known = {package.format(22) for package in toolchain._PACKAGES.values()}
    known |= {*toolchain.NO_COMPILER.packages, *machine._NO_CROSS_COMPILER.packages, "qemu-user", "spirv-tools"}
    assert known == set(ALL)


def test_all_is_missing(script):
    assert script.missing_packages() == ALL


def test_a_version_that_is_begun_is_completed(script, tmp_path):
    programs(tmp_path, "mlir-opt-20", "mlir-translate-20", "cc", "qemu-aarch64")
    assert script.missing_packages() == ["llvm-20", "gcc-aarch64-linux-gnu", "libc6-dev-arm64-cross", "spirv-tools"]


def test_nothing_is_missing(script, tmp_path, capsys):
    programs(tmp_path, "mlir-opt-21", "mlir-translate-21", "llc-21", "opt-21", *script.OTHERS)
    assert script.main(["--check"]) == 0
    assert capsys.readouterr().out == "nothing is missing\n"


def test_who_may_not_install_is_told_how(script, capsys):
    with pytest.raises(SystemExit) as caught:
        script.main([])
    command = f"sudo apt-get install -y -q --no-install-recommends {' '.join(ALL)}"
    assert caught.value.code == f"Not all is here. On Debian and Ubuntu, install it by:\n\n    {command}\n"
    assert script.main(["--check"]) == 1
    assert capsys.readouterr().out == f"missing: {' '.join(ALL)}\n"


def test_what_the_host_needs(script, tmp_path, capsys):
    packages = ["mlir-22-tools", "llvm-22", "gcc", "libc6-dev"]
    assert script.main(["--host", "--check"]) == 1
    assert capsys.readouterr().out == f"missing: {' '.join(packages)}\n"
    programs(tmp_path, "mlir-opt-22", "mlir-translate-22", "llc-22", "opt-22", "cc")
    assert (script.install_host(), script.main(["--host"])) == (None, 0)


def test_unknown_options_are_told(script):
    with pytest.raises(SystemExit) as caught:
        script.main(["--hots"])
    assert caught.value.code == "This program has no option --hots. Its options are --host and --check."


def test_on_macos_homebrew_installs(script, tmp_path, monkeypatch):
    monkeypatch.setattr("sys.platform", "darwin")
    monkeypatch.setattr(script, "HOMEBREW", (tmp_path / "llvm",))
    assert (script.main(["--host", "--check"]), script.missing_on_host()) == (1, ["llvm"])
    assert script.install_host() == "Not all is here. With Homebrew, install it by:\n\n    brew install llvm\n"
    log = tmp_path / "log"
    programs(tmp_path, "brew")
    (tmp_path / "brew").write_text(f'#!/bin/sh\necho "$@" >> {log}\n')
    assert script.install_host() is None
    assert log.read_text() == "install llvm\n"
    (tmp_path / "brew").write_text("#!/bin/sh\nexit 1\n")
    assert script.install_host() == "brew has failed, as it says above."
    (tmp_path / "llvm").mkdir()
    programs(tmp_path / "llvm", "mlir-opt", "mlir-translate", "llc", "opt")
    assert script.install_host() is None


def test_lists_of_packages_are_got_before_one_is_chosen(script, tmp_path, monkeypatch):
    """As on a new Ubuntu, whose lists are empty, and which has LLVM 20."""
    programs(tmp_path, "apt-get", "apt-cache", *script.OTHERS)
    log = tmp_path / "log"
    (tmp_path / "apt-get").write_text(f'#!/bin/sh\necho "$@" >> {log}\n')
    offered = f'[ -e {log} ] && [ "$2" = mlir-20-tools ] && echo "  Candidate: 1:20.1"'
    (tmp_path / "apt-cache").write_text(f"#!/bin/sh\n{offered}\nexit 0\n")
    monkeypatch.setattr("os.geteuid", lambda: 0)
    script.install()
    assert log.read_text() == "update -q\ninstall -y -q --no-install-recommends mlir-20-tools llvm-20\n"


def test_why_there_is_no_newer_qemu_is_told(script, tmp_path, capsys, monkeypatch):
    programs(tmp_path, "mlir-opt-21", "mlir-translate-21", "llc-21", "opt-21", *script.OTHERS)
    (tmp_path / "qemu-aarch64").write_text("#!/bin/sh\necho qemu-aarch64 version 7.2.22\n")
    assert script.main([]) == 0
    assert capsys.readouterr().out == (
        "QEMU 11 is not to be had: there is no Debian with a .venv, which install.py makes.\n"
        "QEMU 7 serves; products of bytes and of bf16 take it more instructions; it has no SME2.\n"
        f"QEMU 7 is {tmp_path}/qemu-aarch64\n"
    )


@pytest.mark.skipif(subprocess.call(["which", "dpkg-deb"], stdout=subprocess.DEVNULL), reason="no Debian")
def test_a_mirror_without_backports_is_told(script, tmp_path, monkeypatch):
    script.VENV.mkdir()
    monkeypatch.undo()
    monkeypatch.setattr(script, "VENV", tmp_path / ".venv")
    monkeypatch.setattr(script, "debian_mirror", lambda: f"file://{tmp_path}/mirror")
    problem = script.get_qemu()
    assert "apt-get update of trixie-backports fails" in problem
