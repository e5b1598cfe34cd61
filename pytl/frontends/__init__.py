"""Front ends: they translate other sources than the language's own text into the IR."""
