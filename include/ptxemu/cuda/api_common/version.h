/*
 * Which release of CUDA the headers describe, and what all of them share.
 *
 * PTXEMU_CUDA_VERSION is 1000 * major + 10 * minor, 13000 unless the compiler's command line says otherwise. A value
 * below 13000 selects names, signatures and layouts of 12.8: they are those of every 12.x as far as a function existed
 * there.
 */
#ifndef PTXEMU_CUDA_VERSION_H
#define PTXEMU_CUDA_VERSION_H

#ifndef PTXEMU_CUDA_VERSION
#define PTXEMU_CUDA_VERSION 13000
#endif

/* A default argument: C++ has them, C does not. */
#ifdef __cplusplus
#define PTXEMU_DEFAULT(value) = value
#else
#define PTXEMU_DEFAULT(value)
#endif

/* The alignment of a member, where the language can say it. */
#if defined(__cplusplus) && __cplusplus >= 201103L
#define PTXEMU_ALIGN(bytes) alignas(bytes)
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
#define PTXEMU_ALIGN(bytes) _Alignas(bytes)
#else
#define PTXEMU_ALIGN(bytes)
#endif

#endif
