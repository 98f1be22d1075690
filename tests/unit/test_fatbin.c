/*
 * Fat binaries: what nvcc makes is read, unpacked and chosen from; what is damaged is refused in words and never read
 * past its end.
 */
#include "runtime/cuda/fatbin.h"
#include "runtime/cuda/fatbin_write.h"

#include "tests/unit/fatbin_samples.h"

/* --- entries ---------------------------------------------------------------------------------- */
struct expected_image {
    enum rt_image_kind kind;
    unsigned sm;
    char suffix;
    unsigned major, minor;
    enum rt_compression compression;
    bool debug, relocatable;
    const char *options, *identifier;
};

#define PTX_80(packing)                                          \
    {                                                            \
        RT_IMAGE_PTX, 80, 0, 9, 0, packing, false, false, "", "" \
    }

static const struct {
    const char *file;
    struct expected_image images[8]; /* up to one of kind 0 */
} CONTAINERS[] = {
    {"none.fatbin", {PTX_80(RT_RAW)}},
    {"speed.fatbin", {PTX_80(RT_LZ4)}},
    {"balance.fatbin", {PTX_80(RT_ZSTD)}},
    {"size.fatbin", {PTX_80(RT_ZSTD)}},
    {"many.fatbin",
     {{RT_IMAGE_PTX, 75, 0, 9, 0, RT_ZSTD, false, false, "", ""},
      {RT_IMAGE_CUBIN, 75, 0, 1, 8, RT_RAW, false, false, "", ""},
      PTX_80(RT_ZSTD),
      {RT_IMAGE_PTX, 90, 'a', 9, 0, RT_ZSTD, false, false, "", ""},
      {RT_IMAGE_CUBIN, 90, 'a', 1, 8, RT_RAW, false, false, "", ""},
      {RT_IMAGE_PTX, 100, 'f', 9, 0, RT_ZSTD, false, false, "", ""},
      {RT_IMAGE_PTX, 120, 0, 9, 0, RT_ZSTD, false, false, "", ""}}},
    {"all_lz4.fatbin", {PTX_80(RT_LZ4), {RT_IMAGE_CUBIN, 80, 0, 1, 8, RT_LZ4, false, false, "", ""}}},
    {"debug.fatbin",
     {{RT_IMAGE_PTX, 80, 0, 9, 0, RT_ZSTD, true, false, " -g --dont-merge-basicblocks --return-at-end ", "add.cu"}}},
    {"lineinfo.fatbin", {{RT_IMAGE_PTX, 80, 0, 9, 0, RT_ZSTD, false, false, " --generate-line-info ", "add.cu"}}},
    {"cubin_only.fatbin", {{RT_IMAGE_CUBIN, 80, 0, 1, 8, RT_RAW, false, false, "", ""}}},
    {"lto.fatbin", {{RT_IMAGE_LTO, 80, 0, 1, 65, RT_ZSTD, false, false, "", ""}}},
    {"part1.fatbin", {{RT_IMAGE_PTX, 80, 0, 9, 0, RT_ZSTD, false, true, "--compile-only  ", ""}}},
};

enum { CONTAINER_COUNT = sizeof CONTAINERS / sizeof CONTAINERS[0] };

static void check_text(struct rt_bytes got, const char *expected, const char *what)
{
    cr_expect(got.size == strlen(expected) && (got.size == 0 || memcmp(got.at, expected, got.size) == 0),
              "%s: '%.*s', not '%s'", what, (int)got.size, (const char *)got.at, expected);
}

static void check_image(const struct rt_image *got, const struct expected_image *expected)
{
    cr_expect_eq(got->kind, expected->kind);
    cr_expect_eq(got->sm, expected->sm);
    cr_expect_eq(got->suffix, expected->suffix);
    cr_expect_eq(got->version[0], expected->major);
    cr_expect_eq(got->version[1], expected->minor);
    cr_expect_eq(got->compression, expected->compression);
    cr_expect_eq(got->debug, expected->debug);
    cr_expect_eq(got->relocatable, expected->relocatable);
    cr_expect(got->is_64bit);
    check_text(got->options, expected->options, "options");
    check_text(got->identifier, expected->identifier, "identifier");
}

