/*
 * The table of all memory that programs know: a tree ordered by address.  Invariant: records never overlap.
 */
#include "runtime/driver/memory.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "runtime/driver/advice.h"

static struct {
    pthread_rwlock_t lock;
    void *tree; /* of struct drv_memory, by address */
    uint64_t next_id;
} table = {.lock = PTHREAD_RWLOCK_INITIALIZER};

/* Ranges that overlap are equal: so a range of one byte finds what holds it. */
static int compare(const void *left, const void *right)
{
    const struct drv_memory *a = left, *b = right;

    return a->base + a->size <= b->base ? -1 : b->base + b->size <= a->base ? 1 : 0;
}

static struct drv_memory *find(uint64_t address, uint64_t size)
{
    const struct drv_memory key = {.base = address, .size = size == 0 ? 1 : size};
    struct drv_memory **found = tfind(&key, &table.tree, compare);

    return found == NULL ? NULL : *found;
}

bool drv_memory_find(uint64_t address, struct drv_memory *out)
{
    pthread_rwlock_rdlock(&table.lock);
    const struct drv_memory *m = find(address, 1);

    if (m != NULL) {
        *out = *m;
    }
    pthread_rwlock_unlock(&table.lock);
    return m != NULL;
}

bool drv_memory_covers(uint64_t address, uint64_t size)
{
    pthread_rwlock_rdlock(&table.lock);
    const struct drv_memory *m = find(address, 1);

    /* On from one mapping to the next. */
    while (m != NULL && m->kind == DRV_MEMORY_MAPPED && m->base + m->size - address < size) {
        size -= m->base + m->size - address;
        address = m->base + m->size;
        m = find(address, 1);
        m = m != NULL && m->kind == DRV_MEMORY_MAPPED ? m : NULL;
    }
    const bool covers = m != NULL && size <= m->size && address - m->base <= m->size - size;

    pthread_rwlock_unlock(&table.lock);
    return covers;
}

bool drv_is_device_address(uint64_t address)
{
    for (int i = 0; i < drv_process()->device_count; i++) {
        if (mem_in_region(drv_process()->devices[i].gpu->memory, address)) {
            return true;
        }
    }
    return false;
}

