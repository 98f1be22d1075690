/*
 * User objects: things of the program whose life is tied to graphs.
 *
 * Invariant: an object is there as long as its count is not zero; the count is the program's references and those of
 * all lists.  Destructors run on a thread of their own: whoever gives up the last reference may hold locks or run a
 * stream.
 */
#include <limits.h>
#include <signal.h>
#include <stdlib.h>

#include "ir/base/vec.h"
#include "runtime/driver/graph.h"
#include "runtime/driver/handle.h"

struct drv_user_object {
    CUuserObject handle;
    void *argument;
    CUhostFn destroy;
    uint64_t count; /* lock */
};

static void *destroy(void *object)
{
    struct drv_user_object *o = object;

    o->destroy(o->argument);
    free(o);
    return NULL;
}

/* No lock held.  Where no thread can be had the destructor runs at once. */
static void destroy_elsewhere(struct drv_user_object *o)
{
    sigset_t all, before;
    pthread_t thread;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const bool made = pthread_create(&thread, NULL, destroy, o) == 0;

    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (made) {
        pthread_detach(thread);
    } else {
        destroy(o);
    }
}

/* Lock held; true when the object is to be destroyed. */
static bool give_up(struct drv_user_object *o, unsigned count)
{
    o->count -= count;
    if (o->count > 0) {
        return false;
    }
    drv_handle_drop(o->handle);
    return true;
}

static bool is_count(unsigned count)
{
    return count > 0 && count <= INT_MAX;
}

/* --- lists ------------------------------------------------------------------------------------ */
static struct drv_user_entry *entry_of(const struct drv_user_list *list, const struct drv_user_object *object)
{
    for (unsigned i = 0; i < list->count; i++) {
        if (list->at[i].object == object) {
            return &list->at[i];
        }
    }
    return NULL;
}

/* References that exist already go to the list. */
static bool put(struct drv_user_list *list, struct drv_user_object *object, unsigned count)
{
    struct drv_user_entry *entry = entry_of(list, object);

    if (entry != NULL) {
        entry->count += count;
        return true;
    }
    return vec_push(list, ((struct drv_user_entry){object, count}));
}

bool drv_user_list_append(struct drv_user_list *to, const struct drv_user_list *from)
{
    for (unsigned i = 0; i < from->count; i++) {
        if (!put(to, from->at[i].object, from->at[i].count)) {
            return false;
        }
        from->at[i].object->count += from->at[i].count;
    }
    return true;
}

bool drv_user_list_copy(struct drv_user_list *to, const struct drv_user_list *from)
{
    *to = (struct drv_user_list){0};
    return drv_user_list_append(to, from);
}

void drv_user_list_release(struct drv_user_list *list)
{
    for (unsigned i = 0; i < list->count; i++) {
        drv_lock();
        const bool last = give_up(list->at[i].object, list->at[i].count);

        drv_unlock();
        if (last) {
            destroy_elsewhere(list->at[i].object);
        }
    }
    vec_free(list);
}

/* --- the API ---------------------------------------------------------------------------------- */
CUresult CUDAAPI cuUserObjectCreate(CUuserObject *object_out, void *ptr, CUhostFn destroyer,
                                    unsigned int initialRefcount, unsigned int flags)
{
    const CUresult ready = drv_ready();

    if (ready != CUDA_SUCCESS) {
        return ready;
    }
    if (object_out == NULL || destroyer == NULL || !is_count(initialRefcount) ||
        flags != CU_USER_OBJECT_NO_DESTRUCTOR_SYNC) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    struct drv_user_object *o = calloc(1, sizeof *o);
    void *handle = o == NULL ? NULL : drv_handle_new(DRV_USER_OBJECT, o);

    if (handle == NULL) {
        free(o);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    *o = (struct drv_user_object){handle, ptr, destroyer, initialRefcount};
    *object_out = handle;
    return CUDA_SUCCESS;
}

CUresult CUDAAPI cuUserObjectRetain(CUuserObject object, unsigned int count)
{
    CUresult result = CUDA_ERROR_INVALID_VALUE;

    drv_lock();
    struct drv_user_object *o = drv_handle_get(object, DRV_USER_OBJECT);

    if (o != NULL && is_count(count)) {
        o->count += count;
        result = CUDA_SUCCESS;
    }
    drv_unlock();
    return result;
}

CUresult CUDAAPI cuUserObjectRelease(CUuserObject object, unsigned int count)
{
    CUresult result = CUDA_ERROR_INVALID_VALUE;
    bool last = false;

    drv_lock();
    struct drv_user_object *o = drv_handle_get(object, DRV_USER_OBJECT);

    if (o != NULL && is_count(count) && count <= o->count) {
        last = give_up(o, count);
        result = CUDA_SUCCESS;
    }
    drv_unlock();
    if (last) {
        destroy_elsewhere(o);
    }
    return result;
}

CUresult CUDAAPI cuGraphRetainUserObject(CUgraph graph, CUuserObject object, unsigned int count, unsigned int flags)
{
    CUresult result = CUDA_ERROR_INVALID_VALUE;

    drv_lock();
    struct drv_graph *g = drv_graph_of(graph);
    struct drv_user_object *o = drv_handle_get(object, DRV_USER_OBJECT);

    if (g != NULL && o != NULL && is_count(count) && (flags & ~(unsigned)CU_GRAPH_USER_OBJECT_MOVE) == 0) {
        result = put(&g->users, o, count) ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
        o->count += result == CUDA_SUCCESS && flags == 0 ? count : 0;
    }
    drv_unlock();
    return result;
}

CUresult CUDAAPI cuGraphReleaseUserObject(CUgraph graph, CUuserObject object, unsigned int count)
{
    CUresult result = CUDA_ERROR_INVALID_VALUE;
    bool last = false;

    drv_lock();
    struct drv_graph *g = drv_graph_of(graph);
    struct drv_user_object *o = drv_handle_get(object, DRV_USER_OBJECT);
    struct drv_user_entry *entry = g == NULL || o == NULL ? NULL : entry_of(&g->users, o);

    if (entry != NULL && is_count(count) && count <= entry->count) {
        entry->count -= count;
        if (entry->count == 0) {
            *entry = g->users.at[--g->users.count];
        }
        last = give_up(o, count);
        result = CUDA_SUCCESS;
    }
    drv_unlock();
    if (last) {
        destroy_elsewhere(o);
    }
    return result;
}
