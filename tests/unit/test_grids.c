/*
 * Launches whose CTAs belong together: cooperative grids and clusters.
 */
#include "runtime/objects.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { SMS = 132 };

struct bench {
    ptxemu_device *device;
    ptxemu_module *module;
    struct rt_outcome out;
};

static struct bench open_bench(const char *file)
{
    struct bench b = {0};
    char path[512];

    snprintf(path, sizeof path, "%s/tests/unit/grids/%s", PTXEMU_SOURCE_DIR, file);
    cr_assert_eq(ptxemu_device_open(NULL, &b.device, NULL), PTXEMU_OK);
    cr_assert_eq(ptxemu_module_load_file(b.device, path, &b.module), PTXEMU_OK, "%s", ptxemu_last_error(b.device));
    return b;
}

static ptxemu_ptr words(struct bench *b, size_t count)
{
    ptxemu_ptr at = 0;

    cr_assert_eq(ptxemu_alloc(b->device, count * 4, "words", &at), PTXEMU_OK);
    return at;
}

static uint32_t word(struct bench *b, ptxemu_ptr at, size_t index)
{
    uint32_t value = 0;

    cr_assert_eq(ptxemu_read(b->device, &value, at + 4 * index, 4), PTXEMU_OK);
    return value;
}

struct rounds {
    ptxemu_ptr count, wrong;
    int n;
};

static ptxemu_status launch_rounds(struct bench *b, unsigned ctas, struct rounds p, bool cooperative,
                                   ptxemu_policy policy)
{
    const struct rt_launch_options options = {.cooperative = cooperative};
    const ptxemu_launch l = {.size = sizeof l,
                             .grid = {ctas, 1, 1},
                             .block = {256, 1, 1},
                             .params = &p,
                             .params_bytes = 20,
                             .host_threads = 2,
                             .policy = policy,
                             .timeout_s = 100};

    return rt_launch(ptxemu_kernel_find(b->module, "rounds"), &l, &options, &b->out);
}

static double seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

Test(grids, a_grid_meets_at_barriers_again_and_again)
{
    struct bench b = open_bench("grid_sync.ptx");
    const struct rounds p = {words(&b, 1), words(&b, 1), 500};
    const double start = seconds();

    cr_assert_eq(launch_rounds(&b, 2 * SMS, p, true, PTXEMU_CONVERGE), PTXEMU_OK, "%s", b.out.error);
    cr_assert_eq(word(&b, p.count, 0), 500u * 2 * SMS);
    cr_assert_eq(word(&b, p.wrong, 0), 0u);
    /* Waiting that burns whole turns takes minutes; a busy machine some times the second or two. */
    cr_assert_lt(seconds() - start, 30.0);
    cr_log_info("%.2f s of CPU for 1000 barriers", seconds() - start);
    ptxemu_device_close(b.device);
}

Test(grids, barriers_work_under_every_policy_and_from_launch_to_launch)
{
    struct bench b = open_bench("grid_sync.ptx");
    struct rounds p = {.n = 5};

    for (int policy = PTXEMU_CONVERGE; policy <= PTXEMU_RANDOM; policy++) {
        p.count = words(&b, 1);
        p.wrong = words(&b, 1);
        cr_assert_eq(launch_rounds(&b, 7, p, true, (ptxemu_policy)policy), PTXEMU_OK, "%s", b.out.error);
        cr_assert_eq(word(&b, p.count, 0), 35u);
        cr_assert_eq(word(&b, p.wrong, 0), 0u);
    }
    ptxemu_device_close(b.device);
}

Test(grids, a_grid_that_is_not_resident_at_once_is_refused)
{
    struct bench b = open_bench("grid_sync.ptx");
    const struct rounds p = {words(&b, 1), words(&b, 1), 1};

    cr_assert_eq(launch_rounds(&b, 8 * SMS, p, true, PTXEMU_CONVERGE), PTXEMU_OK, "%s", b.out.error);
    cr_assert_eq(launch_rounds(&b, 8 * SMS + 1, p, true, PTXEMU_CONVERGE), PTXEMU_BAD_INPUT);
    cr_assert_eq(b.out.refusal, RT_REFUSED_COOPERATIVE);
    cr_assert_not_null(strstr(b.out.error, "at most 1056 resident"), "%s", b.out.error);
    ptxemu_device_close(b.device);
}

