#!/bin/sh
# dictionary.sh SOURCE_DIR: the words of PTX as a libFuzzer dictionary, out of the tables that the front end itself uses.
set -eu

forms=$1/ir/forms.def
modifiers=$1/frontend/modifiers.def

{
    # The second column of a FORM row is the mnemonic; modifiers and types stand in the rows after a dot.
    sed -n 's/^FORM([^,]*, *"\([a-z0-9_]*\)".*/\1 /p' "$forms"
    grep -o '\.[a-zA-Z_][a-zA-Z0-9_:]*' "$forms"
    sed -n 's/^MODIFIER([^,]*, *"\([^"]*\)".*/.\1/p' "$modifiers"
    for word in version target address_size entry func visible extern weak reg param const global local shared align ptr \
        pred maxntid reqntid minnctapersm maxnreg pragma loc file section branchtargets calltargets callprototype alias \
        noreturn common tex surfref texref samplerref explicitcluster reqnctapercluster maxclusterrank attribute; do
        echo ".$word "
    done
    printf '%s\n' '%r1' '%rd1' '%f1' '%p1' '@%p1 ' '@!%p1 ' '%tid.x' '%ntid.x' '%ctaid.x' '%laneid' 'sm_90' '9.0' '64' \
        '0f3F800000' '0d3FF0000000000000' '0xffffffff' '[%rd1+4]' '{%r1, %r2}' '%r<8>;' 'WARP_SZ' '_' '//! arg ' '/*' '*/'
} | sort -u | sed 's/.*/"&"/'