CUresult drv_memory_note(const struct drv_memory *memory)
{
    struct drv_memory *m = malloc(sizeof *m);
    CUresult result = CUDA_SUCCESS;

    if (m == NULL) {
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    *m = *memory;
    pthread_rwlock_wrlock(&table.lock);
    m->id = ++table.next_id;
    struct drv_memory **at = tsearch(m, &table.tree, compare);

    if (at == NULL || *at != m) {
        result = at == NULL ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_ERROR_INVALID_VALUE;
        free(m);
    }
    pthread_rwlock_unlock(&table.lock);
    return result;
}

/* Take the record that starts at `base` out, if it is one of `kinds`. */
static bool take(uint64_t base, unsigned kinds, struct drv_memory *out)
{
    pthread_rwlock_wrlock(&table.lock);
    struct drv_memory *m = find(base, 1);
    const bool found = m != NULL && m->base == base && (kinds & 1u << m->kind) != 0;

    if (found) {
        *out = *m;
        tdelete(m, &table.tree, compare);
        free(m);
    }
    pthread_rwlock_unlock(&table.lock);
    return found;
}

void drv_memory_forget(uint64_t base)
{
    struct drv_memory gone;

    take(base, ~0u, &gone);
}

void drv_memory_set_sync(uint64_t base, bool sync)
{
    pthread_rwlock_wrlock(&table.lock);
    struct drv_memory *m = find(base, 1);

    if (m != NULL) {
        m->sync_memops = sync;
    }
    pthread_rwlock_unlock(&table.lock);
}

/* --- names for messages ----------------------------------------------------------------------- */
static const char *file_part(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash == NULL ? path : slash + 1;
}

static bool is_ours(const char *file)
{
    return strncmp(file, "libcuda.so", 10) == 0 || strncmp(file, "libcudart.so", 12) == 0;
}

/*
 * Who asked: the function of the API that the program called, and from where.  "cudaMalloc at vecadd+0x4f3 (main)": an
 * address that addr2line takes, and the function's name where the dynamic linker knows it.
 */
static void describe_caller(const char *fallback, char *text, size_t size)
{
    enum { FRAMES = 12 };
    void *frames[FRAMES];
    const int count = backtrace(frames, FRAMES);
    char call[80];

    snprintf(call, sizeof call, "%s", fallback);
    for (int i = 0; i < count; i++) {
        Dl_info info;

        if (dladdr((char *)frames[i] - 1, &info) == 0 || info.dli_fname == NULL) {
            break;
        }
        const char *file = file_part(info.dli_fname);

        if (is_ours(file)) {
            if (info.dli_sname != NULL && strncmp(info.dli_sname, "cu", 2) == 0) {
                snprintf(call, sizeof call, "%s", info.dli_sname);
            }
            continue;
        }
        snprintf(text, size, "%s at %s+0x%llx%s%s%s", call, file,
                 (unsigned long long)((uintptr_t)frames[i] - 1 - (uintptr_t)info.dli_fbase),
                 info.dli_sname != NULL ? " (" : "", info.dli_sname != NULL ? info.dli_sname : "",
                 info.dli_sname != NULL ? ")" : "");
        return;
    }
    snprintf(text, size, "%s", call);
}

void drv_memory_label(struct drv_context *context, const char *call, char *label, size_t size)
{
    char caller[160];

    describe_caller(call, caller, sizeof caller);
    snprintf(label, size, "allocation %llu by %s",
             (unsigned long long)__atomic_add_fetch(&context->allocation_count, 1, __ATOMIC_RELAXED), caller);
}

/* --- allocating ------------------------------------------------------------------------------- */
static void unregister_everywhere(void *host, int devices)
{
    for (int i = 0; i < devices; i++) {
        mem_unregister_host(drv_process()->devices[i].gpu->memory, host);
    }
}

/* Host memory that every device reaches. */
static CUresult register_everywhere(void *host, uint64_t size, const char *label)
{
    for (int i = 0; i < drv_process()->device_count; i++) {
        const enum mem_status status = mem_register_host(drv_process()->devices[i].gpu->memory, host, size, label);

        if (status != MEM_OK) {
            unregister_everywhere(host, i);
            return status == MEM_OUT_OF_MEMORY ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_ERROR_INVALID_VALUE;
        }
    }
    return CUDA_SUCCESS;
}

static uint64_t whole_pages(uint64_t size)
{
    const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);

    return (size + page - 1) / page * page;
}