Test(grids, a_launch_that_is_not_cooperative_has_no_grid_to_meet)
{
    struct bench b = open_bench("grid_sync.ptx");
    const struct rounds p = {words(&b, 1), words(&b, 1), 1};

    cr_assert_eq(launch_rounds(&b, 2, p, false, PTXEMU_CONVERGE), PTXEMU_FAULT);
    cr_assert_eq(b.out.fault.kind, EMU_FAULT_TRAP);
    ptxemu_device_close(b.device);
}

Test(grids, groups_of_several_warps_use_reserved_shared_memory)
{
    struct bench b = open_bench("grid_sync.ptx");
    const ptxemu_ptr sums = words(&b, 3 * 128);
    const ptxemu_launch l = {.size = sizeof l,
                             .grid = {3, 1, 1},
                             .block = {128, 1, 1},
                             .params = &sums,
                             .params_bytes = sizeof sums,
                             .timeout_s = 100};

    cr_assert_eq(rt_launch(ptxemu_kernel_find(b.module, "tiles"), &l, NULL, &b.out), PTXEMU_OK, "%s", b.out.error);
    for (uint32_t i = 0; i < 3 * 128; i++) {
        const uint32_t thread = i % 128, last = thread | 63;

        /* mine += last's; last's doubles each time. */
        cr_assert_eq(word(&b, sums, i), thread + last * 7);
    }
    ptxemu_device_close(b.device);
}

/* --- clusters --------------------------------------------------------------------------------- */
static ptxemu_status launch_cluster(struct bench *b, const char *kernel, ptxemu_ptr out, unsigned ctas,
                                    unsigned cluster)
{
    const struct rt_launch_options options = {.cluster = {cluster, cluster != 0, cluster != 0}};
    const ptxemu_launch l = {.size = sizeof l,
                             .grid = {ctas, 1, 1},
                             .block = {32, 1, 1},
                             .params = &out,
                             .params_bytes = sizeof out,
                             .timeout_s = 100};

    return rt_launch(ptxemu_kernel_find(b->module, kernel), &l, &options, &b->out);
}

Test(grids, a_launch_makes_clusters)
{
    struct bench b = open_bench("clusters.ptx");
    const ptxemu_ptr out = words(&b, 4 * 6);

    cr_assert_eq(launch_cluster(&b, "free", out, 6, 3), PTXEMU_OK, "%s", b.out.error);
    for (uint32_t i = 0; i < 6; i++) {
        cr_assert_eq(word(&b, out, 4 * i), i % 3);
        cr_assert_eq(word(&b, out, 4 * i + 1), 3u);
        cr_assert_eq(word(&b, out, 4 * i + 2), i / 3);
        cr_assert_eq(word(&b, out, 4 * i + 3), 1u);
    }
    cr_assert_eq(launch_cluster(&b, "free", out, 6, 0), PTXEMU_OK, "%s", b.out.error);
    for (uint32_t i = 0; i < 6; i++) {
        cr_assert(word(&b, out, 4 * i) == 0 && word(&b, out, 4 * i + 1) == 1 && word(&b, out, 4 * i + 2) == i);
        cr_assert_eq(word(&b, out, 4 * i + 3), 0u);
    }
    ptxemu_device_close(b.device);
}

Test(grids, clusters_that_cannot_be_are_refused)
{
    struct bench b = open_bench("clusters.ptx");
    const ptxemu_ptr out = words(&b, 4 * 64);
    static const struct {
        const char *kernel;
        unsigned ctas, cluster;
        const char *says;
    } cases[] = {
        {"free", 6, 4, "cannot be divided"},
        {"free", 34, 17, "16 CTAs are possible"},
        {"fixed", 4, 4, "requires others"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cr_assert_eq(launch_cluster(&b, cases[i].kernel, out, cases[i].ctas, cases[i].cluster), PTXEMU_BAD_INPUT);
        cr_assert_eq(b.out.refusal, RT_REFUSED_CLUSTER);
        cr_assert_not_null(strstr(b.out.error, cases[i].says), "%s", b.out.error);
    }
    cr_assert_eq(launch_cluster(&b, "free", out, 32, 16), PTXEMU_OK, "%s", b.out.error);
    ptxemu_device_close(b.device);
}