Test(fatbin, entries_are_described)
{
    for (size_t c = 0; c < CONTAINER_COUNT; c++) {
        struct rt_bytes file = sample_read(CONTAINERS[c].file);
        struct rt_image_cursor cursor;
        struct rt_image_error error;
        struct rt_image image;
        uint64_t length;
        size_t i = 0;

        cr_assert_eq(rt_container_open(file, &cursor, &length, &error), RT_IMAGE_OK, "%s", error.text);
        cr_expect_eq(length, file.size);
        while (rt_container_next(&cursor, &image, &error)) {
            check_image(&image, &CONTAINERS[c].images[i++]);
        }
        cr_expect_eq(error.status, RT_IMAGE_OK, "%s: %s", CONTAINERS[c].file, error.text);
        cr_expect_eq((int)CONTAINERS[c].images[i].kind, 0, "%s has %zu images", CONTAINERS[c].file, i);
        sample_free(file);
    }
}

/* --- text ------------------------------------------------------------------------------------- */
/*
 * What nvcc's tool leaves of a text: no comments, tabs or spaces at the start and end of lines, runs of blanks as one
 * space, no empty lines.
 */
static char *normalised(const char *text)
{
    char *out = malloc(strlen(text) + 2), *to = out;

    cr_assert_not_null(out);
    for (const char *c = text; *c != '\0'; c++) {
        if (c[0] == '/' && c[1] == '/') {
            c += strcspn(c, "\n");
        }
        if (*c == '\0') {
            break;
        }
        const bool blank = *c == ' ' || *c == '\t', line_starts = to == out || to[-1] == '\n';

        if (*c == '\n' && to > out && to[-1] == ' ') {
            to--;
        }
        if (!(line_starts && (blank || *c == '\n')) && !(blank && to[-1] == ' ')) {
            *to++ = blank ? ' ' : *c;
        }
    }
    *to = '\0';
    return out;
}

static char *sample_text(const char *name)
{
    struct rt_bytes file = sample_read(name);
    char *text = strndup((const char *)file.at, file.size);

    sample_free(file);
    return text;
}

Test(fatbin, every_compression_gives_the_text_that_the_compiler_wrote)
{
    static const char *const files[] = {"none.fatbin", "speed.fatbin", "balance.fatbin", "size.fatbin",
                                        "all_lz4.fatbin"};
    char *written = sample_text("add.ptx"), *expected = normalised(written);

    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        struct rt_bytes file = sample_read(files[i]);
        struct rt_image_error error;
        struct rt_ptx_set set;

        cr_assert_eq(rt_ptx_load(file.at, file.size, 90, &set, &error), RT_IMAGE_OK, "%s", error.text);
        cr_assert_eq(set.count, 1);
        cr_expect_not(set.relocatable);
        char *got = normalised(set.parts[0].text);

        cr_expect_str_eq(got, expected, "%s", files[i]);
        cr_expect_eq(set.parts[0].length, strlen(set.parts[0].text));
        free(got);
        rt_ptx_set_release(&set);
        sample_free(file);
    }
    free(expected);
    free(written);
}

/* --- choosing --------------------------------------------------------------------------------- */
Test(fatbin, a_gpu_gets_the_newest_ptx_that_it_can_run)
{
    static const struct {
        unsigned gpu, sm;
        char suffix;
    } rows[] = {{75, 75, 0},     {79, 75, 0},     {80, 80, 0},  {86, 80, 0},   {90, 90, 'a'}, {91, 80, 0},
                {100, 100, 'f'}, {103, 100, 'f'}, {110, 80, 0}, {120, 120, 0}, {121, 120, 0}};
    struct rt_bytes file = sample_read("many.fatbin");
    struct rt_image_error error;
    struct rt_image image;

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cr_assert_eq(rt_container_choose(file, rows[i].gpu, &image, &error), RT_IMAGE_OK, "%s", error.text);
        cr_expect_eq(image.kind, RT_IMAGE_PTX);
        cr_expect(image.sm == rows[i].sm && image.suffix == rows[i].suffix, "sm_%u gets sm_%u%c", rows[i].gpu, image.sm,
                  image.suffix != 0 ? image.suffix : ' ');
    }
    cr_expect_eq(rt_container_choose(file, 70, &image, &error), RT_IMAGE_OTHER_GPU);
    cr_expect_str_eq(error.text, "there is PTX for sm_75, sm_80, sm_90a, sm_100f, sm_120, which a GPU of sm_70 cannot "
                                 "run; compile for compute_70 or earlier, or choose another GPU");
    sample_free(file);
}

