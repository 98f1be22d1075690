/*
 * Choosing what a GPU runs, and loading the PTX of whatever a program hands over.
 */
#include "runtime/cuda/fatbin.h"
#include "runtime/cuda/linked.h"

#include <stdio.h>
#include <stdlib.h>

/* --- which PTX a GPU may run ------------------------------------------------------------------ */
/*
 * Architectures that share the features of a family-specific target (PTX manual, ".target"): those of one row, the
 * later ones being able to run what was made for the earlier.  sm_110 was called sm_101 before PTX 9.0.
 */
static const unsigned FAMILIES[][2] = {{100, 103}, {101, 110}, {120, 121}};

static bool is_later_in_family(unsigned sm, unsigned gpu_sm)
{
    for (size_t i = 0; i < sizeof FAMILIES / sizeof FAMILIES[0]; i++) {
        const bool holds_image = sm == FAMILIES[i][0] || sm == FAMILIES[i][1];
        const bool holds_gpu = gpu_sm == FAMILIES[i][0] || gpu_sm == FAMILIES[i][1];

        if (holds_image) {
            return holds_gpu && gpu_sm >= sm;
        }
    }
    return gpu_sm == sm;
}

bool rt_image_fits(const struct rt_image *image, unsigned gpu_sm)
{
    switch (image->suffix) {
    case 'a':
        return image->sm == gpu_sm;
    case 'f':
        return is_later_in_family(image->sm, gpu_sm);
    default:
        return image->sm <= gpu_sm;
    }
}

static int specificity(const struct rt_image *image)
{
    return image->suffix == 'a' ? 2 : image->suffix == 'f' ? 1 : 0;
}

bool rt_image_is_better(const struct rt_image *image, const struct rt_image *than, unsigned gpu_sm)
{
    if (image->kind != RT_IMAGE_PTX || !rt_image_fits(image, gpu_sm)) {
        return false;
    }
    return than == NULL || (image->sm != than->sm ? image->sm > than->sm : specificity(image) > specificity(than));
}

/* What a container holds, as far as it was looked at; for the choice and for the message when there is none. */
struct survey {
    bool found;
    struct rt_image best;
    bool has_lto, has_cubin, has_ptx;
    char targets[160]; /* "sm_90a, sm_120": of the PTX that does not fit */
};

static void note_target(struct survey *s, const struct rt_image *image)
{
    const size_t used = strlen(s->targets);
    const char suffix[2] = {image->suffix, '\0'};

    snprintf(s->targets + used, sizeof s->targets - used, "%ssm_%u%s", used == 0 ? "" : ", ", image->sm, suffix);
}

static void survey_image(struct survey *s, const struct rt_image *image, unsigned gpu_sm)
{
    s->has_cubin |= image->kind == RT_IMAGE_CUBIN;
    s->has_lto |= image->kind == RT_IMAGE_LTO;
    s->has_ptx |= image->kind == RT_IMAGE_PTX;
    if (rt_image_is_better(image, s->found ? &s->best : NULL, gpu_sm)) {
        s->found = true;
        s->best = *image;
    } else if (image->kind == RT_IMAGE_PTX && !rt_image_fits(image, gpu_sm)) {
        note_target(s, image);
    }
}

static enum rt_image_status fail_to_choose(const struct survey *s, unsigned gpu_sm, struct rt_image_error *error)
{
    if (s->has_ptx) {
        return rt_image_fail(error, RT_IMAGE_OTHER_GPU,
                             "there is PTX for %s, which a GPU of sm_%u cannot run; compile for compute_%u or "
                             "earlier, or choose another GPU",
                             s->targets, gpu_sm, gpu_sm);
    }
    if (s->has_cubin || s->has_lto) {
        return rt_image_fail(error, RT_IMAGE_NO_PTX,
                             "there is %s only, and no PTX; compile with -gencode arch=compute_%u,code=compute_%u",
                             s->has_cubin ? "machine code (SASS)" : "intermediate code for link-time optimisation",
                             gpu_sm, gpu_sm);
    }
    return rt_image_fail(error, RT_IMAGE_EMPTY, "the fat binary holds no images");
}

enum rt_image_status rt_container_choose(struct rt_bytes container, unsigned gpu_sm, struct rt_image *image,
                                         struct rt_image_error *error)
{
    struct rt_image_cursor cursor;
    struct survey s = {0};

    if (rt_container_open(container, &cursor, NULL, error) != RT_IMAGE_OK) {
        return error->status;
    }
    while (rt_container_next(&cursor, image, error)) {
        survey_image(&s, image, gpu_sm);
    }
    if (error->status != RT_IMAGE_OK) {
        return error->status;
    }
    *image = s.best;
    return s.found ? RT_IMAGE_OK : fail_to_choose(&s, gpu_sm, error);
}

/* --- what a program hands over ---------------------------------------------------------------- */
/* The wrapper as it lies in a program's memory (declared by the toolkit's fatbinary_section.h). */
struct wrapper {
    uint32_t magic;
    uint32_t version; /* 1: plain, 2: linked */
    const void *container;
    const void *const *linked; /* version 2: the containers of the objects, up to a NULL; may be NULL */
};

/* More objects than any program has; a list that is longer has lost its end. */
enum { MOST_LINKED = 1 << 20 };

static enum rt_image_status add_text(struct rt_ptx_set *set, struct rt_ptx ptx, struct rt_image_error *error)
{
    struct rt_ptx *parts = ptx.text == NULL ? NULL : realloc(set->parts, (set->count + 1) * sizeof *parts);

