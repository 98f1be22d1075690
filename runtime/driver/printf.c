/*
 * What kernels print: collected while they run, shown when the program waits for them.  Standard output is the
 * program's own stream, so that its text and the kernels' come in the order in which the program may expect them.
 * What CU_LIMIT_PRINTF_FIFO_SIZE has no room for is not lost, as it is on hardware, but shown before its time.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/driver/context.h"

void drv_printf_collect(void *context, const char *text, size_t length)
{
    struct drv_context *c = context;
    struct drv_printf *p = &c->printf;

    if (__atomic_load_n(&p->length, __ATOMIC_ACQUIRE) + length > c->limits[CU_LIMIT_PRINTF_FIFO_SIZE]) {
        drv_printf_flush(c);
    }
    pthread_mutex_lock(&p->lock);
    if (p->length + length > p->size) {
        const size_t size = (p->length + length) * 2 + 4096;
        char *grown = realloc(p->text, size);

        if (grown != NULL) {
            p->text = grown;
            p->size = size;
        }
    }
    if (p->length + length <= p->size) {
        memcpy(p->text + p->length, text, length);
        p->length += length;
    }
    pthread_mutex_unlock(&p->lock);
}

void drv_printf_flush(struct drv_context *context)
{
    struct drv_printf *p = &context->printf;

    if (__atomic_load_n(&p->length, __ATOMIC_ACQUIRE) == 0) {
        return;
    }
    pthread_mutex_lock(&p->lock);
    char *text = p->text;
    const size_t length = p->length;

    p->text = NULL;
    p->length = p->size = 0;
    pthread_mutex_unlock(&p->lock);
    fwrite(text, 1, length, stdout);
    free(text);
}
