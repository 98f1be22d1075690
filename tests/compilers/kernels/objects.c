//! kernel objects
//! grid 2
//! block 64
//! arg b64:file(in.bin)
//! arg b64[512]
//! expect 1 file(expected.bin)
/* Linked structures from the device's heap, with operations found through pointers; every thread frees what it made. */
#include "words.h"

#define WORDS        4
#define RUN(in, out) objects(in, out)

#ifdef HOST
#include <assert.h>
#elif defined(__CUDACC__)
#include <cassert>
#else
#error "this compiler has no heap for devices"
#endif

struct node {
    u64 key;
    u32 depth;
    struct node *side[2];
    u64 (*visit)(const struct node *, u64);
};

FUNCTION u64 added(const struct node *n, u64 sum)
{
    return sum + n->key;
}
FUNCTION u64 mixed(const struct node *n, u64 sum)
{
    return sum * 31 ^ n->depth;
}

FUNCTION struct node *insert(struct node *root, u64 key, u32 depth)
{
    if (root == NULL) {
        struct node *made = (struct node *)malloc(sizeof *made);

        assert(made != NULL);
        made->key = key;
        made->depth = depth;
        made->side[0] = made->side[1] = NULL;
        made->visit = key & 1 ? added : mixed;
        return made;
    }
    root->side[key > root->key] = insert(root->side[key > root->key], key, depth + 1);
    return root;
}

FUNCTION u64 walk(struct node *root, u64 sum)
{
    if (root == NULL) {
        return sum;
    }
    sum = walk(root->side[0], sum);
    sum = root->visit(root, sum);
    sum = walk(root->side[1], sum);
    free(root);
    return sum;
}

KERNEL objects(const u64 *in, u64 *out)
{
    u32 t = THREAD;
    u64 *to = out + t * WORDS;

    for (u32 round = 0; round < 4; round++) {
        struct node *root = NULL;

        for (u32 i = 0; i < 5 + (in[t] + round) % 7; i++) {
            root = insert(root, in[t + i * (round + 1)], 0);
        }
        *to++ = walk(root, round);
    }
}
