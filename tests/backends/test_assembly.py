"""What is read from assembly: loops, and what they execute."""

from __future__ import annotations

import pytest

from pytl.backends.assembly import AssemblyLoop, loops_of

X86 = """
kernel:
	vmovups	%ymm1, -32(%rsp)                # 32-byte Spill
.LBB0_1:                                # %outer
	movq	$-2, %r11
.LBB0_2:                                #   Parent Loop BB0_1 Depth=1
	vmovups	(%rdx,%r11,4), %ymm12
	vbroadcastss	8(%rcx), %ymm13
	vfmadd231ps	%ymm12, %ymm13, %ymm0   # ymm0 = (ymm13 * ymm12) + ymm0
	vfmadd231ps	(%rax), %ymm13, %ymm1
	vmovups	%ymm1, 64(%rsp)                 # 32-byte Spill
	vmovups	64(%rsp), %ymm1                 # 32-byte Reload
	vmovups	%ymm0, (%rdx,%r11,4)
	prefetcht0	(%rax)
	leaq	(%rsi,%r9), %r8
	addq	$2, %r11
	jb	.LBB0_2
	jne	.LBB0_1
	retq
"""

DISASSEMBLED = """
Disassembly of section .text:

0000000000000000 <f>:
   0:	push   %rbp
  b0:	vmovups 0x20(%rsp,%rdx,4),%ymm12
  cc:	vfmadd231ps %ymm12,%ymm13,%ymm11
  d0:	vmovups 0x40(%rsp),%ymm3
 1c6:	jb     b0 <f+0xb0>
 1d0:	ret
"""

ARM = """
f:
.LBB0_1:
	ldp	q4, q5, [x10], #32
	ld1r	{ v6.4s }, [x11]
	fmla	v0.4s, v4.4s, v6.s[0]
	fmla	v1.4s, v5.4s, v6.4s
	str	q0, [sp, #16]                   // 16-byte Folded Spill
	ldr	q0, [sp, #16]                   // 16-byte Folded Reload
	st1w	{ z0.s }, p0, [x0]
	prfm	pldl1keep, [x3]
	subs	x9, x9, #1
	b.ne	.LBB0_1
	ret
"""


@pytest.mark.parametrize(
    ("text", "loops"),
    [
        (X86, [AssemblyLoop(instructions=11, fmas=2, loads=4, stores=2, spills=1, reloads=1)]),
        (DISASSEMBLED, [AssemblyLoop(instructions=4, fmas=1, loads=2, stores=0, spills=0, reloads=1)]),
        (ARM, [AssemblyLoop(instructions=10, fmas=2, loads=3, stores=2, spills=1, reloads=1)]),
        ("", []),
        ("f:\n  ret\n", []),
        (".L1:\n  jmp .L2\n.L2:\n  jmp nowhere\n", []),
    ],
    ids=["x86", "disassembled", "arm", "nothing", "no loop", "forward"],
)
def test_loops(text: str, loops: list[AssemblyLoop]) -> None:
    assert loops_of(text) == loops
