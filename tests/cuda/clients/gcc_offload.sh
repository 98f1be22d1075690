# shellcheck shell=sh
# Sourced: gcc_offload OPTION...: GCC with its compiler for nvptx, which GCC names; skips the test where there is none.
gcc_offload()
{
    gcc=${GCC:-gcc}
    command -v "$gcc" >/dev/null || { echo "skipped: no $gcc"; exit 77; }
    if ! [ -x "$("$gcc" -print-prog-name=accel/nvptx-none/mkoffload)" ]; then
        echo "skipped: $gcc has no nvptx-none (Debian: gcc-offload-nvptx)"
        exit 77
    fi
    # GCC asks a ptxas in PATH, if there is one, to check its PTX, and that of CUDA 13 no longer knows the sm_35 it is asked for.
    plain=
    for folder in $(echo "$PATH" | tr : ' '); do
        [ -x "$folder/ptxas" ] || plain=$plain:$folder
    done
    PATH=${plain#:} "$gcc" -foffload=nvptx-none "$@" 2>log || { cat log; exit 1; } # the linker warns of GCC's own table
}
