// Two objects whose device code is linked: a function, a variable and names that each has for itself.
#pragma once

__device__ int twice(int x);
extern __device__ int shared_counter;
int other_private();
void launch_other(int *out);
