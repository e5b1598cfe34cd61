"""What the document demands of texts."""

from __future__ import annotations

from ...diagnostics import Rule

_DOCUMENT = "Document on MLIR"
_TYPES = "Document on MLIR, types"
_AFFINE = "Document on MLIR, polyhedral structures"
_FUNCTIONS = "Document on MLIR, functions"
_OPERATIONS = "Document on MLIR, operations"
_TODAY = "MLIR of today"

MAX_DEPTH = 64
MAX_DIGITS = 1000
MAX_WIDTH = (1 << 24) - 1

# Texts.
SYNTAX = Rule("PYTL-1400", "a text follows the grammar of the document", _DOCUMENT)
SPELLING = Rule(
    "PYTL-1401",
    "a text is spelled as the document's grammar has it",
    _DOCUMENT,
    severity="note",
    explanation="Samples of the document are not. What can be meant in one way only is read with this note; `...` "
    "stands for what a sample leaves out.",
)
NUMBERS = Rule(
    "PYTL-1402",
    f"a size, an address and a memory space have at most 63 bits, an integer type has at most {MAX_WIDTH} bits, a "
    f"literal has at most {MAX_DIGITS} digits",
    _DOCUMENT,
)
DEPTH = Rule(
    "PYTL-1403",
    f"types, attributes and instructions are nested at most {MAX_DEPTH} deep",
    _DOCUMENT,
)
ALIAS = Rule(
    "PYTL-1404",
    "the name of an affine map, an integer set or a type is defined once, and before it is used",
    _DOCUMENT,
)

# Names.
UNDEFINED = Rule("PYTL-1405", "a value that is used is defined where it is used", _DOCUMENT)
REDEFINED = Rule("PYTL-1406", "a name stands for one value where it is visible", _DOCUMENT)
DOMINANCE = Rule("PYTL-1407", "the definition of a value dominates its uses", _DOCUMENT)
RESULT = Rule(
    "PYTL-1408",
    "one of several results is used by its number, as %x#1, and there are as many results",
    _DOCUMENT,
)
FUNCTION_NAME = Rule(
    "PYTL-1409", "a function is defined once, and one that is named is a function of the module", _FUNCTIONS
)
TYPES = Rule("PYTL-1410", "a value is used with its own type", _OPERATIONS)
COUNT = Rule(
    "PYTL-1411", "an operation has as many operands, successors and results as it takes and gives", _OPERATIONS
)

# Types.
ELEMENT = Rule(
    "PYTL-1412",
    "elements of a vector are integers or floats, elements of a tensor or memref these or vectors of them",
    _TYPES,
    explanation="`index` is no element: its size is that of the machine.",
)
CONFORMANT = Rule(
    "PYTL-1413",
    "the first map of a memref has a dimension for each of the memref's, each further map one for each result of the "
    "map before",
    _TYPES,
)
ONE_TO_ONE = Rule("PYTL-1414", "the composition of a memref's maps leads no two indices to one place", _TYPES)
INDEX_MAP = Rule(
    "PYTL-1415", "an index map of a memref, which is each map but the last one, has the sizes of its results", _TYPES
)

OUTSIDE = Rule(
    "PYTL-1445",
    "a map of a memref leads within the sizes that it has",
    _TYPES,
    explanation="It is checked at the first and the last index, for results without symbols.",
)

# Affine constructs.
DIMENSION = Rule(
    "PYTL-1416",
    "a dimension is bound to a value of type index that a symbol may be bound to, the variable of a loop, or the "
    "result of affine_apply",
    _AFFINE,
)
SYMBOL = Rule(
    "PYTL-1417",
    "a symbol is bound to a value of type index that is an argument of the function, is defined outside of all loops "
    "and conditions, is a constant, or the result of affine_apply to such values",
    _AFFINE,
)
BOUND = Rule(
    "PYTL-1418", "a bound whose map has several results is written with max where it is lower, min where upper", _AFFINE
)
STEP = Rule("PYTL-1419", "the step of a loop is a positive constant", _AFFINE)

# Functions and blocks.
ARGUMENTS = Rule(
    "PYTL-1420",
    "a function with a body has a name for each argument, in its signature or in its first block",
    _FUNCTIONS,
)
TERMINATOR = Rule(
    "PYTL-1421",
    "a terminator operation stands at the end of each block, and nowhere else",
    _FUNCTIONS,
    explanation="Bodies of for and if have none.",
)
SUCCESSOR = Rule(
    "PYTL-1422", "a branch goes to a block of its function other than the first one; labels are unique", _FUNCTIONS
)
PASSED = Rule("PYTL-1423", "a branch passes to a block values of the types of its arguments, one for each", _FUNCTIONS)
RETURNED = Rule("PYTL-1424", "return has values of the types that the function's signature has", _FUNCTIONS)

