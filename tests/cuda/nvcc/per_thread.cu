// Compiled with -default-stream per-thread: the default stream of each thread is its own, and not the legacy one.
#include <cuda_runtime.h>

#include <cstdio>
#include <thread>

__device__ int symbol = 3;

__global__ void fill(int *out, int value)
{
    out[threadIdx.x] = value + symbol - 3;
}

static int failures;

static void fill_and_wait(int *out, int value)
{
    int result[32] = {0};

    fill<<<1, 32>>>(out, value);
    cudaMemcpyAsync(result, out, sizeof(result), cudaMemcpyDeviceToHost, 0);
    cudaStreamSynchronize(0);
    failures += result[31] != value;
}

static void work(int value)
{
    int *out;

    if (cudaMalloc(&out, 32 * sizeof(*out)) != cudaSuccess) {
        failures++;
        return;
    }
    fill_and_wait(out, value);
    cudaFree(out);
}

static void CUDART_CB wait_for(void *flag)
{
    while (!*static_cast<volatile bool *>(flag)) {
        std::this_thread::yield();
    }
}

// Work of a non-blocking sort of stream, the thread's default one, does not wait for another thread's.  Freeing would: it
// waits for the device.
static void is_its_own()
{
    bool go = false;
    int *out = NULL;

    failures += cudaMalloc(&out, 32 * sizeof(*out)) != cudaSuccess;
    std::thread other([&go] {
        cudaLaunchHostFunc(0, wait_for, &go);
        while (!go) {
            std::this_thread::yield();
        }
        cudaStreamSynchronize(0);
    });

    fill_and_wait(out, 5);
    go = true;
    other.join();
    cudaFree(out);
}

int main()
{
    std::thread a(work, 1), b(work, 2);
    unsigned long long mine = 0, legacy = 0;

    a.join();
    b.join();
    work(3);
    is_its_own();
    cudaStreamGetId(0, &mine);
    cudaStreamGetId(cudaStreamLegacy, &legacy);
    if (failures != 0 || mine == legacy || cudaGetLastError() != cudaSuccess) {
        std::fprintf(stderr, "wrong: %d failures\n", failures);
        return 1;
    }
    std::printf("ok\n");
    return 0;
}
