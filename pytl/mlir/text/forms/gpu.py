"""gpu: kernels and their launches, memory of devices, the numbers of a work-item, what work-items share."""

from __future__ import annotations

from typing import Any

from ....diagnostics import Location
from ..custom import Form, Parts, Spelled
from ..reader import Read, Reader
from ..tree import Operation
from ..types import I32, INDEX, Function, Opaque, Type
from .functions import attributes_behind, write_module

_OF_KERNELS = ("sym_name", "function_type", "gpu.kernel", "workgroup_attributions")


def _module(reader: Reader, name: str) -> Operation:
    """A module, maybe with what handles its objects, and its targets."""
    attributes: dict[str, Any] = {"sym_name": reader.symbol()[1:]}
    if reader.take("<"):
        attributes["offloadingHandler"] = reader.attribute()
        reader.expect(">")
    if reader.take("["):
        attributes["targets"] = tuple(reader.read_list("]", reader.attribute))
    if reader.take("attributes"):
        attributes |= reader.dictionary()
    return Operation(name, [], [], [], [], attributes, [reader.region()])


def _function(reader: Reader, name: str) -> Operation:
    """A function; the memory of its work-group and of its work-items is behind its parameters."""
    attributes: dict[str, Any] = {"sym_name": reader.symbol()[1:]}
    reader.expect("(")
    locations: list[Location] = []

    def argument() -> tuple[str, Type]:
        begin = reader.position
        pair = reader.argument()
        locations.append(reader.location_from(begin))
        if reader.peek() == "{":
            reader.dictionary()
        reader.skip_location()
        return pair

    arguments: list[tuple[str, Type]] = reader.read_list(")", argument)
    results = reader.types() if reader.take("->") else []
    attributes["function_type"] = Function(tuple(type_ for _, type_ in arguments), tuple(results))
    memory = _attributions(reader, attributes)
    if reader.take("kernel"):
        attributes["gpu.kernel"] = True
    if reader.take("attributes"):
        attributes |= reader.dictionary()
    region = reader.region([*arguments, *memory])
    region.blocks[0].locations = locations
    return Operation(name, [], [], [], [], attributes, [region])


def _attributions(reader: Reader, attributes: dict[str, Any]) -> list[tuple[str, Type]]:
    """`workgroup(%a : memref<4xf32, 3>) private(%b : memref<4xf32, 5>)`."""
    shared: list[tuple[str, Type]] = []
    own: list[tuple[str, Type]] = []
    for word, of in (("workgroup", shared), ("private", own)):
        if reader.take(word):
            reader.expect("(")
            of += reader.read_list(")", reader.argument)
    if shared:
        attributes["workgroup_attributions"] = len(shared)
    return [*shared, *own]


def _write_function(operation: Operation, printer: Any) -> str:
    arguments = operation.regions[0].blocks[0].arguments
    count = len(operation.attributes["function_type"].inputs)
    text = f" @{operation.attributes['sym_name']}({_listed(arguments[:count], ': ', printer)})"
    if arguments[count:]:
        text += f" workgroup({_listed(arguments[count:], ' : ', printer)})"
    kernel = " kernel" if "gpu.kernel" in operation.attributes else ""
    attributes = attributes_behind(operation, printer, _OF_KERNELS)
    return f"{text}{kernel}{attributes} {printer.region(operation.regions[0])}"


def _listed(arguments: list[tuple[str, Type]], colon: str, printer: Any) -> str:
    return ", ".join([f"{name}{colon}{printer.type(type_)}" for name, type_ in arguments])


# Launches, and memory of devices.

_TOKEN = Opaque("!gpu.async.token")
_LAUNCH = (
    *("asyncDependencies", "gridSizeX", "gridSizeY", "gridSizeZ", "blockSizeX", "blockSizeY", "blockSizeZ"),
    *("clusterSizeX", "clusterSizeY", "clusterSizeZ", "dynamicSharedMemorySize"),
)


def _async(reader: Reader, parts: Parts) -> list[Type]:
    """`async [%a, %b]`: the tokens that are waited for; the type of the token that is given, if one is."""
    given: list[Type] = [_TOKEN] if reader.take("async") else []
    tokens = reader.read_list("]", reader.operand) if reader.take("[") else []
    parts.add("asyncDependencies", tokens, [_TOKEN] * len(tokens))
    return given


def _others(reader: Reader, parts: Parts) -> None:
    if reader.peek() == "{":
        parts.attributes |= reader.dictionary()


def _three(reader: Reader, parts: Parts, group: str) -> None:
    """`(%x, %y, %z)`."""
    reader.expect("(")
    sizes = reader.read_list(")", reader.operand)
    if len(sizes) != 3:
        reader.fail(f"sizes are of x, y and z, and {len(sizes)} are given")
    for axis, size in zip("XYZ", sizes):
        parts.operands[f"{group}Size{axis}"] = [size]


