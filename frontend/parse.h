/*
 * One parse: what the lexer, the grammar and the checks share.  Private to this folder.
 *
 * Nothing here outlives ptx_parse except what it put into the module.  Names are slices of the text, which outlives
 * everything.
 */
#ifndef FRONTEND_PARSE_H
#define FRONTEND_PARSE_H

#include "frontend/ast.h"
#include "frontend/frontend.h"
#include "frontend/scratch.h"

struct ptx_text {
    const char *at;
    uint32_t len;
};

/* Operands in the order of the text; lives in the scratch memory. */
struct ptx_list {
    struct ptx_operand **items;
    uint32_t count, room;
    struct diag_loc loc;
};

enum {
    PTX_MAX_ERRORS = 20,    /* then the parser gives up */
    PTX_MAX_NESTING = 256,  /* blocks in blocks */
    PTX_MAX_LIST = 1 << 16, /* operands in one list */
    PTX_MAX_DIMS = 8,       /* dimensions of an array */
    PTX_MAX_PARAMS = 4096,  /* parameters of one function */
    PTX_NO_INDEX = UINT32_MAX,
};

/* --- declarations ----------------------------------------------------------------------------------------------------
 */
enum ptx_space { PTX_SPACE_NONE, PTX_REG, PTX_SREG, PTX_CONST, PTX_GLOBAL, PTX_LOCAL, PTX_SHARED, PTX_PARAM };

/* A declaration as far as it has been read.  The head is shared by all its declarators. */
struct ptx_decl {
    struct diag_loc loc; /* of its first word */
    enum ir_linkage linkage;
    struct diag_loc linkage_loc;
    enum ptx_space space;
    struct diag_loc space_loc;
    enum ir_type type;
    struct diag_loc type_loc;
    uint8_t vec;    /* 1, 2 or 4 */
    uint32_t align; /* 0: not given */
    struct diag_loc align_loc;
    bool is_pointer;
    bool managed;
    bool bad; /* reported already: declare the names, check no further */
    enum ptx_space ptr_space;
    uint32_t ptr_align;
    int bank; /* .const[bank], -1 for none */

    /* the declarator being read */
    struct ptx_text name;
    struct diag_loc name_loc;
    uint64_t range; /* name<range>, 0 for none */
    uint32_t n_dims;
    uint64_t dims[PTX_MAX_DIMS]; /* 0: left open */
    struct diag_loc dims_loc;
    bool has_init;
};

/* An initialiser being read: see init.c. */
struct ptx_init {
    uint8_t *bytes;
    uint64_t size, room;               /* bytes written so far, up to the last one that is not zero */
    uint32_t depth;                    /* braces open */
    uint32_t levels;                   /* braces the type allows */
    uint64_t at[PTX_MAX_DIMS + 2];     /* next element at each level */
    uint64_t count[PTX_MAX_DIMS + 2];  /* elements allowed at each level; 0: any */
    uint64_t stride[PTX_MAX_DIMS + 2]; /* bytes of one element at each level */
    uint64_t extent;                   /* elements seen at the outermost level, for an open dimension */
    bool bad;
    VEC(struct ir_reloc) relocs;
};

/* What a call must agree with: of a function or of a prototype. */
struct ptx_signature {
    struct ir_param *params, *rets;
    uint32_t n_params, n_rets;
    bool open_array; /* the last parameter is an array without size */
    bool noreturn;
};

/* --- names ---------------------------------------------------------------------------------- */
enum ptx_name_kind {
    PTX_NAME_REG = 1,   /* one register, or `vec` of them in a row */
    PTX_NAME_RANGE = 2, /* stem<count> of registers or variables */
    PTX_NAME_STEM = 4, /* single names with this stem and a number exist in the scope: `count` is the smallest number */
    PTX_NAME_VAR = 8,
    PTX_NAME_FUNC = 16,
};

struct ptx_name {
    const char *text;
    uint32_t len;
    uint32_t hash;
    uint32_t next;  /* in its bucket: index + 1, 0 ends */
    uint32_t index; /* register, symbol or function; RANGE: its number; PTX_NO_INDEX: not made yet */
    uint32_t count; /* RANGE: members; STEM: see there */
    uint16_t depth; /* scope: 0 module, 1 parameters, 2 body, ... */
    uint8_t kind;
    uint8_t type;
    uint8_t vec;
    uint8_t space; /* enum ptx_space */
    bool is_param;
    struct diag_loc loc;
    const char *stem;            /* RANGE: terminated copy once a member exists */
    const struct ptx_decl *decl; /* RANGE of variables: how each member is declared */
};

