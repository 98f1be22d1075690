/*
 * Files of results: one line for each program, with 24 bits of the hash of its text and 48 of its output's.  The first
 * tell a changed generator from a changed result.
 */
#include "campaign.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const uint32_t text_mask = 0xffffff;
static const uint64_t hash_mask = 0xffffffffffff;

bool record_write(const char *path, const struct campaign *c, const struct result *results)
{
    FILE *f = fopen(path, "w");

    if (f == NULL) {
        perror(path);
        return false;
    }
    fprintf(f, "# random programs: hash of the text, hash of the output\nfirst %" PRIu64 " count %u\n", c->first,
            c->count);
    for (unsigned i = 0; i < c->count; i++) {
        if (results[i].state == STATE_DONE) {
            fprintf(f, "%06" PRIx32 " %012" PRIx64 "\n", results[i].text & text_mask, results[i].hash & hash_mask);
        } else {
            fprintf(f, "-\n");
        }
    }
    return fclose(f) == 0;
}

bool record_read(const char *path, struct record *record)
{
    FILE *f = fopen(path, "r");
    char line[200];
    unsigned i = 0;

    *record = (struct record){0};
    if (f == NULL) {
        perror(path);
        return false;
    }
    while (fgets(line, sizeof line, f) != NULL) {
        if (line[0] == '#') {
            continue;
        }
        if (record->results == NULL) {
            if (sscanf(line, "first %" SCNu64 " count %u", &record->first, &record->count) != 2) {
                break;
            }
            record->results = calloc(record->count, sizeof *record->results);
            continue;
        }
        struct result *r = i < record->count ? &record->results[i++] : NULL;

        if (r != NULL && sscanf(line, "%" SCNx32 " %" SCNx64, &r->text, &r->hash) == 2) {
            r->state = STATE_DONE;
        }
    }
    fclose(f);
    if (record->results == NULL || i != record->count) {
        fprintf(stderr, "%s: not a file of results\n", path);
        free(record->results);
        return false;
    }
    return true;
}

enum agreement record_compare(const struct record *record, uint64_t seed, const struct result *result)
{
    const struct result *want = &record->results[seed - record->first];

    if (seed < record->first || seed - record->first >= record->count || want->state != STATE_DONE) {
        return NOT_RECORDED;
    }
    if (want->text != (result->text & text_mask)) {
        return OTHER_TEXT;
    }
    return result->state == STATE_DONE && want->hash == (result->hash & hash_mask) ? AGREES : OTHER_RESULT;
}
