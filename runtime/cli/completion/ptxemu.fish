# Fish completion of ptxemu.

# Kernels of the PTX file on the command line.
function __ptxemu_kernels
    for file in (string match -- '*.ptx' (commandline -opc))
        test -r $file; and sed -n 's/.*\.entry[[:space:]]\{1,\}\([A-Za-z0-9_$]\{1,\}\).*/\1/p' $file
    end
end

function __ptxemu_is_info
    test (count (commandline -opc)) -gt 1; and test (commandline -opc)[2] = info
end

function __ptxemu_is_extract
    test (count (commandline -opc)) -gt 1; and test (commandline -opc)[2] = extract
end

function __ptxemu_is_embed
    test (count (commandline -opc)) -gt 1; and test (commandline -opc)[2] = embed
end

complete -c ptxemu -n __fish_use_subcommand -a 'run info extract embed'
complete -c ptxemu -n __ptxemu_is_extract -s o -l output -x -a '(__fish_complete_directories)' -d 'Where to write'
complete -c ptxemu -n __ptxemu_is_embed -s o -l output -r -d 'Object file'
complete -c ptxemu -n __ptxemu_is_embed -l c -r -d 'C source'
complete -c ptxemu -n __ptxemu_is_embed -l header -r -d 'Header for C'
complete -c ptxemu -l gpu -x -a '(ptxemu --list-gpus 2>/dev/null)' -d 'Emulated GPU'
complete -c ptxemu -l block -x -d 'Threads of a CTA'
complete -c ptxemu -l shared -x -d 'Dynamic shared memory, bytes'
complete -c ptxemu -s '?' -l help -d 'Give help'
complete -c ptxemu -n __ptxemu_is_info -s c -l relocatable -d 'The file is a part of a program'
complete -c ptxemu -n __ptxemu_is_info -l format -x -a 'text json csv' -d 'Output format'
complete -c ptxemu -n 'not __ptxemu_is_info' -l format -x -a 'text json' -d 'Output format'
complete -c ptxemu -n 'not __ptxemu_is_info' -l kernel -x -a '(__ptxemu_kernels)' -d 'Kernel to launch'
complete -c ptxemu -n 'not __ptxemu_is_info' -l grid -x -d 'CTAs of the grid'
complete -c ptxemu -n 'not __ptxemu_is_info' -l arg -x -d 'Next argument'
complete -c ptxemu -n 'not __ptxemu_is_info' -l print -x -d 'Print an argument'
complete -c ptxemu -n 'not __ptxemu_is_info' -l expect -x -d 'Compare an argument'
complete -c ptxemu -n 'not __ptxemu_is_info' -l dump-arg -r -d 'Write an argument to a file'
complete -c ptxemu -n 'not __ptxemu_is_info' -l stats -d 'Print instruction counts and times'
complete -c ptxemu -n 'not __ptxemu_is_info' -s q -l quiet -d 'Only printed arguments, differences and errors'
complete -c ptxemu -n 'not __ptxemu_is_info' -l gpus -x -d 'How many GPUs a program sees'
complete -c ptxemu -n 'not __ptxemu_is_info' -l list-gpus -d 'List the GPUs'
complete -c ptxemu -n 'not __ptxemu_is_info' -l threads -x -d 'Host threads'
complete -c ptxemu -n 'not __ptxemu_is_info' -l policy -x -a 'converge minpc serial random' -d 'How lanes take turns'
complete -c ptxemu -n 'not __ptxemu_is_info' -l seed -x -d 'Seed of the random policy'
complete -c ptxemu -n 'not __ptxemu_is_info' -l slack -x -d 'Bytes behind buffers that kernels may touch'
complete -c ptxemu -n 'not __ptxemu_is_info' -l timeout -x -d 'Seconds'
complete -c ptxemu -n 'not __ptxemu_is_info' -l dump -x -a ir -d 'Print instead of running'
complete -c ptxemu -n 'not __ptxemu_is_info' -s v -l verbose -d 'Say what runs on what'
complete -c ptxemu -n 'not __ptxemu_is_info' -s V -l version -d 'Print the version'
