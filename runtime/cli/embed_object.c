/*
 * Object files with kernels, for x86-64, in the form that nvcc gives them, so that any CUDA runtime takes them:
 *
 *     .nv_fatbin         the containers; NAME_ptx points to the text in each
 *     .nvFatBinSegment   what describes them to the runtime
 *     .text              for each kernel a stub, whose address is the kernel's name in the runtime; registration
 *     .data.rel.ro       tables of the two
 *     .init_array, .fini_array   registration runs before main(), its counterpart at exit
 *
 * Invariant: a stub finds its arguments where the System V ABI says that a caller has put them.
 */
#include "runtime/cli/elf_writer.h"
#include "runtime/cli/embed.h"

#include <stdlib.h>
#include <string.h>

/* --- code ------------------------------------------------------------------------------------- */
/* What the last four bytes of an instruction stand for. */
enum target {
    TARGET_NONE,
    TARGET_COUNT,  /* the number of kernels */
    TARGET_COMMON, /* code that all stubs share */
    TARGET_WRAPPER,
    TARGET_HANDLE,
    TARGET_TABLE,
    TARGET_PLACES,
    TARGET_F_REGISTER, /* functions of the runtime */
    TARGET_F_FUNCTION,
    TARGET_F_END,
    TARGET_F_UNREGISTER,
    TARGET_F_POP,
    TARGET_F_LAUNCH,
    TARGET_COUNT_OF,
};

struct inst {
    uint8_t target, length;
    uint8_t bytes[8];
};

#define INST(target, words, ...) {TARGET_##target, sizeof((const uint8_t[]){__VA_ARGS__}), {__VA_ARGS__}},
static const struct inst REGISTER[] = {
#define EMBED_REGISTER
#include "runtime/cli/embed_x86_64.def"
#undef EMBED_REGISTER
};
#define INST(target, words, ...) {TARGET_##target, sizeof((const uint8_t[]){__VA_ARGS__}), {__VA_ARGS__}},
static const struct inst UNREGISTER[] = {
#define EMBED_UNREGISTER
#include "runtime/cli/embed_x86_64.def"
#undef EMBED_UNREGISTER
};
#define INST(target, words, ...) {TARGET_##target, sizeof((const uint8_t[]){__VA_ARGS__}), {__VA_ARGS__}},
static const struct inst STUB[] = {
#define EMBED_STUB
#include "runtime/cli/embed_x86_64.def"
#undef EMBED_STUB
};
#define INST(target, words, ...) {TARGET_##target, sizeof((const uint8_t[]){__VA_ARGS__}), {__VA_ARGS__}},
static const struct inst COMMON[] = {
#define EMBED_COMMON
#include "runtime/cli/embed_x86_64.def"
#undef EMBED_COMMON
};
#define CODE(name) (name), sizeof(name) / sizeof(name)[0]

static const char *const FUNCTIONS[TARGET_COUNT_OF] = {
    [TARGET_F_REGISTER] = "__cudaRegisterFatBinary", [TARGET_F_FUNCTION] = "__cudaRegisterFunction",
    [TARGET_F_END] = "__cudaRegisterFatBinaryEnd",   [TARGET_F_UNREGISTER] = "__cudaUnregisterFatBinary",
    [TARGET_F_POP] = "__cudaPopCallConfiguration",   [TARGET_F_LAUNCH] = "cudaLaunchKernel",
};

/* --- the object under construction ------------------------------------------------------------ */
struct object {
    const struct cli_embed *embed;
    struct cli_elf elf;
    unsigned text, fatbin, segment, tables, names, init, fini, bss;
    unsigned targets[TARGET_COUNT_OF]; /* symbols */
    unsigned containers;               /* symbol of the start of .nv_fatbin */
    unsigned name_start;               /* ... of .rodata */
    char **text_names;                 /* NAME_ptx, NAME_ptx_size, in turn; owned */
};

static void make_sections(struct object *o)
{
    const uint64_t written = SHF_ALLOC | SHF_WRITE;

    o->text = cli_elf_section(&o->elf, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, 16);
    o->fatbin = cli_elf_section(&o->elf, ".nv_fatbin", SHT_PROGBITS, SHF_ALLOC, 8);
    o->segment = cli_elf_section(&o->elf, ".nvFatBinSegment", SHT_PROGBITS, written, 8);
    o->tables = cli_elf_section(&o->elf, ".data.rel.ro", SHT_PROGBITS, written, 8);
    o->names = cli_elf_section(&o->elf, ".rodata", SHT_PROGBITS, SHF_ALLOC, 8);
    o->init = cli_elf_section(&o->elf, ".init_array", SHT_INIT_ARRAY, written, 8);
    o->fini = cli_elf_section(&o->elf, ".fini_array", SHT_FINI_ARRAY, written, 8);
    o->bss = cli_elf_section(&o->elf, ".bss", SHT_NOBITS, written, 8);
    cli_elf_section(&o->elf, ".note.GNU-stack", SHT_PROGBITS, 0, 1); /* the stack need not be executable */
}

