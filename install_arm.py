"""Install what the backends `mlir` and `arm_sme` call, on Debian, its relatives and macOS:
python3 install_arm.py [--host] [--check]

As root it installs Debian's packages, and on macOS Homebrew's; otherwise it says what to install. Then it looks for
QEMU 11, which Debian has among its backports only: the emulator is put into .venv of this checkout, where pytl finds
it, and the packages and sources of the system stay as they are. QEMU 7.2 serves as well; products of bytes and of bf16
take it more instructions, and it has none of SME2's.

With --host it installs what the backend `mlir` calls, which compiles for this machine, and no more; install.py does so
where there is no SYCL. With --check nothing is installed; the exit code is 1 if something is missing.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

VENV = Path(__file__).resolve().parent / ".venv"
VERSIONS = (22, 21, 20, 19)  # of LLVM that serve, as in pytl/backends/mlir/toolchain.py
QEMU_WANTED = 11  # which has SME2
QEMU_HAS_PRODUCTS = 10  # as in pytl/backends/arm_sme/machine.py
NEWEST_BACKPORTS = "trixie-backports"  # whose QEMU is one static program, which runs on older releases, too
TOOLS = {"mlir-opt-{}": "mlir-{}-tools", "mlir-translate-{}": "mlir-{}-tools", "llc-{}": "llvm-{}", "opt-{}": "llvm-{}"}
LINKER = {"cc": "gcc libc6-dev"}
OTHERS = {
    **LINKER,
    "aarch64-linux-gnu-gcc": "gcc-aarch64-linux-gnu libc6-dev-arm64-cross",
    "qemu-aarch64": "qemu-user",
    "spirv-val": "spirv-tools",
}
HOMEBREW = ("/opt/homebrew/opt/llvm/bin", "/usr/local/opt/llvm/bin")


def is_here(program, *folders):
    folders = (VENV / "bin", os.environ.get("PATH", ""), *folders)
    return shutil.which(program, path=os.pathsep.join(map(str, folders)))


def missing_packages(others=OTHERS):
    """The packages of what is not here, with LLVM of the version of which most is here."""

    def missing_of(version):
        return [package.format(version) for program, package in TOOLS.items() if not is_here(program.format(version))]

    version = min(VERSIONS, key=lambda each: (len(missing_of(each)), -each))
    if len(missing_of(version)) == len(TOOLS):
        version = newest_offered()
    absent = [package for program, packages in others.items() if not is_here(program) for package in packages.split()]
    return list(dict.fromkeys(missing_of(version) + absent))


def newest_offered():
    """The newest version of LLVM whose packages the system's sources have."""
    for version in VERSIONS:
        shown = output("apt-cache", "policy", f"mlir-{version}-tools")
        if re.search(r"Candidate: (?!\(none\))\S", shown):
            return version
    return VERSIONS[0]


def output(*command, **options):
    """The output of a command; empty where it fails or does not exist."""
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True, **options).stdout
    except (OSError, subprocess.CalledProcessError):
        return ""


def install(others=OTHERS):
    """Install what is missing. Where that cannot be done, the reason; None where all is here."""
    may_install = shutil.which("apt-get") and hasattr(os, "geteuid") and os.geteuid() == 0
    if may_install:
        # before the packages are named: a new machine's lists are empty, and which LLVM there is isn't known
        subprocess.run(("apt-get", "update", "-q"), check=False)
    apt = ("apt-get", "install", "-y", "-q", "--no-install-recommends", *missing_packages(others))
    if not may_install:
        return f"Not all is here. On Debian and Ubuntu, install it by:\n\n    sudo {' '.join(apt)}\n"
    if subprocess.run(apt, check=False).returncode:
        return "apt-get has failed, as it says above."
    return None


def missing_on_host():
    """The packages of what the backend `mlir` calls and is not here: Debian's, on macOS Homebrew's."""
    if sys.platform != "darwin":
        return missing_packages(LINKER)
    plain = [program.removesuffix("-{}") for program in TOOLS]  # as Homebrew names them
    return [] if all(is_here(program, *HOMEBREW) for program in plain) else ["llvm"]


def install_host():
    """Install what the backend `mlir` calls, as `install` does."""
    if not missing_on_host():
        return None
    if sys.platform != "darwin":
        return install(LINKER)
    if not shutil.which("brew"):
        return "Not all is here. With Homebrew, install it by:\n\n    brew install llvm\n"
    if subprocess.run(("brew", "install", "llvm"), check=False).returncode:
        return "brew has failed, as it says above."
    return None


