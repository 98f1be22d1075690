/* The kernel of reduction_tree.cu as plain C, for clang --target=nvptx64-nvidia-cuda: kernel.h supplies CUDA's words.
 */
#include "reduction_tree.cu"