def _launch_func(reader: Reader, name: str) -> Operation:
    parts = Parts()
    results = _async(reader, parts)
    parts.attributes["kernel"] = reader.symbol()
    if reader.take("clusters"):
        reader.expect("in")
        _three(reader, parts, "cluster")
    for word, group in (("blocks", "grid"), ("threads", "block")):
        reader.expect(word)
        reader.expect("in")
        _three(reader, parts, group)
    if reader.take(":"):
        type_ = reader.type()
        for axis in "XYZ":
            parts.types |= {f"{group}Size{axis}": [type_] for group in ("grid", "block")}
    if reader.take("dynamic_shared_memory_size"):
        parts.add("dynamicSharedMemorySize", [reader.operand()], [I32])
    passed: list[tuple[str, Type]] = []
    if reader.take("args"):
        reader.expect("(")
        passed = reader.read_list(")", lambda: _typed(reader))
    parts.add("kernelOperands", [value for value, _ in passed], [type_ for _, type_ in passed])
    if reader.take("<"):
        value, type_ = _typed(reader)
        reader.expect(">")
        parts.add("asyncObject", [value], [type_])
    _others(reader, parts)
    return parts.operation(name, results, (*_LAUNCH, "kernelOperands", "asyncObject"))


def _typed(reader: Reader) -> tuple[str, Type]:
    """`%a : f32`."""
    value = reader.operand()
    reader.expect(":")
    return value, reader.type()


def _launch(reader: Reader, name: str) -> Operation:
    """A launch with the kernel in place; its region's arguments are the numbers of work-items, and the sizes."""
    parts = Parts()
    results = _async(reader, parts)
    numbers: list[str] = []
    named: list[str] = []
    words = [("blocks", "grid"), ("threads", "block")]
    has_clusters = reader.peek() == "clusters"
    if has_clusters:
        words.insert(0, ("clusters", "cluster"))
    for word, group in words:
        reader.expect(word)
        reader.expect("(")
        numbers += reader.read_list(")", reader.operand)
        reader.expect("in")
        reader.expect("(")

        def size() -> str:
            named.append(reader.operand())
            reader.expect("=")
            return reader.operand()

        sizes = reader.read_list(")", size)
        if len(sizes) != 3 or len(numbers) != len(named):
            reader.fail("a launch has numbers and sizes in x, y and z")
        for axis, each in zip("XYZ", sizes):
            parts.operands[f"{group}Size{axis}"] = [each]
    if has_clusters:
        # the region has the numbers of blocks and work-items first
        numbers, named = [*numbers[3:], *numbers[:3]], [*named[3:], *named[:3]]
    if reader.take("dynamic_shared_memory_size"):
        parts.add("dynamicSharedMemorySize", [reader.operand()], [I32])
    if reader.take("module"):
        reader.expect("(")
        parts.attributes["module"] = reader.symbol()
        reader.expect(")")
    if reader.take("function"):
        reader.expect("(")
        parts.attributes["function"] = reader.symbol()
        reader.expect(")")
    memory = _attributions(reader, parts.attributes)
    arguments = [(each, INDEX) for each in (*numbers[:6], *named[:6], *numbers[6:], *named[6:])]
    region = reader.region([*arguments, *memory])
    _others(reader, parts)
    return parts.operation(name, results, _LAUNCH, regions=[region])


def _alloc(reader: Reader, name: str) -> Operation:
    parts = Parts()
    token = _async(reader, parts)
    if reader.take("host_shared"):
        parts.attributes["hostShared"] = True
    reader.expect("(")
    parts.operands["dynamicSizes"] = reader.read_list(")", reader.operand)
    if reader.take("["):
        parts.operands["symbolOperands"] = reader.read_list("]", reader.operand)
    _others(reader, parts)
    reader.expect(":")
    return parts.operation(name, [reader.type(), *token], ("asyncDependencies", "dynamicSizes", "symbolOperands"))


def _of_memory(count: int) -> Read:
    """An operation of memory that may wait for others, and of which others may wait: memcpy, memset, dealloc."""

    def read(reader: Reader, name: str) -> Operation:
        parts = Parts()
        token = _async(reader, parts)
        operands = reader.read_separated(reader.operand) if count else []
        _others(reader, parts)
        types: list[Type] = []
        if count:
            reader.expect(":")
            types = reader.read_separated(reader.type)
        if not len(operands) == len(types) == count:
            reader.fail(f"{name} has {count} operands with their types")
        parts.add("operands", operands, types)
        return parts.operation(name, token)

    return read


def _reduced(reader: Reader, name: str) -> Operation:
    """`add %x uniform cluster(size = 4, stride = 2) { … } : (f32) -> f32`, of all work-items or of a sub-group."""
    parts = Parts()
    if not reader.peek().startswith("%"):
        parts.attributes["op"] = reader.word("what is done")
    parts.operands["value"] = [reader.operand()]
    if reader.take("uniform"):
        parts.attributes["uniform"] = True
    if reader.take("cluster"):
        reader.expect("(")

        def entry() -> None:
            word = reader.word("size or stride")
            reader.expect("=")
            parts.attributes[f"cluster_{word}"] = reader.integer()

        reader.read_list(")", entry)
    regions = [reader.region()] if name == "gpu.all_reduce" else []
    _others(reader, parts)
    reader.expect(":")
    reader.expect("(")
    parts.types["value"] = reader.read_list(")", reader.type)
    reader.expect("->")
    return parts.operation(name, reader.types(), regions=regions)


