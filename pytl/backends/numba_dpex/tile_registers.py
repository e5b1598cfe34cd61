"""The tile registers of SYCL's CPU device."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...devices import tile_registers
from ..tile_check import TileRegisters
from .builds import device_name


class DeviceTiles(TileRegisters):
    """Whether products on a queue's device use them."""

    def reason(self, queue: Any) -> str | None:
        reason = tile_registers.unavailable_reason()
        if reason is None and queue is not None and not queue.sycl_device.is_cpu:
            return f"{self.name(queue)} is no processor"
        return reason

    def multiplies_f16(self) -> bool:
        return tile_registers.multiply_f16()

    def name(self, queue: Any) -> str:
        return device_name(queue.sycl_device)

    def options(self) -> Mapping[str, Any]:
        return {"strategy": "one-item"}
