// A launch that passes what the last one passed: it is compared with that, and executed, in one call.
//
// The words of %known, of 64 bits each:
//   0..1    the kernel's code and its descriptors
//   2       the number of work-groups
//   3..7    how a team shares them: the code of `pytl_team_share` or 0, the team, how many work-groups are taken at a
//           time, into how many ranges they are divided, and the last worker that takes part
//   8       where the items of a tuple are, in bytes from its beginning
//   9       the number of arguments
//   10...   of each argument: its type or 0, and what an array of that type has: the address of its elements, its data
//           type, whether it is aligned and may be written (0x100 and 0x400), the number of its modes, and the size and
//           the stride of each. Behind 0 is an object that never changes, such as a number.
//
// Where an array has what is compared is NumPy's interface of C: `again.py` tries it before it is used.

module {
  // Whether an object is as its words say, from the %first one on. Returns the number of its words then, otherwise 0.
  func.func @pytl_again_compare(%object: !llvm.ptr, %known: !llvm.ptr, %first: i64) -> i64 {
    %zero = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %two = arith.constant 2 : i64
    %five = arith.constant 5 : i64
    %words = llvm.getelementptr %known[%first] : (!llvm.ptr, i64) -> !llvm.ptr, i64
    %type = llvm.load %words : !llvm.ptr -> i64
    %is_unchanging = arith.cmpi eq, %type, %zero : i64
    %result = scf.if %is_unchanging -> i64 {
      %at_other = llvm.getelementptr %words[1] : (!llvm.ptr) -> !llvm.ptr, i64
      %other = llvm.load %at_other : !llvm.ptr -> i64
      %number = llvm.ptrtoint %object : !llvm.ptr to i64
      %is_same = arith.cmpi eq, %number, %other : i64
      %count = arith.select %is_same, %two, %zero : i64
      scf.yield %count : i64
    } else {
      %at_type = llvm.getelementptr %object[1] : (!llvm.ptr) -> !llvm.ptr, i64
      %own_type = llvm.load %at_type : !llvm.ptr -> i64
      %is_array = arith.cmpi eq, %own_type, %type : i64
      %count = scf.if %is_array -> i64 {
        %at_address = llvm.getelementptr %object[2] : (!llvm.ptr) -> !llvm.ptr, i64
        %at_modes = llvm.getelementptr %object[3] : (!llvm.ptr) -> !llvm.ptr, i64
        %at_sizes = llvm.getelementptr %object[4] : (!llvm.ptr) -> !llvm.ptr, i64
        %at_strides = llvm.getelementptr %object[5] : (!llvm.ptr) -> !llvm.ptr, i64
        %at_data_type = llvm.getelementptr %object[7] : (!llvm.ptr) -> !llvm.ptr, i64
        %at_flags = llvm.getelementptr %object[8] : (!llvm.ptr) -> !llvm.ptr, i64
        %address = llvm.load %at_address : !llvm.ptr -> i64
        %modes = llvm.load %at_modes : !llvm.ptr -> i32
        %sizes = llvm.load %at_sizes : !llvm.ptr -> !llvm.ptr
        %strides = llvm.load %at_strides : !llvm.ptr -> !llvm.ptr
        %data_type = llvm.load %at_data_type : !llvm.ptr -> i64
        %flags = llvm.load %at_flags : !llvm.ptr -> i32
        %order = arith.extui %modes : i32 to i64
        %looked_for = arith.constant 0x500 : i32
        %some_flags = arith.andi %flags, %looked_for : i32
        %all_flags = arith.extui %some_flags : i32 to i64
        %at_known_address = llvm.getelementptr %words[1] : (!llvm.ptr) -> !llvm.ptr, i64
        %at_known_data_type = llvm.getelementptr %words[2] : (!llvm.ptr) -> !llvm.ptr, i64
        %at_known_flags = llvm.getelementptr %words[3] : (!llvm.ptr) -> !llvm.ptr, i64
        %at_known_order = llvm.getelementptr %words[4] : (!llvm.ptr) -> !llvm.ptr, i64
        %known_address = llvm.load %at_known_address : !llvm.ptr -> i64
        %known_data_type = llvm.load %at_known_data_type : !llvm.ptr -> i64
        %known_flags = llvm.load %at_known_flags : !llvm.ptr -> i64
        %known_order = llvm.load %at_known_order : !llvm.ptr -> i64
        %is_there = arith.cmpi eq, %address, %known_address : i64
        %is_of_type = arith.cmpi eq, %data_type, %known_data_type : i64
        %has_flags = arith.cmpi eq, %all_flags, %known_flags : i64
        %has_order = arith.cmpi eq, %order, %known_order : i64
        %both = arith.andi %is_there, %is_of_type : i1
        %three = arith.andi %both, %has_flags : i1
        %four = arith.andi %three, %has_order : i1
        // of how many modes the sizes are looked at: of none where anything else differs
        %looked_at = arith.select %four, %order, %zero : i64
        %alike = scf.for %mode = %zero to %looked_at step %one iter_args(%before = %four) -> (i1) : i64 {
          %twice = arith.muli %mode, %two : i64
          %word = arith.addi %twice, %five : i64
          %at_known_size = llvm.getelementptr %words[%word] : (!llvm.ptr, i64) -> !llvm.ptr, i64
          %at_known_stride = llvm.getelementptr %at_known_size[1] : (!llvm.ptr) -> !llvm.ptr, i64
          %at_size = llvm.getelementptr %sizes[%mode] : (!llvm.ptr, i64) -> !llvm.ptr, i64
          %at_stride = llvm.getelementptr %strides[%mode] : (!llvm.ptr, i64) -> !llvm.ptr, i64
          %known_size = llvm.load %at_known_size : !llvm.ptr -> i64
          %known_stride = llvm.load %at_known_stride : !llvm.ptr -> i64
          %size = llvm.load %at_size : !llvm.ptr -> i64
          %stride = llvm.load %at_stride : !llvm.ptr -> i64
          %has_size = arith.cmpi eq, %size, %known_size : i64
          %has_stride = arith.cmpi eq, %stride, %known_stride : i64
          %has_both = arith.andi %has_size, %has_stride : i1
          %still = arith.andi %before, %has_both : i1
          scf.yield %still : i1
        }
        %twice = arith.muli %order, %two : i64
        %length = arith.addi %twice, %five : i64
        %found = arith.select %alike, %length, %zero : i64
        scf.yield %found : i64
      } else {
        scf.yield %zero : i64
      }
      scf.yield %count : i64
    }
    return %result : i64
  }

  // Executes a launch with the items of a tuple, if they are those that are known. Returns whether they are.
  func.func @pytl_again(%arguments: !llvm.ptr, %known: !llvm.ptr) -> i64 {
    %zero = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %ten = arith.constant 10 : i64
    %at_code = llvm.getelementptr %known[0] : (!llvm.ptr) -> !llvm.ptr, i64
    %at_table = llvm.getelementptr %known[1] : (!llvm.ptr) -> !llvm.ptr, i64
    %at_groups = llvm.getelementptr %known[2] : (!llvm.ptr) -> !llvm.ptr, i64
    %at_share = llvm.getelementptr %known[3] : (!llvm.ptr) -> !llvm.ptr, i64
    %at_team = llvm.getelementptr %known[4] : (!llvm.ptr) -> !llvm.ptr, i64
    %at_size = llvm.getelementptr %known[5] : (!llvm.ptr) -> !llvm.ptr, i64
    %at_ranges = llvm.getelementptr %known[6] : (!llvm.ptr) -> !llvm.ptr, i64
    %at_last = llvm.getelementptr %known[7] : (!llvm.ptr) -> !llvm.ptr, i64
    %at_offset = llvm.getelementptr %known[8] : (!llvm.ptr) -> !llvm.ptr, i64
    %at_count = llvm.getelementptr %known[9] : (!llvm.ptr) -> !llvm.ptr, i64
    %offset = llvm.load %at_offset : !llvm.ptr -> i64
    %count = llvm.load %at_count : !llvm.ptr -> i64
    %at_length = llvm.getelementptr %arguments[2] : (!llvm.ptr) -> !llvm.ptr, i64
    %items = llvm.getelementptr %arguments[%offset] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %length = llvm.load %at_length : !llvm.ptr -> i64
    %is_as_long = arith.cmpi eq, %length, %count : i64
    %compared:3 = scf.while (%item = %zero, %first = %ten, %alike = %is_as_long) : (i64, i64, i1) -> (i64, i64, i1) {
      %is_inside = arith.cmpi slt, %item, %count : i64
      %goes_on = arith.andi %is_inside, %alike : i1
      scf.condition(%goes_on) %item, %first, %alike : i64, i64, i1
    } do {
    ^bb0(%item: i64, %first: i64, %alike: i1):
      %at_object = llvm.getelementptr %items[%item] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.ptr
      %object = llvm.load %at_object : !llvm.ptr -> !llvm.ptr
      %found = func.call @pytl_again_compare(%object, %known, %first) : (!llvm.ptr, !llvm.ptr, i64) -> i64
      %is_same = arith.cmpi ne, %found, %zero : i64
      %next = arith.addi %item, %one : i64
      %behind = arith.addi %first, %found : i64
      scf.yield %next, %behind, %is_same : i64, i64, i1
    }
    scf.if %compared#2 {
      %code = llvm.load %at_code : !llvm.ptr -> !llvm.ptr
      %table = llvm.load %at_table : !llvm.ptr -> !llvm.ptr
      %groups = llvm.load %at_groups : !llvm.ptr -> i64
      %share = llvm.load %at_share : !llvm.ptr -> !llvm.ptr
      %share_number = llvm.ptrtoint %share : !llvm.ptr to i64
      %is_shared = arith.cmpi ne, %share_number, %zero : i64
      scf.if %is_shared {
        %team = llvm.load %at_team : !llvm.ptr -> !llvm.ptr
        %size = llvm.load %at_size : !llvm.ptr -> i64
        %ranges = llvm.load %at_ranges : !llvm.ptr -> i64
        %last = llvm.load %at_last : !llvm.ptr -> i64
        %done = llvm.call %share(%team, %code, %table, %groups, %size, %ranges, %last)
            : !llvm.ptr, (!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i64, i64, i64) -> i64
      } else {
        llvm.call %code(%zero, %groups, %groups, %table) : !llvm.ptr, (i64, i64, i64, !llvm.ptr) -> ()
      }
    }
    %result = arith.extui %compared#2 : i1 to i64
    return %result : i64
  }
}
