/*
 * The rows of spec_fields.def as data: what a GPU description file may say and where each value goes.
 */
#ifndef EMU_SPEC_FIELDS_H
#define EMU_SPEC_FIELDS_H

#include "emu/spec.h"

enum spec_kind { SPEC_TEXT, SPEC_VERSION, SPEC_COUNT, SPEC_COUNT3, SPEC_LARGE3, SPEC_BYTES, SPEC_CLOCK };

struct spec_field {
    const char *section, *key;
    enum spec_kind kind;
    size_t offset, size;  /* of the member in struct emu_spec */
    uint64_t least, most; /* in the member's unit */
};

static const struct spec_field spec_fields[] = {
#define SPEC_FIELD(section, key, member, kind, least, most) \
    {section, key, SPEC_##kind, offsetof(struct emu_spec, member), sizeof(((struct emu_spec *)0)->member), least, most},
#include "emu/spec_fields.def"
#undef SPEC_FIELD
};

enum { SPEC_FIELD_COUNT = sizeof(spec_fields) / sizeof(spec_fields[0]) };

/* A version is two numbers, stored through the first. */
_Static_assert(offsetof(struct emu_spec, cc_minor) == offsetof(struct emu_spec, cc_major) + sizeof(unsigned),
               "major and minor number are neighbours");

#endif