/* Members of ranges that exist: (range, number) -> index. */
struct ptx_members {
    struct ptx_member {
        uint64_t key; /* range << 32 | number, plus 1 so that 0 is free */
        uint32_t index;
    } * slots;
    uint32_t count, room; /* room is a power of two */
};

struct ptx_names {
    VEC(struct ptx_name) all;
    uint32_t *buckets; /* n_buckets heads: index + 1 */
    uint32_t n_buckets;
    uint32_t depth;
    uint32_t starts[PTX_MAX_NESTING + 4]; /* all.count when each scope was opened */
    uint32_t n_ranges;
    uint32_t n_module_ranges; /* ranges numbered below belong to the module */
    struct ptx_members module_members, func_members;
};

enum ptx_label_kind { PTX_LABEL_PENDING, PTX_LABEL_PLACED, PTX_LABEL_BRANCHES, PTX_LABEL_CALLS, PTX_LABEL_PROTO };

struct ptx_label {
    const char *text;
    uint32_t len;
    uint32_t hash;
    uint32_t next;
    uint32_t number; /* label number, or table */
    uint16_t depth;
    uint8_t kind;
    struct diag_loc loc;             /* first mention */
    struct ptx_signature *signature; /* PROTO and CALLS */
};

struct ptx_text_loc {
    struct ptx_text text;
    struct diag_loc loc;
};

struct ptx_labels {
    VEC(struct ptx_label) all;
    uint32_t *buckets;
    uint32_t n_buckets;
    uint32_t starts[PTX_MAX_NESTING + 4];
    uint32_t n_numbers;
    VEC(struct ptx_text_loc) waiting; /* labels written just before the statement being read */
};

/* --- functions ------------------------------------------------------------------------------ */
struct ptx_function {
    struct ir_func *func; /* the one being declared or defined, NULL between functions */
    bool is_entry;
    bool was_entry; /* is_entry of the function around a prototype being read */
    bool in_head;   /* between .entry or .func (or .callprototype) and the end of the parameters */
    bool in_body;
    bool bad;
    struct ptx_text name;
    struct diag_loc name_loc;
    struct diag_loc head_loc;
    struct diag_loc open_loc; /* its opening brace */
    enum ir_linkage linkage;
    VEC(struct ir_param) params;
    VEC(struct ir_param) rets;
    VEC(struct ptx_decl) param_decls; /* parallel to params, then rets behind them: to declare the names in the body */
    VEC(struct ptx_decl) ret_decls;
    bool in_rets;
    bool open_array;
    bool noreturn;
    uint32_t limits_seen; /* bit per row of the directive table */
    uint32_t maxntid[3], reqntid[3], reqnctapercluster[3];
    uint32_t minnctapersm, maxnctapersm, maxnreg;
    struct diag_loc limit_loc; /* of the last directive */
};

/* What the front end knows of a function beyond struct ir_func. */
struct ptx_func_note {
    struct ptx_signature signature;
    bool alias;                /* another function's name */
    bool aliased;              /* has such names */
    struct diag_loc called;    /* first call; line 0: none */
    struct diag_loc addressed; /* first use of its address; line 0: none */
    struct diag_loc declared;  /* first declaration */
    struct diag_loc defined;
};

enum ptx_stage { PTX_STAGE_START, PTX_STAGE_VERSION, PTX_STAGE_TARGET, PTX_STAGE_ITEMS };

struct ptx_opcodes;

struct ptx_parse {
    struct diag *dg;
    const char *text;
    size_t len;
    struct ir_module *module;
    enum ptx_scope scope;
    const struct ptx_sink *sink;
    struct arena *arena; /* of the parse */
    struct ptx_scratch scratch;
    bool stopped; /* too many errors, a fatal one, or no memory: the lexer reports the end of the file */
    bool no_memory;
    size_t errors_before; /* the statement being read: more now means that it is not worth checking */

