"""A launch's demands on its arguments and its device."""

from __future__ import annotations

from ..diagnostics import Rule

_SECTION = "Launching"

COUNT = Rule("PYTL-2001", "a launch passes one argument for each parameter of the kernel", _SECTION)
KIND = Rule(
    "PYTL-2002",
    "a memref takes an array of NumPy, dpctl or dpnp; a group a list of them or one with an additional last mode; "
    "a scalar a number",
    _SECTION,
)
DTYPE = Rule("PYTL-2003", "the array's data type is the memref's element type", _SECTION)
ORDER = Rule("PYTL-2004", "the array has as many modes as the memref", _SECTION)
SHAPE = Rule("PYTL-2005", "the array has the memref's static sizes", _SECTION)
LAYOUT = Rule(
    "PYTL-2006",
    "the array's strides are those of the memref's layout, which is column-major: the first index runs fastest",
    _SECTION,
)
READ_ONLY = Rule("PYTL-2007", "an array that the kernel writes is writable", _SECTION)
QUEUES = Rule(
    "PYTL-2008",
    "compute follows data: all device arrays of a launch are on one queue",
    _SECTION,
)
SCALAR = Rule("PYTL-2009", "a number is representable in the parameter's type", _SECTION)
ALIGNED = Rule(
    "PYTL-2010",
    "the memory begins at a multiple of the elements' own alignment, and of what the parameter asserts",
    _SECTION,
)
DIVISIBLE = Rule("PYTL-2011", "sizes and strides are multiples of the divisors that the parameter asserts", _SECTION)
GROUP = Rule(
    "PYTL-2012",
    "a group has as many items as its type says, each with room for the offset and the memref",
    _SECTION,
)
OVERLAP = Rule(
    "PYTL-2013",
    "arrays that are copied to the device do not overlap in part if the kernel writes one of them",
    _SECTION,
)
LOCAL_MEMORY = Rule("PYTL-2014", "a kernel's local memory fits into that of the device", _SECTION)
WORK_GROUP = Rule("PYTL-2015", "the work-group and the sub-group have sizes that the device supports", _SECTION)
GROUPS = Rule("PYTL-2016", "the number of work-groups is an integer that is not negative", _SECTION)
ABSENT = Rule(
    "PYTL-0698",
    "None is passed for a parameter that the kernel uses only where it is associated",
    _SECTION,
    explanation="The kernel is compiled for launches without the argument: what `associated` decides is known then, "
    "and nothing of it reaches the device. So no launch follows a null pointer.",
)
SUBMIT = Rule(
    "PYTL-2017", "submit takes a queue, events and device arrays: what is copied back to NumPy needs a wait", _SECTION
)
ASPECT = Rule("PYTL-2018", "the device has the aspects that the kernel's types need", _SECTION)
REFUSED = Rule("PYTL-2019", "the SYCL run time builds and accepts the kernel", _SECTION)
ALIASING = Rule(
    "PYTL-2030",
    "arrays do not overlap that a collective instruction updates and computes from",
    _SECTION,
    explanation="Work-items that write may be ahead of others that still read. axpby, where nothing is transposed, "
    "hadamard and cumsum may be given the same array for the target and a factor. Where the operands are views with "
    "computed offsets, the reference backend tells while it executes (PYTL-4019).",
)
NOALIAS = Rule(
    "PYTL-1270",
    "the array of a noalias parameter shares no element with another one, where one of them is written",
    _SECTION,
    explanation='`@pytl.kernel(noalias=True)` says so of all parameters of memref type, and `{"noalias"=true}` in a '
    "text of one parameter, or of a function. No barriers stand between accesses to memory that is apart.",
)
TIMES = Rule("PYTL-2022", "an event has times if it is of a kernel on a queue that keeps them", _SECTION)
PATTERN = Rule(
    "PYTL-2023",
    "an array is zero outside of the pattern of its parameter",
    _SECTION,
    explanation="The reference backend looks at all entries before it executes the kernel. Others look at none: their "
    "code need not read what is outside of a pattern, and may compute with zeros in its place.",
)
FOREIGN = Rule(
    "PYTL-2040",
    "an array of another library is memory of the host or of a oneAPI device, which its library exports: by DLPack, or "
    "as a __sycl_usm_array_interface__",
    _SECTION,
)
OUTSIDE = Rule(
    "PYTL-2060",
    "what every work-group takes of a group or of an array lies in it: the index of an item, of a mode, and slices",
    _SECTION,
    explanation="The number of work-groups, the arguments, and expressions of group_id() and of variables of `for` and "
    "`foreach` determine that before the launch. Of these loops the first and the last iterations are looked at, which "
    "is enough for affine expressions. Accesses that depend on a condition or on data are not looked at here, nor "
    "are those that depend on the variables of more than 4 loops.",
)
SIZES = Rule(
    "PYTL-2061",
    "sizes that are known at run time only match as the instruction demands of static ones",
    _SECTION,
    explanation="The sizes of arrays, of items of groups and of views on them are compared when arguments are bound.",
)
INFERRED = Rule(
    "PYTL-2062",
    "kernel[...] has as many work-groups as a group that is indexed by group_id() has items, or a mode has elements",
    _SECTION,
    explanation="A mode that is divided among the work-groups in slices of equal length, as x[4 * g : 4 * g + 4], "
    "determines their number, too. Where several arguments determine different numbers, or none determines one, it has "
    "to be written.",
)
OF_THIS_PROCESS = Rule(
    "PYTL-2063",
    "a bound launch and a pytl.ArrayGroup are not pickled: they hold addresses of their process",
    _SECTION,
)
GROUP_OF = Rule(
    "PYTL-2064",
    "group takes a list of arrays of NumPy, dpctl or dpnp, of one data type and on one queue",
    _SECTION,
)
NAMED_SIZE = Rule(
    "PYTL-2080",
    "a named size is the same everywhere in the kernel's parameters",
    _SECTION,
    explanation='Sizes are named in annotations, as in Memref[f32, "n", "n + 1"]. The text of a kernel has no names of '
    "sizes. A kernel that was read from text is therefore not checked.",
)
DPEX = Rule(
    "PYTL-2041",
    "numba_dpex.call_kernel takes device arrays, at least one of them, and at least one work-group",
    _SECTION,
    explanation="It takes its queue from the arrays, copies nothing, and knows no empty index space. Where it cannot "
    "launch, a launch of pytl's own can.",
)
TUNE = Rule(
    "PYTL-2050",
    "tune takes kernel[n] with at least one work-group, the arguments as a tuple or by name, and a budget in seconds",
    _SECTION,
)
