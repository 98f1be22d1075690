/*
 * A fuzz harness: one function that libFuzzer, or replay.c in builds without it, calls with each input.  It must return
 * 0 and leave nothing behind; a crash, a leak, a sanitizer's report or a time-out is a finding.
 */
#ifndef FUZZ_FUZZ_H
#define FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