    /* lexer */
    size_t offset;     /* of the next token */
    size_t line_start; /* offset of the line it is on */
    uint32_t line;
    struct ptx_text token, before;         /* the latest and the one before it */
    struct diag_loc token_loc, before_loc; /* of the latest and of the one before */
    struct diag_loc open_comment;          /* line 0: none */
    uint32_t statement_line;               /* where the statement being read begins */
    bool before_is_end;                    /* the token before ended a statement or a label: ; : { } */
    bool panicking;      /* a syntax error outside functions; silent until something begins that makes sense */
    bool skip_body;      /* after such an error: a body that follows is skipped as a whole */
    uint32_t skip_depth; /* its braces that were read already */
    bool reported;       /* the latest token was bad and has been reported */

    /* header */
    enum ptx_stage stage;
    bool address_size_given;
    const char *target_name;
    bool texmode_given;
    struct diag_loc debug_loc; /* of the target option `debug`; line 0: not given */

    struct ptx_names names;
    struct ptx_labels labels;
    struct ptx_decl decl;
    struct ptx_init init;
    struct ptx_function fn;
    VEC(struct ptx_func_note) func_notes; /* by function index */
    uint32_t nesting;                     /* blocks open */
    VEC(struct diag_loc) open_blocks;
    struct ptx_opcodes *opcodes;
    struct ptx_inst inst;

    /* .file and .loc */
    VEC(uint16_t) files;   /* index into module.files by the number of .file, 0 for none */
    unsigned section_bits; /* width of the items being read */
    uint16_t source_file;
    uint32_t source_line, source_column;
    struct ptx_members locs; /* positions that .loc gave; a set */
};

/* --- errors (parse.c) ----------------------------------------------------------------------- */
__attribute__((format(printf, 3, 4))) void ptx_error(struct ptx_parse *p, struct diag_loc loc, const char *format, ...);
__attribute__((format(printf, 3, 4))) void ptx_note(struct ptx_parse *p, struct diag_loc loc, const char *format, ...);
__attribute__((format(printf, 3, 4))) void ptx_warning(struct ptx_parse *p, struct diag_loc loc, const char *format,
                                                       ...);
/* An error after which nothing is worth reading. */
__attribute__((format(printf, 3, 4))) void ptx_fatal(struct ptx_parse *p, struct diag_loc loc, const char *format, ...);
void ptx_out_of_memory(struct ptx_parse *p);
/* True while the sink should hear of things: no error so far. */
bool ptx_going_on(const struct ptx_parse *p);

/* --- text ----------------------------------------------------------------------------------- */
bool ptx_text_is(struct ptx_text t, const char *word);
uint32_t ptx_hash(const char *text, size_t len);
/* The best match among `count` candidates if it is close enough to be a typing mistake, else NULL (suggest.c). */
struct ptx_suggest {
    struct ptx_text wanted;
    struct ptx_text best;
    unsigned distance;
    unsigned rank; /* of the best: its distance first, then how soon it differs */
};
void ptx_suggest_start(struct ptx_suggest *s, const char *text, size_t len);
void ptx_suggest_try(struct ptx_suggest *s, const char *text, size_t len);
bool ptx_suggest_found(const struct ptx_suggest *s);
/* Directives as candidates (ptx.l). */
void ptx_suggest_directive(struct ptx_suggest *s);
/* "8.7" of 87, written to `buffer`. */
const char *ptx_version_text(unsigned version, char buffer[8]);
/* Are the module's version and target new enough for `what`?  False after reporting. */
bool ptx_needs(struct ptx_parse *p, struct diag_loc loc, const char *what, unsigned ptx, unsigned sm);

/* --- lists and operands --------------------------------------------------------------------- */
struct ptx_operand *ptx_operand_new(struct ptx_parse *p, enum ptx_operand_kind kind, struct diag_loc loc);
struct ptx_list *ptx_list_new(struct ptx_parse *p, struct diag_loc loc);
struct ptx_list *ptx_list_add(struct ptx_parse *p, struct ptx_list *list, struct ptx_operand *op);
/* An operand of `kind` with the list as its elements. */
struct ptx_operand *ptx_operand_list(struct ptx_parse *p, enum ptx_operand_kind kind, const struct ptx_list *list,
                                     struct diag_loc loc);
