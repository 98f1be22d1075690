/*
 * Device code as CUDA programs carry it: fat binaries, cubins and PTX text.  Finds out what an address points to, lists
 * the images, unpacks PTX and chooses what a GPU should run.
 *
 *     wrapper ──▶ container: header, entry, entry, ...        entry: header, [options], [name], payload
 *        └─────▶ list of containers, one for each relocatable object that was linked (version 2 only)
 *
 * Nothing that is read is trusted: every offset and size is checked against the container, which is as long as its
 * header says where nobody knows better.  Results point into the caller's bytes, except unpacked text.
 */
#ifndef RUNTIME_CUDA_FATBIN_H
#define RUNTIME_CUDA_FATBIN_H

#include "runtime/cuda/bytes.h"

/* What went wrong, as coarsely as CUDA's error codes tell it apart. */
enum rt_image_status {
    RT_IMAGE_OK,
    RT_IMAGE_MALFORMED, /* no device code, or a damaged one: "invalid kernel image" */
    RT_IMAGE_UNKNOWN,   /* well-formed, but of a version or compression that is not known */
    RT_IMAGE_EMPTY,     /* there is no image at all */
    RT_IMAGE_NO_PTX,    /* machine code or LTO IR only: "no kernel image for this device" */
    RT_IMAGE_OTHER_GPU, /* PTX, but none that this GPU may run: "no kernel image for this device" */
    RT_IMAGE_OUT_OF_MEMORY,
};

enum { RT_IMAGE_ERROR_TEXT = 320 };

struct rt_image_error {
    enum rt_image_status status;
    char text[RT_IMAGE_ERROR_TEXT]; /* in words: what was found, what was expected, what to do */
};

/* Record a failure; always returns its status. */
__attribute__((format(printf, 3, 4))) enum rt_image_status
rt_image_fail(struct rt_image_error *error, enum rt_image_status status, const char *format, ...);

/* --- entries of a container ------------------------------------------------------------------- */
enum rt_image_kind { RT_IMAGE_PTX = 1, RT_IMAGE_CUBIN = 2, RT_IMAGE_LTO = 8 }; /* others exist, or may come */
enum rt_compression { RT_RAW, RT_LZ4, RT_ZSTD, RT_COMPRESSION_UNKNOWN };

/* One image.  Texts are not terminated. */
struct rt_image {
    uint16_t kind;              /* enum rt_image_kind, if it is known */
    uint16_t version[2];        /* major, minor: of the PTX language; of ELF's and LTO's formats */
    unsigned sm;                /* 90: compute capability 9.0 */
    char suffix;                /* 'a': that architecture alone, 'f': its family, 0: all later ones */
    bool is_64bit, debug;       /* address size; built with -G */
    bool relocatable;           /* PTX that is to be linked with other PTX (nvcc -rdc=true) */
    uint64_t flags;             /* all of them, as they stand in the header */
    struct rt_bytes options;    /* for the assembler */
    struct rt_bytes identifier; /* name of the source file */
    enum rt_compression compression;
    struct rt_bytes payload; /* as it lies there, without what pads it */
    uint64_t unpacked_bytes; /* what the payload becomes; its own size when it is raw */
};

/* Where reading a container stands. */
struct rt_image_cursor {
    struct rt_bytes entries; /* all of them */
    uint64_t offset;         /* of the next one */
};

/*
 * The container at the start of `bytes`, which may be longer; its whole length goes to `*length`, unless that is NULL.
 * When nobody knows how many bytes there are, bytes.size is RT_SIZE_UNKNOWN.
 */
#define RT_SIZE_UNKNOWN ((uint64_t)PTRDIFF_MAX)
enum rt_image_status rt_container_open(struct rt_bytes bytes, struct rt_image_cursor *cursor, uint64_t *length,
                                       struct rt_image_error *error);
/* The next image; false at the end, and at an entry that is damaged: then error->status says so, else it is OK. */
bool rt_container_next(struct rt_image_cursor *cursor, struct rt_image *image, struct rt_image_error *error);

/* --- unpacking -------------------------------------------------------------------------------- */
/* No text is longer than this: what claims to be is taken for damaged. */
#define RT_PTX_LIMIT_BYTES (UINT64_C(1) << 30)

struct rt_ptx {
    char *text; /* terminated; malloc'd */
    size_t length;
};

/* The text of a PTX image. */
enum rt_image_status rt_image_unpack(const struct rt_image *image, struct rt_ptx *ptx, struct rt_image_error *error);

/* --- choosing --------------------------------------------------------------------------------- */
/* Whether a GPU of compute capability `gpu_sm` (90: 9.0) may run the image, which is PTX. */
bool rt_image_fits(const struct rt_image *image, unsigned gpu_sm);
/*
 * Whether the GPU may run the image, and it is better than another that the GPU may run (NULL: there is none): for a
 * later architecture, else a more specific target.  Of equals the first is taken.
 */
bool rt_image_is_better(const struct rt_image *image, const struct rt_image *than, unsigned gpu_sm);
/* The best image of a container for the GPU. */
enum rt_image_status rt_container_choose(struct rt_bytes container, unsigned gpu_sm, struct rt_image *image,
                                         struct rt_image_error *error);

/* --- whatever an address points to ------------------------------------------------------------ */
/* The PTX of a program: one text, or those of all the relocatable objects that are to be linked. */
struct rt_ptx_set {
    struct rt_ptx *parts; /* owned */
    size_t count;
    bool relocatable; /* the parts make a program together; else there is one, and it is whole */
    /*
     * Objects of the list that have no PTX for this GPU.  Not an error by itself: nvcc links its device run-time
     * library into every program of several objects, with PTX for the newest GPU alone, and few programs call it.  What
     * is missed is undefined when the parts are linked.
     */
    size_t left_out;
};

/*
 * What to run on a GPU of what `start` points to: a wrapper, a container, a cubin (which has no PTX, and is refused by
 * that name) or terminated PTX text.  `size` bounds the reads where it is known, and is RT_SIZE_UNKNOWN where not.  The
 * pointers of a wrapper must be valid, as they are in a program that the linker made.
 */
enum rt_image_status rt_ptx_load(const void *start, uint64_t size, unsigned gpu_sm, struct rt_ptx_set *set,
                                 struct rt_image_error *error);
void rt_ptx_set_release(struct rt_ptx_set *set);

/* What bytes are, by how they start. */
enum rt_code_format { RT_CODE_NONE, RT_CODE_WRAPPER, RT_CODE_CONTAINER, RT_CODE_LINKED, RT_CODE_ELF, RT_CODE_TEXT };
enum rt_code_format rt_code_format(struct rt_bytes bytes);

#endif
