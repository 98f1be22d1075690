/*
 * Directives that declare nothing: source positions, pragmas, debug sections.  `.file` and `.loc` become the line
 * table; what stands in sections is checked and dropped.
 */
#include <stdlib.h>
#include <string.h>

#include "frontend/parse.h"

enum { MAX_FILE_NUMBER = 65534 };

static bool file_reserve(struct ptx_parse *p, uint32_t number)
{
    if (number < p->files.count) {
        return true;
    }
    uint32_t extra = number + 1 - p->files.count;

    if (!vec_reserve(&p->files, extra)) {
        ptx_out_of_memory(p);
        return false;
    }
    memset(p->files.at + p->files.count, 0, extra * sizeof *p->files.at);
    p->files.count += extra;
    return true;
}

/* The entry in module.files for number `n`, made on the first mention by .file or .loc; 0 when that failed. */
static uint16_t file_index(struct ptx_parse *p, uint64_t n)
{
    if (n > MAX_FILE_NUMBER || !file_reserve(p, (uint32_t)n)) {
        return 0;
    }
    if (p->files.at[n] == 0) {
        if ((p->module->files.count == 0 && !vec_push(&p->module->files, (struct ir_file){0})) ||
            !vec_push(&p->module->files, (struct ir_file){0})) {
            ptx_out_of_memory(p);
            return 0;
        }
        p->files.at[n] = (uint16_t)(p->module->files.count - 1);
    }
    return p->files.at[n];
}

/* folder/name without the quotes; an absolute name stands alone. */
static const char *file_name(struct ptx_parse *p, struct ptx_text folder, struct ptx_text name)
{
    size_t folder_len = folder.len > 2 && name.at[1] != '/' ? folder.len - 2 : 0;
    char *text = arena_alloc(p->module->arena, folder_len + name.len, 1);

    if (text == NULL) {
        return NULL;
    }
    if (folder_len != 0) {
        memcpy(text, folder.at + 1, folder_len);
        text[folder_len++] = '/';
    }
    memcpy(text + folder_len, name.at + 1, name.len - 2);
    return text;
}

void ptx_file(struct ptx_parse *p, struct ptx_text number, struct ptx_text folder, struct ptx_text name,
              struct diag_loc loc)
{
    uint64_t n;

    if (!ptx_item_begins(p, loc) || !ptx_plain_number(p, number, loc, "file number", &n)) {
        return;
    }
    if (n > MAX_FILE_NUMBER) {
        ptx_error(p, loc, "file number is above %d", MAX_FILE_NUMBER);
        return;
    }
    uint16_t index = file_index(p, n);

    if (index == 0) {
        return;
    }
    if (p->module->files.at[index].name != NULL) {
        ptx_error(p, loc, "file number %u is given twice", (unsigned)n);
        return;
    }
    p->module->files.at[index].name = file_name(p, folder, name);
    if (p->module->files.at[index].name == NULL) {
        ptx_out_of_memory(p);
    }
}

/* Compilers write `.file` behind the code that refers to it; numbers that never get a name are called "?". */
void ptx_files_end(struct ptx_parse *p)
{
    for (uint32_t n = 0; n < p->files.count; n++) {
        uint16_t index = p->files.at[n];

        if (index != 0 && p->module->files.at[index].name == NULL) {
            ptx_warning(p, (struct diag_loc){0}, "no '.file' gives number %u", n);
            p->module->files.at[index].name = "?";
        }
    }
}

static bool position(struct ptx_parse *p, const struct ptx_text text[3], struct diag_loc loc, uint64_t at[3])
{
    return ptx_plain_number(p, text[0], loc, "file number", &at[0]) &&
           ptx_plain_number(p, text[1], loc, "line", &at[1]) && ptx_plain_number(p, text[2], loc, "column", &at[2]);
}

/* Positions as keys of a set; large values fold together, which only makes a check more generous. */
static uint64_t position_key(const uint64_t at[3])
{
    return (at[0] << 48 ^ at[1] << 16 ^ at[2]) | (uint64_t)1 << 63;
}

