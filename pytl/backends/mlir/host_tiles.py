"""The tile registers of this machine's processor."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...devices import tile_registers
from ...passes.targets.amx import FP16
from ...passes.targets.machine import Machine
from ..tile_check import TileRegisters


class HostTiles(TileRegisters):
    """Whether products in this process use them."""

    tries_without_queue = True

    def problem_of(self, machine: Machine) -> str | None:
        """Why code for a machine cannot use them here."""
        if FP16 in machine.features and not self.multiplies_f16():
            return self.reason(None) or "those of the processor multiply no f16 (AMX-FP16)"
        return self.problem(None)

    def reason(self, queue: Any) -> str | None:
        return tile_registers.absent_reason()

    def multiplies_f16(self) -> bool:
        return tile_registers.have_f16()

    def name(self, queue: Any) -> str:
        return "this processor"

    def options(self) -> Mapping[str, Any]:
        return self._backend.complete_options({}, None)
