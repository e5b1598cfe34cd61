"""LLVM text of the bf16 conversion functions that x86-64 code calls and that libgcc has from version 13 on only.

LLVM keeps a bf16 value that is live across blocks as f32, and rounds it at its use, by a call of such a function.
"""

from __future__ import annotations

import platform

_TRUNCATION = """
define weak hidden bfloat @__truncsfbf2(float %x) {
  %bits = bitcast float %x to i32
  %high = lshr i32 %bits, 16
  %odd = and i32 %high, 1
  %half = add i32 %odd, 32767
  %sum = add i32 %bits, %half
  %rounded = lshr i32 %sum, 16
  %quiet = or i32 %high, 64
  %isnan = fcmp uno float %x, 0.0
  %chosen = select i1 %isnan, i32 %quiet, i32 %rounded
  %narrow = trunc i32 %chosen to i16
  %result = bitcast i16 %narrow to bfloat
  ret bfloat %result
}

; by way of the f32 next to zero, with a last bit of one where that is not exact, so that nothing is rounded twice
define weak hidden bfloat @__truncdfbf2(double %x) {
  %near = fptrunc double %x to float
  %back = fpext float %near to double
  %sized = call double @llvm.fabs.f64(double %x)
  %backsized = call double @llvm.fabs.f64(double %back)
  %isabove = fcmp ogt double %backsized, %sized
  %isother = fcmp une double %back, %x
  %nearbits = bitcast float %near to i32
  %one = zext i1 %isabove to i32
  %toward = sub i32 %nearbits, %one
  %sticky = zext i1 %isother to i32
  %bits = or i32 %toward, %sticky
  %inner = bitcast i32 %bits to float
  %result = call bfloat @__truncsfbf2(float %inner)
  ret bfloat %result
}

declare double @llvm.fabs.f64(double)
"""


def support_for(llvm: str) -> str:
    """What has to be appended to LLVM's text for this machine."""
    if platform.machine() not in ("x86_64", "AMD64") or "bfloat" not in llvm:
        return ""
    known = "declare double @llvm.fabs.f64(double)"
    return _TRUNCATION.replace(known, "") if known in llvm else _TRUNCATION
