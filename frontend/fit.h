/*
 * Parts of operands.c: one function per kind of operand.  Each says whether the operand fits and, if not, what is
 * wrong.
 */
#ifndef FRONTEND_FIT_H
#define FRONTEND_FIT_H

#include "frontend/opcode.h"

/* Where an operand stands. */
struct ptx_place {
    const struct ptx_operand_pattern *o;
    bool is_first; /* the first operand of the instruction: a destination if it is a register */
};

bool ptx_fit_is_integral(enum ir_type_kind kind);
bool ptx_fit_register(enum ir_type have, enum ir_type want, bool wider);
bool ptx_fit_fault(struct ptx_fault *f, enum ptx_fault_kind kind, const struct ptx_operand *op);
bool ptx_fit_type_fault(struct ptx_fault *f, enum ptx_fault_kind kind, const struct ptx_operand *op, enum ir_type want);
bool ptx_fit_count_fault(struct ptx_fault *f, const struct ptx_operand *op, uint32_t count);
bool ptx_fit_special(ir_ref ref, enum ir_type type);
bool ptx_fit_value(struct ptx_place at, const struct ptx_operand *op, enum ir_type want, struct ptx_fault *f);
uint32_t ptx_fit_element_count(const struct ptx_candidate *c, const struct ptx_operand_pattern *o);
bool ptx_fit_elements(struct ptx_place at, const struct ptx_operand *op, uint32_t count, enum ir_type want,
                      struct ptx_fault *f);
bool ptx_fit_vector(const struct ptx_candidate *c, struct ptx_place at, const struct ptx_operand *op,
                    struct ptx_fault *f);
bool ptx_fit_pair(const struct ptx_candidate *c, struct ptx_place at, const struct ptx_operand *op,
                  struct ptx_fault *f);
bool ptx_fit_space(enum ir_space said, enum ir_space have);
bool ptx_fit_address(const struct ptx_parse *p, const struct ptx_candidate *c, const struct ptx_operand_pattern *o,
                     const struct ptx_operand *op, unsigned nth, struct ptx_fault *f);
/* A texture, sampler, surface or tensor map: a variable or a 64-bit register. */
bool ptx_fit_handle(const struct ptx_operand *op);
bool ptx_fit_tuple(const struct ptx_operand *op, bool has_sampler, bool has_geometry, uint32_t count,
                   struct ptx_fault *f);
bool ptx_fit_free_vector(const struct ptx_operand *op, struct ptx_fault *f);
bool ptx_fit_needs_sampler(const struct ptx_candidate *c);
uint32_t ptx_fit_coordinate_count(const struct ptx_candidate *c);
bool ptx_fit_constant(const struct ptx_operand_pattern *o, const struct ptx_operand *op, struct ptx_fault *f);
bool ptx_fit_fraction(const struct ptx_operand *op, struct ptx_fault *f);
bool ptx_fit_video(const struct ptx_candidate *c, const struct ptx_operand_pattern *o, const struct ptx_operand *op,
                   struct ptx_fault *f);

#endif
