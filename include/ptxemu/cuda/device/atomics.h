/*
 * Atomic operations on global and shared memory. Without suffix the scope is the device; _block is a CTA, _system all
 * devices and the host.
 */
#ifndef PTXEMU_CUDA_DEVICE_ATOMICS_H
#define PTXEMU_CUDA_DEVICE_ATOMICS_H

#include "words.h"

/* name##suffix(address, value): `atom<scope>.operation`, registers of kind `reg`; returns what was there before */
#define PTXEMU_ATOMIC_SCOPE(name, suffix, scope, operation, type, reg) \
    PTXEMU_DEVICE type name##suffix(type *address, type value)         \
    {                                                                  \
        type before;                                                   \
                                                                       \
        asm volatile("atom" scope "." operation " %0, [%1], %2;"       \
                     : "=" reg(before)                                 \
                     : "l"(address), reg(value)                        \
                     : "memory");                                      \
        return before;                                                 \
    }
#define PTXEMU_COMPARE_SCOPE(suffix, scope, operation, type, reg)                  \
    PTXEMU_DEVICE type atomicCAS##suffix(type *address, type expected, type value) \
    {                                                                              \
        type before;                                                               \
                                                                                   \
        asm volatile("atom" scope "." operation " %0, [%1], %2, %3;"               \
                     : "=" reg(before)                                             \
                     : "l"(address), reg(expected), reg(value)                     \
                     : "memory");                                                  \
        return before;                                                             \
    }

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 600
#define PTXEMU_ATOMIC(name, operation, type, reg)                   \
    PTXEMU_ATOMIC_SCOPE(name, , "", operation, type, reg)           \
    PTXEMU_ATOMIC_SCOPE(name, _block, ".cta", operation, type, reg) \
    PTXEMU_ATOMIC_SCOPE(name, _system, ".sys", operation, type, reg)
#define PTXEMU_COMPARE(operation, type, reg)                   \
    PTXEMU_COMPARE_SCOPE(, "", operation, type, reg)           \
    PTXEMU_COMPARE_SCOPE(_block, ".cta", operation, type, reg) \
    PTXEMU_COMPARE_SCOPE(_system, ".sys", operation, type, reg)
#else
#define PTXEMU_ATOMIC(name, operation, type, reg) PTXEMU_ATOMIC_SCOPE(name, , "", operation, type, reg)
#define PTXEMU_COMPARE(operation, type, reg)      PTXEMU_COMPARE_SCOPE(, "", operation, type, reg)
#endif

PTXEMU_ATOMIC(atomicAdd, "add.s32", int, "r")
PTXEMU_ATOMIC(atomicAdd, "add.u32", unsigned int, "r")
PTXEMU_ATOMIC(atomicAdd, "add.u64", unsigned long long, "l")
PTXEMU_ATOMIC(atomicAdd, "add.f32", float, "f")
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 600
PTXEMU_ATOMIC(atomicAdd, "add.f64", double, "d")
#endif

PTXEMU_ATOMIC(atomicExch, "exch.b32", int, "r")
PTXEMU_ATOMIC(atomicExch, "exch.b32", unsigned int, "r")
PTXEMU_ATOMIC(atomicExch, "exch.b64", unsigned long long, "l")
PTXEMU_ATOMIC(atomicExch, "exch.b32", float, "f")

PTXEMU_ATOMIC(atomicMin, "min.s32", int, "r")
PTXEMU_ATOMIC(atomicMin, "min.u32", unsigned int, "r")
PTXEMU_ATOMIC(atomicMin, "min.s64", long long, "l")
PTXEMU_ATOMIC(atomicMin, "min.u64", unsigned long long, "l")

PTXEMU_ATOMIC(atomicMax, "max.s32", int, "r")
PTXEMU_ATOMIC(atomicMax, "max.u32", unsigned int, "r")
PTXEMU_ATOMIC(atomicMax, "max.s64", long long, "l")
PTXEMU_ATOMIC(atomicMax, "max.u64", unsigned long long, "l")

PTXEMU_ATOMIC(atomicInc, "inc.u32", unsigned int, "r")
PTXEMU_ATOMIC(atomicDec, "dec.u32", unsigned int, "r")

#define PTXEMU_ATOMIC_BITS(name, operation)                  \
    PTXEMU_ATOMIC(name, operation ".b32", int, "r")          \
    PTXEMU_ATOMIC(name, operation ".b32", unsigned int, "r") \
    PTXEMU_ATOMIC(name, operation ".b64", unsigned long long, "l")
PTXEMU_ATOMIC_BITS(atomicAnd, "and")
PTXEMU_ATOMIC_BITS(atomicOr, "or")
PTXEMU_ATOMIC_BITS(atomicXor, "xor")
#undef PTXEMU_ATOMIC_BITS

PTXEMU_COMPARE("cas.b32", int, "r")
PTXEMU_COMPARE("cas.b32", unsigned int, "r")
PTXEMU_COMPARE("cas.b64", unsigned long long, "l")
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700
PTXEMU_COMPARE("cas.b16", unsigned short, "h")
#endif

/* There is no subtraction in PTX. */
#define PTXEMU_ATOMIC_SUB(suffix, type)                                      \
    PTXEMU_DEVICE type atomicSub##suffix(type *address, type value)          \
    {                                                                        \
        return atomicAdd##suffix(address, (type)(0u - (unsigned int)value)); \
    }
PTXEMU_ATOMIC_SUB(, int)
PTXEMU_ATOMIC_SUB(, unsigned int)
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 600
PTXEMU_ATOMIC_SUB(_block, int)
PTXEMU_ATOMIC_SUB(_block, unsigned int)
PTXEMU_ATOMIC_SUB(_system, int)
PTXEMU_ATOMIC_SUB(_system, unsigned int)
#endif

#undef PTXEMU_ATOMIC_SUB
#undef PTXEMU_COMPARE
#undef PTXEMU_ATOMIC
#undef PTXEMU_COMPARE_SCOPE
#undef PTXEMU_ATOMIC_SCOPE

#endif
