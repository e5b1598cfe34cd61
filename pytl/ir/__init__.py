"""The IR: types, values and regions, the operation base class, text, verifier."""

from ..process.on_demand import TYPE_CHECKING, on_demand

if not TYPE_CHECKING:
    __getattr__, __dir__ = on_demand(__name__)
