# Lists what a preprocessed header of CUDA declares, one fact a line:
#   enumerator NAME | record TYPE | member PATH TYPE | aggregate PATH TYPE | function NAME
# A member that is itself a structure without a name of its own is an aggregate: its members follow with longer paths.
# Only names of CUDA are listed, so that what the C library declares on the way does not matter.

{
    line = $0
    while (match(line, /[A-Za-z_][A-Za-z_0-9]*|[0-9][A-Za-z_0-9.]*|"[^"]*"|[^ \t]/)) {
        token[count++] = substr(line, RSTART, RLENGTH)
        line = substr(line, RSTART + RLENGTH)
    }
}

END {
    members = 0
    drop_attributes()
    for (at = 0; at < count;)
        declaration()
}

function drop_attributes(    from, to)
{
    for (from = 0; from < count; from++) {
        if (token[from] == "__attribute__") {
            from = matching(from + 1)
        } else if (token[from] != "__extension__") {
            token[to++] = token[from]
        }
    }
    count = to + 0
}

# the position of the bracket that closes the one at `open`
function matching(open,    depth)
{
    do {
        if (token[open] ~ /^[({[]$/)
            depth++
        if (token[open] ~ /^[)}\]]$/)
            depth--
        open++
    } while (depth > 0 && open < count)
    return open - 1
}

# One declaration outside of any other: an enumeration, a structure, a prototype, or something that has no facts.
function declaration(    name, type, first, alias)
{
    first = members
    name = ""
    if (token[at] == "extern" && token[at + 1] ~ /^"/)
        at += 2
    if (token[at] ~ /^[{}]$/) { # of extern "C"
        at++
        return
    }
    alias = token[at] == "typedef"
    for (; at < count && token[at] != ";"; at++) {
        if (token[at] == "enum" && (token[at + 1] == "{" || token[at + 2] == "{")) {
            enumeration()
        } else if (opens_record()) {
            type = record()
            if (type == "")
                type = token[at + 1]
            flush(type, first)
        } else if (token[at] == "{") { # the body of a function
            at = matching(at) + 1
            return
        } else if (token[at] == "(") {
            if (!alias && name == "" && ours(token[at - 1]))
                name = token[at - 1]
            at = matching(at)
        }
    }
    if (name != "")
        print "function " name
    at++
}

function ours(name)
{
    return name ~ /^(cu|CU|cl_)/ || name ~ /^(u?(char|short|int|long|longlong)|float|double)[1-4](_16a|_32a)?$/ || name == "dim3"
}

# At `enum`: lists the enumerators and stops at the closing brace.
function enumeration(    close_at)
{
    while (token[at] != "{")
        at++
    close_at = matching(at)
    for (at++; at < close_at; at++) {
        if (ours(token[at]))
            print "enumerator " token[at]
        while (at < close_at && token[at] != ",")
            at = token[at] == "(" ? matching(at) + 1 : at + 1
    }
    at = close_at
}

function opens_record()
{
    return (token[at] == "struct" || token[at] == "union") && (token[at + 1] == "{" || token[at + 2] == "{")
}

# At `struct` or `union`: collects the members of the body, stops at the closing brace and returns the type's name.
function record(    type, close_at)
{
    type = token[at + 1] == "{" ? "" : token[at] " " token[at + 1]
    while (token[at] != "{")
        at++
    close_at = matching(at)
    for (at++; at < close_at; at++)
        member()
    at = close_at
    return type
}

# One declaration within a structure, up to its semicolon.
function member(    inner, first, name, i)
{
    first = members
    inner = 0
    name = ""
    for (; token[at] != ";"; at++) {
        if (opens_record()) {
            record()
            inner = 1
        } else if (token[at] == "(" && token[at + 1] == "*") { # a pointer to a function
            name = token[at + 2]
            at = matching(at)
            at = matching(at + 1)
        } else if (token[at] == "[") {
            at = matching(at)
        } else if (token[at] == ",") {
            add(name, "member")
        } else if (token[at] ~ /^[A-Za-z_]/) {
            name = token[at]
        }
    }
    if (!inner) {
        add(name, "member")
    } else if (name != "") {
        for (i = first; i < members; i++)
            path[i] = name "." path[i]
        add(name, "aggregate")
    }
}

function add(name, kind)
{
    path[members] = name
    kinds[members++] = kind
}

function flush(type, first,    i, tag)
{
    tag = type
    sub(/^(struct|union) /, "", tag)
    if (ours(tag)) {
        print "record " type
        for (i = first; i < members; i++)
            print kinds[i] " " path[i] " " type
    }
    members = first
}
