/*
 * The layout of containers and of the entries in them: offsets and what stands there.  All numbers are little-endian.
 */
#ifndef RUNTIME_CUDA_FATBIN_FORMAT_H
#define RUNTIME_CUDA_FATBIN_FORMAT_H

#define CONTAINER_MAGIC UINT32_C(0xBA55ED50)

/* Offsets in the header of a container, and how long that is. */
enum { CONTAINER_VERSION = 4, CONTAINER_HEADER_SIZE = 6, CONTAINER_SIZE = 8, CONTAINER_HEADER = 16 };

/* Offsets in the header of an entry. */
enum {
    ENTRY_KIND = 0,
    ENTRY_FORMAT = 2, /* always ENTRY_FORMAT_VALUE */
    ENTRY_HEADER_SIZE = 4,
    ENTRY_PAYLOAD_SIZE = 8, /* padded to 8 */
    ENTRY_PACKED_SIZE = 16, /* exact; 0: not compressed */
    ENTRY_OPTIONS = 20,     /* of {u32 offset, u32 length}, itself from the start of the entry; 0: none */
    ENTRY_MINOR = 24,
    ENTRY_MAJOR = 26,
    ENTRY_SM = 28,
    ENTRY_NAME = 32, /* offset; 0: none */
    ENTRY_NAME_LENGTH = 36,
    ENTRY_FLAGS = 40,
    ENTRY_UNPACKED_SIZE = 56,
    ENTRY_HEADER = 64, /* the smallest */
};

enum { ENTRY_FORMAT_VALUE = 0x0101 };

enum {
    FLAG_64BIT = 0x1,
    FLAG_DEBUG = 0x2,
    FLAG_LINUX = 0x10, /* of the host */
    FLAG_LZ4 = 0x2000,
    FLAG_ZSTD = 0x8000,
    FLAG_ARCHITECTURE = 0x100000, /* sm_90a */
    FLAG_FAMILY = 0x200000,       /* sm_100f */
};

/* The option with which nvcc marks PTX of -rdc=true. */
#define FATBIN_RELOCATABLE_OPTION "--compile-only"

#endif
