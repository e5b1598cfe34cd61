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
        if reason is not None or queue is None:
            return reason
        device = queue.sycl_device
        if not device.is_cpu:
            return f"{self.name(queue)} is no processor"
        return None if device.vendor.startswith("Intel(R)") else f"the driver of {self.name(queue)} is not Intel's"

    def multiplies_f16(self) -> bool:
        return tile_registers.multiply_f16()

    def name(self, queue: Any) -> str:
        return device_name(queue.sycl_device)

    def options(self) -> Mapping[str, Any]:
        return {"strategy": "one-item"}