# Operations.
OPERATION = Rule(
    "PYTL-1425",
    "an operation without quotes around its name is one of the document's standard operations",
    _OPERATIONS,
)
ATTRIBUTE = Rule(
    "PYTL-1426",
    "a standard operation has the attributes of its own; an attribute is given once",
    _OPERATIONS,
)
ARITHMETIC = Rule(
    "PYTL-1427",
    "arithmetic is on numbers, or on vectors or tensors of them: integers for addi, cmpi, divis, diviu, remis and "
    "remiu, floats for addf and mulf; operands and result are of one type",
    _OPERATIONS,
    explanation="`index` is an integer. The result of cmpi has i1 in the place of the numbers.",
)
PREDICATE = Rule(
    "PYTL-1428",
    "the predicate of cmpi is eq, ne, slt, sle, sgt, sge, ult, ule, ugt or uge, or its number from 0 to 9",
    _OPERATIONS,
    explanation="The document's list has slt and ult twice, where sle and ule are meant.",
)
CONSTANT = Rule(
    "PYTL-1429",
    "the value of a constant, and a number with a type as an attribute, is one of its type",
    _OPERATIONS,
    explanation="An integer has as many bits as its type, with a sign or without. A function has its own type.",
)
SELECT = Rule(
    "PYTL-1430",
    "select takes i1, or a vector or tensor of i1 of the operands' shape, and two values of the result's type",
    _OPERATIONS,
)
CAST = Rule(
    "PYTL-1431",
    "a cast changes what is known about sizes, and nothing else",
    _OPERATIONS,
    explanation="The types differ. memref_cast keeps elements, maps, memory space and rank; tensor_cast keeps the "
    "elements, and the rank unless it is unknown on one side. Constant sizes of one mode are equal.",
)
DIM = Rule("PYTL-1432", "dim takes a memref or tensor and the number of one of its modes", _OPERATIONS)
INDICES = Rule(
    "PYTL-1433", "an element has an index of type index for each mode of what it is an element of", _OPERATIONS
)
STORED = Rule("PYTL-1434", "what is loaded, stored or extracted has the type of the elements", _OPERATIONS)
MEMREF = Rule("PYTL-1435", "operations on memory take memrefs", _OPERATIONS)
ALLOC = Rule(
    "PYTL-1436",
    "alloc, reshape and view have a size for each ? of the memref that they give, and a value for each symbol of its "
    "maps",
    _OPERATIONS,
)
STATIC = Rule("PYTL-1437", "alloc_static gives a memref without ? and without symbols in its maps", _OPERATIONS)
RESHAPE = Rule(
    "PYTL-1438",
    "reshape keeps the elements, the memory space and the product of the sizes",
    _OPERATIONS,
)
VIEW = Rule(
    "PYTL-1439",
    "a view has the elements and the memory space of its base, and its index map leads into the base's index space",
    _OPERATIONS,
)
DMA = Rule(
    "PYTL-1440",
    "dma_start moves as many elements as a value of type index says, between memrefs of the same elements",
    _OPERATIONS,
)
TENSOR = Rule("PYTL-1441", "tensor_load and tensor_store have a tensor of the memref's shape and elements", _OPERATIONS)
EXTRACT = Rule("PYTL-1442", "extract_element takes a tensor or a vector", _OPERATIONS)
CALL = Rule(
    "PYTL-1443",
    "a call names a function, or has a value of function type, whose arguments and results are those of the call",
    _OPERATIONS,
)
CONDITION = Rule("PYTL-1444", "cond_br takes a value of type i1", _OPERATIONS)

# Today's MLIR.
NO_COUNTERPART = Rule("PYTL-1450", "what is printed in today's MLIR has a counterpart there", _TODAY)
UNREGISTERED = Rule(
    "PYTL-1451",
    "an operation or type of a dialect that MLIR does not have is kept as it is",
    _TODAY,
    severity="note",
    explanation="`mlir-opt --allow-unregistered-dialect` reads it.",
)
SIZES_LOST = Rule(
    "PYTL-1452",
    "affine maps of today's MLIR have no sizes",
    _TODAY,
    severity="note",
    explanation="The sizes of a layout map are kept where they make strides of it, and left out where they don't.",
)
NOT_EXECUTED = Rule(
    "PYTL-1453",
    "a function that pytl can execute becomes a kernel",
    _TODAY,
    severity="note",
    explanation="Other functions are checked by the document's rules, and `pytl convert --to mlir` prints them.",
)