void ptx_loc(struct ptx_parse *p, struct ptx_text file, struct ptx_text line, struct ptx_text column,
             struct diag_loc loc)
{
    const struct ptx_text text[3] = {file, line, column};
    uint64_t at[3];

    if (!position(p, text, loc, at)) {
        return;
    }
    struct ptx_member *slot = ptx_members_slot(&p->locs, position_key(at));

    if (slot == NULL) {
        ptx_out_of_memory(p);
        return;
    }
    if (slot->key == 0) {
        slot->key = position_key(at);
        p->locs.count++;
    }
    p->source_file = file_index(p, at[0]);
    p->source_line = at[1] <= UINT32_MAX ? (uint32_t)at[1] : 0;
    p->source_column = at[2] <= UINT32_MAX ? (uint32_t)at[2] : 0;
}

void ptx_loc_inlined(struct ptx_parse *p, struct ptx_text function_name, struct ptx_text inlined_at,
                     struct ptx_text file, struct ptx_text line, struct ptx_text column, struct diag_loc loc)
{
    const struct ptx_text text[3] = {file, line, column};
    uint64_t at[3];

    if (!ptx_text_is(function_name, "function_name") || !ptx_text_is(inlined_at, "inlined_at")) {
        ptx_error(p, loc, "expected 'function_name NAME, inlined_at FILE LINE COLUMN'");
        return;
    }
    if (!position(p, text, loc, at)) {
        return;
    }
    const struct ptx_member *slot = ptx_members_slot(&p->locs, position_key(at));

    if (slot == NULL) {
        ptx_out_of_memory(p);
    } else if (slot->key == 0) {
        ptx_error(p, loc, "no earlier '.loc' gives the position of 'inlined_at'");
    }
}

void ptx_pragma(struct ptx_parse *p, struct ptx_text text, struct diag_loc loc)
{
    static const char *const known[] = {"\"nounroll", "\"used_bytes_mask", "\"enable_smem_spilling", "\"frequency"};
    bool in_function = p->fn.func != NULL || p->fn.name.len != 0;

    if (!in_function && !ptx_item_begins(p, loc)) {
        return;
    }
    for (unsigned i = 0; i < sizeof known / sizeof *known; i++) {
        size_t len = strlen(known[i]);

        if (text.len > len && memcmp(text.at, known[i], len) == 0) {
            if (i == 2 && !in_function) {
                ptx_error(p, loc, "pragma %.*s belongs into a function", (int)text.len, text.at);
            }
            return;
        }
    }
    ptx_warning(p, loc, "unknown pragma %.*s", (int)text.len, text.at);
}

void ptx_section_begin(struct ptx_parse *p, struct diag_loc loc)
{
    if (ptx_item_begins(p, loc)) {
        p->debug_loc.line = 0; /* the option `debug` has what it needs */
    }
}

void ptx_section_item(struct ptx_parse *p, struct ptx_text width, struct diag_loc loc)
{
    static const char *const widths[] = {".b8", ".b16", ".b32", ".b64"};

    for (unsigned i = 0; i < sizeof widths / sizeof *widths; i++) {
        if (ptx_text_is(width, widths[i])) {
            p->section_bits = 8u << i;
            return;
        }
    }
    p->section_bits = 0;
    ptx_error(p, loc, "sections hold .b8, .b16, .b32 and .b64, not '%.*s'", (int)width.len, width.at);
}

/* NULL: a label, which any width may hold. */
void ptx_section_value(struct ptx_parse *p, struct ptx_operand *op)
{
    if (op != NULL && p->section_bits != 0) {
        int64_t value = (int64_t)op->bits;

        if (op->literal != PTX_LIT_INT && op->literal != PTX_LIT_UINT) {
            ptx_error(p, op->loc, "sections hold integers");
        } else if (p->section_bits < 64 &&
                   (value < -((int64_t)1 << (p->section_bits - 1)) || value > ((int64_t)1 << p->section_bits) - 1)) {
            ptx_error(p, op->loc, "value does not fit %u bits", p->section_bits);
        }
    }
    ptx_scratch_reset(&p->scratch);
}
