/*
 * A host program or library with device code in it, as small as one can be.  FATBIN is the file to carry, twice, in the
 * section where nvcc puts it; with CALLS it calls the CUDA runtime, with HAS it has one, like a program that was linked
 * with the static runtime.
 */
#ifdef FATBIN
__asm__(".section .nv_fatbin, \"a\"\n.balign 8\n.incbin \"" FATBIN "\"\n"
        ".balign 8\n.zero 64\n.incbin \"" FATBIN "\"\n.text\n");
#endif

#ifdef CALLS
int cudaGetLastError(void);
#endif

#ifdef HAS
const char *const error_names[] = {"cudaSuccess", "cudaErrorCudartUnloading"}; /* two of the runtime's table */

int cudaGetLastError(void)
{
    return error_names[0][0] == 0;
}
#endif

#ifdef OPENS
const char *const driver = "libcuda.so.1";
#endif

int cudaOfMine(void) /* a program's own function, though its name starts like the runtime's */
{
    return 0;
}

int main(void)
{
#if defined CALLS || defined HAS
    return cudaGetLastError();
#else
    return cudaOfMine();
#endif
}
