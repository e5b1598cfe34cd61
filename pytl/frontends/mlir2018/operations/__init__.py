"""The standard operations of the document, by name."""

from __future__ import annotations

from collections.abc import Mapping

from . import arithmetic, core, memory, tensors, terminators
from .form import Form

FORMS: Mapping[str, Form] = {
    form.name: form()
    for form in (
        *(terminators.Br, terminators.CondBr, terminators.Return),
        *(core.AffineApply, core.Call, core.CallIndirect, core.Dim, core.Reshape, core.View),
        *(memory.Alloc, memory.AllocStatic, memory.Dealloc, memory.DmaStart, memory.DmaWait, memory.Load, memory.Store),
        *(tensors.ExtractElement, tensors.TensorLoad, tensors.TensorStore, tensors.MemrefCast, tensors.TensorCast),
        *(arithmetic.Addi, arithmetic.Addf, arithmetic.Cmpi, arithmetic.Constant, arithmetic.Divis),
        *(arithmetic.Diviu, arithmetic.Mulf, arithmetic.Remis, arithmetic.Remiu, arithmetic.Select),
    )
}

__all__ = ["FORMS", "Form"]
