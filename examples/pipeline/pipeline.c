/* The kernel of pipeline.cu as plain C, for clang --target=nvptx64-nvidia-cuda: kernel.h supplies CUDA's words. */
#include "pipeline.cu"
