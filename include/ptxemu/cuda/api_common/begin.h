/*
 * Opens the declarations of a header; end.h closes them. Without include guard: each header includes the pair once.
 * A library that defines the functions says __CUDA_API_PUSH_VISIBILITY_DEFAULT, so that they are visible under
 * -fvisibility=hidden.
 */
#if defined(__CUDA_API_PUSH_VISIBILITY_DEFAULT)
#pragma GCC visibility push(default)
#endif
#ifdef __cplusplus
extern "C" {
#endif
