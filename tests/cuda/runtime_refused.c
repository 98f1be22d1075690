/* Functions whose service does not exist: the code that says so, the last error, and one message for each when asked
 * for. */
#include "check.h"

#include <unistd.h>

/* Of cuda_gl_interop.h, which wants OpenGL's headers. */
cudaError_t cudaGraphicsGLRegisterBuffer(struct cudaGraphicsResource **resource, unsigned buffer, unsigned flags);
cudaError_t cudaGLSetGLDevice(int device);

static void have_their_codes(void)
{
    struct cudaExternalMemoryHandleDesc description;
    struct cudaGraphicsResource *resource = NULL;
    cudaExternalMemory_t memory = NULL;
    cudaIpcMemHandle_t handle;
    void *pointer = NULL;
    int device = -1;

    memset(&description, 0, sizeof(description));
    CHECK_CODE(cudaImportExternalMemory(&memory, &description), cudaErrorNotSupported);
    CHECK_CODE(cudaPeekAtLastError(), cudaErrorNotSupported);
    CHECK_CODE(cudaGraphicsGLRegisterBuffer(&resource, 1, 0), cudaErrorInvalidGraphicsContext);
    CHECK_CODE(cudaGraphicsMapResources(1, &resource, NULL), cudaErrorInvalidResourceHandle);
    CHECK_CODE(cudaGetLastError(), cudaErrorInvalidResourceHandle);
    CHECK_OK(cudaGLSetGLDevice(0));
    CHECK_OK(cudaGetDevice(&device));
    CHECK_EQUAL(device, 0);
    CHECK_OK(cudaMalloc(&pointer, 16));
    CHECK(cudaIpcGetMemHandle(&handle, pointer) != cudaSuccess);
    CHECK_OK(cudaFree(pointer));
    cudaGetLastError();
}

/* Lines on standard error, of calls in between, that hold `text`. */
static int lines_with(FILE *file, const char *text)
{
    char line[512];
    int count = 0;

    rewind(file);
    while (fgets(line, (int)sizeof(line), file) != NULL) {
        count += strstr(line, text) != NULL;
    }
    return count;
}

static void are_told_once(void)
{
    FILE *file = tmpfile();
    cudaExternalSemaphore_t semaphore = NULL;
    struct cudaExternalSemaphoreHandleDesc description;
    int saved = dup(STDERR_FILENO);

    CHECK(file != NULL && saved >= 0);
    memset(&description, 0, sizeof(description));
    setenv("PTXEMU_VERBOSE", "1", 1);
    CHECK(dup2(fileno(file), STDERR_FILENO) >= 0);
    (void)cudaImportExternalSemaphore(&semaphore, &description);
    (void)cudaImportExternalSemaphore(&semaphore, &description);
    (void)cudaDestroyExternalSemaphore(semaphore);
    CHECK(dup2(saved, STDERR_FILENO) >= 0);
    CHECK_EQUAL(lines_with(file, "ptxemu: cudaImportExternalSemaphore is not supported"), 1);
    CHECK_EQUAL(lines_with(file, "ptxemu: cudaDestroyExternalSemaphore is not supported"), 1);
    fclose(file);
    close(saved);
    cudaGetLastError();
}

int main(void)
{
    have_their_codes();
    are_told_once();
    return 0;
}