struct diag_loc ptx_loc_join(struct diag_loc a, struct diag_loc b);

/* --- lexer (ptx.l) -------------------------------------------------------------------------- */
bool ptx_lexer_start(struct ptx_parse *p, void **scanner);
void ptx_lexer_stop(void *scanner);

/* --- literals and constant expressions (number.c, expr.c, operand.c) ----------------------------------- */
struct ptx_operand *ptx_number(struct ptx_parse *p, struct ptx_text text, struct diag_loc loc);
/* A plain unsigned literal: array sizes, alignments, numbers of directives.  False after reporting. */
bool ptx_plain_number(struct ptx_parse *p, struct ptx_text text, struct diag_loc loc, const char *what,
                      uint64_t *value);
enum ptx_expr_op {
    PTX_EXPR_NEG,
    PTX_EXPR_PLUS,
    PTX_EXPR_NOT,
    PTX_EXPR_COMPLEMENT,
    PTX_EXPR_S64,
    PTX_EXPR_U64,
    PTX_EXPR_MUL,
    PTX_EXPR_DIV,
    PTX_EXPR_REM,
    PTX_EXPR_ADD,
    PTX_EXPR_SUB,
    PTX_EXPR_SHL,
    PTX_EXPR_SHR,
    PTX_EXPR_LT,
    PTX_EXPR_LE,
    PTX_EXPR_GT,
    PTX_EXPR_GE,
    PTX_EXPR_EQ,
    PTX_EXPR_NE,
    PTX_EXPR_AND,
    PTX_EXPR_XOR,
    PTX_EXPR_OR,
    PTX_EXPR_LAND,
    PTX_EXPR_LOR,
};
/* An IMM of any kind; one that is an integer. */
bool ptx_is_constant(const struct ptx_operand *op);
bool ptx_is_integer(const struct ptx_operand *op);
struct ptx_operand *ptx_unary(struct ptx_parse *p, enum ptx_expr_op op, struct ptx_operand *a, struct diag_loc loc);
struct ptx_operand *ptx_binary(struct ptx_parse *p, enum ptx_expr_op op, struct ptx_operand *a, struct ptx_operand *b,
                               struct diag_loc loc);
struct ptx_operand *ptx_conditional(struct ptx_parse *p, struct ptx_operand *c, struct ptx_operand *a,
                                    struct ptx_operand *b);
struct ptx_operand *ptx_cast(struct ptx_parse *p, struct ptx_text type, struct diag_loc type_loc,
                             struct ptx_operand *a);
struct ptx_operand *ptx_name_operand(struct ptx_parse *p, struct ptx_text name, struct diag_loc loc);
struct ptx_operand *ptx_selected(struct ptx_parse *p, struct ptx_operand *name, struct ptx_text word,
                                 struct diag_loc loc);
struct ptx_operand *ptx_applied(struct ptx_parse *p, struct ptx_text function, struct diag_loc loc,
                                struct ptx_operand *a);
struct ptx_operand *ptx_masked(struct ptx_parse *p, struct ptx_operand *mask, struct ptx_operand *a);
struct ptx_operand *ptx_address(struct ptx_parse *p, struct ptx_list *list, struct diag_loc loc);
struct ptx_operand *ptx_subscript(struct ptx_parse *p, struct ptx_operand *name, struct ptx_operand *index,
                                  struct diag_loc loc);
struct ptx_operand *ptx_paired(struct ptx_parse *p, struct ptx_operand *a, struct ptx_operand *b, struct diag_loc loc);
/* Convert the constant to `type`; false if a literal of its kind is not allowed there. */
bool ptx_literal_fits(const struct ptx_operand *op, enum ir_type type);
void ptx_literal_convert(struct ptx_operand *op, enum ir_type type);

