/*
 * The cache of opcodes and the index of mnemonics.  Everything lives in the arena of the parse.
 */
#include "frontend/opcode.h"

#include <stdlib.h>
#include <string.h>

enum { MNEMONIC_BUCKETS = 512, OPCODE_BUCKETS = 1024, MAX_OPCODE_TEXT = 2048 };

struct mnemonic_slot {
    const char *name;
    uint32_t hash;
    uint16_t count;             /* forms */
    uint16_t first;             /* row */
    struct ptx_mnemonic *ready; /* once compiled */
};

struct ptx_opcodes {
    struct mnemonic_slot mnemonics[MNEMONIC_BUCKETS]; /* open addressing; the table is never full */
    VEC(struct ptx_opcode) all;
    uint32_t buckets[OPCODE_BUCKETS];
};

static struct mnemonic_slot *slot_for(struct ptx_opcodes *o, const char *name, size_t len)
{
    uint32_t hash = ptx_hash(name, len);
    uint32_t at = hash & (MNEMONIC_BUCKETS - 1);

    while (o->mnemonics[at].name != NULL &&
           (o->mnemonics[at].hash != hash || strncmp(o->mnemonics[at].name, name, len) != 0 ||
            o->mnemonics[at].name[len] != '\0')) {
        at = (at + 1) & (MNEMONIC_BUCKETS - 1);
    }
    o->mnemonics[at].hash = o->mnemonics[at].name != NULL ? o->mnemonics[at].hash : hash;
    return &o->mnemonics[at];
}

struct ptx_opcodes *ptx_opcodes_new(struct ptx_parse *p)
{
    struct ptx_opcodes *o = ARENA_NEW(p->arena, struct ptx_opcodes);

    if (o == NULL) {
        return NULL;
    }
    for (unsigned i = 0; i < ir_form_count; i++) {
        const char *name = ir_form_info[i].mnemonic;
        struct mnemonic_slot *slot = slot_for(o, name, strlen(name));

        if (slot->name == NULL) {
            slot->name = name;
            slot->first = (uint16_t)i;
        }
        slot->count++;
    }
    return o;
}

void ptx_opcodes_free(struct ptx_opcodes *o)
{
    if (o != NULL) {
        vec_free(&o->all);
    }
}

struct ptx_mnemonic *ptx_mnemonic_find(struct ptx_parse *p, struct ptx_text name)
{
    struct mnemonic_slot *slot = slot_for(p->opcodes, name.at, name.len);

    if (slot->name == NULL || slot->ready != NULL) {
        return slot->ready;
    }
    struct ptx_mnemonic *m = ARENA_NEW(p->arena, struct ptx_mnemonic);

    if (m == NULL || (m->patterns = ARENA_ARRAY(p->arena, struct ptx_pattern *, slot->count)) == NULL) {
        ptx_out_of_memory(p);
        return NULL;
    }
    m->name = slot->name;
    for (unsigned i = slot->first; i < ir_form_count && m->n_patterns < slot->count; i++) {
        if (strcmp(ir_form_info[i].mnemonic, slot->name) != 0) {
            continue;
        }
        m->patterns[m->n_patterns] = ptx_pattern_new(p->arena, i);
        if (m->patterns[m->n_patterns] == NULL) {
            ptx_out_of_memory(p);
            return NULL;
        }
        m->n_patterns++;
    }
    return slot->ready = m;
}

bool ptx_is_mnemonic(struct ptx_parse *p, struct ptx_text word)
{
    return slot_for(p->opcodes, word.at, word.len)->name != NULL;
}

/* --- one opcode ----------------------------------------------------------------------------- */
/* Mnemonic and words with their dots, as written but without blanks; its length. */
static uint32_t opcode_key(const struct ptx_inst *inst, char key[MAX_OPCODE_TEXT])
{
    uint32_t len = 0;

    for (uint32_t i = 0; i <= inst->n_words; i++) {
        const struct ptx_word *word = i == 0 ? &inst->mnemonic : &inst->words[i - 1];

        if (len + word->len + 1 >= MAX_OPCODE_TEXT) {
            return 0;
        }
        if (i != 0) {
            key[len++] = '.';
        }
        memcpy(key + len, word->text, word->len);
        len += word->len;
    }
    return len;
}

static bool collect_candidates(struct ptx_parse *p, const struct ptx_mnemonic *m, const struct ptx_words *w,
                               struct ptx_opcode *opcode)
{
    uint8_t chosen[PTX_MAX_ELEMENTS];
    uint32_t fitting[256], count = 0;

    for (uint32_t i = 0; i < m->n_patterns && count < 256; i++) {
        if (ptx_pattern_match(m->patterns[i], w, chosen)) {
            fitting[count++] = i;
        }
    }
    if (count == 0) {
        ptx_no_form(p, m, w);
        return false;
    }
    opcode->candidates = ARENA_ARRAY(p->arena, struct ptx_candidate, count);
    if (opcode->candidates == NULL) {
        ptx_out_of_memory(p);
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        ptx_pattern_match(m->patterns[fitting[i]], w, chosen);
        ptx_candidate_init(&opcode->candidates[i], m->patterns[fitting[i]], w, chosen);
    }
    opcode->n_candidates = count;
    return true;
}

static const struct ptx_opcode *opcode_new(struct ptx_parse *p, const char *key, uint32_t len, uint32_t hash)
{
    const struct ptx_inst *inst = &p->inst;
    const struct ptx_mnemonic *m = ptx_mnemonic_find(p, (struct ptx_text){inst->mnemonic.text, inst->mnemonic.len});
    struct ptx_opcode opcode = {.key_len = len, .hash = hash, .next = p->opcodes->buckets[hash & (OPCODE_BUCKETS - 1)]};
    struct ptx_words words;

    if (m == NULL) {
        if (!p->no_memory) {
            ptx_unknown_mnemonic(p);
        }
        return NULL;
    }
    ptx_words_collect(inst, &words);
    if (!collect_candidates(p, m, &words, &opcode)) {
        return NULL;
    }
    opcode.key = arena_strndup(p->arena, key, len);
    if (opcode.key == NULL || !vec_push(&p->opcodes->all, opcode)) {
        ptx_out_of_memory(p);
        return NULL;
    }
    p->opcodes->buckets[hash & (OPCODE_BUCKETS - 1)] = p->opcodes->all.count;
    return &p->opcodes->all.at[p->opcodes->all.count - 1];
}

const struct ptx_opcode *ptx_opcode_find(struct ptx_parse *p)
{
    char key[MAX_OPCODE_TEXT];
    uint32_t len = opcode_key(&p->inst, key);
    uint32_t hash = ptx_hash(key, len);

    if (len == 0) {
        ptx_error(p, p->inst.loc, "the opcode is too long");
        return NULL;
    }
    for (uint32_t at = p->opcodes->buckets[hash & (OPCODE_BUCKETS - 1)]; at != 0;
         at = p->opcodes->all.at[at - 1].next) {
        const struct ptx_opcode *o = &p->opcodes->all.at[at - 1];

        if (o->hash == hash && o->key_len == len && memcmp(o->key, key, len) == 0) {
            return o;
        }
    }
    return opcode_new(p, key, len, hash);
}
