/*
 * `.version`, `.target`, `.address_size`: first, in this order.  A mistake here is fatal, since everything else depends
 * on it.
 */
#include <string.h>

#include "frontend/parse.h"

static const unsigned versions[] = {
#define VERSION(number) number,
#define TARGET(name, sm, suffix, ptx)
#define RENAMED(name, now, ptx)
#include "ir/targets.def"
#undef VERSION
#undef TARGET
};

static const struct target {
    const char *name;
    uint16_t sm;
    char suffix;
    uint16_t ptx;
} targets[] = {
#define VERSION(number)
#define TARGET(name, sm, suffix, ptx) {name, sm, suffix, ptx},
#define RENAMED(name, now, ptx)
#include "ir/targets.def"
#undef VERSION
#undef TARGET
#undef RENAMED
};

static const struct renamed {
    const char *name, *now;
    uint16_t ptx;
} renamed[] = {
#define VERSION(number)
#define TARGET(name, sm, suffix, ptx)
#define RENAMED(name, now, ptx) {name, now, ptx},
#include "ir/targets.def"
#undef VERSION
#undef TARGET
#undef RENAMED
};

enum { N_VERSIONS = sizeof versions / sizeof *versions, N_TARGETS = sizeof targets / sizeof *targets };

/* "8.7" as 87, or 0. */
static unsigned parse_version(struct ptx_text t)
{
    if (t.len != 3 || t.at[1] != '.' || t.at[0] < '0' || t.at[0] > '9' || t.at[2] < '0' || t.at[2] > '9') {
        return 0;
    }
    return (unsigned)(t.at[0] - '0') * 10 + (unsigned)(t.at[2] - '0');
}

void ptx_version(struct ptx_parse *p, struct ptx_text text, struct diag_loc loc)
{
    unsigned version = parse_version(text);
    char newest[8];

    if (p->stage != PTX_STAGE_START) {
        ptx_fatal(p, loc, "'.version' is given twice");
        return;
    }
    for (unsigned i = 0; i < N_VERSIONS; i++) {
        if (version != 0 && versions[i] == version) {
            p->module->ptx = (uint16_t)version;
            p->stage = PTX_STAGE_VERSION;
            return;
        }
    }
    ptx_fatal(p, loc, "unknown PTX version '%.*s'; the newest is %s", (int)text.len, text.at,
              ptx_version_text(versions[N_VERSIONS - 1], newest));
}

void ptx_target_begin(struct ptx_parse *p, struct diag_loc loc)
{
    if (p->stage == PTX_STAGE_START) {
        ptx_fatal(p, loc, "'.version' must come before '.target'");
    } else if (p->stage == PTX_STAGE_ITEMS) {
        ptx_fatal(p, loc, "'.target' must come before everything but '.version'");
    }
    p->target_name = NULL;
    p->texmode_given = false;
}

static void unknown_target(struct ptx_parse *p, struct ptx_text word, struct diag_loc loc)
{
    struct ptx_suggest s;

    ptx_suggest_start(&s, word.at, word.len);
    for (unsigned i = 0; i < N_TARGETS; i++) {
        ptx_suggest_try(&s, targets[i].name, strlen(targets[i].name));
    }
    if (ptx_suggest_found(&s)) {
        ptx_fatal(p, loc, "unknown target '%.*s'; did you mean '%.*s'?", (int)word.len, word.at, (int)s.best.len,
                  s.best.at);
    } else {
        ptx_fatal(p, loc, "unknown target '%.*s'", (int)word.len, word.at);
    }
}

/* A name that this version of the language has given up. */
static void check_renamed(struct ptx_parse *p, const char *name, struct diag_loc loc)
{
    for (size_t i = 0; i < sizeof renamed / sizeof *renamed; i++) {
        char since[8];

        if (strcmp(renamed[i].name, name) == 0 && p->module->ptx >= renamed[i].ptx) {
            ptx_fatal(p, loc, "target '%s' is called '%s' since PTX version %s", name, renamed[i].now,
                      ptx_version_text(renamed[i].ptx, since));
        }
    }
}

static void set_target(struct ptx_parse *p, struct ptx_text word, struct diag_loc loc)
{
    for (unsigned i = 0; i < N_TARGETS; i++) {
        const struct target *t = &targets[i];
        char needed[8];

        if (!ptx_text_is(word, t->name)) {
            continue;
        }
        if (p->module->ptx < t->ptx) {
            ptx_fatal(p, loc, "target '%s' needs PTX version %s or later", t->name, ptx_version_text(t->ptx, needed));
        }
        check_renamed(p, t->name, loc);
        p->target_name = t->name;
        p->module->sm = t->sm;
        p->module->sm_suffix = t->suffix;
        p->stage = PTX_STAGE_TARGET;
        return;
    }
    unknown_target(p, word, loc);
}

static void set_texmode(struct ptx_parse *p, bool independent, struct diag_loc loc)
{
    if (p->texmode_given && p->module->texmode_independent != independent) {
        ptx_fatal(p, loc, "both texture modes are given");
    }
    p->texmode_given = true;
    p->module->texmode_independent = independent;
}

void ptx_target_word(struct ptx_parse *p, struct ptx_text word, struct diag_loc loc)
{
    if (p->target_name == NULL) {
        set_target(p, word, loc);
    } else if (ptx_text_is(word, "texmode_unified")) {
        set_texmode(p, false, loc);
    } else if (ptx_text_is(word, "texmode_independent")) {
        set_texmode(p, true, loc);
    } else if (ptx_text_is(word, "debug")) {
        p->debug_loc = loc;
    } else if (ptx_text_is(word, "map_f64_to_f32")) {
        if (p->module->sm >= 13) {
            ptx_fatal(p, loc, "'map_f64_to_f32' is only for targets without double precision");
        }
    } else if (word.len < 3 || memcmp(word.at, "sm_", 3) != 0) {
        ptx_fatal(p, loc, "unknown target option '%.*s'", (int)word.len, word.at);
    } else {
        set_target(p, word, loc);
    }
}

void ptx_address_size(struct ptx_parse *p, struct ptx_text text, struct diag_loc loc)
{
    if (p->stage < PTX_STAGE_TARGET) {
        ptx_fatal(p, loc, "'.address_size' must come after '.target'");
    } else if (p->address_size_given) {
        ptx_fatal(p, loc, "'.address_size' is given twice");
    } else if (p->stage == PTX_STAGE_ITEMS) {
        ptx_fatal(p, loc, "'.address_size' must come right after '.target'");
    } else if (ptx_text_is(text, "32") || ptx_text_is(text, "64")) {
        p->module->address_bits = text.at[0] == '3' ? 32 : 64;
        p->address_size_given = true;
    } else {
        ptx_fatal(p, loc, "address size is 32 or 64, not '%.*s'", (int)text.len, text.at);
    }
}

bool ptx_item_begins(struct ptx_parse *p, struct diag_loc loc)
{
    p->panicking = false;
    p->skip_body = false;
    if (p->stage == PTX_STAGE_START) {
        ptx_fatal(p, loc, "a module begins with '.version' and '.target'");
    } else if (p->stage == PTX_STAGE_VERSION) {
        ptx_fatal(p, loc, "'.target' is missing after '.version'");
    } else if (p->stage == PTX_STAGE_TARGET) {
        if (p->module->address_bits == 0) {
            p->module->address_bits = 32;
        }
        p->stage = PTX_STAGE_ITEMS;
    }
    return !p->stopped;
}
