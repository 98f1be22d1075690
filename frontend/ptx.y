/*
 * The shape of PTX.  The grammar knows no instruction and no type: words are passed on with their places.  Declarations and
 * initialisers are handed over piece by piece, so nothing larger than one statement is ever held.
 *
 * Errors: parsing resumes after the next ';' (or at the '}' that ends the block), so that several mistakes show in one run.
 */
%require "3.8"
%define api.pure full
%define api.prefix {ptx_yy}
%define api.location.type {struct diag_loc}
%define api.value.type {union ptx_value}
%define parse.error custom
%define lr.default-reduction consistent
%locations
%parse-param {struct ptx_parse *p} {void *scanner}
%lex-param {struct ptx_parse *p} {void *scanner}
%expect 0

%code requires {
#include "frontend/grammar.h"
}

%code provides {
int ptx_yylex(union ptx_value *value, struct diag_loc *loc, void *scanner);
}

%code {
#define YYLLOC_DEFAULT(current, rhs, n)                                                                                \
    ((current) = (n) > 0 ? YYRHSLOC(rhs, 1) : (struct diag_loc){YYRHSLOC(rhs, 0).line, YYRHSLOC(rhs, 0).column, 1})
#define YYMAXDEPTH 10000
#undef yylex
#define yylex next_token
#include <stdio.h>

static int next_token(union ptx_value *value, struct diag_loc *loc, struct ptx_parse *p, void *scanner);

static void ptx_yyerror(struct diag_loc *loc, struct ptx_parse *p, void *scanner, const char *message);
}

%token <text> WORD "name" DOTTED "modifier" NUMBER "number" STRING "string"
%token <text> SPACE "state space" LINKAGE "linkage" D_LIMIT "directive"
%token <text> D_ALIAS ".alias"
%token D_ADDRESS_SIZE ".address_size" D_ALIGN ".align" D_ATTRIBUTE ".attribute"
%token D_BRANCHTARGETS ".branchtargets" D_CALLPROTOTYPE ".callprototype" D_CALLTARGETS ".calltargets"
%token D_ENTRY ".entry" D_FILE ".file" D_FUNC ".func" D_LOC ".loc" D_PRAGMA ".pragma"
%token D_SECTION ".section" D_TARGET ".target" D_VERSION ".version"
%token SHL "'<<'" SHR "'>>'" LE "'<='" GE "'>='" EQ "'=='" NE "'!='" LAND "'&&'" LOR "'||'"
%token BAD "unreadable text"

%type <operand> operand expr primary vector address section_value
%type <list> operands operand_list numbers names
%type <text> modifier_word decl_name function_name

%right '?' ':'
%left LOR
%left LAND
%left '|'
%left '^'
%left '&'
%left EQ NE
%left '<' LE '>' GE
%left SHL SHR
%left '+' '-'
%left '*' '/' '%'
%precedence UNARY

%%

module: items                                   { ptx_module_end(p, p->token_loc); }
      ;

items: %empty
     | items item
     ;

item: D_VERSION NUMBER                          { ptx_version(p, $2, @2); }
    | D_TARGET                                  { ptx_target_begin(p, @1); } target_words
    | D_ADDRESS_SIZE NUMBER                     { ptx_address_size(p, $2, @2); }
    | linkages variable ';'                     { ptx_statement_done(p); }
    | linkages function                         { ptx_statement_done(p); }
    | D_ALIAS WORD ',' WORD ';'                 { ptx_alias(p, $2, @2, $4, @4); }
    | D_FILE NUMBER STRING file_rest            { ptx_file(p, $2, (struct ptx_text){NULL, 0}, $3, @1); }
    | D_FILE NUMBER STRING STRING file_rest     { ptx_file(p, $2, $3, $4, @1); }
    | D_SECTION                                 { ptx_section_begin(p, @1); }
      section_name '{' section_items '}'        { ptx_statement_done(p); }
    | D_PRAGMA pragmas ';'
    | error ';'                                 { yyerrok; ptx_statement_done(p); }
    | error '}'                                 { yyerrok; ptx_statement_done(p); }
    ;

pragmas: STRING                                 { ptx_pragma(p, $1, @1); }
       | pragmas ',' STRING                     { ptx_pragma(p, $3, @3); }
       ;

target_words: WORD                              { ptx_target_word(p, $1, @1); }
            | target_words ',' WORD             { ptx_target_word(p, $3, @3); }
            ;

file_rest: %empty
         | ',' NUMBER ',' NUMBER
         ;

/* --- declarations of variables and registers --- */

