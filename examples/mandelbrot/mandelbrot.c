/* The kernel of mandelbrot.cu as plain C, for clang --target=nvptx64-nvidia-cuda: kernel.h supplies CUDA's words. */
#include "mandelbrot.cu"
