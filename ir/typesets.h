/*
 * Sets of types as the `types` column of ops.def names them.  Each set T_x is a list macro EACH_T_x(X, ...) that
 * expands X(ID, name, ctype, ...) per member (ID as in enum ir_type without the prefix, name as in the meanings' names,
 * ctype the C type of one value), and the same set as a mask is IR_TYPES(T_x).  One list, so enumerations, tables and
 * handlers agree.
 */
#ifndef IR_TYPESETS_H
#define IR_TYPESETS_H

#define EACH_T_ANY(X, ...)
#define EACH_T_PRED(X, ...)     X(PRED, pred, uint32_t, __VA_ARGS__)
#define EACH_T_U32(X, ...)      X(U32, u32, uint32_t, __VA_ARGS__)
#define EACH_T_S32(X, ...)      X(S32, s32, int32_t, __VA_ARGS__)
#define EACH_T_B32(X, ...)      X(B32, b32, uint32_t, __VA_ARGS__)
#define EACH_T_B64(X, ...)      X(B64, b64, uint64_t, __VA_ARGS__)
#define EACH_T_F32(X, ...)      X(F32, f32, float, __VA_ARGS__)
#define EACH_T_F64(X, ...)      X(F64, f64, double, __VA_ARGS__)
#define EACH_T_S16X2(X, ...)    X(S16X2, s16x2, uint32_t, __VA_ARGS__)
#define EACH_T_F32X2(X, ...)    X(F32X2, f32x2, uint64_t, __VA_ARGS__)
#define EACH_T_INT32(X, ...)    EACH_T_U32(X, __VA_ARGS__) EACH_T_S32(X, __VA_ARGS__)
#define EACH_T_INT16(X, ...)    X(U16, u16, uint16_t, __VA_ARGS__) X(S16, s16, int16_t, __VA_ARGS__)
#define EACH_T_INT64(X, ...)    X(U64, u64, uint64_t, __VA_ARGS__) X(S64, s64, int64_t, __VA_ARGS__)
#define EACH_T_INT16_32(X, ...) EACH_T_INT16(X, __VA_ARGS__) EACH_T_INT32(X, __VA_ARGS__)
#define EACH_T_INT32_64(X, ...) EACH_T_INT32(X, __VA_ARGS__) EACH_T_INT64(X, __VA_ARGS__)
#define EACH_T_INT(X, ...)      EACH_T_INT16_32(X, __VA_ARGS__) EACH_T_INT64(X, __VA_ARGS__)
#define EACH_T_SINT(X, ...) \
    X(S16, s16, int16_t, __VA_ARGS__) EACH_T_S32(X, __VA_ARGS__) X(S64, s64, int64_t, __VA_ARGS__)
#define EACH_T_X2I(X, ...)         X(U16X2, u16x2, uint32_t, __VA_ARGS__) EACH_T_S16X2(X, __VA_ARGS__)
#define EACH_T_INT_X2(X, ...)      EACH_T_INT(X, __VA_ARGS__) EACH_T_X2I(X, __VA_ARGS__)
#define EACH_T_S32_X2(X, ...)      EACH_T_S32(X, __VA_ARGS__) EACH_T_S16X2(X, __VA_ARGS__)
#define EACH_T_B32_64(X, ...)      EACH_T_B32(X, __VA_ARGS__) X(B64, b64, uint64_t, __VA_ARGS__)
#define EACH_T_BITS(X, ...)        X(B16, b16, uint16_t, __VA_ARGS__) EACH_T_B32_64(X, __VA_ARGS__)
#define EACH_T_BITS_PRED(X, ...)   EACH_T_BITS(X, __VA_ARGS__) EACH_T_PRED(X, __VA_ARGS__)
#define EACH_T_INT_BITS(X, ...)    EACH_T_INT(X, __VA_ARGS__) EACH_T_BITS(X, __VA_ARGS__)
#define EACH_T_F32_64(X, ...)      EACH_T_F32(X, __VA_ARGS__) EACH_T_F64(X, __VA_ARGS__)
#define EACH_T_HALF(X, ...)        X(F16, f16, uint16_t, __VA_ARGS__) X(BF16, bf16, uint16_t, __VA_ARGS__)
#define EACH_T_X2F(X, ...)         X(F16X2, f16x2, uint32_t, __VA_ARGS__) X(BF16X2, bf16x2, uint32_t, __VA_ARGS__)
#define EACH_T_HALF_X2(X, ...)     EACH_T_HALF(X, __VA_ARGS__) EACH_T_X2F(X, __VA_ARGS__)
#define EACH_T_FLOAT(X, ...)       EACH_T_F32_64(X, __VA_ARGS__) EACH_T_HALF(X, __VA_ARGS__)
#define EACH_T_FLOAT_X2(X, ...)    EACH_T_FLOAT(X, __VA_ARGS__) EACH_T_X2F(X, __VA_ARGS__)
#define EACH_T_FLOAT_ALL(X, ...)   EACH_T_FLOAT_X2(X, __VA_ARGS__) EACH_T_F32X2(X, __VA_ARGS__)
#define EACH_T_F32_HALF_X2(X, ...) EACH_T_F32(X, __VA_ARGS__) EACH_T_HALF_X2(X, __VA_ARGS__)
#define EACH_T_COMPARABLE(X, ...)  EACH_T_INT_BITS(X, __VA_ARGS__) EACH_T_FLOAT(X, __VA_ARGS__)

#define IR_TYPE_MASK_BIT(ID, name, ctype, ...) | (uint64_t)1 << IR_##ID
/* The set as a mask of ir_type_bit; T_ANY is the empty list and means every type. */
#define IR_TYPES(set) (0 EACH_##set(IR_TYPE_MASK_BIT, ))

#endif
