/*
 * What a program is, before it is started.  Invariant: a program is refused only for what would make it fail later in a
 * way that is hard to understand, and then the message says what to do; what cannot be judged is let through.
 */
#include "runtime/cli/exec.h"
#include "runtime/cli/files.h"

#include <elf.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#if defined __x86_64__
enum { OWN_MACHINE = EM_X86_64 };
static const char OWN_MACHINE_NAME[] = "x86-64";
#elif defined __aarch64__
enum { OWN_MACHINE = EM_AARCH64 };
static const char OWN_MACHINE_NAME[] = "aarch64";
#else
#error "programs are started on x86-64 and aarch64"
#endif

/* How to build device code that runs here. */
#define BUILD_PTX "nvcc -gencode arch=compute_80,code=compute_80"

/* --- the file --------------------------------------------------------------------------------- */
/* The loader ignores LD_LIBRARY_PATH and LD_PRELOAD for programs that get rights their user does not have. */
static bool gets_rights(const char *path)
{
    struct stat info;

    if (stat(path, &info) != 0) {
        return false;
    }
    return ((info.st_mode & S_ISUID) != 0 && info.st_uid != getuid()) ||
           ((info.st_mode & S_ISGID) != 0 && info.st_gid != getgid()) ||
           (getuid() != 0 && getxattr(path, "security.capability", NULL, 0) > 0);
}

static bool check_file(const struct cli_subject *s, struct cli_error *error)
{
    if (access(s->path, X_OK) != 0) {
        return cli_fail(error, PTXEMU_BAD_INPUT, "'%s' is not executable: make it so with 'chmod +x %s'", s->name,
                        s->path);
    }
    return !gets_rights(s->path) ||
           cli_fail(
               error, PTXEMU_UNSUPPORTED,
               "'%s' is set-user-ID, set-group-ID or has capabilities, so the loader would not take our libraries: "
               "run a copy of it ('cp %s copy' drops these rights)",
               s->name, s->path);
}

/* --- the processor ---------------------------------------------------------------------------- */
static const char *machine_name(unsigned machine)
{
    switch (machine) {
    case EM_X86_64:
        return "x86-64";
    case EM_AARCH64:
        return "aarch64";
    case EM_PPC64:
        return "POWER";
    case EM_RISCV:
        return "RISC-V";
    default:
        return "another processor";
    }
}

static bool check_processor(const struct cli_subject *s, struct cli_error *error)
{
    uint8_t head[20];

    if (!cli_file_head(s->path, head, sizeof head)) {
        return cli_fail(error, PTXEMU_BAD_INPUT, "'%s' is cut off: an ELF file is longer", s->name);
    }
    const unsigned machine = rt_bytes_u16((struct rt_bytes){head, sizeof head}, offsetof(Elf64_Ehdr, e_machine));

    if (machine == EM_CUDA) {
        return cli_fail(
            error, PTXEMU_UNSUPPORTED,
            "'%s' is machine code of a GPU (a cubin), which is not emulated; PTX is: compile with 'nvcc -ptx'",
            s->name);
    }
    if (head[EI_CLASS] != ELFCLASS64) {
        return cli_fail(error, PTXEMU_UNSUPPORTED,
                        "'%s' is a program of 32 bits; CUDA and ptxemu have 64: build it with "
                        "-m64",
                        s->name);
    }
    return machine == OWN_MACHINE ||
           cli_fail(error, PTXEMU_UNSUPPORTED, "'%s' is for %s; this ptxemu runs programs for %s: build it for that",
                    s->name, machine_name(machine), OWN_MACHINE_NAME);
}

/* --- the program ------------------------------------------------------------------------------ */
static bool is_loaded(const struct rt_elf *elf) /* by ld.so, which finds its libraries */
{
    struct rt_section section;

    for (uint32_t i = 0; rt_elf_section(elf, i, &section); i++) {
        if (strcmp(section.name, ".interp") == 0) {
            return true;
        }
    }
    return false;
}

/* A program that is position-independent and linked statically looks like a library but for this flag. */
static bool is_static_pie(const struct rt_elf *elf)
{
    struct rt_section dynamic;

    return elf->type == ET_DYN && rt_elf_dynamic(elf, &dynamic) &&
           (rt_elf_dynamic_number(&dynamic, DT_FLAGS_1) & DF_1_PIE) != 0;
}