linkages: %empty                                { ptx_decl_begin(p, p->token_loc); }
        | linkages LINKAGE                      { ptx_decl_linkage(p, $2, @2); }
        ;

variable: var_head declarators
        ;

var_head: var_space qualifiers                  { ptx_decl_head_done(p, @1); }
        ;

var_space: SPACE                                { ptx_decl_space(p, $1, @1); }
         | SPACE '[' NUMBER ']'                 { ptx_decl_space(p, $1, @1); ptx_decl_bank(p, $3, @3); }
         ;

qualifiers: %empty
          | qualifiers DOTTED                   { ptx_decl_word(p, $2, @2); }
          | qualifiers SPACE                    { ptx_decl_word(p, $2, @2); }
          | qualifiers D_ALIGN NUMBER           { ptx_decl_align(p, $3, @3); }
          | qualifiers D_ATTRIBUTE '(' attributes ')'
          ;

attributes: attribute
          | attributes ',' attribute
          ;

attribute: DOTTED                               { ptx_decl_attribute(p, $1, @1); }
         | DOTTED '(' NUMBER ',' NUMBER ')'     { ptx_decl_attribute(p, $1, @1); }
         ;

declarators: %empty
           | declarator_list
           ;

declarator_list: declarator
               | declarator_list ',' declarator
               ;

declarator: declared_name initialiser           { ptx_decl_variable(p); }
          ;

declared_name: decl_name                        { ptx_decl_name(p, $1, @1); } name_range dims
             ;

decl_name: WORD
         | '_'                                  { $$ = (struct ptx_text){"_", 1}; }
         ;

name_range: %empty
          | '<' NUMBER '>'                      { ptx_decl_range(p, $2, @2); }
          ;

dims: %empty
    | dims '[' NUMBER ']'                       { ptx_decl_dim(p, $3, @3); }
    | dims '[' WORD ']'                         { ptx_decl_dim(p, $3, @3); }
    | dims '[' ']'                              { ptx_decl_dim(p, (struct ptx_text){NULL, 0}, @2); }
    ;

initialiser: %empty
           | '='                                { ptx_init_begin(p, @1); } init_value
           ;

init_value: expr                                { ptx_init_value(p, $1); }
          | '{'                                 { ptx_init_open(p, @1); }
            init_list '}'                       { ptx_init_close(p, @4); }
          ;

init_list: %empty
         | init_values
         ;

init_values: init_item
           | init_values ',' init_item
           ;

init_item: init_value
         | WORD '=' init_field                  { ptx_init_field(p, $1, @1); }
         ;

init_field: WORD
          | NUMBER
          ;

/* --- functions --- */

function: function_head limits ';'              { ptx_func_declared(p, @3); }
        | function_head limits body
        ;

body: '{'                                       { ptx_func_body(p, @1); }
      block_end                                 { ptx_func_end(p, @3); }
    ;

block_end: statements '}'
         | statements error '}'                 { yyerrok; }
         ;

function_head: D_ENTRY                          { ptx_func_begin(p, true, @1); }
               results function_name            { ptx_func_name(p, $4, @4); }
               parameters
             | D_FUNC                           { ptx_func_begin(p, false, @1); }
               func_attribute results function_name { ptx_func_name(p, $5, @5); }
               parameters
             ;

func_attribute: %empty
              | D_ATTRIBUTE '(' attributes ')'
              ;

function_name: WORD
             ;

results: %empty
       | '('                                    { ptx_func_lists(p, true); } param_list ')' { ptx_func_lists(p, false); }
       ;

parameters: %empty
          | '(' param_list ')'
          ;

param_list: %empty
          | param_items
          ;

param_items: parameter
           | param_items ',' parameter
           ;

parameter: param_start var_head declared_name initialiser { ptx_func_param(p); }
         ;

param_start: %empty                             { ptx_decl_begin(p, p->token_loc); }
           ;

limits: %empty
      | limits D_LIMIT                          { ptx_func_limit(p, $2, NULL, @2); }
      | limits D_LIMIT numbers                  { ptx_func_limit(p, $2, $3, @2); }
      | limits D_PRAGMA pragmas ';'
      ;

numbers: NUMBER                                 { $$ = ptx_list_add(p, ptx_list_new(p, @1), ptx_number(p, $1, @1)); }
       | numbers ',' NUMBER                     { $$ = ptx_list_add(p, $1, ptx_number(p, $3, @3)); }
       ;

/* --- statements --- */

statements: %empty
          | statements statement                { ptx_statement_done(p); }
          ;