/* --- names (names.c, members.c, resolve.c), labels (labels.c) --------------------------------- */
/* Empty the table.  A large one is given back: clearing it for every small function after would be quadratic. */
void ptx_members_forget(struct ptx_members *m);
/* The slot for `key` (never 0): its own key is 0 if it is new; the caller fills it and counts.  NULL without memory. */
struct ptx_member *ptx_members_slot(struct ptx_members *m, uint64_t key);
/* Split off the number of a possible range member: "%r12" is "%r" and 12.  False when it cannot be one. */
bool ptx_split_number(struct ptx_text name, uint32_t *stem_len, uint32_t *number);
bool ptx_names_init(struct ptx_parse *p);
void ptx_names_free(struct ptx_parse *p);
bool ptx_scope_open(struct ptx_parse *p);
void ptx_scope_close(struct ptx_parse *p);
struct ptx_name *ptx_name_find(struct ptx_parse *p, struct ptx_text name, unsigned kinds);
/* Enter a name into the current scope; NULL after reporting that it is taken. */
struct ptx_name *ptx_name_declare(struct ptx_parse *p, struct ptx_text name, enum ptx_name_kind kind, uint32_t range,
                                  struct diag_loc loc);
/* Find what a NAME operand stands for, declaring members of ranges as they are met.  False after reporting. */
bool ptx_resolve(struct ptx_parse *p, struct ptx_operand *op);
/* A new variable from the declaration being read; its index in module.symbols or PTX_NO_INDEX. */
uint32_t ptx_symbol_new(struct ptx_parse *p, const struct ptx_decl *d, const char *name);

bool ptx_labels_init(struct ptx_parse *p);
void ptx_labels_free(struct ptx_parse *p);
void ptx_labels_start(struct ptx_parse *p);
void ptx_labels_open(struct ptx_parse *p);
void ptx_labels_close(struct ptx_parse *p);
void ptx_label_written(struct ptx_parse *p, struct ptx_text name, struct diag_loc loc);
/* Labels written just before become places in the code. */
void ptx_labels_place(struct ptx_parse *p);
/* The label written just before names a table or a prototype instead; false after reporting. */
bool ptx_label_define(struct ptx_parse *p, enum ptx_label_kind kind, uint32_t index, struct ptx_signature *sig,
                      struct diag_loc loc, const char *what);
uint32_t ptx_label_refer(struct ptx_parse *p, struct ptx_text name, struct diag_loc loc);
struct ptx_label *ptx_label_find(struct ptx_parse *p, struct ptx_text name);

/* --- header and directives (header.c, directives.c, tables.c) ------------------------------- */
void ptx_version(struct ptx_parse *p, struct ptx_text text, struct diag_loc loc);
void ptx_target_begin(struct ptx_parse *p, struct diag_loc loc);
void ptx_target_word(struct ptx_parse *p, struct ptx_text word, struct diag_loc loc);
void ptx_address_size(struct ptx_parse *p, struct ptx_text text, struct diag_loc loc);
/* Something that must follow the header begins; false after a fatal error. */
bool ptx_item_begins(struct ptx_parse *p, struct diag_loc loc);
void ptx_module_end(struct ptx_parse *p, struct diag_loc loc);
/* `folder` is given by newer debug formats only. */
void ptx_file(struct ptx_parse *p, struct ptx_text number, struct ptx_text folder, struct ptx_text name,
              struct diag_loc loc);
void ptx_loc(struct ptx_parse *p, struct ptx_text file, struct ptx_text line, struct ptx_text column,
             struct diag_loc loc);
void ptx_loc_inlined(struct ptx_parse *p, struct ptx_text function_name, struct ptx_text inlined_at,
                     struct ptx_text file, struct ptx_text line, struct ptx_text column, struct diag_loc loc);
void ptx_files_end(struct ptx_parse *p);
void ptx_pragma(struct ptx_parse *p, struct ptx_text text, struct diag_loc loc);
void ptx_section_value(struct ptx_parse *p, struct ptx_operand *op);
void ptx_section_item(struct ptx_parse *p, struct ptx_text width, struct diag_loc loc);
void ptx_section_begin(struct ptx_parse *p, struct diag_loc loc);
void ptx_branch_targets(struct ptx_parse *p, const struct ptx_list *list, struct diag_loc loc);
void ptx_call_targets(struct ptx_parse *p, const struct ptx_list *list, struct diag_loc loc);

