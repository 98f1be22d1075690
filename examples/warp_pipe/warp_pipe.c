/* The kernel of warp_pipe.cu as plain C, for clang --target=nvptx64-nvidia-cuda: kernel.h supplies CUDA's words. */
#include "warp_pipe.cu"
