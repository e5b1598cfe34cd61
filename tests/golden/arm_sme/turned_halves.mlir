// func @turned_halves(%a: memref<f16x5x4>, %b: memref<f16x4x5>, %c: memref<f32x4x4>) {
//   %one = constant 1.0 : f16
//   %zero = constant 0.0 : f32
//   gemm.t.t %one, %a, %b, %zero, %c
// }
//
// arm_sme.insert_tile_slice

!f16_3_8 = memref<3x8xf16, strided<[8, 1], offset: ?>>
!f32_4_4 = memref<4x4xf32, strided<[4, 1], offset: ?>>
!f16_4_5 = memref<4x5xf16, strided<[5, 1], offset: ?>>
!f16_5_4 = memref<5x4xf16, strided<[4, 1], offset: ?>>
module {
  // Executes the work-groups from %first to below %last, of so many %groups.
  func.func private @pytl_turned_halves_groups(%first: index, %last: index, %groups: index, %a: !f16_4_5, %b: !f16_5_4, %c: !f32_4_4) attributes {arm_streaming, arm_new_za} {
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %vscale = vector.vscale
    %c4 = arith.constant 4 : index
    %c2 = arith.constant 2 : index
    %c8 = arith.constant 8 : index
    %cst = arith.constant dense<0.0> : vector<[8]xf32>
    %c3 = arith.constant 3 : index
    %c5 = arith.constant 5 : index
    %descriptor = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
    %cst_1 = arith.constant dense<0.0> : vector<[8]xf16>
    %stack = memref.alloca() {alignment = 64 : i64} : memref<112xi8>
    scf.for %group = %first to %last step %c1 {
      // 4: gemm.t.t %one, %a, %b, %zero, %c
      %part = memref.view %stack[%c0][] : memref<112xi8> to memref<24xf16>
      %panel = memref.reinterpret_cast %part to offset: [%c0], sizes: [3, 8], strides: [8, 1] : memref<24xf16> to !f16_3_8
      %part_1 = memref.view %stack[%c64][] : memref<112xi8> to memref<24xf16>
      %panel_1 = memref.reinterpret_cast %part_1 to offset: [%c0], sizes: [3, 8], strides: [8, 1] : memref<24xf16> to !f16_3_8
      %v = arith.muli %vscale, %c4 : index
      %v_1 = arith.index_cast %c0 : index to i64
      %v_2 = arith.index_cast %c2 : index to i64
      %mask = llvm.intr.get.active.lane.mask %v_1, %v_2 : i64, i64 to vector<[4]xi1>
      %v_3 = arith.index_cast %c0 : index to i64
      %v_4 = arith.index_cast %c4 : index to i64
      %mask_1 = llvm.intr.get.active.lane.mask %v_3, %v_4 : i64, i64 to vector<[4]xi1>
      %v_5 = arith.index_cast %c0 : index to i64
      %v_6 = arith.index_cast %c1 : index to i64
      %mask_2 = llvm.intr.get.active.lane.mask %v_5, %v_6 : i64, i64 to vector<[8]xi1>
      %v_7 = arith.index_cast %c0 : index to i64
      %v_8 = arith.index_cast %c8 : index to i64
      %mask_3 = llvm.intr.get.active.lane.mask %v_7, %v_8 : i64, i64 to vector<[8]xi1>
      %v_9 = arith.muli %vscale, %c8 : index
      %v_10 = arith.index_cast %c0 : index to i64
      %v_11 = arith.index_cast %c4 : index to i64
      %mask_4 = llvm.intr.get.active.lane.mask %v_10, %v_11 : i64, i64 to vector<[8]xi1>
      %tile = arm_sme.get_tile : vector<[4]x[4]xf32>
      %v_12 = memref.extract_aligned_pointer_as_index %a : !f16_4_5 -> index
      %v_13 = arith.index_cast %v_12 : index to i64
      %v_14 = llvm.inttoptr %v_13 : i64 to !llvm.ptr
      %a_base, %a_offset, %a_sizes:2, %a_strides:2 = memref.extract_strided_metadata %a : !f16_4_5 -> memref<f16>, index, index, index, index, index
      %v_15 = arith.muli %a_offset, %c2 : index
      %a_base_1, %a_offset_1, %a_sizes_1:2, %a_strides_1:2 = memref.extract_strided_metadata %a : !f16_4_5 -> memref<f16>, index, index, index, index, index
      %v_16 = arith.muli %c3, %c5 : index
      %v_17 = arith.addi %c0, %v_16 : index
      %v_18 = arith.muli %v_17, %c2 : index
      %v_19 = arith.addi %v_15, %v_18 : index
      %v_20 = arith.index_cast %v_19 : index to i64
      %place = llvm.getelementptr %v_14[%v_20] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      %descriptor_1 = llvm.insertvalue %place, %descriptor[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
      %descriptor_2 = llvm.insertvalue %place, %descriptor_1[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
      %numbers = builtin.unrealized_conversion_cast %descriptor_2 : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> to memref<1xf32>
      %tile_1 = arm_sme.load_tile_slice %numbers[%c0], %mask, %tile, %c3 : memref<1xf32>, vector<[4]xi1>, vector<[4]x[4]xf32>
      %v_21 = memref.extract_aligned_pointer_as_index %a : !f16_4_5 -> index
      %v_22 = arith.index_cast %v_21 : index to i64
      %v_23 = llvm.inttoptr %v_22 : i64 to !llvm.ptr
      %a_base_2, %a_offset_2, %a_sizes_2:2, %a_strides_2:2 = memref.extract_strided_metadata %a : !f16_4_5 -> memref<f16>, index, index, index, index, index
      %v_24 = arith.muli %a_offset_2, %c2 : index
      %a_base_3, %a_offset_3, %a_sizes_3:2, %a_strides_3:2 = memref.extract_strided_metadata %a : !f16_4_5 -> memref<f16>, index, index, index, index, index
      %v_25 = arith.muli %c2, %c5 : index
      %v_26 = arith.addi %c0, %v_25 : index
      %v_27 = arith.muli %v_26, %c2 : index
      %v_28 = arith.addi %v_24, %v_27 : index
      %v_29 = arith.index_cast %v_28 : index to i64
      %place_1 = llvm.getelementptr %v_23[%v_29] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      %descriptor_3 = llvm.insertvalue %place_1, %descriptor[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
      %descriptor_4 = llvm.insertvalue %place_1, %descriptor_3[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
      %numbers_1 = builtin.unrealized_conversion_cast %descriptor_4 : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> to memref<1xf32>
      %tile_2 = arm_sme.load_tile_slice %numbers_1[%c0], %mask, %tile_1, %c2 : memref<1xf32>, vector<[4]xi1>, vector<[4]x[4]xf32>
      %v_30 = memref.extract_aligned_pointer_as_index %a : !f16_4_5 -> index
      %v_31 = arith.index_cast %v_30 : index to i64
      %v_32 = llvm.inttoptr %v_31 : i64 to !llvm.ptr
      %a_base_4, %a_offset_4, %a_sizes_4:2, %a_strides_4:2 = memref.extract_strided_metadata %a : !f16_4_5 -> memref<f16>, index, index, index, index, index
      %v_33 = arith.muli %a_offset_4, %c2 : index
      %a_base_5, %a_offset_5, %a_sizes_5:2, %a_strides_5:2 = memref.extract_strided_metadata %a : !f16_4_5 -> memref<f16>, index, index, index, index, index
      %v_34 = arith.muli %c1, %c5 : index
      %v_35 = arith.addi %c0, %v_34 : index
      %v_36 = arith.muli %v_35, %c2 : index
      %v_37 = arith.addi %v_33, %v_36 : index
      %v_38 = arith.index_cast %v_37 : index to i64
      %place_2 = llvm.getelementptr %v_32[%v_38] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      %descriptor_5 = llvm.insertvalue %place_2, %descriptor[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
      %descriptor_6 = llvm.insertvalue %place_2, %descriptor_5[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
      %numbers_2 = builtin.unrealized_conversion_cast %descriptor_6 : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> to memref<1xf32>
      %tile_3 = arm_sme.load_tile_slice %numbers_2[%c0], %mask, %tile_2, %c1 : memref<1xf32>, vector<[4]xi1>, vector<[4]x[4]xf32>
      %v_39 = memref.extract_aligned_pointer_as_index %a : !f16_4_5 -> index
      %v_40 = arith.index_cast %v_39 : index to i64
      %v_41 = llvm.inttoptr %v_40 : i64 to !llvm.ptr
      %a_base_6, %a_offset_6, %a_sizes_6:2, %a_strides_6:2 = memref.extract_strided_metadata %a : !f16_4_5 -> memref<f16>, index, index, index, index, index
      %v_42 = arith.muli %a_offset_6, %c2 : index
      %a_base_7, %a_offset_7, %a_sizes_7:2, %a_strides_7:2 = memref.extract_strided_metadata %a : !f16_4_5 -> memref<f16>, index, index, index, index, index
      %v_43 = arith.muli %c0, %c5 : index
      %v_44 = arith.addi %c0, %v_43 : index
      %v_45 = arith.muli %v_44, %c2 : index
      %v_46 = arith.addi %v_42, %v_45 : index
      %v_47 = arith.index_cast %v_46 : index to i64
      %place_3 = llvm.getelementptr %v_41[%v_47] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      %descriptor_7 = llvm.insertvalue %place_3, %descriptor[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
      %descriptor_8 = llvm.insertvalue %place_3, %descriptor_7[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
      %numbers_3 = builtin.unrealized_conversion_cast %descriptor_8 : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> to memref<1xf32>
      %tile_4 = arm_sme.load_tile_slice %numbers_3[%c0], %mask, %tile_3, %c0 : memref<1xf32>, vector<[4]xi1>, vector<[4]x[4]xf32>
      %v_48 = memref.extract_aligned_pointer_as_index %panel : !f16_3_8 -> index
      %v_49 = arith.index_cast %v_48 : index to i64
      %v_50 = llvm.inttoptr %v_49 : i64 to !llvm.ptr
      %panel_base, %panel_offset, %panel_sizes:2, %panel_strides:2 = memref.extract_strided_metadata %panel : !f16_3_8 -> memref<f16>, index, index, index, index, index
      %v_51 = arith.muli %panel_offset, %c2 : index
      %panel_base_1, %panel_offset_1, %panel_sizes_1:2, %panel_strides_1:2 = memref.extract_strided_metadata %panel : !f16_3_8 -> memref<f16>, index, index, index, index, index
      %v_52 = arith.muli %c1, %c8 : index
      %v_53 = arith.addi %c0, %v_52 : index
      %v_54 = arith.muli %v_53, %c2 : index
      %v_55 = arith.addi %v_51, %v_54 : index
      %v_56 = arith.index_cast %v_55 : index to i64
      %place_4 = llvm.getelementptr %v_50[%v_56] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      %descriptor_9 = llvm.insertvalue %place_4, %descriptor[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
      %descriptor_10 = llvm.insertvalue %place_4, %descriptor_9[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
      %numbers_4 = builtin.unrealized_conversion_cast %descriptor_10 : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> to memref<1xf32>
      arm_sme.store_tile_slice %tile_4, %c1, %mask_1, %numbers_4[%c0] layout<vertical> : memref<1xf32>, vector<[4]xi1>, vector<[4]x[4]xf32>
      %v_57 = memref.extract_aligned_pointer_as_index %panel : !f16_3_8 -> index
      %v_58 = arith.index_cast %v_57 : index to i64
      %v_59 = llvm.inttoptr %v_58 : i64 to !llvm.ptr
      %panel_base_2, %panel_offset_2, %panel_sizes_2:2, %panel_strides_2:2 = memref.extract_strided_metadata %panel : !f16_3_8 -> memref<f16>, index, index, index, index, index
      %v_60 = arith.muli %panel_offset_2, %c2 : index
      %panel_base_3, %panel_offset_3, %panel_sizes_3:2, %panel_strides_3:2 = memref.extract_strided_metadata %panel : !f16_3_8 -> memref<f16>, index, index, index, index, index
      %v_61 = arith.muli %c0, %c8 : index
      %v_62 = arith.addi %c0, %v_61 : index
      %v_63 = arith.muli %v_62, %c2 : index
      %v_64 = arith.addi %v_60, %v_63 : index
      %v_65 = arith.index_cast %v_64 : index to i64
      %place_5 = llvm.getelementptr %v_59[%v_65] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      %descriptor_11 = llvm.insertvalue %place_5, %descriptor[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
      %descriptor_12 = llvm.insertvalue %place_5, %descriptor_11[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
      %numbers_5 = builtin.unrealized_conversion_cast %descriptor_12 : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> to memref<1xf32>
      arm_sme.store_tile_slice %tile_4, %c0, %mask_1, %numbers_5[%c0] layout<vertical> : memref<1xf32>, vector<[4]xi1>, vector<[4]x[4]xf32>
      %tile_5 = arm_sme.get_tile : vector<[4]x[4]xf32>
      %v_66 = vector.maskedload %a[%c3, %c4], %mask_2, %cst_1 : !f16_4_5, vector<[8]xi1>, vector<[8]xf16> into vector<[8]xf16>
      %v_67 = arith.extf %v_66 : vector<[8]xf16> to vector<[8]xf32>
      %v_68 = vector.bitcast %v_66 : vector<[8]xf16> to vector<[4]xf32>
      %tile_6 = arm_sme.insert_tile_slice %v_68, %tile_5[%c3] : vector<[4]xf32> into vector<[4]x[4]xf32>
      %v_69 = vector.maskedload %a[%c2, %c4], %mask_2, %cst_1 : !f16_4_5, vector<[8]xi1>, vector<[8]xf16> into vector<[8]xf16>
      %v_70 = arith.extf %v_69 : vector<[8]xf16> to vector<[8]xf32>
      %v_71 = vector.bitcast %v_69 : vector<[8]xf16> to vector<[4]xf32>
      %tile_7 = arm_sme.insert_tile_slice %v_71, %tile_6[%c2] : vector<[4]xf32> into vector<[4]x[4]xf32>
      %v_72 = vector.maskedload %a[%c1, %c4], %mask_2, %cst_1 : !f16_4_5, vector<[8]xi1>, vector<[8]xf16> into vector<[8]xf16>
      %v_73 = arith.extf %v_72 : vector<[8]xf16> to vector<[8]xf32>
      %v_74 = vector.bitcast %v_72 : vector<[8]xf16> to vector<[4]xf32>
      %tile_8 = arm_sme.insert_tile_slice %v_74, %tile_7[%c1] : vector<[4]xf32> into vector<[4]x[4]xf32>
      %v_75 = vector.maskedload %a[%c0, %c4], %mask_2, %cst_1 : !f16_4_5, vector<[8]xi1>, vector<[8]xf16> into vector<[8]xf16>
      %v_76 = arith.extf %v_75 : vector<[8]xf16> to vector<[8]xf32>
      %v_77 = vector.bitcast %v_75 : vector<[8]xf16> to vector<[4]xf32>
      %tile_9 = arm_sme.insert_tile_slice %v_77, %tile_8[%c0] : vector<[4]xf32> into vector<[4]x[4]xf32>
      %v_78 = arm_sme.extract_tile_slice %tile_9[%c0] layout<vertical> : vector<[4]xf32> from vector<[4]x[4]xf32>
      %v_79 = vector.bitcast %v_78 : vector<[4]xf32> to vector<[8]xf16>
      %v_80 = arith.extf %v_79 : vector<[8]xf16> to vector<[8]xf32>
      vector.maskedstore %panel[%c2, %c0], %mask_3, %v_79 : !f16_3_8, vector<[8]xi1>, vector<[8]xf16>
      %v_81 = vector.maskedload %b[%c0, %c0], %mask_4, %cst_1 : !f16_5_4, vector<[8]xi1>, vector<[8]xf16> into vector<[8]xf16>
      %v_82 = arith.extf %v_81 : vector<[8]xf16> to vector<[8]xf32>
      %v_83 = vector.maskedload %b[%c1, %c0], %mask_4, %cst_1 : !f16_5_4, vector<[8]xi1>, vector<[8]xf16> into vector<[8]xf16>
      %v_84 = arith.extf %v_83 : vector<[8]xf16> to vector<[8]xf32>
      %v_85 = vector.interleave %v_81, %v_83 : vector<[8]xf16> -> vector<[16]xf16>
      %v_86 = arith.extf %v_85 : vector<[16]xf16> to vector<[16]xf32>
      %part_2 = vector.scalable.extract %v_85[0] : vector<[8]xf16> from vector<[16]xf16>
      %v_87 = arith.extf %part_2 : vector<[8]xf16> to vector<[8]xf32>
      %part_3 = vector.scalable.extract %v_85[8] : vector<[8]xf16> from vector<[16]xf16>
      %v_88 = arith.extf %part_3 : vector<[8]xf16> to vector<[8]xf32>
      vector.maskedstore %panel_1[%c0, %c0], %mask_3, %part_2 : !f16_3_8, vector<[8]xi1>, vector<[8]xf16>
      %v_89 = arith.maxsi %c8, %v_9 : index
      %v_90 = arith.subi %v_89, %v_9 : index
      %v_91 = arith.index_cast %c0 : index to i64
      %v_92 = arith.index_cast %v_90 : index to i64
      %mask_5 = llvm.intr.get.active.lane.mask %v_91, %v_92 : i64, i64 to vector<[8]xi1>
      vector.maskedstore %panel_1[%c0, %v_9], %mask_5, %part_3 : !f16_3_8, vector<[8]xi1>, vector<[8]xf16>
      %v_93 = vector.maskedload %b[%c2, %c0], %mask_4, %cst_1 : !f16_5_4, vector<[8]xi1>, vector<[8]xf16> into vector<[8]xf16>
      %v_94 = arith.extf %v_93 : vector<[8]xf16> to vector<[8]xf32>
      %v_95 = vector.maskedload %b[%c3, %c0], %mask_4, %cst_1 : !f16_5_4, vector<[8]xi1>, vector<[8]xf16> into vector<[8]xf16>
      %v_96 = arith.extf %v_95 : vector<[8]xf16> to vector<[8]xf32>
      %v_97 = vector.interleave %v_93, %v_95 : vector<[8]xf16> -> vector<[16]xf16>
      %v_98 = arith.extf %v_97 : vector<[16]xf16> to vector<[16]xf32>
      %part_4 = vector.scalable.extract %v_97[0] : vector<[8]xf16> from vector<[16]xf16>
      %v_99 = arith.extf %part_4 : vector<[8]xf16> to vector<[8]xf32>
      %part_5 = vector.scalable.extract %v_97[8] : vector<[8]xf16> from vector<[16]xf16>
      %v_100 = arith.extf %part_5 : vector<[8]xf16> to vector<[8]xf32>
      vector.maskedstore %panel_1[%c1, %c0], %mask_3, %part_4 : !f16_3_8, vector<[8]xi1>, vector<[8]xf16>
      %v_101 = arith.maxsi %c8, %v_9 : index
      %v_102 = arith.subi %v_101, %v_9 : index
      %v_103 = arith.index_cast %c0 : index to i64
      %v_104 = arith.index_cast %v_102 : index to i64
      %mask_6 = llvm.intr.get.active.lane.mask %v_103, %v_104 : i64, i64 to vector<[8]xi1>
      vector.maskedstore %panel_1[%c1, %v_9], %mask_6, %part_5 : !f16_3_8, vector<[8]xi1>, vector<[8]xf16>
      %v_105 = vector.maskedload %b[%c4, %c0], %mask_4, %cst_1 : !f16_5_4, vector<[8]xi1>, vector<[8]xf16> into vector<[8]xf16>
      %v_106 = arith.extf %v_105 : vector<[8]xf16> to vector<[8]xf32>
      %v_107 = arith.truncf %cst : vector<[8]xf32> to vector<[8]xf16>
      %v_108 = vector.interleave %v_105, %v_107 : vector<[8]xf16> -> vector<[16]xf16>
      %v_109 = arith.extf %v_108 : vector<[16]xf16> to vector<[16]xf32>
      %part_6 = vector.scalable.extract %v_108[0] : vector<[8]xf16> from vector<[16]xf16>
      %v_110 = arith.extf %part_6 : vector<[8]xf16> to vector<[8]xf32>
      %part_7 = vector.scalable.extract %v_108[8] : vector<[8]xf16> from vector<[16]xf16>
      %v_111 = arith.extf %part_7 : vector<[8]xf16> to vector<[8]xf32>
      vector.maskedstore %panel_1[%c2, %c0], %mask_3, %part_6 : !f16_3_8, vector<[8]xi1>, vector<[8]xf16>
      %v_112 = arith.maxsi %c8, %v_9 : index
      %v_113 = arith.subi %v_112, %v_9 : index
      %v_114 = arith.index_cast %c0 : index to i64
      %v_115 = arith.index_cast %v_113 : index to i64
      %mask_7 = llvm.intr.get.active.lane.mask %v_114, %v_115 : i64, i64 to vector<[8]xi1>
      vector.maskedstore %panel_1[%c2, %v_9], %mask_7, %part_7 : !f16_3_8, vector<[8]xi1>, vector<[8]xf16>
      %tile_10 = arm_sme.zero : vector<[4]x[4]xf32>
      %v_116 = vector.maskedload %panel_1[%c0, %c0], %mask_3, %cst_1 : !f16_3_8, vector<[8]xi1>, vector<[8]xf16> into vector<[8]xf16>
      %v_117 = arith.extf %v_116 : vector<[8]xf16> to vector<[8]xf32>
      %v_118 = vector.maskedload %panel[%c0, %c0], %mask_3, %cst_1 : !f16_3_8, vector<[8]xi1>, vector<[8]xf16> into vector<[8]xf16>
      %v_119 = arith.extf %v_118 : vector<[8]xf16> to vector<[8]xf32>
      %tile_11 = arm_sme.fmopa_2way %v_116, %v_118 acc(%tile_10) masks(%mask_3, %mask_3) : vector<[8]xf16>, vector<[8]xf16> into vector<[4]x[4]xf32>
      %v_120 = vector.maskedload %panel_1[%c1, %c0], %mask_3, %cst_1 : !f16_3_8, vector<[8]xi1>, vector<[8]xf16> into vector<[8]xf16>
      %v_121 = arith.extf %v_120 : vector<[8]xf16> to vector<[8]xf32>
      %v_122 = vector.maskedload %panel[%c1, %c0], %mask_3, %cst_1 : !f16_3_8, vector<[8]xi1>, vector<[8]xf16> into vector<[8]xf16>
      %v_123 = arith.extf %v_122 : vector<[8]xf16> to vector<[8]xf32>
      %tile_12 = arm_sme.fmopa_2way %v_120, %v_122 acc(%tile_11) masks(%mask_3, %mask_3) : vector<[8]xf16>, vector<[8]xf16> into vector<[4]x[4]xf32>
      %v_124 = vector.maskedload %panel_1[%c2, %c0], %mask_3, %cst_1 : !f16_3_8, vector<[8]xi1>, vector<[8]xf16> into vector<[8]xf16>
      %v_125 = arith.extf %v_124 : vector<[8]xf16> to vector<[8]xf32>
      %v_126 = vector.maskedload %panel[%c2, %c0], %mask_3, %cst_1 : !f16_3_8, vector<[8]xi1>, vector<[8]xf16> into vector<[8]xf16>
      %v_127 = arith.extf %v_126 : vector<[8]xf16> to vector<[8]xf32>
      %tile_13 = arm_sme.fmopa_2way %v_124, %v_126 acc(%tile_12) masks(%mask_3, %mask_3) : vector<[8]xf16>, vector<[8]xf16> into vector<[4]x[4]xf32>
      arm_sme.store_tile_slice %tile_13, %c3, %mask_1, %c[%c3, %c0] : !f32_4_4, vector<[4]xi1>, vector<[4]x[4]xf32>
      arm_sme.store_tile_slice %tile_13, %c2, %mask_1, %c[%c2, %c0] : !f32_4_4, vector<[4]xi1>, vector<[4]x[4]xf32>
      arm_sme.store_tile_slice %tile_13, %c1, %mask_1, %c[%c1, %c0] : !f32_4_4, vector<[4]xi1>, vector<[4]x[4]xf32>
      arm_sme.store_tile_slice %tile_13, %c0, %mask_1, %c[%c0, %c0] : !f32_4_4, vector<[4]xi1>, vector<[4]x[4]xf32>
    }
    return
  }
  // Called from outside: numbers lie in memory.
  func.func @pytl_turned_halves(%first: index, %last: index, %groups: index, %a: !f16_4_5, %b: !f16_5_4, %c: !f32_4_4) attributes {llvm.emit_c_interface} {
    %c8_i64 = arith.constant 8 : i64
    %doubles = llvm.call_intrinsic "llvm.aarch64.sme.cntsd"() : () -> i64
    %v = arith.cmpi eq, %doubles, %c8_i64 : i64
    scf.if %v {
      func.call @pytl_turned_halves_512_groups(%first, %last, %groups, %a, %b, %c) : (index, index, index, !f16_4_5, !f16_5_4, !f32_4_4) -> ()
    } else {
      func.call @pytl_turned_halves_groups(%first, %last, %groups, %a, %b, %c) : (index, index, index, !f16_4_5, !f16_5_4, !f32_4_4) -> ()
    }
    return
  }
  // Executes the work-groups from %first to below %last, of so many %groups.
  func.func private @pytl_turned_halves_512_groups(%first: index, %last: index, %groups: index, %a: !f16_4_5, %b: !f16_5_4, %c: !f32_4_4) attributes {arm_streaming, arm_new_za, passthrough = [["vscale_range", "17179869188"]]} {
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %cst = arith.constant dense<0.0> : vector<[8]xf32>
    %c3 = arith.constant 3 : index
    %c5 = arith.constant 5 : index
    %descriptor = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
    %cst_1 = arith.constant dense<0.0> : vector<[8]xf16>
    %stack = memref.alloca() {alignment = 64 : i64} : memref<112xi8>
    scf.for %group = %first to %last step %c1 {
      // 4: gemm.t.t %one, %a, %b, %zero, %c
      %part = memref.view %stack[%c0][] : memref<112xi8> to memref<24xf16>
      %panel = memref.reinterpret_cast %part to offset: [%c0], sizes: [3, 8], strides: [8, 1] : memref<24xf16> to !f16_3_8
      %part_1 = memref.view %stack[%c64][] : memref<112xi8> to memref<24xf16>
      %panel_1 = memref.reinterpret_cast %part_1 to offset: [%c0], sizes: [3, 8], strides: [8, 1] : memref<24xf16> to !f16_3_8
      %v = arith.index_cast %c0 : index to i64
      %v_1 = arith.index_cast %c2 : index to i64
      %mask = llvm.intr.get.active.lane.mask %v, %v_1 : i64, i64 to vector<[4]xi1>
      %v_2 = arith.index_cast %c0 : index to i64
      %v_3 = arith.index_cast %c4 : index to i64
      %mask_1 = llvm.intr.get.active.lane.mask %v_2, %v_3 : i64, i64 to vector<[4]xi1>
      %v_4 = arith.index_cast %c0 : index to i64
      %v_5 = arith.index_cast %c1 : index to i64
      %mask_2 = llvm.intr.get.active.lane.mask %v_4, %v_5 : i64, i64 to vector<[8]xi1>
      %v_6 = arith.index_cast %c0 : index to i64
      %v_7 = arith.index_cast %c8 : index to i64
      %mask_3 = llvm.intr.get.active.lane.mask %v_6, %v_7 : i64, i64 to vector<[8]xi1>
      %v_8 = arith.index_cast %c0 : index to i64
      %v_9 = arith.index_cast %c4 : index to i64
      %mask_4 = llvm.intr.get.active.lane.mask %v_8, %v_9 : i64, i64 to vector<[8]xi1>
      %tile = arm_sme.get_tile : vector<[4]x[4]xf32>
      %v_10 = memref.extract_aligned_pointer_as_index %a : !f16_4_5 -> index
      %v_11 = arith.index_cast %v_10 : index to i64
      %v_12 = llvm.inttoptr %v_11 : i64 to !llvm.ptr
      %a_base, %a_offset, %a_sizes:2, %a_strides:2 = memref.extract_strided_metadata %a : !f16_4_5 -> memref<f16>, index, index, index, index, index
      %v_13 = arith.muli %a_offset, %c2 : index
      %a_base_1, %a_offset_1, %a_sizes_1:2, %a_strides_1:2 = memref.extract_strided_metadata %a : !f16_4_5 -> memref<f16>, index, index, index, index, index
      %v_14 = arith.muli %c3, %c5 : index
      %v_15 = arith.addi %c0, %v_14 : index
      %v_16 = arith.muli %v_15, %c2 : index
      %v_17 = arith.addi %v_13, %v_16 : index
      %v_18 = arith.index_cast %v_17 : index to i64
      %place = llvm.getelementptr %v_12[%v_18] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      %descriptor_1 = llvm.insertvalue %place, %descriptor[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
      %descriptor_2 = llvm.insertvalue %place, %descriptor_1[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
      %numbers = builtin.unrealized_conversion_cast %descriptor_2 : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> to memref<1xf32>
      %tile_1 = arm_sme.load_tile_slice %numbers[%c0], %mask, %tile, %c3 : memref<1xf32>, vector<[4]xi1>, vector<[4]x[4]xf32>
      %v_19 = memref.extract_aligned_pointer_as_index %a : !f16_4_5 -> index
      %v_20 = arith.index_cast %v_19 : index to i64
      %v_21 = llvm.inttoptr %v_20 : i64 to !llvm.ptr
      %a_base_2, %a_offset_2, %a_sizes_2:2, %a_strides_2:2 = memref.extract_strided_metadata %a : !f16_4_5 -> memref<f16>, index, index, index, index, index
      %v_22 = arith.muli %a_offset_2, %c2 : index
      %a_base_3, %a_offset_3, %a_sizes_3:2, %a_strides_3:2 = memref.extract_strided_metadata %a : !f16_4_5 -> memref<f16>, index, index, index, index, index
      %v_23 = arith.muli %c2, %c5 : index
      %v_24 = arith.addi %c0, %v_23 : index
      %v_25 = arith.muli %v_24, %c2 : index
      %v_26 = arith.addi %v_22, %v_25 : index
      %v_27 = arith.index_cast %v_26 : index to i64
      %place_1 = llvm.getelementptr %v_21[%v_27] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      %descriptor_3 = llvm.insertvalue %place_1, %descriptor[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
      %descriptor_4 = llvm.insertvalue %place_1, %descriptor_3[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
      %numbers_1 = builtin.unrealized_conversion_cast %descriptor_4 : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> to memref<1xf32>
      %tile_2 = arm_sme.load_tile_slice %numbers_1[%c0], %mask, %tile_1, %c2 : memref<1xf32>, vector<[4]xi1>, vector<[4]x[4]xf32>
      %v_28 = memref.extract_aligned_pointer_as_index %a : !f16_4_5 -> index
      %v_29 = arith.index_cast %v_28 : index to i64
      %v_30 = llvm.inttoptr %v_29 : i64 to !llvm.ptr
      %a_base_4, %a_offset_4, %a_sizes_4:2, %a_strides_4:2 = memref.extract_strided_metadata %a : !f16_4_5 -> memref<f16>, index, index, index, index, index
      %v_31 = arith.muli %a_offset_4, %c2 : index
      %a_base_5, %a_offset_5, %a_sizes_5:2, %a_strides_5:2 = memref.extract_strided_metadata %a : !f16_4_5 -> memref<f16>, index, index, index, index, index
      %v_32 = arith.muli %c1, %c5 : index
      %v_33 = arith.addi %c0, %v_32 : index
      %v_34 = arith.muli %v_33, %c2 : index
      %v_35 = arith.addi %v_31, %v_34 : index
      %v_36 = arith.index_cast %v_35 : index to i64
      %place_2 = llvm.getelementptr %v_30[%v_36] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      %descriptor_5 = llvm.insertvalue %place_2, %descriptor[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
      %descriptor_6 = llvm.insertvalue %place_2, %descriptor_5[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
      %numbers_2 = builtin.unrealized_conversion_cast %descriptor_6 : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> to memref<1xf32>
      %tile_3 = arm_sme.load_tile_slice %numbers_2[%c0], %mask, %tile_2, %c1 : memref<1xf32>, vector<[4]xi1>, vector<[4]x[4]xf32>
      %v_37 = memref.extract_aligned_pointer_as_index %a : !f16_4_5 -> index
      %v_38 = arith.index_cast %v_37 : index to i64
      %v_39 = llvm.inttoptr %v_38 : i64 to !llvm.ptr
      %a_base_6, %a_offset_6, %a_sizes_6:2, %a_strides_6:2 = memref.extract_strided_metadata %a : !f16_4_5 -> memref<f16>, index, index, index, index, index
      %v_40 = arith.muli %a_offset_6, %c2 : index
      %a_base_7, %a_offset_7, %a_sizes_7:2, %a_strides_7:2 = memref.extract_strided_metadata %a : !f16_4_5 -> memref<f16>, index, index, index, index, index
      %v_41 = arith.muli %c0, %c5 : index
      %v_42 = arith.addi %c0, %v_41 : index
      %v_43 = arith.muli %v_42, %c2 : index
      %v_44 = arith.addi %v_40, %v_43 : index
      %v_45 = arith.index_cast %v_44 : index to i64
      %place_3 = llvm.getelementptr %v_39[%v_45] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      %descriptor_7 = llvm.insertvalue %place_3, %descriptor[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
      %descriptor_8 = llvm.insertvalue %place_3, %descriptor_7[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
      %numbers_3 = builtin.unrealized_conversion_cast %descriptor_8 : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> to memref<1xf32>
      %tile_4 = arm_sme.load_tile_slice %numbers_3[%c0], %mask, %tile_3, %c0 : memref<1xf32>, vector<[4]xi1>, vector<[4]x[4]xf32>
      %v_46 = memref.extract_aligned_pointer_as_index %panel : !f16_3_8 -> index
      %v_47 = arith.index_cast %v_46 : index to i64
      %v_48 = llvm.inttoptr %v_47 : i64 to !llvm.ptr
      %panel_base, %panel_offset, %panel_sizes:2, %panel_strides:2 = memref.extract_strided_metadata %panel : !f16_3_8 -> memref<f16>, index, index, index, index, index
      %v_49 = arith.muli %panel_offset, %c2 : index
      %panel_base_1, %panel_offset_1, %panel_sizes_1:2, %panel_strides_1:2 = memref.extract_strided_metadata %panel : !f16_3_8 -> memref<f16>, index, index, index, index, index
      %v_50 = arith.muli %c1, %c8 : index
      %v_51 = arith.addi %c0, %v_50 : index
      %v_52 = arith.muli %v_51, %c2 : index
      %v_53 = arith.addi %v_49, %v_52 : index
      %v_54 = arith.index_cast %v_53 : index to i64
      %place_4 = llvm.getelementptr %v_48[%v_54] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      %descriptor_9 = llvm.insertvalue %place_4, %descriptor[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
      %descriptor_10 = llvm.insertvalue %place_4, %descriptor_9[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
      %numbers_4 = builtin.unrealized_conversion_cast %descriptor_10 : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> to memref<1xf32>
      arm_sme.store_tile_slice %tile_4, %c1, %mask_1, %numbers_4[%c0] layout<vertical> : memref<1xf32>, vector<[4]xi1>, vector<[4]x[4]xf32>
      %v_55 = memref.extract_aligned_pointer_as_index %panel : !f16_3_8 -> index
      %v_56 = arith.index_cast %v_55 : index to i64
      %v_57 = llvm.inttoptr %v_56 : i64 to !llvm.ptr
      %panel_base_2, %panel_offset_2, %panel_sizes_2:2, %panel_strides_2:2 = memref.extract_strided_metadata %panel : !f16_3_8 -> memref<f16>, index, index, index, index, index
      %v_58 = arith.muli %panel_offset_2, %c2 : index
      %panel_base_3, %panel_offset_3, %panel_sizes_3:2, %panel_strides_3:2 = memref.extract_strided_metadata %panel : !f16_3_8 -> memref<f16>, index, index, index, index, index
      %v_59 = arith.muli %c0, %c8 : index
      %v_60 = arith.addi %c0, %v_59 : index
      %v_61 = arith.muli %v_60, %c2 : index
      %v_62 = arith.addi %v_58, %v_61 : index
      %v_63 = arith.index_cast %v_62 : index to i64
      %place_5 = llvm.getelementptr %v_57[%v_63] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      %descriptor_11 = llvm.insertvalue %place_5, %descriptor[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
      %descriptor_12 = llvm.insertvalue %place_5, %descriptor_11[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
      %numbers_5 = builtin.unrealized_conversion_cast %descriptor_12 : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> to memref<1xf32>
      arm_sme.store_tile_slice %tile_4, %c0, %mask_1, %numbers_5[%c0] layout<vertical> : memref<1xf32>, vector<[4]xi1>, vector<[4]x[4]xf32>
      %tile_5 = arm_sme.get_tile : vector<[4]x[4]xf32>
      %v_64 = vector.maskedload %a[%c3, %c4], %mask_2, %cst_1 : !f16_4_5, vector<[8]xi1>, vector<[8]xf16> into vector<[8]xf16>
      %v_65 = arith.extf %v_64 : vector<[8]xf16> to vector<[8]xf32>
      %v_66 = vector.bitcast %v_64 : vector<[8]xf16> to vector<[4]xf32>
      %tile_6 = arm_sme.insert_tile_slice %v_66, %tile_5[%c3] : vector<[4]xf32> into vector<[4]x[4]xf32>
      %v_67 = vector.maskedload %a[%c2, %c4], %mask_2, %cst_1 : !f16_4_5, vector<[8]xi1>, vector<[8]xf16> into vector<[8]xf16>
      %v_68 = arith.extf %v_67 : vector<[8]xf16> to vector<[8]xf32>
      %v_69 = vector.bitcast %v_67 : vector<[8]xf16> to vector<[4]xf32>
      %tile_7 = arm_sme.insert_tile_slice %v_69, %tile_6[%c2] : vector<[4]xf32> into vector<[4]x[4]xf32>
      %v_70 = vector.maskedload %a[%c1, %c4], %mask_2, %cst_1 : !f16_4_5, vector<[8]xi1>, vector<[8]xf16> into vector<[8]xf16>
      %v_71 = arith.extf %v_70 : vector<[8]xf16> to vector<[8]xf32>
      %v_72 = vector.bitcast %v_70 : vector<[8]xf16> to vector<[4]xf32>
      %tile_8 = arm_sme.insert_tile_slice %v_72, %tile_7[%c1] : vector<[4]xf32> into vector<[4]x[4]xf32>
      %v_73 = vector.maskedload %a[%c0, %c4], %mask_2, %cst_1 : !f16_4_5, vector<[8]xi1>, vector<[8]xf16> into vector<[8]xf16>
      %v_74 = arith.extf %v_73 : vector<[8]xf16> to vector<[8]xf32>
      %v_75 = vector.bitcast %v_73 : vector<[8]xf16> to vector<[4]xf32>
      %tile_9 = arm_sme.insert_tile_slice %v_75, %tile_8[%c0] : vector<[4]xf32> into vector<[4]x[4]xf32>
      %v_76 = arm_sme.extract_tile_slice %tile_9[%c0] layout<vertical> : vector<[4]xf32> from vector<[4]x[4]xf32>
      %v_77 = vector.bitcast %v_76 : vector<[4]xf32> to vector<[8]xf16>
      %v_78 = arith.extf %v_77 : vector<[8]xf16> to vector<[8]xf32>
      vector.maskedstore %panel[%c2, %c0], %mask_3, %v_77 : !f16_3_8, vector<[8]xi1>, vector<[8]xf16>
      %v_79 = vector.maskedload %b[%c0, %c0], %mask_4, %cst_1 : !f16_5_4, vector<[8]xi1>, vector<[8]xf16> into vector<[8]xf16>
      %v_80 = arith.extf %v_79 : vector<[8]xf16> to vector<[8]xf32>
      %v_81 = vector.maskedload %b[%c1, %c0], %mask_4, %cst_1 : !f16_5_4, vector<[8]xi1>, vector<[8]xf16> into vector<[8]xf16>
      %v_82 = arith.extf %v_81 : vector<[8]xf16> to vector<[8]xf32>
      %v_83 = vector.interleave %v_79, %v_81 : vector<[8]xf16> -> vector<[16]xf16>
      %v_84 = arith.extf %v_83 : vector<[16]xf16> to vector<[16]xf32>
      %part_2 = vector.scalable.extract %v_83[0] : vector<[8]xf16> from vector<[16]xf16>
      %v_85 = arith.extf %part_2 : vector<[8]xf16> to vector<[8]xf32>
      %part_3 = vector.scalable.extract %v_83[8] : vector<[8]xf16> from vector<[16]xf16>
      %v_86 = arith.extf %part_3 : vector<[8]xf16> to vector<[8]xf32>
      vector.maskedstore %panel_1[%c0, %c0], %mask_3, %part_2 : !f16_3_8, vector<[8]xi1>, vector<[8]xf16>
      %v_87 = vector.maskedload %b[%c2, %c0], %mask_4, %cst_1 : !f16_5_4, vector<[8]xi1>, vector<[8]xf16> into vector<[8]xf16>
      %v_88 = arith.extf %v_87 : vector<[8]xf16> to vector<[8]xf32>
      %v_89 = vector.maskedload %b[%c3, %c0], %mask_4, %cst_1 : !f16_5_4, vector<[8]xi1>, vector<[8]xf16> into vector<[8]xf16>
      %v_90 = arith.extf %v_89 : vector<[8]xf16> to vector<[8]xf32>
      %v_91 = vector.interleave %v_87, %v_89 : vector<[8]xf16> -> vector<[16]xf16>
      %v_92 = arith.extf %v_91 : vector<[16]xf16> to vector<[16]xf32>
      %part_4 = vector.scalable.extract %v_91[0] : vector<[8]xf16> from vector<[16]xf16>
      %v_93 = arith.extf %part_4 : vector<[8]xf16> to vector<[8]xf32>
      %part_5 = vector.scalable.extract %v_91[8] : vector<[8]xf16> from vector<[16]xf16>
      %v_94 = arith.extf %part_5 : vector<[8]xf16> to vector<[8]xf32>
      vector.maskedstore %panel_1[%c1, %c0], %mask_3, %part_4 : !f16_3_8, vector<[8]xi1>, vector<[8]xf16>
      %v_95 = vector.maskedload %b[%c4, %c0], %mask_4, %cst_1 : !f16_5_4, vector<[8]xi1>, vector<[8]xf16> into vector<[8]xf16>
      %v_96 = arith.extf %v_95 : vector<[8]xf16> to vector<[8]xf32>
      %v_97 = arith.truncf %cst : vector<[8]xf32> to vector<[8]xf16>
      %v_98 = vector.interleave %v_95, %v_97 : vector<[8]xf16> -> vector<[16]xf16>
      %v_99 = arith.extf %v_98 : vector<[16]xf16> to vector<[16]xf32>
      %part_6 = vector.scalable.extract %v_98[0] : vector<[8]xf16> from vector<[16]xf16>
      %v_100 = arith.extf %part_6 : vector<[8]xf16> to vector<[8]xf32>
      %part_7 = vector.scalable.extract %v_98[8] : vector<[8]xf16> from vector<[16]xf16>
      %v_101 = arith.extf %part_7 : vector<[8]xf16> to vector<[8]xf32>
      vector.maskedstore %panel_1[%c2, %c0], %mask_3, %part_6 : !f16_3_8, vector<[8]xi1>, vector<[8]xf16>
      %tile_10 = arm_sme.zero : vector<[4]x[4]xf32>
      %v_102 = vector.maskedload %panel_1[%c0, %c0], %mask_3, %cst_1 : !f16_3_8, vector<[8]xi1>, vector<[8]xf16> into vector<[8]xf16>
      %v_103 = arith.extf %v_102 : vector<[8]xf16> to vector<[8]xf32>
      %v_104 = vector.maskedload %panel[%c0, %c0], %mask_3, %cst_1 : !f16_3_8, vector<[8]xi1>, vector<[8]xf16> into vector<[8]xf16>
      %v_105 = arith.extf %v_104 : vector<[8]xf16> to vector<[8]xf32>
      %tile_11 = arm_sme.fmopa_2way %v_102, %v_104 acc(%tile_10) masks(%mask_3, %mask_3) : vector<[8]xf16>, vector<[8]xf16> into vector<[4]x[4]xf32>
      %v_106 = vector.maskedload %panel_1[%c1, %c0], %mask_3, %cst_1 : !f16_3_8, vector<[8]xi1>, vector<[8]xf16> into vector<[8]xf16>
      %v_107 = arith.extf %v_106 : vector<[8]xf16> to vector<[8]xf32>
      %v_108 = vector.maskedload %panel[%c1, %c0], %mask_3, %cst_1 : !f16_3_8, vector<[8]xi1>, vector<[8]xf16> into vector<[8]xf16>
      %v_109 = arith.extf %v_108 : vector<[8]xf16> to vector<[8]xf32>
      %tile_12 = arm_sme.fmopa_2way %v_106, %v_108 acc(%tile_11) masks(%mask_3, %mask_3) : vector<[8]xf16>, vector<[8]xf16> into vector<[4]x[4]xf32>
      %v_110 = vector.maskedload %panel_1[%c2, %c0], %mask_3, %cst_1 : !f16_3_8, vector<[8]xi1>, vector<[8]xf16> into vector<[8]xf16>
      %v_111 = arith.extf %v_110 : vector<[8]xf16> to vector<[8]xf32>
      %v_112 = vector.maskedload %panel[%c2, %c0], %mask_3, %cst_1 : !f16_3_8, vector<[8]xi1>, vector<[8]xf16> into vector<[8]xf16>
      %v_113 = arith.extf %v_112 : vector<[8]xf16> to vector<[8]xf32>
      %tile_13 = arm_sme.fmopa_2way %v_110, %v_112 acc(%tile_12) masks(%mask_3, %mask_3) : vector<[8]xf16>, vector<[8]xf16> into vector<[4]x[4]xf32>
      arm_sme.store_tile_slice %tile_13, %c3, %mask_1, %c[%c3, %c0] : !f32_4_4, vector<[4]xi1>, vector<[4]x[4]xf32>
      arm_sme.store_tile_slice %tile_13, %c2, %mask_1, %c[%c2, %c0] : !f32_4_4, vector<[4]xi1>, vector<[4]x[4]xf32>
      arm_sme.store_tile_slice %tile_13, %c1, %mask_1, %c[%c1, %c0] : !f32_4_4, vector<[4]xi1>, vector<[4]x[4]xf32>
      arm_sme.store_tile_slice %tile_13, %c0, %mask_1, %c[%c0, %c0] : !f32_4_4, vector<[4]xi1>, vector<[4]x[4]xf32>
    }
    return
  }
}
