"""The IR: types, values and regions, the operation base class, text, verifier."""
