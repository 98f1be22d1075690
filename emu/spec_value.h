/*
 * One value of a GPU description: its text to its member.  Knows kinds and units; knows no file.
 */
#ifndef EMU_SPEC_VALUE_H
#define EMU_SPEC_VALUE_H

#include "emu/spec_fields.h"

enum spec_value_status { SPEC_VALUE_OK, SPEC_VALUE_MALFORMED, SPEC_VALUE_OUT_OF_RANGE };

/* Store `text` in the field's member of `out`; on failure the member is unchanged. */
enum spec_value_status spec_value_store(const struct spec_field *field, const char *text, struct emu_spec *out);
/* What a value of this kind looks like, for messages: "a size such as '228 KiB'". */
const char *spec_value_form(enum spec_kind kind);

#endif
