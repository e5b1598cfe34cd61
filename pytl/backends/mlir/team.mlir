// How threads share the work-groups of a launch. `team.py` says who calls what.
//
// The words of %team, of 64 bits each. What different threads write is in different cache lines.
//   0       the number of the launch that is open, or 0
//   16      how many workers are at it
//   32..37  of the launch: its code, its descriptors, the number of work-groups, how many of them are taken at a time,
//           into how many ranges they are divided, and the last worker that takes part
//   38      the number of the last launch
//   48+16r  of range r: the next work-group, and where the range ends
//
// A launch is opened after its words are written. Workers say that they are at it before they look whether it is still
// open, and the caller waits for them after it has closed it, so that nobody reads words that are written.

module {
  llvm.func @sched_yield() -> i32

  // What a thread does that waits for memory to change. Each 256th time it lets another one have the processor, for the
  // thread that it waits for may need it.
  func.func @pytl_team_pause(%count: i64) {
    %zero = arith.constant 0 : i64
    %often = arith.constant 255 : i64
    %rest = arith.andi %count, %often : i64
    %yields = arith.cmpi eq, %rest, %zero : i64
    scf.if %yields {
      %status = llvm.call @sched_yield() : () -> i32
    } else {
      llvm.inline_asm has_side_effects "PAUSE", "" : () -> ()
    }
    return
  }

  // Executes work-groups, those of the thread's own range first, until none are left, the launch is closed, or %most
  // pieces are done. Returns how many work-groups these were.
  func.func @pytl_team_take(%team: !llvm.ptr, %launch: i64, %thread: i64, %most: i64) -> i64 {
    %zero = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %line = arith.constant 16 : i64
    %begin = arith.constant 48 : i64
    %at_code = llvm.getelementptr %team[32] : (!llvm.ptr) -> !llvm.ptr, i64
    %at_table = llvm.getelementptr %team[33] : (!llvm.ptr) -> !llvm.ptr, i64
    %at_groups = llvm.getelementptr %team[34] : (!llvm.ptr) -> !llvm.ptr, i64
    %at_size = llvm.getelementptr %team[35] : (!llvm.ptr) -> !llvm.ptr, i64
    %at_ranges = llvm.getelementptr %team[36] : (!llvm.ptr) -> !llvm.ptr, i64
    %code = llvm.load %at_code : !llvm.ptr -> !llvm.ptr
    %table = llvm.load %at_table : !llvm.ptr -> !llvm.ptr
    %groups = llvm.load %at_groups : !llvm.ptr -> i64
    %size = llvm.load %at_size : !llvm.ptr -> i64
    %ranges = llvm.load %at_ranges : !llvm.ptr -> i64
    %result:3 = scf.while (%visited = %zero, %done = %zero, %left = %most) : (i64, i64, i64) -> (i64, i64, i64) {
      %open = llvm.load %team atomic acquire {alignment = 8 : i64} : !llvm.ptr -> i64
      %is_open = arith.cmpi eq, %open, %launch : i64
      %has_ranges = arith.cmpi slt, %visited, %ranges : i64
      %may = arith.cmpi sgt, %left, %zero : i64
      %both = arith.andi %is_open, %has_ranges : i1
      %goes_on = arith.andi %both, %may : i1
      scf.condition(%goes_on) %visited, %done, %left : i64, i64, i64
    } do {
    ^bb0(%visited: i64, %done: i64, %left: i64):
      %sum = arith.addi %thread, %visited : i64
      %range = arith.remui %sum, %ranges : i64
      %distance = arith.muli %range, %line : i64
      %word = arith.addi %begin, %distance : i64
      %at_next = llvm.getelementptr %team[%word] : (!llvm.ptr, i64) -> !llvm.ptr, i64
      %at_end = llvm.getelementptr %at_next[1] : (!llvm.ptr) -> !llvm.ptr, i64
      %end = llvm.load %at_end : !llvm.ptr -> i64
      // looked at first, since an addition takes the cache line from its owner
      %seen = llvm.load %at_next atomic monotonic {alignment = 8 : i64} : !llvm.ptr -> i64
      %is_seen = arith.cmpi slt, %seen, %end : i64
      %first = scf.if %is_seen -> i64 {
        %taken = llvm.atomicrmw add %at_next, %size monotonic : !llvm.ptr, i64
        scf.yield %taken : i64
      } else {
        scf.yield %end : i64
      }
      %is_taken = arith.cmpi slt, %first, %end : i64
      %next:3 = scf.if %is_taken -> (i64, i64, i64) {
        %behind = arith.addi %first, %size : i64
        %last = arith.minsi %behind, %end : i64
        llvm.call %code(%first, %last, %groups, %table) : !llvm.ptr, (i64, i64, i64, !llvm.ptr) -> ()
        %count = arith.subi %last, %first : i64
        %more = arith.addi %done, %count : i64
        %fewer = arith.subi %left, %one : i64
        scf.yield %visited, %more, %fewer : i64, i64, i64
      } else {
        %further = arith.addi %visited, %one : i64
        scf.yield %further, %done, %left : i64, i64, i64
      }
      scf.yield %next#0, %next#1, %next#2 : i64, i64, i64
    }
    return %result#1 : i64
  }

  // What a worker does until no launch has come for a while. Returns the last launch that it has seen.
  func.func @pytl_team_serve(%team: !llvm.ptr, %thread: i64, %last: i64, %patience: i64) -> i64 {
    %zero = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %all = arith.constant 0x7FFFFFFFFFFFFFFF : i64
    %at_busy = llvm.getelementptr %team[16] : (!llvm.ptr) -> !llvm.ptr, i64
    %at_last = llvm.getelementptr %team[37] : (!llvm.ptr) -> !llvm.ptr, i64
    %result:2 = scf.while (%seen = %last, %left = %patience) : (i64, i64) -> (i64, i64) {
      %goes_on = arith.cmpi sgt, %left, %zero : i64
      scf.condition(%goes_on) %seen, %left : i64, i64
    } do {
    ^bb0(%seen: i64, %left: i64):
      %open = llvm.load %team atomic monotonic {alignment = 8 : i64} : !llvm.ptr -> i64
      %is_one = arith.cmpi ne, %open, %zero : i64
      %is_other = arith.cmpi ne, %open, %seen : i64
      %is_new = arith.andi %is_one, %is_other : i1
      %next:2 = scf.if %is_new -> (i64, i64) {
        %before = llvm.atomicrmw add %at_busy, %one seq_cst : !llvm.ptr, i64
        %now = llvm.load %team atomic seq_cst {alignment = 8 : i64} : !llvm.ptr -> i64
        %is_still = arith.cmpi eq, %now, %open : i64
        scf.if %is_still {
          %bound = llvm.load %at_last : !llvm.ptr -> i64
          %takes_part = arith.cmpi sle, %thread, %bound : i64
          scf.if %takes_part {
            %done = func.call @pytl_team_take(%team, %open, %thread, %all) : (!llvm.ptr, i64, i64, i64) -> i64
          }
        }
        %after = llvm.atomicrmw sub %at_busy, %one seq_cst : !llvm.ptr, i64
        scf.yield %open, %patience : i64, i64
      } else {
        func.call @pytl_team_pause(%left) : (i64) -> ()
        %fewer = arith.subi %left, %one : i64
        scf.yield %seen, %fewer : i64, i64
      }
      scf.yield %next#0, %next#1 : i64, i64
    }
    return %result#0 : i64
  }

  // Closes the launch, and waits for those who are at it.
  func.func @pytl_team_close(%team: !llvm.ptr) {
    %zero = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %at_busy = llvm.getelementptr %team[16] : (!llvm.ptr) -> !llvm.ptr, i64
    llvm.store %zero, %team atomic seq_cst {alignment = 8 : i64} : i64, !llvm.ptr
    %waited = scf.while (%count = %one) : (i64) -> i64 {
      %busy = llvm.load %at_busy atomic seq_cst {alignment = 8 : i64} : !llvm.ptr -> i64
      %is_busy = arith.cmpi ne, %busy, %zero : i64
      scf.condition(%is_busy) %count : i64
    } do {
    ^bb0(%count: i64):
      func.call @pytl_team_pause(%count) : (i64) -> ()
      %more = arith.addi %count, %one : i64
      scf.yield %more : i64
    }
    return
  }

  // Opens a launch, after the last one where that was left open. Returns its number.
  func.func @pytl_team_open(%team: !llvm.ptr, %code: !llvm.ptr, %table: !llvm.ptr, %groups: i64, %size: i64,
                            %ranges: i64, %last: i64) -> i64 {
    %zero = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %line = arith.constant 16 : i64
    %begin = arith.constant 48 : i64
    %at_code = llvm.getelementptr %team[32] : (!llvm.ptr) -> !llvm.ptr, i64
    %at_table = llvm.getelementptr %team[33] : (!llvm.ptr) -> !llvm.ptr, i64
    %at_groups = llvm.getelementptr %team[34] : (!llvm.ptr) -> !llvm.ptr, i64
    %at_size = llvm.getelementptr %team[35] : (!llvm.ptr) -> !llvm.ptr, i64
    %at_ranges = llvm.getelementptr %team[36] : (!llvm.ptr) -> !llvm.ptr, i64
    %at_last = llvm.getelementptr %team[37] : (!llvm.ptr) -> !llvm.ptr, i64
    %at_launch = llvm.getelementptr %team[38] : (!llvm.ptr) -> !llvm.ptr, i64
    func.call @pytl_team_close(%team) : (!llvm.ptr) -> ()
    llvm.store %code, %at_code : !llvm.ptr, !llvm.ptr
    llvm.store %table, %at_table : !llvm.ptr, !llvm.ptr
    llvm.store %groups, %at_groups : i64, !llvm.ptr
    llvm.store %size, %at_size : i64, !llvm.ptr
    llvm.store %ranges, %at_ranges : i64, !llvm.ptr
    llvm.store %last, %at_last : i64, !llvm.ptr
    %each = arith.divui %groups, %ranges : i64
    %rest = arith.remui %groups, %ranges : i64
    %end = scf.for %range = %zero to %ranges step %one iter_args(%first = %zero) -> (i64) : i64 {
      %is_longer = arith.cmpi slt, %range, %rest : i64
      %more = arith.extui %is_longer : i1 to i64
      %sum = arith.addi %first, %each : i64
      %behind = arith.addi %sum, %more : i64
      %distance = arith.muli %range, %line : i64
      %word = arith.addi %begin, %distance : i64
      %at_next = llvm.getelementptr %team[%word] : (!llvm.ptr, i64) -> !llvm.ptr, i64
      %at_end = llvm.getelementptr %at_next[1] : (!llvm.ptr) -> !llvm.ptr, i64
      llvm.store %first, %at_next atomic monotonic {alignment = 8 : i64} : i64, !llvm.ptr
      llvm.store %behind, %at_end : i64, !llvm.ptr
      scf.yield %behind : i64
    }
    %before = llvm.load %at_launch : !llvm.ptr -> i64
    %launch = arith.addi %before, %one : i64
    llvm.store %launch, %at_launch : i64, !llvm.ptr
    llvm.store %launch, %team atomic seq_cst {alignment = 8 : i64} : i64, !llvm.ptr
    return %launch : i64
  }

  // A whole launch, of which the caller takes the first range. Returns how many work-groups the caller has executed.
  func.func @pytl_team_share(%team: !llvm.ptr, %code: !llvm.ptr, %table: !llvm.ptr, %groups: i64, %size: i64,
                             %ranges: i64, %last: i64) -> i64 {
    %zero = arith.constant 0 : i64
    %all = arith.constant 0x7FFFFFFFFFFFFFFF : i64
    %launch = func.call @pytl_team_open(%team, %code, %table, %groups, %size, %ranges, %last)
        : (!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i64, i64, i64) -> i64
    %done = func.call @pytl_team_take(%team, %launch, %zero, %all) : (!llvm.ptr, i64, i64, i64) -> i64
    func.call @pytl_team_close(%team) : (!llvm.ptr) -> ()
    return %done : i64
  }
}