statement: WORD ':'                             { ptx_label_written(p, $1, @1); }
         | instruction ';'
         | local_linkages variable ';'
         | '{'                                  { ptx_block_open(p, @1); }
           block_end                            { ptx_block_close(p, @3); }
         | location
         | D_PRAGMA pragmas ';'
         | D_BRANCHTARGETS names ';'            { ptx_branch_targets(p, $2, @1); }
         | D_CALLTARGETS names ';'              { ptx_call_targets(p, $2, @1); }
         | D_CALLPROTOTYPE                      { ptx_proto_begin(p, @1); }
           results '_' parameters limits ';'    { ptx_proto_end(p, @1); }
         | error ';'                            { yyerrok; }
         ;

local_linkages: %empty                          { ptx_decl_begin(p, p->token_loc); }
              | local_linkages LINKAGE          { ptx_decl_linkage(p, $2, @2); }
              ;

location: D_LOC NUMBER NUMBER NUMBER            { ptx_loc(p, $2, $3, $4, @1); }
        | location ',' WORD WORD ',' WORD NUMBER NUMBER NUMBER
                                                { ptx_loc_inlined(p, $3, $6, $7, $8, $9, @1); }
        | location ',' WORD WORD '+' NUMBER ',' WORD NUMBER NUMBER NUMBER
                                                { ptx_loc_inlined(p, $3, $8, $9, $10, $11, @1); }
        ;

names: WORD                                     { $$ = ptx_list_add(p, ptx_list_new(p, @1), ptx_name_operand(p, $1, @1)); }
     | WORD '<' NUMBER '>'                      {
                                                    struct ptx_operand *op = ptx_name_operand(p, $1, @1);
                                                    uint64_t n = 0;

                                                    if (op != NULL && ptx_plain_number(p, $3, @3, "count of names", &n)) {
                                                        op->bits = n;
                                                    }
                                                    $$ = ptx_list_add(p, ptx_list_new(p, @1), op);
                                                }
     | names ',' WORD                           { $$ = ptx_list_add(p, $1, ptx_name_operand(p, $3, @3)); }
     ;

instruction: WORD modifiers operands            { ptx_inst_done(p, $1, @1, $3); }
           | '@' guard_name WORD modifiers operands { ptx_inst_done(p, $3, @3, $5); }
           ;

guard_name: WORD                                { ptx_inst_guard(p, false, $1, @1); }
          | '!' WORD                            { ptx_inst_guard(p, true, $2, @2); }
          ;

modifiers: %empty
         | modifiers modifier_word              { ptx_inst_word(p, $2, @2); }
         ;

modifier_word: DOTTED
             | SPACE
             | LINKAGE
             | D_ALIAS
             ;

operands: %empty                                { $$ = NULL; }
        | operand_list
        ;

operand_list: operand                           { $$ = ptx_list_add(p, ptx_list_new(p, @1), $1); }
            | operand_list ',' operand          { $$ = ptx_list_add(p, $1, $3); }
            ;

operand: expr
       | vector
       | vector '|' expr                        { $$ = ptx_paired(p, $1, $3, @2); }
       | address
       | address DOTTED                         { $$ = ptx_selected(p, $1, $2, @2); }
       | '(' ')'                                { $$ = ptx_operand_list(p, PTX_OPND_LIST, NULL, @1); }
       | '(' operand ',' operand_list ')'       {
                                                    struct ptx_list *list = ptx_list_add(p, ptx_list_new(p, @1), $2);

                                                    for (uint32_t i = 0; $4 != NULL && i < $4->count; i++) {
                                                        list = ptx_list_add(p, list, $4->items[i]);
                                                    }
                                                    $$ = ptx_operand_list(p, PTX_OPND_LIST, list, @1);
                                                }
       | '(' vector ')'                         {
                                                    $$ = ptx_operand_list(p, PTX_OPND_LIST,
                                                                          ptx_list_add(p, ptx_list_new(p, @2), $2), @1);
                                                }
       ;

vector: '{' operand_list '}'                    { $$ = ptx_operand_list(p, PTX_OPND_VECTOR, $2, @1); }
      | '{' '}'                                 { $$ = NULL; ptx_error(p, @1, "a vector needs elements"); }
      ;

address: '[' operand_list ']'                   { $$ = ptx_address(p, $2, @1); }
       ;