/* An address of 8 bytes at the end of a section; it may stand at any place of the program. */
static void add_address(struct object *o, unsigned section, unsigned symbol, uint64_t offset)
{
    const uint64_t at = cli_elf_append(&o->elf, section, NULL, 8, 8);

    cli_elf_relocate(&o->elf, section, at, symbol, R_X86_64_64, (int64_t)offset);
}

static void add_number(struct object *o, unsigned section, uint64_t value)
{
    cli_elf_append(&o->elf, section, &value, sizeof value, 8);
}

/* --- code, filled in -------------------------------------------------------------------------- */
static void fill_in(struct object *o, const struct inst *in, uint64_t at)
{
    const uint64_t hole = at + in->length - 4;
    const uint32_t count = (uint32_t)o->embed->kernel_count;

    switch (in->target) {
    case TARGET_NONE:
        break;
    case TARGET_COUNT:
        if (!o->elf.failed) {
            memcpy(o->elf.sections[o->text].bytes + hole, &count, sizeof count);
        }
        break;
    default:
        cli_elf_relocate(&o->elf, o->text, hole, o->targets[in->target],
                         in->target >= TARGET_F_REGISTER ? R_X86_64_PLT32 : R_X86_64_PC32, -4);
        break;
    }
}

/* Append a function; where it starts. */
static uint64_t add_code(struct object *o, const struct inst *code, size_t count, uint64_t *size)
{
    uint64_t start = 0, end = 0;

    for (size_t i = 0; i < count; i++) {
        const uint64_t at = cli_elf_append(&o->elf, o->text, code[i].bytes, code[i].length, i == 0 ? 16 : 1);

        fill_in(o, &code[i], at);
        start = i == 0 ? at : start;
        end = at + code[i].length;
    }
    *size = end - start;
    return start;
}

static unsigned add_local_code(struct object *o, const struct inst *code, size_t count)
{
    uint64_t size;
    const uint64_t at = add_code(o, code, count, &size);

    return cli_elf_symbol(&o->elf, "", o->text, at, size, CLI_ELF_LOCAL, STT_FUNC);
}

/* --- where arguments are ---------------------------------------------------------------------- */
/* What embed_x86_64.def stores where, relative to rbp. */
enum { STACK_AT = 16, INTEGERS_AT = -64, FLOATING_AT = -128, INTEGER_COUNT = 6, FLOATING_COUNT = 8 };

struct places {
    unsigned integers, floating; /* registers taken */
    int64_t stack;               /* of the next argument there */
};

static int64_t place_on_stack(struct places *p, const ptxemu_param_info *param)
{
    const int64_t align = param->align > 8 ? (int64_t)param->align : 8;
    const int64_t at = (p->stack + align - 1) / align * align;

    p->stack = at + (int64_t)((param->bytes + 7) / 8 * 8);
    return at;
}

/* A structure of bytes goes into integer registers if it has at most 16, and all of it fits. */
static int64_t place_of(struct places *p, const ptxemu_param_info *param)
{
    const unsigned words = (unsigned)((param->bytes + 7) / 8);

    if (cli_embed_is_floating(param)) {
        return p->floating < FLOATING_COUNT ? FLOATING_AT + 8 * (int64_t)p->floating++ : place_on_stack(p, param);
    }
    if (words <= 2 && p->integers + words <= INTEGER_COUNT) {
        p->integers += words;
        return INTEGERS_AT + 8 * (int64_t)(p->integers - words);
    }
    return place_on_stack(p, param);
}

/* --- kernels ---------------------------------------------------------------------------------- */
static void add_places(struct object *o, const struct cli_embed_kernel *kernel, unsigned stub)
{
    struct places p = {.stack = STACK_AT};

    add_address(o, o->tables, stub, 0);
    add_number(o, o->tables, kernel->info.param_count);
    for (size_t i = 0; i < kernel->info.param_count; i++) {
        add_number(o, o->tables, (uint64_t)place_of(&p, &kernel->params[i]));
    }
}

/* The stub and its places; its symbol. */
static unsigned add_stub(struct object *o, const struct cli_embed_kernel *kernel)
{
    const uint64_t places = o->elf.failed ? 0 : (o->elf.sections[o->tables].size + 7) / 8 * 8;
    uint64_t size;

    o->targets[TARGET_PLACES] = cli_elf_symbol(&o->elf, "", o->tables, places, 0, CLI_ELF_LOCAL, STT_OBJECT);
    const uint64_t at = add_code(o, CODE(STUB), &size);
    const unsigned stub = cli_elf_symbol(&o->elf, kernel->info.name, o->text, at, size, CLI_ELF_GLOBAL, STT_FUNC);

    add_places(o, kernel, stub);
    return stub;
}

