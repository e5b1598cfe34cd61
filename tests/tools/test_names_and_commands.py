"""The pages of Python names and of commands, which are made of what they are about."""

import argparse

import pytest
from launch_kit import PUBLIC

from pytl.process.settings import all_settings
from pytl.tools.cli import make_parser
from pytl.tools.docs.api import api_page
from pytl.tools.docs.command_line import command_line_page

NAMES = api_page()


@pytest.mark.parametrize("name", PUBLIC)
def test_every_public_name_is_on_the_page(name: str) -> None:
    assert any(words in NAMES for words in (f"\n### {name}\n", f"\n### {name}.", f"\n| `{name}` | "))


def test_what_names_have_in_common() -> None:
    assert "#### `Kernel[n].submit()`" in NAMES
    assert "A parameter that is a Python value, folded while tracing: `n: constexpr`, `n: constexpr[int]`." in NAMES
    assert (
        "sum(alpha: Number, A: Tensor, beta: Number, b: Tensor, atomic: bool = False, any_beta: bool = False)" in NAMES
    )
    assert "for i, j in foreach((0, 0), (m, n)):" in NAMES
    assert "Instruction: [`subgroup_add`](reference/subgroup_add.md)." in NAMES


def test_every_command_and_setting_is_on_the_page() -> None:
    page = command_line_page(make_parser())
    for command in ("check", "convert", "opt", "emit", "run", "tune", "ops", "explain", "devices"):
        assert f"\n## pytl {command}\n" in page
    assert "pytl check FILE… [--strict]" in page
    assert "pytl opt FILE [-p PASSES]…" in page
    for setting in all_settings():
        assert f"| `{setting.variable}` | " in page


def test_commands_of_commands() -> None:
    parser = argparse.ArgumentParser("tool")
    store = parser.add_subparsers(metavar="COMMAND").add_parser("store", description="Keeps things.")
    actions = store.add_subparsers(metavar="ACTION")
    clear = actions.add_parser("clear", description="Forgets some.")
    clear.add_argument("keys", nargs="*", metavar="KEY")
    clear.add_argument("--what", choices=["old", "all"])
    page = command_line_page(parser)
    assert "## tool store\n\nKeeps things.\n\n```sh\ntool store ACTION\n```" in page
    assert "### tool store clear\n\nForgets some.\n\n```sh\ntool store clear [KEY]… [--what old|all]\n```" in page
