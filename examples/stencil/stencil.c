/* The kernel of stencil.cu as plain C, for clang --target=nvptx64-nvidia-cuda: kernel.h supplies CUDA's words. */
#include "stencil.cu"
