"""arm_sme: tiles, their slices, and outer products."""

from __future__ import annotations

from ..custom import Form
from ..reader import Read, Reader
from ..tree import Operation
from ..types import ScalableVector

_MASKED = ("lhs", "rhs", "lhsMask", "rhsMask", "acc")
_GIVEN = "$lhs , $rhs [[ acc ( $acc ) ]] [[ masks ( $lhsMask , $rhsMask ) ]] {} : type(lhs) , type(rhs)"
_OF_MASKS = {"lhsMask": "i1 of lhs", "rhsMask": "i1 of rhs"}


class _OuterProduct(Form):
    """Its tile has as many rows as the first factor has numbers, and as many columns as the second."""

    def __call__(self, reader: Reader, name: str) -> Operation:
        operation = super().__call__(reader, name)
        left, right = operation.operand_types[:2]
        if not (isinstance(left, ScalableVector) and isinstance(right, ScalableVector)):
            reader.fail("an outer product is of vectors of scalable length")
        tile = ScalableVector(left.shape + right.shape, left.scalable + right.scalable, left.element)
        operation.result_types = [tile]
        if operation.attributes["operandSegmentSizes"][-1]:
            operation.operand_types[-1] = tile
        return operation


_SEVERAL = Form(f"{_GIVEN} into type(result)", order=_MASKED, known={**_OF_MASKS, "acc": "result"})

FORMS: dict[str, Read] = {
    "arm_sme.zero": Form("{} : type(result)"),
    "arm_sme.get_tile": Form("{} : type(result)"),
    "arm_sme.insert_tile_slice": Form(
        "$vector , $tile [ $index ] [[ layout =layout:<> ]] {} : type(vector) into type(tile)", "tile"
    ),
    "arm_sme.extract_tile_slice": Form("$tile [ $index ] [[ layout =layout:<> ]] {} : type(result) from type(tile)"),
    "arm_sme.load_tile_slice": Form(
        "$base [ $indices* ] , $mask , $tile , $index [[ layout =layout:<> ]] {} "
        ": type(base) , type(mask) , type(tile)",
        "tile",
        arranged=("base", "mask", "tile", "indices", "index"),
    ),
    "arm_sme.tile_load": Form("$base [ $indices* ] {} : type(base) , type(result)"),
    "arm_sme.tile_store": Form("$tile , $base [ $indices* ] {} : type(base) , type(tile)", ""),
    "arm_sme.store_tile_slice": Form(
        "$tile , $index , $mask , $base [ $indices* ] [[ layout =layout:<> ]] {} "
        ": type(base) , type(mask) , type(tile)",
        "",
    ),
    "arm_sme.outerproduct": _OuterProduct(_GIVEN, order=_MASKED, known=_OF_MASKS),
    **{
        f"arm_sme.{kind}_{count}way": _SEVERAL
        for count, kinds in ((2, ("fmopa", "smopa", "umopa")), (4, ("smopa", "umopa")))
        for kind in kinds
    },
}
