/*
 * A kernel for gcc's offload compiler.  Debian has its back end for nvptx only behind link-time optimisation, so the
 * host's gcc makes intermediate code of this file and the offload compiler makes PTX of that: plain functions, not
 * OpenMP's kernels.  gcc.ptx has the entry that calls them.
 */
#pragma omp declare target
#include KERNEL_FILE
#pragma omp end declare target
