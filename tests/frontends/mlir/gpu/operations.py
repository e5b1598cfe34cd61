"""The operations of gpu and xegpu in MLIR 22's documentation, and why some are refused."""

from __future__ import annotations

import re
from collections.abc import Sequence

from frontends.mlir.gpu.kernels_of_items import PROGRAMS
from frontends.mlir.gpu.programs import Program

from pytl.mlir.text.names import UNREAD

OPERATIONS: dict[str, tuple[str, ...]] = {
    "gpu": (
        *("all_reduce", "alloc", "barrier", "binary", "block_dim", "block_id", "cluster_block_id", "cluster_dim"),
        *("cluster_dim_blocks", "cluster_id", "create_2to4_spmat", "create_bsr", "create_coo", "create_coo_aos"),
        *("create_csc", "create_csr", "create_dn_tensor", "dealloc", "destroy_dn_tensor", "destroy_sp_mat"),
        *("dynamic_shared_memory", "func", "global_id", "grid_dim", "host_register", "host_unregister", "lane_id"),
        *("launch", "launch_func", "memcpy", "memset", "module", "num_subgroups", "printf", "return", "rotate"),
        *("sddmm", "sddmm_buffer_size", "set_csr_pointers", "set_default_device", "shuffle", "spgemm_copy"),
        *("spgemm_create_descr", "spgemm_destroy_descr", "spgemm_work_estimation_or_compute", "spmat_get_size"),
        *("spmm", "spmm_buffer_size", "spmv", "spmv_buffer_size", "subgroup_broadcast", "subgroup_id"),
        *("subgroup_mma_compute", "subgroup_mma_constant_matrix", "subgroup_mma_elementwise"),
        *("subgroup_mma_extract_thread_local", "subgroup_mma_insert_thread_local", "subgroup_mma_load_matrix"),
        *("subgroup_mma_store_matrix", "subgroup_reduce", "subgroup_size", "terminator", "thread_id", "wait"),
        *("warp_execute_on_lane_0", "yield"),
    ),
    "xegpu": (
        *("alloc_nbarrier", "atomic_rmw", "convert_layout", "create_mem_desc", "create_nd_tdesc", "create_tdesc"),
        *("dpas", "fence", "init_nbarrier", "load", "load_matrix", "load_nd", "nbarrier_arrive", "nbarrier_wait"),
        *("prefetch", "prefetch_nd", "store", "store_matrix", "store_nd", "update_nd_offset", "update_offset"),
    ),
}
REFUSED = {name: why for name, why in UNREAD.items() if name.startswith("gpu.")}
"""Why an operation is refused, which the message says."""


def programs_with(name: str) -> Sequence[Program]:
    """The programs that an operation is in."""
    return [each for each in PROGRAMS if re.search(rf"\b{re.escape(name)}\b(?![._])", each.text)]