/* The table that registration goes through. */
static void add_table(struct object *o, const unsigned *stubs)
{
    const uint64_t at = o->elf.failed ? 0 : (o->elf.sections[o->tables].size + 7) / 8 * 8;

    o->targets[TARGET_TABLE] = cli_elf_symbol(&o->elf, "", o->tables, at, 0, CLI_ELF_LOCAL, STT_OBJECT);
    for (size_t i = 0; i < o->embed->kernel_count; i++) {
        const char *name = o->embed->kernels[i].info.name;

        add_address(o, o->tables, stubs[i], 0);
        add_address(o, o->tables, o->name_start, cli_elf_append(&o->elf, o->names, name, strlen(name) + 1, 1));
    }
}

static void add_kernels(struct object *o)
{
    unsigned *stubs = calloc(o->embed->kernel_count, sizeof *stubs);

    if (stubs == NULL) {
        o->elf.failed = true;
        return;
    }
    o->targets[TARGET_COMMON] = add_local_code(o, CODE(COMMON));
    for (size_t i = 0; i < o->embed->kernel_count; i++) {
        stubs[i] = add_stub(o, &o->embed->kernels[i]);
    }
    add_table(o, stubs);
    free(stubs);
}

/* --- texts ------------------------------------------------------------------------------------ */
static void add_text(struct object *o, size_t index, uint64_t *at)
{
    const struct cli_embed_text *text = &o->embed->texts[index];
    const struct rt_container *c = &text->container;
    char **names = &o->text_names[2 * index];
    const uint64_t length = strlen((const char *)c->bytes + c->text_at);

    *at = cli_elf_append(&o->elf, o->fatbin, c->bytes, c->size, 8);
    if (asprintf(&names[0], "%s_ptx", text->name) < 0 || asprintf(&names[1], "%s_ptx_size", text->name) < 0) {
        o->elf.failed = true;
        return;
    }
    cli_elf_symbol(&o->elf, names[0], o->fatbin, *at + c->text_at, length + 1, CLI_ELF_GLOBAL, STT_OBJECT);
    cli_elf_symbol(&o->elf, names[1], o->names, cli_elf_append(&o->elf, o->names, &length, 8, 8), 8, CLI_ELF_GLOBAL,
                   STT_OBJECT);
}

/* A single text is a whole program; several are linked by who loads them, and listed. */
static void add_texts(struct object *o)
{
    const bool linked = o->embed->text_count > 1;
    const uint32_t head[2] = {0x466243B1, linked ? 2 : 1};
    const unsigned list = cli_elf_symbol(&o->elf, "", o->tables, 0, 0, CLI_ELF_LOCAL, STT_OBJECT);

    for (size_t i = 0; i < o->embed->text_count; i++) {
        uint64_t at = 0;

        add_text(o, i, &at);
        if (linked) {
            add_address(o, o->tables, o->containers, at);
        }
    }
    o->targets[TARGET_WRAPPER] = cli_elf_symbol(&o->elf, "", o->segment, 0, 24, CLI_ELF_LOCAL, STT_OBJECT);
    cli_elf_append(&o->elf, o->segment, head, sizeof head, 8);
    add_address(o, o->segment, o->containers, 0);
    if (linked) {
        add_number(o, o->tables, 0); /* the end of the list */
        add_address(o, o->segment, list, 0);
    } else {
        add_number(o, o->segment, 0);
    }
}

/* --- all of it -------------------------------------------------------------------------------- */
static void add_registration(struct object *o)
{
    o->targets[TARGET_HANDLE] =
        cli_elf_symbol(&o->elf, "", o->bss, cli_elf_append(&o->elf, o->bss, NULL, 8, 8), 8, CLI_ELF_LOCAL, STT_OBJECT);
    add_address(o, o->init, add_local_code(o, CODE(REGISTER)), 0);
    add_address(o, o->fini, add_local_code(o, CODE(UNREGISTER)), 0);
}

static void build(struct object *o)
{
    make_sections(o);
    o->containers = cli_elf_symbol(&o->elf, "", o->fatbin, 0, 0, CLI_ELF_LOCAL, STT_SECTION);
    o->name_start = cli_elf_symbol(&o->elf, "", o->names, 0, 0, CLI_ELF_LOCAL, STT_SECTION);
    for (int i = TARGET_F_REGISTER; i < TARGET_COUNT_OF; i++) {
        o->targets[i] = cli_elf_symbol(&o->elf, FUNCTIONS[i], CLI_ELF_UNDEFINED, 0, 0, CLI_ELF_GLOBAL, STT_NOTYPE);
    }
    add_texts(o);
    add_kernels(o);
    add_registration(o);
}

bool cli_embed_object(const struct cli_embed *embed, unsigned char **file, size_t *size, struct cli_error *error)
{
    struct object o = {.embed = embed, .elf = {.machine = EM_X86_64}};

    o.text_names = calloc(2 * embed->text_count, sizeof *o.text_names);
    if (o.text_names != NULL) {
        build(&o);
    }
    o.elf.failed |= o.text_names == NULL;
    bool ok = cli_elf_finish(&o.elf, file, size, error);

    for (size_t i = 0; o.text_names != NULL && i < 2 * embed->text_count; i++) {
        free(o.text_names[i]);
    }
    free(o.text_names);
    cli_elf_release(&o.elf);
    return ok;
}
