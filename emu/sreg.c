/*
 * Special registers: what each says for one lane.  Values that belong to hardware this engine does not model are those
 * of an idle GPU.
 */
#include <time.h>

#include "emu/control.h"
#include "emu/machine.h"

static uint64_t timer_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* A clock that only moves forward: two ticks per instruction the host thread has executed. */
static uint64_t clock_of(const struct lanes *x)
{
    return x->warp_insts * 2;
}

uint64_t emu_sreg(const struct lanes *x, unsigned sreg, int lane)
{
    const struct machine *m = x->worker->machine;
    const struct emu_launch *launch = m->launch;
    const struct emu_spec *spec = launch->spec;
    const struct cta *cta = x->cta;
    const lane_mask own = lane_bit(lane);

    switch (sreg) {
    case IR_SREG_TID_X:
    case IR_SREG_TID_Y:
    case IR_SREG_TID_Z:
        return x->tid[sreg - IR_SREG_TID_X][lane];
    case IR_SREG_NTID_X:
    case IR_SREG_NTID_Y:
    case IR_SREG_NTID_Z:
        return launch->block[sreg - IR_SREG_NTID_X];
    case IR_SREG_CTAID_X:
    case IR_SREG_CTAID_Y:
    case IR_SREG_CTAID_Z:
        return cta->id[sreg - IR_SREG_CTAID_X];
    case IR_SREG_NCTAID_X:
    case IR_SREG_NCTAID_Y:
    case IR_SREG_NCTAID_Z:
        return launch->grid[sreg - IR_SREG_NCTAID_X];
    case IR_SREG_CLUSTERID_X:
    case IR_SREG_CLUSTERID_Y:
    case IR_SREG_CLUSTERID_Z:
        return cta->id[sreg - IR_SREG_CLUSTERID_X] / launch->cluster[sreg - IR_SREG_CLUSTERID_X];
    case IR_SREG_NCLUSTERID_X:
    case IR_SREG_NCLUSTERID_Y:
    case IR_SREG_NCLUSTERID_Z:
        return launch->grid[sreg - IR_SREG_NCLUSTERID_X] / launch->cluster[sreg - IR_SREG_NCLUSTERID_X];
    case IR_SREG_CLUSTER_CTAID_X:
    case IR_SREG_CLUSTER_CTAID_Y:
    case IR_SREG_CLUSTER_CTAID_Z:
        return cta->id[sreg - IR_SREG_CLUSTER_CTAID_X] % launch->cluster[sreg - IR_SREG_CLUSTER_CTAID_X];
    case IR_SREG_CLUSTER_NCTAID_X:
    case IR_SREG_CLUSTER_NCTAID_Y:
    case IR_SREG_CLUSTER_NCTAID_Z:
        return launch->cluster[sreg - IR_SREG_CLUSTER_NCTAID_X];
    case IR_SREG_CLUSTER_CTARANK:
        return cta->rank;
    case IR_SREG_CLUSTER_NCTARANK:
        return cta->cluster->size;
    case IR_SREG_IS_EXPLICIT_CLUSTER:
        return launch->explicit_cluster;
    case IR_SREG_LANEID:
        return (uint64_t)lane;
    case IR_SREG_WARPID:
        return x->warp->index;
    case IR_SREG_NWARPID:
        return spec->max_warps_per_sm;
    case IR_SREG_SMID:
        return cta->sm;
    case IR_SREG_NSMID:
        return spec->sm_count;
    case IR_SREG_LANEMASK_EQ:
        return own;
    case IR_SREG_LANEMASK_LE:
        return own | (own - 1);
    case IR_SREG_LANEMASK_LT:
        return own - 1;
    case IR_SREG_LANEMASK_GE:
        return (lane_mask) ~(own - 1);
    case IR_SREG_LANEMASK_GT:
        return (lane_mask) ~(own | (own - 1));
    case IR_SREG_CLOCK:
        return (uint32_t)clock_of(x);
    case IR_SREG_CLOCK_HI:
        return clock_of(x) >> 32;
    case IR_SREG_CLOCK64:
        return clock_of(x);
    case IR_SREG_GLOBALTIMER:
        return timer_ns();
    case IR_SREG_GLOBALTIMER_LO:
        return (uint32_t)timer_ns();
    case IR_SREG_GLOBALTIMER_HI:
        return timer_ns() >> 32;
    case IR_SREG_TOTAL_SMEM_SIZE: {
        const uint64_t unit = spec->shared_alloc_unit;

        return (m->shared_bytes + unit - 1) / unit * unit;
    }
    case IR_SREG_AGGR_SMEM_SIZE:
        return m->shared_bytes + spec->shared_reserved_per_cta;
    case IR_SREG_ENVREG1: /* where cooperative groups look for the workspace of the grid */
        return launch->grid_workspace >> 32;
    case IR_SREG_ENVREG2:
        return (uint32_t)launch->grid_workspace;
    case IR_SREG_RESERVED_SMEM_OFFSET_BEGIN:
    case IR_SREG_RESERVED_SMEM_OFFSET_0:
        return m->reserved_at;
    case IR_SREG_RESERVED_SMEM_OFFSET_1:
        return m->reserved_at + spec->shared_reserved_per_cta / 2;
    case IR_SREG_RESERVED_SMEM_OFFSET_END:
        return m->reserved_at + spec->shared_reserved_per_cta;
    case IR_SREG_RESERVED_SMEM_OFFSET_CAP:
        return spec->shared_reserved_per_cta;
    case IR_SREG_DYNAMIC_SMEM_SIZE:
        return launch->dynamic_shared;
    default:
        return 0;
    }
}