    if (parts == NULL) {
        free(ptx.text);
        return rt_image_fail(error, RT_IMAGE_OUT_OF_MEMORY, "out of memory");
    }
    set->parts = parts;
    set->parts[set->count++] = ptx;
    return RT_IMAGE_OK;
}

static enum rt_image_status load_container(struct rt_bytes container, unsigned gpu_sm, struct rt_ptx_set *set,
                                           struct rt_image_error *error)
{
    struct rt_image image;
    struct rt_ptx ptx;

    if (rt_container_choose(container, gpu_sm, &image, error) != RT_IMAGE_OK ||
        rt_image_unpack(&image, &ptx, error) != RT_IMAGE_OK) {
        return error->status;
    }
    set->relocatable |= image.relocatable;
    return add_text(set, ptx, error);
}

/* The objects of a linked program.  The container of the wrapper itself has machine code only, and is not looked at. */
static enum rt_image_status load_linked(const void *const *list, unsigned gpu_sm, struct rt_ptx_set *set,
                                        struct rt_image_error *error)
{
    struct rt_image_error first = {0};

    for (size_t i = 0; list[i] != NULL; i++) {
        if (i == MOST_LINKED) {
            return rt_image_fail(error, RT_IMAGE_MALFORMED, "the list of linked fat binaries has no end");
        }
        switch (load_container((struct rt_bytes){list[i], RT_SIZE_UNKNOWN}, gpu_sm, set, error)) {
        case RT_IMAGE_OK:
            break;
        case RT_IMAGE_EMPTY:
        case RT_IMAGE_NO_PTX:
        case RT_IMAGE_OTHER_GPU:
            first = set->left_out++ == 0 ? *error : first;
            break;
        default:
            return error->status;
        }
    }
    if (set->count == 0) {
        *error = first;
        return error->status;
    }
    set->relocatable = true;
    *error = (struct rt_image_error){0}; /* of what was left out */
    return RT_IMAGE_OK;
}

static enum rt_image_status load_wrapper(struct rt_bytes bytes, unsigned gpu_sm, struct rt_ptx_set *set,
                                         struct rt_image_error *error)
{
    struct wrapper w;

    if (!rt_bytes_copy(bytes, 0, &w, sizeof w)) {
        return rt_image_fail(error, RT_IMAGE_MALFORMED, "the description of a fat binary is cut off");
    }
    if (w.version != 1 && w.version != 2) {
        return rt_image_fail(error, RT_IMAGE_UNKNOWN,
                             "the description of a fat binary is of version %u; only 1 and 2 are known", w.version);
    }
    if (w.version == 2 && w.linked != NULL && w.linked[0] != NULL) {
        return load_linked(w.linked, gpu_sm, set, error);
    }
    if (w.container == NULL) {
        return rt_image_fail(error, RT_IMAGE_MALFORMED, "the description of a fat binary points nowhere");
    }
    return load_container((struct rt_bytes){w.container, RT_SIZE_UNKNOWN}, gpu_sm, set, error);
}

static enum rt_image_status load_text(struct rt_bytes bytes, struct rt_ptx_set *set, struct rt_image_error *error)
{
    const size_t limit = (size_t)(bytes.size < RT_PTX_LIMIT_BYTES ? bytes.size : RT_PTX_LIMIT_BYTES);
    const size_t length = strnlen((const char *)bytes.at, limit);

    if (length == RT_PTX_LIMIT_BYTES) {
        return rt_image_fail(error, RT_IMAGE_MALFORMED, "PTX text has no end");
    }
    return add_text(set, (struct rt_ptx){strndup((const char *)bytes.at, length), length}, error);
}

/* By the first bytes; what they are not sure of is not read. */
static enum rt_image_status load(struct rt_bytes bytes, unsigned gpu_sm, struct rt_ptx_set *set,
                                 struct rt_image_error *error)
{
    switch (rt_code_format(bytes)) {
    case RT_CODE_WRAPPER:
        return load_wrapper(bytes, gpu_sm, set, error);
    case RT_CODE_CONTAINER:
        return load_container(bytes, gpu_sm, set, error);
    case RT_CODE_LINKED:
        return rt_linked_read(bytes, set, error);
    case RT_CODE_TEXT:
        return load_text(bytes, set, error);
    case RT_CODE_ELF:
        return rt_image_fail(error, RT_IMAGE_NO_PTX,
                             "this is machine code (a cubin), and not PTX; compile with -ptx or -fatbin instead of "
                             "-cubin");
    default:
        return rt_image_fail(error, RT_IMAGE_MALFORMED, "this is neither a fat binary nor a cubin nor PTX text");
    }
}

enum rt_image_status rt_ptx_load(const void *start, uint64_t size, unsigned gpu_sm, struct rt_ptx_set *set,
                                 struct rt_image_error *error)
{
    *set = (struct rt_ptx_set){0};
    *error = (struct rt_image_error){0};
    if (start == NULL) {
        return rt_image_fail(error, RT_IMAGE_MALFORMED, "there is no fat binary: the pointer is null");
    }
    if (load((struct rt_bytes){start, size}, gpu_sm, set, error) != RT_IMAGE_OK) {
        rt_ptx_set_release(set);
    }
    return error->status;
}

void rt_ptx_set_release(struct rt_ptx_set *set)
{
    for (size_t i = 0; i < set->count; i++) {
        free(set->parts[i].text);
    }
    free(set->parts);
    *set = (struct rt_ptx_set){0};
}
