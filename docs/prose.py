"""Checks the style of the pages with proselint: `python docs/prose.py PAGE…` prints what it finds, and then fails.

proselint reads plain text. So it is given the pages without their code, tables and links, line by line as they are.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from pathlib import Path

OFF = {
    "restricted": "lists of words for children",
    "typography": "curly quotes in what stands for code",
    "lexical_illusions": "a heading and the sentence below it may begin alike",
    "misc.phrasal_adjectives.ly": "multiply-add is no adverb",
    "dates_times.am_pm": "1 pm is a unit of length",
}
"""What is left out, and why it would be wrong here."""
CODE = re.compile(r"^(`{3,}|~{3,}).*?^\1|<!--.*?-->|^    .*?$|^\|.*?$|`[^`]*`|\]\([^)]*\)", re.DOTALL | re.MULTILINE)

FINDING = re.compile(r".*?(?P<page>\d+)\.md:(?P<place>\d+:\d+): (?P<check>[\w.]+): (?P<message>.*)")


def without_code(page: str) -> str:
    """The page's prose on the lines where it stands; a piece of code in a sentence is the word `code`."""

    def blank(found: re.Match[str]) -> str:
        lines = found[0].count("\n")
        return "\n" * lines if lines or found[0][0] in "| " else "code"

    return CODE.sub(blank, page)


def check(pages: list[Path]) -> int:
    """Print proselint's findings as `PAGE:LINE:COLUMN: check: message`; returns how many there are."""
    with tempfile.TemporaryDirectory() as folder:
        copies = []
        for number, page in enumerate(pages):
            copies.append(Path(folder) / f"{number}.md")
            copies[-1].write_text(without_code(page.read_text(encoding="utf-8")), encoding="utf-8")
        command = [sys.executable, "-m", "proselint", "-o", "compact", "check", *map(str, copies)]
        ended = subprocess.run(command, capture_output=True, text=True)
    if "Traceback" in ended.stderr or (ended.returncode and not ended.stdout):
        sys.stderr.write(ended.stderr)  # it did not run
        return 1
    found = 0
    for line in ended.stdout.splitlines():
        match = FINDING.match(line)
        if match and not match["check"].startswith(tuple(OFF)):
            print(f"{pages[int(match['page'])]}:{match['place']}: {match['check']}: {match['message']}")
            found += 1
    return found


if __name__ == "__main__":
    sys.exit(1 if check([Path(name) for name in sys.argv[1:]]) else 0)