Test(fatbin, families_end_where_the_next_generation_begins)
{
    static const struct {
        unsigned sm;
        char suffix;
        unsigned gpu;
        bool fits;
    } rows[] = {
        {90, 'a', 90, true},    {90, 'a', 100, false},  {90, 'a', 89, false},   {100, 'f', 103, true},
        {103, 'f', 100, false}, {100, 'f', 110, false}, {101, 'f', 103, false}, {101, 'f', 110, true},
        {120, 'f', 121, true},  {121, 'f', 120, false}, {130, 'f', 130, true},  {130, 'f', 131, false},
        {90, 0, 121, true},     {121, 0, 120, false},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct rt_image image = {.kind = RT_IMAGE_PTX, .sm = rows[i].sm, .suffix = rows[i].suffix};

        cr_expect_eq(rt_image_fits(&image, rows[i].gpu), rows[i].fits, "sm_%u%c on sm_%u", rows[i].sm,
                     rows[i].suffix != 0 ? rows[i].suffix : ' ', rows[i].gpu);
    }
}

static void check_refused(const void *start, uint64_t size, enum rt_image_status status, const char *text)
{
    struct rt_image_error error;
    struct rt_ptx_set set;

    cr_expect_eq(rt_ptx_load(start, size, 90, &set, &error), status, "'%s'", error.text);
    cr_expect_eq(error.status, status);
    cr_expect_str_eq(error.text, text);
    cr_expect(set.parts == NULL && set.count == 0);
}

static void check_file_refused(const char *name, enum rt_image_status status, const char *text)
{
    struct rt_bytes file = sample_read(name);

    check_refused(file.at, file.size, status, text);
    sample_free(file);
}

/* Container with a header and nothing else, as nvcc's link step makes it. */
static const uint8_t EMPTY[16] = {0x50, 0xED, 0x55, 0xBA, 1, 0, 16, 0};

Test(fatbin, what_has_no_ptx_is_refused_by_what_it_has)
{
    check_file_refused("cubin_only.fatbin", RT_IMAGE_NO_PTX,
                       "there is machine code (SASS) only, and no PTX; compile with -gencode "
                       "arch=compute_90,code=compute_90");
    check_file_refused("lto.fatbin", RT_IMAGE_NO_PTX,
                       "there is intermediate code for link-time optimisation only, and no PTX; compile with -gencode "
                       "arch=compute_90,code=compute_90");
    check_file_refused("add.cubin", RT_IMAGE_NO_PTX,
                       "this is machine code (a cubin), and not PTX; compile with -ptx or -fatbin instead of -cubin");
    check_refused(EMPTY, sizeof EMPTY, RT_IMAGE_EMPTY, "the fat binary holds no images");
    check_refused(NULL, RT_SIZE_UNKNOWN, RT_IMAGE_MALFORMED, "there is no fat binary: the pointer is null");
}

/* --- what programs hand over ------------------------------------------------------------------ */
struct wrapper {
    uint32_t magic, version;
    const void *container;
    const void *const *linked;
};

Test(fatbin, a_plain_wrapper_leads_to_its_container)
{
    struct rt_bytes file = sample_read("balance.fatbin");
    const struct wrapper w = {0x466243B1, 1, file.at, NULL};
    struct rt_image_error error;
    struct rt_ptx_set set;

    cr_assert_eq(rt_ptx_load(&w, RT_SIZE_UNKNOWN, 90, &set, &error), RT_IMAGE_OK, "%s", error.text);
    cr_expect_eq(set.count, 1);
    cr_expect_not(set.relocatable);
    cr_expect_not_null(strstr(set.parts[0].text, ".visible .entry add("));
    rt_ptx_set_release(&set);
    sample_free(file);
}