expr: primary
    | '-' expr %prec UNARY                      { $$ = ptx_unary(p, PTX_EXPR_NEG, $2, @1); }
    | '+' expr %prec UNARY                      { $$ = ptx_unary(p, PTX_EXPR_PLUS, $2, @1); }
    | '!' expr %prec UNARY                      { $$ = ptx_unary(p, PTX_EXPR_NOT, $2, @1); }
    | '~' expr %prec UNARY                      { $$ = ptx_unary(p, PTX_EXPR_COMPLEMENT, $2, @1); }
    | '(' DOTTED ')' expr %prec UNARY           { $$ = ptx_cast(p, $2, @2, $4); }
    | expr '*' expr                             { $$ = ptx_binary(p, PTX_EXPR_MUL, $1, $3, @2); }
    | expr '/' expr                             { $$ = ptx_binary(p, PTX_EXPR_DIV, $1, $3, @2); }
    | expr '%' expr                             { $$ = ptx_binary(p, PTX_EXPR_REM, $1, $3, @2); }
    | expr '+' expr                             { $$ = ptx_binary(p, PTX_EXPR_ADD, $1, $3, @2); }
    | expr '-' expr                             { $$ = ptx_binary(p, PTX_EXPR_SUB, $1, $3, @2); }
    | expr SHL expr                             { $$ = ptx_binary(p, PTX_EXPR_SHL, $1, $3, @2); }
    | expr SHR expr                             { $$ = ptx_binary(p, PTX_EXPR_SHR, $1, $3, @2); }
    | expr '<' expr                             { $$ = ptx_binary(p, PTX_EXPR_LT, $1, $3, @2); }
    | expr LE expr                              { $$ = ptx_binary(p, PTX_EXPR_LE, $1, $3, @2); }
    | expr '>' expr                             { $$ = ptx_binary(p, PTX_EXPR_GT, $1, $3, @2); }
    | expr GE expr                              { $$ = ptx_binary(p, PTX_EXPR_GE, $1, $3, @2); }
    | expr EQ expr                              { $$ = ptx_binary(p, PTX_EXPR_EQ, $1, $3, @2); }
    | expr NE expr                              { $$ = ptx_binary(p, PTX_EXPR_NE, $1, $3, @2); }
    | expr '&' expr                             { $$ = ptx_binary(p, PTX_EXPR_AND, $1, $3, @2); }
    | expr '^' expr                             { $$ = ptx_binary(p, PTX_EXPR_XOR, $1, $3, @2); }
    | expr '|' expr                             { $$ = ptx_paired(p, $1, $3, @2); }
    | expr LAND expr                            { $$ = ptx_binary(p, PTX_EXPR_LAND, $1, $3, @2); }
    | expr LOR expr                             { $$ = ptx_binary(p, PTX_EXPR_LOR, $1, $3, @2); }
    | expr '?' expr ':' expr                    { $$ = ptx_conditional(p, $1, $3, $5); }
    ;

primary: NUMBER                                 { $$ = ptx_number(p, $1, @1); }
       | '_'                                    { $$ = ptx_operand_new(p, PTX_OPND_SINK, @1); }
       | WORD                                   { $$ = ptx_name_operand(p, $1, @1); }
       | WORD DOTTED                            { $$ = ptx_selected(p, ptx_name_operand(p, $1, @1), $2, @2); }
       | WORD '(' expr ')'                      { $$ = ptx_applied(p, $1, @1, $3); }
       | NUMBER '(' expr ')'                    { $$ = ptx_masked(p, ptx_number(p, $1, @1), $3); }
       | WORD '[' expr ']'                      { $$ = ptx_subscript(p, ptx_name_operand(p, $1, @1), $3, @2); }
       | '(' expr ')'                           {
                                                    $$ = $2;
                                                    if ($$ != NULL && $$->kind == PTX_OPND_NAME) {
                                                        $$ = ptx_operand_list(p, PTX_OPND_LIST,
                                                                              ptx_list_add(p, ptx_list_new(p, @1), $2), @1);
                                                    } else if ($$ != NULL) {
                                                        $$->parenthesised = true;
                                                    }
                                                }
       ;

/* --- debug sections --- */

section_name: WORD
            | DOTTED
            ;

section_items: %empty
             | section_items section_item
             ;

section_item: WORD ':'
            | section_width section_values
            | section_width error '}'           { yyerrok; YYABORT; }
            ;

section_width: DOTTED                           { ptx_section_item(p, $1, @1); }
             ;

section_values: section_value                   { ptx_section_value(p, $1); }
              | section_values ',' section_value { ptx_section_value(p, $3); }
              ;

section_value: NUMBER                           { $$ = ptx_number(p, $1, @1); }
             | '-' NUMBER                       { $$ = ptx_unary(p, PTX_EXPR_NEG, ptx_number(p, $2, @2), @1); }
             | section_label                    { $$ = NULL; }
             ;

section_label: WORD
             | WORD '+' NUMBER
             | WORD '-' WORD
             | DOTTED
             | DOTTED '+' NUMBER
             ;

%%

#include "frontend/syntax_errors.inc"
