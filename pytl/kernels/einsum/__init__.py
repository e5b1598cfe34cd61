"""`pytl.einsum`: contractions of arrays, by kernels that are made once for arrays of one kind."""
