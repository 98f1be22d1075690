/* Closes what begin.h opened. */
#ifdef __cplusplus
}
#endif
#if defined(__CUDA_API_PUSH_VISIBILITY_DEFAULT)
#pragma GCC visibility pop
#endif
