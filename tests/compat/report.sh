# shellcheck shell=bash
# What came of all programs: a summary by verdict and reason, and docs/compatibility.md.  Both read lines of
# "repository folder verdict seconds reason", separated by tabs.

# report_summary VERDICTS: to the terminal.
report_summary() {
    awk -F '\t' '
        { count[$3]++ }
        $3 != "PASS" && $3 != "RAN" && $3 != "BUILT" && $3 != "UNBUILT" { reason[$3 "  " $5]++ }
        END {
            print "\nby reason:"
            for (r in reason) printf "%5d  %s\n", reason[r], r | "sort -k2,2 -k1,1nr"
            close("sort -k2,2 -k1,1nr")
            print "\nby verdict:"
            split("PASS RAN BUILT REFUSED FAULT WRONG CRASH TIMEOUT NOBUILD UNBUILT EXCLUDED ABSENT", order, " ")
            for (i = 1; i in order; i++) if (count[order[i]]) printf "%5d  %s\n", count[order[i]], order[i]
            scope = count["PASS"] + count["RAN"] + count["REFUSED"] + count["FAULT"] + count["WRONG"] + count["CRASH"] + count["TIMEOUT"]
            if (scope) printf "%d of %d programs in scope passed (%.1f %%)\n", count["PASS"] + count["RAN"], scope,
                              100 * (count["PASS"] + count["RAN"]) / scope
        }' "$1"
}

# report_document VERDICTS: docs/compatibility.md, whole.
report_document() {
    cat <<'END'
# Programs that run

Public CUDA programs that nobody here wrote, built with nvcc 13.0 for compute_80 against the shared runtime and run under
`ptxemu` with small problem sizes and a limit of 60 s. They are as their authors published them, but for sizes that some fix in
their source. `tests/compat/run.sh -d docs/compatibility.md` writes this page; [tests/compat](../tests/compat/README.md) says
what the verdicts mean and how to repeat it: PASS is a program whose own check of its results holds, RAN one that has no such
check and ran to its end. The four programs that reach a little beyond their allocations, as a GPU lets them, run with `--slack`.
Built for compute_90 (`PTXEMU_NVCC_ARCH=90`) all programs have the same verdicts.

END
    report_counts "$1"
    echo
    report_reasons "$1"
    echo
    report_programs "$1"
}

# report_counts VERDICTS: Markdown, verdicts of each repository.
report_counts() {
    awk -F '\t' '
        { count[$1, $3]++; count["all", $3]++; names[$1] }
        function row(name, i) {
            printf "| %s |", name
            for (i = 1; i in order; i++) printf " %d |", count[name, order[i]]
            scope = count[name, "PASS"] + count[name, "RAN"] + count[name, "REFUSED"] + count[name, "FAULT"]
            scope += count[name, "WRONG"] + count[name, "CRASH"] + count[name, "TIMEOUT"]
            printf " %.1f %% of %d |\n", scope ? 100 * (count[name, "PASS"] + count[name, "RAN"]) / scope : 0, scope
        }
        END {
            split("PASS RAN REFUSED FAULT WRONG CRASH TIMEOUT NOBUILD UNBUILT EXCLUDED", order, " ")
            printf "| repository |"
            for (i = 1; i in order; i++) printf " %s |", order[i]
            printf " passed or ran |\n|---|"
            for (i = 1; i in order; i++) printf "---:|"
            print "---:|"
            for (name in names) row(name)
            row("all")
        }' "$1"
}

# report_reasons VERDICTS: Markdown, how many programs each reason keeps from passing.
report_reasons() {
    printf '| programs | verdict | reason |\n|---:|---|---|\n'
    awk -F '\t' '$3 != "PASS" && $3 != "RAN" && $3 != "UNBUILT" { gsub(/\|/, "\\|", $5); count["| " $3 " | " $5 " |"]++ }
        END { for (reason in count) printf "| %d %s\n", count[reason], reason }' "$1" | sort -t '|' -k3,3 -k2,2nr -k4,4
}

# report_programs VERDICTS: Markdown, one row for each program in scope.
report_programs() {
    printf '| program | verdict | reason |\n|---|---|---|\n'
    sort -t $'\t' -k1,1 -k2,2 "$1" | awk -F '\t' '$3 != "EXCLUDED" && $3 != "NOBUILD" && $3 != "UNBUILT" {
        gsub(/\|/, "\\|", $5)
        printf "| %s/%s | %s | %s |\n", $1, $2, $3, $5
    }'
}

# report_exit_status VERDICTS: 0 if some program passed and none that should have failed in a way that is a bug.
report_exit_status() {
    ! grep -Pq '^[^\t]*\t[^\t]*\t(WRONG|CRASH|TIMEOUT)\t' "$1" && grep -Pq '^[^\t]*\t[^\t]*\t(PASS|RAN|BUILT)\t' "$1"
}
