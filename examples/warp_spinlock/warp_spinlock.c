/* The kernel of warp_spinlock.cu as plain C, for clang --target=nvptx64-nvidia-cuda: kernel.h supplies CUDA's words. */
#include "warp_spinlock.cu"