Test(fatbin, a_linked_wrapper_gives_the_text_of_each_object)
{
    struct rt_bytes one = sample_read("part1.fatbin"), two = sample_read("part2.fatbin");
    struct rt_bytes sass = sample_read("cubin_only.fatbin");
    const void *const list[] = {one.at, sass.at, two.at, NULL};
    const struct wrapper w = {0x466243B1, 2, EMPTY, list};
    struct rt_image_error error;
    struct rt_ptx_set set;

    cr_assert_eq(rt_ptx_load(&w, RT_SIZE_UNKNOWN, 90, &set, &error), RT_IMAGE_OK, "%s", error.text);
    cr_assert_eq(set.count, 2);
    cr_expect(set.relocatable);
    cr_expect_eq(set.left_out, 1);
    cr_expect_str_eq(error.text, "");
    cr_expect_not_null(strstr(set.parts[0].text, ".visible .entry both("));
    cr_expect_not_null(strstr(set.parts[1].text, ".visible .entry alone("));
    rt_ptx_set_release(&set);
    sample_free(one);
    sample_free(two);
    sample_free(sass);
}

Test(fatbin, linked_objects_without_any_ptx_are_refused)
{
    struct rt_bytes sass = sample_read("cubin_only.fatbin");
    const void *const list[] = {sass.at, EMPTY, NULL};
    const struct wrapper w = {0x466243B1, 2, EMPTY, list};

    check_refused(&w, RT_SIZE_UNKNOWN, RT_IMAGE_NO_PTX,
                  "there is machine code (SASS) only, and no PTX; compile with -gencode "
                  "arch=compute_90,code=compute_90");
    sample_free(sass);
}

/* The link step adds one to every executable; its list is there only if something was linked. */
Test(fatbin, a_linked_wrapper_without_objects_is_empty)
{
    const void *const none[] = {NULL};

    check_refused(&(struct wrapper){0x466243B1, 2, EMPTY, none}, RT_SIZE_UNKNOWN, RT_IMAGE_EMPTY,
                  "the fat binary holds no images");
    check_refused(&(struct wrapper){0x466243B1, 2, EMPTY, NULL}, RT_SIZE_UNKNOWN, RT_IMAGE_EMPTY,
                  "the fat binary holds no images");
}

Test(fatbin, wrappers_that_are_none_are_refused)
{
    check_refused(&(struct wrapper){0x466243B1, 3, EMPTY, NULL}, RT_SIZE_UNKNOWN, RT_IMAGE_UNKNOWN,
                  "the description of a fat binary is of version 3; only 1 and 2 are known");
    check_refused(&(struct wrapper){0x466243B1, 1, NULL, NULL}, RT_SIZE_UNKNOWN, RT_IMAGE_MALFORMED,
                  "the description of a fat binary points nowhere");
    check_refused(&(struct wrapper){0x466243B1, 1, "text", NULL}, RT_SIZE_UNKNOWN, RT_IMAGE_MALFORMED,
                  "not a fat binary: its header is missing or damaged");
    check_refused(&(struct wrapper){0x466243B1, 1, EMPTY, NULL}, 23, RT_IMAGE_MALFORMED,
                  "the description of a fat binary is cut off");
}

Test(fatbin, text_is_taken_as_it_is)
{
    static const char *const texts[] = {".version 9.0\n", "\n\t //comment\n.version 9.0", "// generated\n"};
    struct rt_image_error error;
    struct rt_ptx_set set;

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        cr_assert_eq(rt_ptx_load(texts[i], RT_SIZE_UNKNOWN, 90, &set, &error), RT_IMAGE_OK, "%s", error.text);
        cr_expect_str_eq(set.parts[0].text, texts[i]);
        rt_ptx_set_release(&set);
    }
    /* Where the size is known the terminator may be missing. */
    struct rt_bytes cut = sample_copy((const uint8_t *)".version 9.0", 8);

    cr_assert_eq(rt_ptx_load(cut.at, cut.size, 90, &set, &error), RT_IMAGE_OK, "%s", error.text);
    cr_expect_str_eq(set.parts[0].text, ".version");
    rt_ptx_set_release(&set);
    sample_free(cut);
}