def _printf(reader: Reader, name: str) -> Operation:
    """`"%d\n", %x : i32`; the older form has the operands' types behind the name of a format, too."""
    parts = Parts()
    parts.attributes["format"] = reader.quoted()
    operands, types = [], []
    if reader.take(","):
        operands = reader.read_separated(reader.operand)
        _others(reader, parts)
        reader.expect(":")
        types = reader.read_separated(reader.type)
    if len(operands) != len(types):
        reader.fail("gpu.printf has as many types as operands")
    parts.add("args", operands, types)
    return parts.operation(name, [])


def _warp(reader: Reader, name: str) -> Operation:
    """`(%lane)[32] args(%v : vector<4xf32>) -> (f32) { ^bb0(%w : vector<128xf32>): … }`."""
    parts = Parts()
    reader.expect("(")
    parts.operands["lane"] = [reader.operand()]
    reader.expect(")")
    reader.expect("[")
    parts.attributes["warp_size"] = reader.integer()
    reader.expect("]")
    if reader.take("args"):
        reader.expect("(")
        passed = reader.read_list(")", lambda: _typed_list(reader))
        names = [value for values, _ in passed for value in values]
        parts.add("args", names, [type_ for _, types in passed for type_ in types])
    results = reader.types() if reader.take("->") else []
    region = reader.region()
    _others(reader, parts)
    return parts.operation(name, results, regions=[region])


def _typed_list(reader: Reader) -> tuple[list[str], list[Type]]:
    value, type_ = _typed(reader)
    return [value], [type_]


_OF_A_DIMENSION = (
    *("block_id", "block_dim", "grid_dim", "thread_id", "global_id"),
    *("cluster_id", "cluster_dim", "cluster_block_id", "cluster_dim_blocks"),
)
_OF_SUBGROUPS = ("subgroup_id", "subgroup_size", "num_subgroups")
_LIMIT = "[[ upper_bound =upper_bound:number ]]"
_MATRIX_AT = "$memref [ $indices* ] {}"

FORMS: dict[str, Read] = {
    "gpu.module": Spelled(_module, write_module),
    "gpu.func": Spelled(_function, _write_function),
    "gpu.return": Form("$a* {} [[ : types(a) ]]", ""),
    "gpu.launch": _launch,
    "gpu.launch_func": _launch_func,
    "gpu.terminator": Form("{}", ""),
    "gpu.yield": Form("$a* {} [[ : types(a) ]]", ""),
    "gpu.alloc": _alloc,
    "gpu.dealloc": _of_memory(1),
    "gpu.memcpy": _of_memory(2),
    "gpu.memset": _of_memory(2),
    "gpu.wait": _of_memory(0),
    "gpu.host_register": Form("$value {} : type(value)", ""),
    "gpu.host_unregister": Form("$value {} : type(value)", ""),
    "gpu.set_default_device": Form("$index {}", "", known={"index": "i32"}),
    **{f"gpu.{name}": Form(f"=dimension:word {_LIMIT} {{}}", "index") for name in _OF_A_DIMENSION},
    **{f"gpu.{name}": Form(f"{_LIMIT} {{}} : index", "index") for name in _OF_SUBGROUPS},
    "gpu.lane_id": Form(f"{_LIMIT} {{}}", "index"),
    "gpu.shuffle": Form(
        "=mode:word $value , $offset , $width {} : type(value)", "value, i1", known={"offset": "i32", "width": "i32"}
    ),
    "gpu.rotate": Form("$value , =offset:number , =width:number {} : type(value)", "value, i1"),
    "gpu.subgroup_broadcast": Form(
        "$value , =broadcast_type:word [[ $lane ]] {} : type(value)", "value", known={"lane": "i32"}
    ),
    "gpu.all_reduce": _reduced,
    "gpu.subgroup_reduce": _reduced,
    "gpu.dynamic_shared_memory": Form("{} : type(result)"),
    "gpu.printf": _printf,
    "gpu.barrier": Form("{}", ""),
    "gpu.warp_execute_on_lane_0": _warp,
    "gpu.subgroup_mma_load_matrix": Form(f"{_MATRIX_AT} : type(memref) -> type(result)"),
    "gpu.subgroup_mma_store_matrix": Form(f"$value , {_MATRIX_AT} : type(value) , type(memref)", ""),
    "gpu.subgroup_mma_compute": Form("$a , $b , $c {} : type(a) , type(b) -> type(c)", "c"),
    "gpu.subgroup_mma_constant_matrix": Form("$value {} : type(result)", known={"value": "index"}),
    "gpu.subgroup_mma_elementwise": Form("=opType:word $args* {} : function(args)"),
    "gpu.subgroup_mma_extract_thread_local": Form("$matrix [ $indices* ] {} : type(matrix) -> type(result)"),
    "gpu.subgroup_mma_insert_thread_local": Form(
        "$value , $matrix [ $indices* ] {} : type(value) , type(matrix) -> type(result)"
    ),
}
