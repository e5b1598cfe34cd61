"""Front ends: they translate other sources than the language's own text into the IR."""

from ..process.on_demand import TYPE_CHECKING, on_demand

if not TYPE_CHECKING:
    __getattr__, __dir__ = on_demand(__name__)
