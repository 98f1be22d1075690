/* The kernel of bitonic_sort.cu as plain C, for clang --target=nvptx64-nvidia-cuda: kernel.h supplies CUDA's words. */
#include "bitonic_sort.cu"
