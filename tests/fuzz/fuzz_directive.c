/* The `//!` lines of a file: launches, arguments, patterns and expectations, read but not carried out. */
#include "fuzz.h"

#include "runtime/cli/plan.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct cli_span text = {.at = (const char *)data, .length = size};
    struct cli_plan plan = {0};
    struct cli_error error = {0};

    cli_plan_read("fuzz.ptx", text, ".", &plan, &error);
    cli_plan_release(&plan);
    return 0;
}
