/* All meanings: what the operations of ir/ops.def compute, one scalar function sem_<meaning>_<type> each. */
#ifndef EMU_SEM_H
#define EMU_SEM_H

#include "sem_env.h"
#include "sem_int.h"
#include "sem_bits.h"
#include "sem_carry.h"
#include "sem_mbarrier.h"
#include "sem_float.h"
#include "sem_narrow.h"
#include "sem_cmp.h"
#include "sem_cvt.h"
#include "sem_cvt_packed.h"
#include "sem_half.h"
#include "sem_mufu.h"
#include "sem_video.h"
#include "sem_mma_other.h"

#endif