Test(fatbin, what_is_no_device_code_is_refused_without_reading_on)
{
    static const char *const words[] = {"",
                                        " ",
                                        "a",
                                        "\x7f",
                                        "\x7f"
                                        "E",
                                        "\xb1"
                                        "C",
                                        "\x50\xed",
                                        "BC\xc0\xde"};

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        struct rt_bytes copy = sample_copy((const uint8_t *)words[i], strlen(words[i]) + 1);

        check_refused(copy.at, RT_SIZE_UNKNOWN, RT_IMAGE_MALFORMED,
                      "this is neither a fat binary nor a cubin nor PTX text");
        sample_free(copy);
    }
}

/* --- damage ----------------------------------------------------------------------------------- */
/* Read all there is; whether any of it was found damaged.  Every failure must have words. */
static bool read_everything(struct rt_bytes file)
{
    struct rt_image_error error = {0};
    struct rt_image_cursor cursor;
    struct rt_image image;
    struct rt_ptx_set set;
    struct rt_ptx ptx;
    bool damaged = false;

    if (rt_container_open(file, &cursor, NULL, &error) != RT_IMAGE_OK) {
        cr_expect_neq(error.text[0], '\0');
        return true;
    }
    while (rt_container_next(&cursor, &image, &error)) {
        if (image.kind == RT_IMAGE_PTX && rt_image_unpack(&image, &ptx, &error) != RT_IMAGE_OK) {
            cr_expect_neq(error.text[0], '\0');
            damaged = true;
        }
        free(image.kind == RT_IMAGE_PTX ? ptx.text : NULL);
    }
    damaged |= error.status != RT_IMAGE_OK;
    if (rt_ptx_load(file.at, file.size, 90, &set, &error) != RT_IMAGE_OK) {
        cr_expect_neq(error.text[0], '\0');
    }
    rt_ptx_set_release(&set);
    return damaged;
}

Test(fatbin, every_prefix_is_refused)
{
    for (size_t c = 0; c < CONTAINER_COUNT; c++) {
        struct rt_bytes file = sample_read(CONTAINERS[c].file);

        for (uint64_t size = 0; size < file.size; size++) {
            struct rt_bytes prefix = sample_copy(file.at, size);

            cr_expect(read_everything(prefix), "%s, %d bytes", CONTAINERS[c].file, (int)size);
            sample_free(prefix);
        }
        cr_expect_not(read_everything(file));
        sample_free(file);
    }
}

Test(fatbin, no_changed_byte_does_harm)
{
    static const uint8_t changes[] = {0xFF, 0x01, 0x80, 0x20};

    for (size_t c = 0; c < CONTAINER_COUNT; c++) {
        struct rt_bytes file = sample_read(CONTAINERS[c].file);
        struct rt_bytes copy = sample_copy(file.at, file.size);
        uint8_t *bytes = (uint8_t *)copy.at;
        size_t damaged = 0;

        for (uint64_t i = 0; i < file.size; i++) {
            const size_t first = i % sizeof changes, count = i < 256 ? sizeof changes : 1; /* headers: all of them */

            for (size_t k = first; k < first + count; k++) {
                bytes[i] ^= changes[k % sizeof changes];
                damaged += read_everything(copy);
                bytes[i] = file.at[i];
            }
        }
        cr_expect_gt(damaged, 16, "%s", CONTAINERS[c].file); /* at least magic, sizes */
        sample_free(copy);
        sample_free(file);
    }
}

/* One field of the only entry set to what it must not be. */
static void check_field(const char *name, size_t offset, const void *value, size_t size, enum rt_image_status status,
                        const char *text)
{
    struct rt_bytes file = sample_read(name);

    memcpy((uint8_t *)file.at + 16 + offset, value, size);
    check_refused(file.at, file.size, status, text);
    sample_free(file);
}

enum { PACKED_SIZE = 16, OPTIONS = 20, FLAGS = 40, UNPACKED_SIZE = 56 };

