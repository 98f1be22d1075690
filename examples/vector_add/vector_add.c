/* The kernel of vector_add.cu as plain C, for clang --target=nvptx64-nvidia-cuda: kernel.h supplies CUDA's words. */
#include "vector_add.cu"
