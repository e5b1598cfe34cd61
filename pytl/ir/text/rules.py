"""The rules of the text itself: syntax, literals, names."""

from __future__ import annotations

from ...diagnostics import Rule

SYNTAX = Rule("PYTL-0001", "the text follows the grammar of the language", "Core rules")
UNKNOWN_INSTRUCTION = Rule("PYTL-0002", "an instruction begins with a word of the language", "Instructions")
OF_DIALECT = Rule(
    "PYTL-0672",
    "an instruction that the manual has not stands in a text of a dialect that has it, or behind `v04.`",
    "Dialects",
)
MODIFIERS = Rule(
    "PYTL-0003",
    "an instruction carries the modifiers of its syntax, in that order (.n or .t; .atomic; .global.local)",
    "Instructions",
)
EMPTY_PROGRAM = Rule("PYTL-0004", "a text defines at least one function", "Functions")
LITERAL = Rule(
    "PYTL-0005",
    "integer constants lie in -2^63+1 … 2^63-1, floating constants in the range of double precision",
    "Constants",
)
UNDEFINED = Rule("PYTL-0006", "a value is defined before it is used, in the same or an enclosing region", "Regions")
REDEFINED = Rule(
    "PYTL-0007",
    "a name is defined once, and no name of an enclosing region is defined again inside",
    "Regions",
    explanation="Sibling regions may use the same name, and so may an outer one after the inner has ended.",
)
ASSIGNED = Rule(
    "PYTL-0008",
    "an instruction that gives a value is assigned, `for` and `if` excepted; as many names as values",
    "Instructions",
)
DUPLICATE_ATTRIBUTE = Rule("PYTL-0009", "a dictionary attribute names each attribute once", "Attributes")
SAME_FUNCTION = Rule("PYTL-0010", "each function of a text has its own name", "Functions")
LITERAL_REFUSED = Rule(
    "PYTL-0011",
    "an operand whose type nothing else gives is a value, such as the bounds and initial values of loops: a literal "
    "has no type of its own",
    "For",
)

UNKNOWN_DEFINITION = Rule(
    "PYTL-1262", "a compile-time variable is defined before it is used, in the same region or around it", "Dialects"
)
DEFINED_ONCE = Rule(
    "PYTL-1263", "a compile-time variable is defined once in a region and the regions in it", "Dialects"
)
KIND_OF_DEFINITION = Rule(
    "PYTL-1264",
    "a compile-time variable stands for what may stand in its place: a constant, a type or an attribute",
    "Dialects",
)
CALCULATION = Rule(
    "PYTL-1265",
    "!calc(…) has integers and operators in reverse Polish notation, and gives an integer of 64 bits",
    "Dialects",
)
LARGE_DEFINITION = Rule(
    "PYTL-1272",
    "what compile-time variables stand for has at most 1,000,000 entries in a text, nested at most 32 deep",
    "Dialects",
    explanation="A variable may stand for an array of others, so that each definition doubles what the one before has.",
)

CHARACTERS = Rule(
    "PYTL-0030",
    "a text has lines that end with a line feed, or with a carriage return and a line feed, and no control characters "
    "but these and tabs",
    "Core rules",
    explanation="Programs differ in what ends a line: a comment that one of them ends and another does not may hide an "
    "instruction, or show one that isn't there. The same is true of characters that turn the direction of writing.",
)

LITERAL_OPERAND = Rule(
    "PYTL-0020",
    "an operand is a value; a literal in its place stands for a constant instruction",
    "Instructions",
    severity="note",
)
WHOLE_MODE = Rule(
    "PYTL-0021",
    "a slice is written offset:size; a bare colon stands for the whole mode",
    "Subview",
    severity="note",
)
ALIAS = Rule("PYTL-0022", "an instruction is written by its canonical name", "Instructions", severity="note")
COMPARED_TYPE = Rule(
    "PYTL-0023",
    "a comparison is annotated with its result type, bool; the operands' type in its place is read as such",
    "Comparison",
    severity="note",
)
SPELLING = Rule("PYTL-0025", "an instruction is written with the signs of its syntax", "Instructions", severity="note")
LOCAL_BY_DEFAULT = Rule(
    "PYTL-0024",
    "alloca gives a local memref; a type that names no address space is read as local there",
    "Alloca",
    severity="note",
)
