"""The immediate language of YATeTo: tensor operations in index notation on batches of small tensors of static size."""
