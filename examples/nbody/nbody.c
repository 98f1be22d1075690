/* The kernel of nbody.cu as plain C, for clang --target=nvptx64-nvidia-cuda: kernel.h supplies CUDA's words. */
#include "nbody.cu"
