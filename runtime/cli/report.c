/*
 * Choosing a report format.
 */
#include "runtime/cli/report.h"

bool cli_report_open(struct cli_report *report, const struct cli_run_options *options)
{
    *report = (struct cli_report){.format = &CLI_REPORT_TEXT, .options = options};
    if (options->format != CLI_FORMAT_JSON || options->dump != NULL) { /* a dump is text whatever the format */
        return true;
    }
    report->format = &CLI_REPORT_JSON;
    report->state = cli_report_json_new(options);
    return report->state != NULL;
}
