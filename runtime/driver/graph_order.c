/*
 * Orders and reachability.  Both walk without recursion (a chain may be long) and end on graphs with cycles.
 */
#include <stdlib.h>
#include <string.h>

#include "runtime/driver/graph.h"

void drv_graph_number(struct drv_graph *graph)
{
    for (size_t i = 0; i < graph->n_nodes; i++) {
        graph->nodes[i]->index = i;
    }
}

/* A heap of places, the smallest on top: the oldest node that is ready comes first, whatever the edges' order. */
struct heap {
    size_t *at;
    size_t n;
};

static void push(struct heap *h, size_t value)
{
    size_t i = h->n++;

    while (i > 0 && h->at[(i - 1) / 2] > value) {
        h->at[i] = h->at[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    h->at[i] = value;
}

static size_t pop(struct heap *h)
{
    const size_t top = h->at[0], last = h->at[--h->n];
    size_t i = 0;

    for (size_t child = 1; child < h->n; child = 2 * i + 1) {
        child += child + 1 < h->n && h->at[child + 1] < h->at[child];
        if (h->at[child] >= last) {
            break;
        }
        h->at[i] = h->at[child];
        i = child;
    }
    h->at[i] = last;
    return top;
}

/* Kahn's algorithm. */
size_t drv_graph_order(struct drv_graph *graph, struct drv_node **order)
{
    unsigned *missing = calloc(graph->n_nodes + 1, sizeof *missing);
    struct heap ready = {.at = calloc(graph->n_nodes + 1, sizeof *ready.at)};
    size_t done = 0;

    if (missing != NULL && ready.at != NULL) {
        drv_graph_number(graph);
        for (size_t i = 0; i < graph->n_nodes; i++) {
            missing[i] = graph->nodes[i]->n_in;
            if (missing[i] == 0) {
                push(&ready, i);
            }
        }
        while (ready.n > 0) {
            struct drv_node *node = graph->nodes[pop(&ready)];

            order[done++] = node;
            for (unsigned i = 0; i < node->n_out; i++) {
                if (--missing[node->out[i]->index] == 0) {
                    push(&ready, node->out[i]->index);
                }
            }
        }
    }
    free(missing);
    free(ready.at);
    return done;
}

bool drv_graph_reach_back(struct drv_graph *graph, struct drv_node *const *to, size_t n_to, bool *reached)
{
    struct drv_node **stack = calloc(graph->n_nodes + 1, sizeof *stack);
    size_t n = 0;

    if (stack == NULL) {
        return false;
    }
    memset(reached, 0, graph->n_nodes * sizeof *reached);
    drv_graph_number(graph);
    for (size_t i = 0; i < n_to; i++) {
        if (!reached[to[i]->index]) {
            reached[to[i]->index] = true;
            stack[n++] = to[i];
        }
    }
    while (n > 0) {
        const struct drv_node *node = stack[--n];

        for (unsigned i = 0; i < node->n_in; i++) {
            struct drv_node *from = node->in[i].from;

            if (!reached[from->index]) {
                reached[from->index] = true;
                stack[n++] = from;
            }
        }
    }
    free(stack);
    return true;
}