Test(fatbin, sizes_that_cannot_be_are_refused_before_memory_is_asked_for)
{
    const uint64_t huge = UINT64_MAX, gigabytes = UINT64_C(1) << 30, million = 1 << 20;
    const uint32_t large = UINT32_MAX, other_way = 0x11;
    static const char outside[] = "a damaged fat binary: the header of the image at byte 0 of 640 points outside its "
                                  "place";

    check_field("speed.fatbin", UNPACKED_SIZE, &huge, 8, RT_IMAGE_MALFORMED,
                "a damaged fat binary: 18446744073709551615 bytes of PTX cannot come out of 560");
    check_field("speed.fatbin", UNPACKED_SIZE, &million, 8, RT_IMAGE_MALFORMED,
                "a damaged fat binary: 1048576 bytes of PTX cannot come out of 560");
    check_field("balance.fatbin", UNPACKED_SIZE, &gigabytes, 8, RT_IMAGE_MALFORMED,
                "a damaged fat binary: 1073741824 bytes of PTX cannot come out of 424");
    check_field("balance.fatbin", UNPACKED_SIZE, &million, 8, RT_IMAGE_MALFORMED,
                "a damaged fat binary: the sizes of compressed PTX contradict each other");
    check_field(
        "speed.fatbin", FLAGS, &other_way, 4, RT_IMAGE_UNKNOWN,
        "PTX compressed in a way that is not known (flags 0x11); nvcc's option --compress-mode=none leaves it as "
        "it is");
    check_field("speed.fatbin", PACKED_SIZE, &large, 4, RT_IMAGE_MALFORMED, outside);
    check_field("speed.fatbin", OPTIONS, &large, 4, RT_IMAGE_MALFORMED, outside);
}

Test(fatbin, versions_to_come_are_refused_by_number)
{
    uint8_t newer[16];

    memcpy(newer, EMPTY, sizeof newer);
    newer[4] = 2;
    check_refused(newer, sizeof newer, RT_IMAGE_UNKNOWN, "a fat binary of version 2; only version 1 is known");
}

/* --- writing ---------------------------------------------------------------------------------- */
static void check_written(const char *text, bool relocatable, unsigned sm, char suffix)
{
    struct rt_container container;
    struct rt_image_error error;
    struct rt_image image;
    struct rt_ptx ptx;

    cr_assert_eq(
        rt_container_write((struct rt_bytes){(const uint8_t *)text, strlen(text)}, relocatable, &container, &error),
        RT_IMAGE_OK, "%s", error.text);
    cr_expect_str_eq((const char *)container.bytes + container.text_at, text);
    cr_assert_eq(rt_container_choose((struct rt_bytes){container.bytes, container.size}, sm, &image, &error),
                 RT_IMAGE_OK, "%s", error.text);
    cr_expect_eq(image.sm, sm);
    cr_expect_eq(image.suffix, suffix);
    cr_expect_eq(image.version[0], 8);
    cr_expect_eq(image.version[1], 7);
    cr_expect_eq(image.relocatable, relocatable);
    cr_expect(image.is_64bit && !image.debug);
    cr_assert_eq(rt_image_unpack(&image, &ptx, &error), RT_IMAGE_OK, "%s", error.text);
    cr_expect_str_eq(ptx.text, text);
    cr_expect_eq(ptx.length, strlen(text));
    free(ptx.text);
    free(container.bytes);
}

Test(fatbin, what_is_written_is_read_again)
{
    check_written("// .version 1.0\n/* .target sm_20 */ .version 8.7\n.target sm_90a\n.address_size 64\n", false, 90,
                  'a');
    check_written(".version 8.7 .target sm_80, debug", true, 80, 0);
    check_written(".version 8.7\n.target sm_100f // 8 bytes", false, 100, 'f');
}

Test(fatbin, text_without_a_target_is_not_written)
{
    static const char text[] = "// only a comment\n.version 8.0\n.visible .entry k() { ret; }";
    struct rt_container container;
    struct rt_image_error error;

    cr_expect_eq(rt_container_write((struct rt_bytes){(const uint8_t *)text, strlen(text)}, false, &container, &error),
                 RT_IMAGE_MALFORMED);
    cr_expect_null(container.bytes);
    cr_expect_str_eq(error.text, "the text does not start with .version and .target");
}
