"""The interface of a front end: a language whose texts become IR, and whose texts IR may become."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar

from ..diagnostics import Diagnostics, LanguageError, Rule
from ..ir.text import ParsedText
from ..ir.values import Module

UNKNOWN_LANGUAGE = Rule(
    "PYTL-3033", "a language is one that pytl reads, or one that an installed package offers", "Front ends"
)
NO_DEFINITIONS = Rule(
    "PYTL-1266",
    "compile-time variables are given to texts of a language that has them, such as the dialect 0.4",
    "Dialects",
)
NOT_WRITTEN = Rule("PYTL-3034", "a language that modules are written in has a printer", "Front ends")


class Frontend(ABC):
    """A language of texts. One object serves the whole process, and keeps nothing of the texts that it reads.

    A subclass names the language and the endings of its files. Its module is imported to learn these, so what reading
    takes is best imported in `read`.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    """What the language is called in sentences."""
    takes_definitions: ClassVar[bool] = False
    """Whether texts have compile-time variables, which `read` takes values of as `definitions`."""
    endings: ClassVar[tuple[str, ...]] = ()
    """Endings of file names, with the dot, by which a file is known to be in this language."""

    @abstractmethod
    def read(self, text: str, name: str, *, strict: bool = False, internal: bool = False) -> ParsedText:
        """The functions of a text that could be read, and all that there is to say about the text.

        `name` is what diagnostics call the text. With `strict`, accepted spellings that are not canonical are errors;
        with `internal`, the text may have the instructions that passes write. Rules of instructions are checked later,
        by `ir.verifier.find_problems`.
        """

    def read_with(
        self,
        text: str,
        name: str,
        definitions: Mapping[str, Any] | None,
        *,
        strict: bool = False,
        internal: bool = False,
    ) -> ParsedText:
        """As `read`, with values of compile-time variables. Raises `pytl.LanguageError` where there are no such."""
        if not definitions:
            return self.read(text, name, strict=strict, internal=internal)
        if not self.takes_definitions:
            given = ", ".join(f"${each}" for each in definitions)
            raise LanguageError.single(NO_DEFINITIONS, f"{given} is given, but {self.title} has no such variables")
        return self.read(text, name, strict=strict, internal=internal, definitions=definitions)  # type: ignore[call-arg]

    def translate(self, text: str, name: str, to: str) -> tuple[str, Diagnostics] | None:
        """A text of this language as one of another, with what there is to say about it beside errors.

        None where the way to that language leads through IR: by `read`, and by `write` of the other one. Raises
        `pytl.LanguageError` where the text has errors, or something has no form in the other language.
        """
        return None

    def write(self, module: Module) -> str:
        """The module as a text of the language, which `read` takes. Raises `pytl.LanguageError` where it has none."""
        raise LanguageError.single(NOT_WRITTEN, f"pytl reads {self.title}, and does not write it")