/* --- declarations (decl.c, init.c) ---------------------------------------------------------- */
void ptx_decl_begin(struct ptx_parse *p, struct diag_loc loc);
void ptx_decl_linkage(struct ptx_parse *p, struct ptx_text word, struct diag_loc loc);
void ptx_decl_space(struct ptx_parse *p, struct ptx_text word, struct diag_loc loc);
void ptx_decl_bank(struct ptx_parse *p, struct ptx_text number, struct diag_loc loc);
void ptx_decl_word(struct ptx_parse *p, struct ptx_text word, struct diag_loc loc);
void ptx_decl_align(struct ptx_parse *p, struct ptx_text number, struct diag_loc loc);
void ptx_decl_attribute(struct ptx_parse *p, struct ptx_text word, struct diag_loc loc);
void ptx_decl_head_done(struct ptx_parse *p, struct diag_loc loc);
void ptx_decl_name(struct ptx_parse *p, struct ptx_text name, struct diag_loc loc);
void ptx_decl_range(struct ptx_parse *p, struct ptx_text number, struct diag_loc loc);
void ptx_decl_dim(struct ptx_parse *p, struct ptx_text number, struct diag_loc loc);
void ptx_decl_variable(struct ptx_parse *p);
bool ptx_type_of_word(struct ptx_text word, enum ir_type *type);
uint64_t ptx_decl_bytes(const struct ptx_decl *d, bool *overflow);
enum ir_space ptx_ir_space(enum ptx_space s);

void ptx_init_begin(struct ptx_parse *p, struct diag_loc loc);
void ptx_init_open(struct ptx_parse *p, struct diag_loc loc);
void ptx_init_close(struct ptx_parse *p, struct diag_loc loc);
void ptx_init_value(struct ptx_parse *p, struct ptx_operand *op);
void ptx_init_field(struct ptx_parse *p, struct ptx_text name, struct diag_loc loc);
void ptx_init_store(struct ptx_parse *p, struct ir_symbol *sym);

/* --- functions (func.c, limits.c, signature.c) ---------------------------------------------- */
void ptx_func_begin(struct ptx_parse *p, bool is_entry, struct diag_loc loc);
void ptx_func_lists(struct ptx_parse *p, bool rets);
void ptx_func_param(struct ptx_parse *p);
void ptx_func_name(struct ptx_parse *p, struct ptx_text name, struct diag_loc loc);
void ptx_func_limit(struct ptx_parse *p, struct ptx_text word, const struct ptx_list *numbers, struct diag_loc loc);
void ptx_func_limits_check(struct ptx_parse *p);
void ptx_func_declared(struct ptx_parse *p, struct diag_loc loc);
void ptx_func_body(struct ptx_parse *p, struct diag_loc open);
void ptx_func_end(struct ptx_parse *p, struct diag_loc close);
void ptx_block_open(struct ptx_parse *p, struct diag_loc loc);
void ptx_block_close(struct ptx_parse *p, struct diag_loc loc);
void ptx_alias(struct ptx_parse *p, struct ptx_text name, struct diag_loc loc, struct ptx_text of,
               struct diag_loc of_loc);
void ptx_proto_begin(struct ptx_parse *p, struct diag_loc loc);
void ptx_proto_end(struct ptx_parse *p, struct diag_loc loc);
struct ptx_func_note *ptx_func_note(struct ptx_parse *p, uint32_t func);
/* A FUNC operand stands for the function's address. */
void ptx_function_addressed(struct ptx_parse *p, const struct ptx_operand *op);
/* The first difference in words, or NULL when they agree. */
const char *ptx_signature_differs(const struct ptx_signature *a, const struct ptx_signature *b);
bool ptx_signature_copy(struct ptx_parse *p, struct ptx_signature *to);

/* --- the end of a module (externals.c) ------------------------------------------------------- */
void ptx_externals_end(struct ptx_parse *p);
extern const char ptx_read_separately[]; /* a hint for text that is no whole program */

/* --- instructions (inst.c, opcode.c, check_*.c, calls.c) ------------------------------------ */
void ptx_inst_begin(struct ptx_parse *p);
void ptx_inst_guard(struct ptx_parse *p, bool negated, struct ptx_text name, struct diag_loc loc);
void ptx_inst_word(struct ptx_parse *p, struct ptx_text word, struct diag_loc loc);
void ptx_inst_done(struct ptx_parse *p, struct ptx_text mnemonic, struct diag_loc loc, const struct ptx_list *operands);
bool ptx_is_mnemonic(struct ptx_parse *p, struct ptx_text word);
void ptx_statement_done(struct ptx_parse *p);

#endif
