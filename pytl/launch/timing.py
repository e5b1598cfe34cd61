"""The time that a kernel ran on the device, by the device's clock."""

from __future__ import annotations

from typing import Any

from ..backends import rules
from ..diagnostics import LaunchError, call_site
from .arrays.parameters import what


def timing(event: Any) -> float:
    """Seconds that a submitted kernel ran on the device; waits for its end.

    Parameters: `event`, what `submit` returned on a queue that keeps times, which is
    `dpctl.SyclQueue(property="enable_profiling")`. Those are `event.profiling_info_start` and
    `event.profiling_info_end` of dpctl, in nanoseconds. Raises `pytl.LaunchError` for an event without times.
    Manual: Execution model.

        queue = dpctl.SyclQueue(property="enable_profiling")
        x = dpctl.tensor.ones(1000, dtype="f4", sycl_queue=queue)
        print(pytl.timing(scale[1].submit(2.0, x)))
    """
    if not hasattr(event, "profiling_info_end"):
        raise LaunchError.single(
            rules.TIMES, f"timing is passed {what(event)}", call_site(), "pass the event that submit returns"
        )
    event.wait()
    if not event.profiling_info_end:
        raise LaunchError.single(
            rules.TIMES,
            "the event has no times",
            call_site(),
            'launch work-groups on a queue that keeps them: dpctl.SyclQueue(property="enable_profiling")',
        )
    return (event.profiling_info_end - event.profiling_info_start) * 1e-9