static CUresult allocate_host(uint64_t size, const char *label, uint64_t *address)
{
    void *host = mmap(NULL, whole_pages(size), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (host == MAP_FAILED) {
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    const CUresult result = register_everywhere(host, size, label);

    if (result != CUDA_SUCCESS) {
        munmap(host, whole_pages(size));
        return result;
    }
    *address = (uint64_t)(uintptr_t)host;
    return CUDA_SUCCESS;
}

uint64_t drv_memory_free_bytes(struct drv_device *device)
{
    const uint64_t mapped = __atomic_load_n(&device->physical_bytes, __ATOMIC_RELAXED);
    const uint64_t used = mem_used(device->gpu->memory) + mapped, capacity = device->gpu->spec.global_bytes;
    const uint64_t host = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE) / 10 * 9;
    const uint64_t most = capacity < host ? capacity : host;

    return used >= most ? 0 : most - used;
}

enum { ALLOCATION_ALIGN = 512 }; /* what textures need: CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT */

static CUresult allocate_device(struct drv_context *context, uint64_t size, const char *label, uint64_t *address)
{
    struct mem_device *memory = context->device->gpu->memory;

    if (size > drv_memory_free_bytes(context->device)) {
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    const enum mem_status status = mem_allocate(memory, size, ALLOCATION_ALIGN, MEM_DEVICE, label, address);

    return status == MEM_OK ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

static bool is_host_kind(enum drv_memory_kind kind)
{
    return kind == DRV_MEMORY_PINNED || kind == DRV_MEMORY_MANAGED;
}

static void give_back(const struct drv_memory *m)
{
    void *host = (void *)(uintptr_t)m->base;

    switch (m->kind) {
    case DRV_MEMORY_PINNED:
    case DRV_MEMORY_MANAGED:
        drv_advice_forget(m->base, m->size);
        unregister_everywhere(host, drv_process()->device_count);
        munmap(host, whole_pages(m->size));
        break;
    case DRV_MEMORY_REGISTERED:
        unregister_everywhere(host, drv_process()->device_count);
        break;
    case DRV_MEMORY_DEVICE:
    case DRV_MEMORY_POOLED:
        mem_release(m->context->device->gpu->memory, m->base);
        break;
    default: /* somebody else's */
        break;
    }
}

CUresult drv_memory_allocate(struct drv_context *context, enum drv_memory_kind kind, uint64_t size, unsigned flags,
                             const char *call, uint64_t *address)
{
    struct drv_memory m = {.size = size, .kind = kind, .context = context, .flags = flags};
    char label[DRV_LABEL_BYTES];

    if (size == 0) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    drv_memory_label(context, call, label, sizeof label);
    CUresult result =
        is_host_kind(kind) ? allocate_host(size, label, &m.base) : allocate_device(context, size, label, &m.base);

    if (result != CUDA_SUCCESS) {
        return result;
    }
    result = drv_memory_note(&m);
    if (result != CUDA_SUCCESS) {
        give_back(&m);
        return result;
    }
    *address = m.base;
    return CUDA_SUCCESS;
}

CUresult drv_memory_register(struct drv_context *context, void *host, uint64_t size, unsigned flags)
{
    const struct drv_memory m = {.base = (uint64_t)(uintptr_t)host,
                                 .size = size,
                                 .kind = DRV_MEMORY_REGISTERED,
                                 .context = context,
                                 .flags = flags};
    char caller[160], label[240];

    describe_caller("cuMemHostRegister", caller, sizeof caller);
    snprintf(label, sizeof label, "host memory registered by %s", caller);
    CUresult result = drv_memory_note(&m);

    if (result == CUDA_ERROR_INVALID_VALUE) {
        return CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED;
    }
    if (result == CUDA_SUCCESS) {
        result = register_everywhere(host, size, label);
        if (result != CUDA_SUCCESS) {
            drv_memory_forget(m.base);
        }
    }
    return result;
}

CUresult drv_memory_free(uint64_t address, unsigned kinds)
{
    struct drv_memory m;

    if (!take(address, kinds, &m)) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    give_back(&m);
    return CUDA_SUCCESS;
}

/* --- a context ends --------------------------------------------------------------------------- */
struct search {
    const struct drv_context *context;
    unsigned kinds; /* a bit for each */
    const struct drv_memory *found;
};

static void look_for(const void *node, VISIT visit, void *closure)
{
    const struct drv_memory *m = *(struct drv_memory *const *)node;
    struct search *s = closure;

    if ((visit == preorder || visit == leaf) && s->found == NULL && m->context == s->context &&
        (s->kinds & 1u << m->kind) != 0) {
        s->found = m;
    }
}

/* Some record of a context and a kind; false when there is none. */
static bool find_of_context(const struct drv_context *context, enum drv_memory_kind kind, struct drv_memory *out)
{
    struct search s = {.context = context, .kinds = 1u << kind};

    pthread_rwlock_rdlock(&table.lock);
    twalk_r(table.tree, look_for, &s);
    if (s.found != NULL) {
        *out = *s.found;
    }
    pthread_rwlock_unlock(&table.lock);
    return s.found != NULL;
}

void drv_memory_end(struct drv_context *context)
{
    for (int kind = DRV_MEMORY_DEVICE; kind <= DRV_MEMORY_MAPPED; kind++) {
        struct drv_memory m;

        while (find_of_context(context, (enum drv_memory_kind)kind, &m) && take(m.base, ~0u, &m)) {
            give_back(&m);
        }
    }
}
