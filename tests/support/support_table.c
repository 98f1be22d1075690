/*
 * support_table SOURCE-DIRECTORY: is docs/support.md what the tables say, and do the tables say the truth?
 *
 * A form is said to run when its row in ir/forms.def names an operation.  Here the engine is held to it: every kernel
 * of tests/ptx/accept that contains no refused form must be ready to run, and what runs must be exercised
 * (coverage.h).  Forms that no text uses are listed as notes.  The environment variable PTXEMU_REWRITE writes the
 * document instead of comparing it.
 */
#include "support.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "frontend/frontend.h"
#include "include/ptxemu.h"
#include "tests/conformance/recorded.h"

enum { PATH_BYTES = 4096 };

static struct ir_module *parse(const char *name, const char *text, size_t length)
{
    struct diag dg;

    diag_init(&dg, name, text, length);
    struct ir_module *module = ptx_parse(name, text, length, PTX_RELOCATABLE, &dg);

    diag_release(&dg);
    return module;
}

/* --- whether the engine takes it -------------------------------------------------------------- */
static bool has_refused(const struct ir_func *func)
{
    if (func->reqnctapercluster[0] > 1 || func->reqnctapercluster[1] > 1 || func->reqnctapercluster[2] > 1) {
        return true;
    }
    for (uint32_t n = 0; n < func->insts.count; n++) {
        if (func->insts.at[n].op == IR_REFUSED) {
            return true;
        }
    }
    return false;
}

/* False, with a message, when the engine does not know an instruction of a function that has no refused form. */
static bool check_function(struct form_facts *facts, const char *path, const struct ir_func *func,
                           ptxemu_module *loaded)
{
    ptxemu_kernel *kernel = func->is_entry ? ptxemu_kernel_find(loaded, func->name) : NULL;
    const char *reason = kernel != NULL ? ptxemu_kernel_unsupported(kernel) : NULL;

    for (uint32_t n = 0; n < func->insts.count; n++) {
        facts[func->insts.at[n].form].accepted = true;
    }
    if (reason == NULL || strstr(reason, "unsupported: ") == NULL || has_refused(func)) {
        return true;
    }
    printf("%s: %s\n", path, reason);
    return false;
}

static bool check_file(struct form_facts *facts, ptxemu_device *device, const char *path)
{
    const ptxemu_load_options part = {.size = sizeof part, .relocatable = true};
    ptxemu_module *loaded = NULL;
    struct blob text = recorded_text(path);
    struct ir_module *module = text.bytes != NULL ? parse(path, (const char *)text.bytes, text.size) : NULL;
    bool good = module != NULL &&
                ptxemu_module_load_with(device, &part, path, (const char *)text.bytes, text.size, &loaded) == PTXEMU_OK;

    if (!good) {
        printf("%s: not accepted\n", path);
    }
    for (uint32_t f = 0; good && f < module->funcs.count; f++) {
        good = check_function(facts, path, module->funcs.at[f], loaded) && good;
    }
    ptxemu_module_unload(loaded);
    ir_module_free(module);
    free(text.bytes);
    return good;
}

static bool check_accepted(struct form_facts *facts, const char *folder)
{
    ptxemu_device *device = NULL;
    DIR *files = opendir(folder);
    bool good = files != NULL && ptxemu_device_open(NULL, &device, NULL) == PTXEMU_OK;

    for (struct dirent *entry; good && (entry = readdir(files)) != NULL;) {
        char path[PATH_BYTES + sizeof entry->d_name];

        if (strstr(entry->d_name, ".ptx") != NULL) {
            snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
            good = check_file(facts, device, path) && good;
        }
    }
    if (files != NULL) {
        closedir(files);
    }
    ptxemu_device_close(device);
    return good;
}

/* --- the document ----------------------------------------------------------------------------- */
static bool rewrite(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    const bool good = file != NULL && fputs(text, file) >= 0;

    return file != NULL && fclose(file) == 0 && good;
}

static bool compare(const char *path, const char *text)
{
    struct blob there = recorded_text(path);
    const bool same = there.bytes != NULL && strcmp((const char *)there.bytes, text) == 0;

    if (!same) {
        printf("%s is not what the tables say; run with PTXEMU_REWRITE=1 and review the difference\n", path);
    }
    free(there.bytes);
    return same;
}

static bool check_document(const struct coverage *coverage, const char *path)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);

    if (out == NULL) {
        return false;
    }
    support_write(out, coverage);
    fclose(out);
    const bool good = getenv("PTXEMU_REWRITE") != NULL ? rewrite(path, text) : compare(path, text);

    free(text);
    return good;
}

/* Every set of recorded kernels: the folders with an index. */
static bool add_recorded(struct coverage *c, const char *data)
{
    struct dirent **folders = NULL;
    const int n = scandir(data, &folders, NULL, alphasort);
    bool good = n > 0;

    for (int i = 0; i < n; i++) {
        char folder[PATH_BYTES], index[PATH_BYTES + sizeof "/index.tsv"];
        struct recorded_set set;

        snprintf(folder, sizeof folder, "%s/%s", data, folders[i]->d_name);
        snprintf(index, sizeof index, "%s/index.tsv", folder);
        if (access(index, R_OK) == 0) {
            good = recorded_read(folder, &set) && coverage_add_recorded(c, &set) && good;
            recorded_free(&set);
        }
        free(folders[i]);
    }
    free(folders);
    return good;
}

int main(int argc, char **argv)
{
    struct coverage coverage;
    bool good = true;

    if (argc != 2 || chdir(argv[1]) != 0) {
        fprintf(stderr, "usage: support_table SOURCE-DIRECTORY\n");
        return 2;
    }
    if (!coverage_init(&coverage)) {
        return 2;
    }
    good = add_recorded(&coverage, "tests/conformance/data") && good;
    good = coverage_add_golden(&coverage, "tests/golden/run") && good;
    good = coverage_add_golden(&coverage, "tests/golden/texture") && good;
    good = coverage_add_list(&coverage, "tests/conformance/unrecorded.tsv") && good;
    good = check_accepted(coverage.forms, "tests/ptx/accept") && good;
    good = coverage_complete(&coverage) && good;
    for (unsigned i = 0; i < ir_form_count; i++) {
        const struct form_facts *f = &coverage.forms[i];

        if (!f->accepted && f->n_kernels == 0 && f->test == NULL) {
            printf("note: no text uses form %u: %s%s\n", i, ir_form_info[i].mnemonic, ir_form_info[i].modifiers);
        }
    }
    good = check_document(&coverage, "docs/support.md") && good;
    coverage_free(&coverage);
    return good ? 0 : 1;
}
