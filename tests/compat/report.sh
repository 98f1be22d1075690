# shellcheck shell=bash
# What came of all programs: a summary by verdict and reason, and the tables of docs/compatibility.md.  Both read lines of
# "repository folder verdict seconds reason", separated by tabs.

# report_summary VERDICTS: to the terminal.
report_summary() {
    awk -F '\t' '
        { count[$3]++ }
        $3 != "PASS" && $3 != "RAN" && $3 != "BUILT" { reason[$3 "  " $5]++ }
        END {
            print "\nby reason:"
            for (r in reason) printf "%5d  %s\n", reason[r], r | "sort -k2,2 -k1,1nr"
            close("sort -k2,2 -k1,1nr")
            print "\nby verdict:"
            split("PASS RAN BUILT REFUSED WRONG CRASH TIMEOUT NOBUILD EXCLUDED ABSENT", order, " ")
            for (i = 1; i in order; i++) if (count[order[i]]) printf "%5d  %s\n", count[order[i]], order[i]
            scope = count["PASS"] + count["RAN"] + count["REFUSED"] + count["WRONG"] + count["CRASH"] + count["TIMEOUT"]
            if (scope) printf "%d of %d programs in scope passed (%.1f %%)\n", count["PASS"] + count["RAN"], scope,
                              100 * (count["PASS"] + count["RAN"]) / scope
        }' "$1"
}

# report_table VERDICTS: Markdown, one section for each repository.
report_table() {
    sort -t $'\t' -k1,1 -k2,2 "$1" | awk -F '\t' '
        function cell(text) { gsub(/\|/, "\\|", text); return text }
        { count[$1 "\t" $3]++; line[++n] = $0; repositories[$1]; verdicts[$3] }
        END {
            split("PASS RAN REFUSED WRONG CRASH TIMEOUT NOBUILD EXCLUDED", order, " ")
            printf "| repository |"
            for (i = 1; i in order; i++) printf " %s |", order[i]
            printf "\n|---|"
            for (i = 1; i in order; i++) printf "---:|"
            print ""
            for (r in repositories) {
                row = "| " r " |"
                for (i = 1; i in order; i++) row = row " " (count[r "\t" order[i]] + 0) " |"
                print row | "sort"
            }
            close("sort")
            print "\n| program | verdict | reason |\n|---|---|---|"
            for (i = 1; i <= n; i++) {
                split(line[i], f, "\t")
                printf "| %s/%s | %s | %s |\n", f[1], f[2], f[3], cell(f[5])
            }
        }'
}

# report_exit_status VERDICTS: 0 if some program passed and none that should have failed in a way that is a bug.
report_exit_status() {
    ! grep -Pq '^[^\t]*\t[^\t]*\t(WRONG|CRASH|TIMEOUT)\t' "$1" && grep -Pq '^[^\t]*\t[^\t]*\t(PASS|RAN|BUILT)\t' "$1"
}