def qemu_version():
    found = re.search(r"version (\d+)", output(is_here("qemu-aarch64") or "qemu-aarch64", "--version"))
    return int(found[1]) if found else 0


def get_qemu():
    """Put QEMU of Debian's backports into .venv. Says why where that is not to be had."""
    release = re.search(r"VERSION_CODENAME=(\w+)", Path("/etc/os-release").read_text())
    if not shutil.which("apt-get") or not shutil.which("dpkg-deb") or not release or not VENV.exists():
        return "there is no Debian with a .venv, which install.py makes"
    mirror = debian_mirror()
    if mirror is None:
        return "the system's sources name no mirror of Debian"
    problems = []
    for suite in dict.fromkeys((NEWEST_BACKPORTS, f"{release[1]}-backports")):
        problem = qemu_of(suite, mirror)
        if problem is None:
            return None
        problems.append(problem)
    return "; ".join(problems)


def qemu_of(suite, mirror):
    """Put QEMU of a suite of Debian's into .venv. Says why where that is not to be had."""
    with tempfile.TemporaryDirectory(prefix="pytl-apt-") as state:
        # a state of its own for apt, so that the backports are no source of the system's
        Path(state, "lists/partial").mkdir(parents=True)
        Path(state, "cache/archives/partial").mkdir(parents=True)
        keys = "/usr/share/keyrings/debian-archive-keyring.gpg"
        source = f"deb [signed-by={keys}] {mirror} {suite} main\n"
        Path(state, "sources.list").write_text(source)
        settings = {
            "Dir::Etc::sourcelist": f"{state}/sources.list",
            "Dir::Etc::sourceparts": "/dev/null",
            "Dir::State::lists": f"{state}/lists",
            "Dir::Cache": f"{state}/cache",
            "APT::Sandbox::User": "root",
        }
        options = [f"-o{name}={value}" for name, value in settings.items()]
        wanted = f"qemu-user/{suite}"
        for command in (("update", "-q"), ("download", "-q", wanted)):
            done = subprocess.run(
                ("apt-get", *options, *command), cwd=state, capture_output=True, text=True, check=False
            )
            if done.returncode:
                return f"apt-get {command[0]} of {suite} fails: {done.stderr.strip().splitlines()[-1:]}"
        packages = list(Path(state).glob("qemu-user_*.deb"))
        program = Path(state, "qemu/usr/bin/qemu-aarch64")
        if packages:
            output("dpkg-deb", "-x", str(packages[0]), f"{state}/qemu")
        if not program.is_file():
            return f"the package of {suite} cannot be unpacked"
        if not output(program, "--version"):
            return f"the program of {suite} does not run here"
        shutil.copy2(program, VENV / "bin/qemu-aarch64")
    return None


def debian_mirror():
    """The mirror that the system takes Debian from."""
    texts = [file.read_text() for file in Path("/etc/apt").glob("sources.list*") if file.is_file()]
    texts += [file.read_text() for file in Path("/etc/apt/sources.list.d").glob("*.[ls][io]*")]
    found = re.search(r"https?://\S+/debian/?(?=\s)", "\n".join(texts) + "\n")
    return found[0] if found else None


def main(arguments):
    is_host = "--host" in arguments
    unknown = set(arguments) - {"--host", "--check"}
    if unknown:
        sys.exit(f"This program has no option {', '.join(sorted(unknown))}. Its options are --host and --check.")
    packages = missing_on_host() if is_host else missing_packages()
    if "--check" in arguments:
        print(f"missing: {' '.join(packages)}" if packages else "nothing is missing")
        return int(bool(packages))
    problem = install_host() if is_host else install() if packages else None
    if problem:
        sys.exit(problem)
    if is_host:
        return 0
    if qemu_version() < QEMU_WANTED:
        problem = get_qemu()
        if problem:
            print(f"QEMU {QEMU_WANTED} is not to be had: {problem}.")
        version = qemu_version()
        if version < QEMU_HAS_PRODUCTS:
            print(f"QEMU {version} serves; products of bytes and of bf16 take it more instructions; it has no SME2.")
        elif version < QEMU_WANTED:
            print(f"QEMU {version} serves; it has no SME2.")
    print(f"QEMU {qemu_version()} is {is_here('qemu-aarch64')}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