static bool check_kind(const struct cli_subject *s, struct cli_error *error)
{
    const struct rt_program *program = &s->images.program;

    if (program->kind == RT_PROGRAM_OBJECT) {
        return cli_fail(error, PTXEMU_UNSUPPORTED, "'%s' is an object file: link it, and run the program", s->name);
    }
    if (program->kind == RT_PROGRAM_LIBRARY && !is_static_pie(&program->elf)) {
        return cli_fail(error, PTXEMU_UNSUPPORTED,
                        "'%s' is a shared library: run a program that uses it, or see 'ptxemu info %s'", s->name,
                        s->path);
    }
    return true;
}

static bool check_link(const struct cli_subject *s, struct cli_error *error)
{
    const struct rt_program *program = &s->images.program;

    if (program->link == RT_LINK_STATIC_HIDDEN) {
        return cli_fail(
            error, PTXEMU_UNSUPPORTED,
            "'%s' contains the static CUDA runtime, but is stripped, so that the runtime's functions cannot "
            "be found: run it as it was before 'strip', or link it with 'nvcc -cudart shared'",
            s->name);
    }
    return program->link == RT_LINK_NONE || is_loaded(&program->elf) ||
           cli_fail(
               error, PTXEMU_UNSUPPORTED,
               "'%s' is linked statically with everything, so that no library of ours can take the place of CUDA's: "
               "link it without -static",
               s->name);
}

/* --- its device code -------------------------------------------------------------------------- */
/* The targets of one kind of image, "sm_80, sm_90", as far as they fit. */
static void list_targets(const struct cli_images *images, bool ptx, char *text, size_t size)
{
    size_t used = 0;

    text[0] = '\0';
    for (size_t i = 0; i < images->count && used < size; i++) {
        char target[CLI_TARGET_TEXT];

        cli_image_target(&images->at[i].image, target);
        if ((images->at[i].image.kind == RT_IMAGE_PTX) == ptx && strstr(text, target) == NULL) {
            used += (size_t)snprintf(text + used, size - used, "%s%s", used > 0 ? ", " : "", target);
        }
    }
}

static bool check_images(const struct cli_subject *s, const ptxemu_device_info *gpu, struct cli_error *error)
{
    size_t texts = 0, used = 0;
    char targets[160];

    for (size_t i = 0; i < s->images.count; i++) {
        texts += s->images.at[i].image.kind == RT_IMAGE_PTX;
        used += s->images.at[i].used;
    }
    if (s->images.count == 0 || used > 0) {
        return true;
    }
    list_targets(&s->images, texts > 0, targets, sizeof targets);
    if (texts == 0) {
        return cli_fail(error, PTXEMU_UNSUPPORTED,
                        "'%s' carries machine code (SASS) for %s only, which is not emulated; PTX is: build it with "
                        "'" BUILD_PTX "'",
                        s->name, targets);
    }
    return cli_fail(
        error, PTXEMU_UNSUPPORTED,
        "'%s' carries PTX for %s, which %s (sm_%u%u) cannot run: choose a GPU that can with --gpu, or build it "
        "with '" BUILD_PTX "'",
        s->name, targets, gpu->name, gpu->cc_major, gpu->cc_minor);
}

bool cli_subject_open(const char *path, const char *name, const ptxemu_device_info *gpu, struct cli_subject *s,
                      struct cli_error *error)
{
    struct cli_error ignored;
    unsigned char head[2];

    *s = (struct cli_subject){.path = path, .name = name};
    s->is_elf = cli_file_head(path, head, sizeof head) && head[0] == '\177';
    if (s->is_elf && !check_processor(s, error)) {
        return false;
    }
    /* What has no table of sections, or a damaged one, may still be a program that the kernel can run. */
    s->readable = s->is_elf && cli_images_open(path, &s->images, &ignored);
    if (s->readable && !check_kind(s, error)) {
        return false;
    }
    if (!check_file(s, error)) {
        return false;
    }
    if (s->readable) {
        cli_images_choose(&s->images, gpu->cc_major * 10 + gpu->cc_minor);
    }
    return !s->readable || (check_link(s, error) && check_images(s, gpu, error));
}

void cli_subject_close(struct cli_subject *subject)
{
    cli_images_close(&subject->images);
}
