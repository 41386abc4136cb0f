/* SPDX-License-Identifier: MIT */
#include "arch/arm/case_helper.h"

#include <string.h>

#include "arch/arm/insn.h"

struct case_helper {
    uint8_t entry_size; /* bytes, of the table's entries */
    bool is_signed;
    uint8_t size; /* bytes of code */
    const char *code;
};

/* push {r1}; mov r1, lr; lsrs r1, #1; lsls r1, #1 */
#define BYTES_BEGIN "\x02\xb4\x71\x46\x49\x08\x49\x00"
/* push {r0, r1}; mov r1, lr; lsrs r1, #1; lsls r0, #1; lsls r1, #1 */
#define HALVES_BEGIN "\x03\xb4\x71\x46\x49\x08\x40\x00\x49\x00"
/* lsls r1, #1; add lr, r1 */
#define END "\x49\x00\x8e\x44"

static const struct case_helper helpers[] = {
    {1, true, 14, BYTES_BEGIN "\x09\x56" END},   /* ldrsb r1, [r1, r0] */
    {1, false, 14, BYTES_BEGIN "\x09\x5c" END},  /* ldrb r1, [r1, r0] */
    {2, true, 16, HALVES_BEGIN "\x09\x5e" END},  /* ldrsh r1, [r1, r0] */
    {2, false, 16, HALVES_BEGIN "\x09\x5a" END}, /* ldrh r1, [r1, r0] */
    /* push {r0, r1}; mov r1, lr; adds r1, #2; lsrs r1, #2; lsls r0, #2; lsls r1, #2;
       ldr r0, [r1, r0]; adds r0, r0, r1; mov lr, r0 */
    {4, false, 18, "\x03\xb4\x71\x46\x02\x31\x89\x08\x80\x00\x89\x00\x08\x58\x40\x18\x86\x46"},
};

static const struct case_helper *helper_at(const uint8_t *bytes, uint64_t size)
{
    for (unsigned i = 0; i < sizeof(helpers) / sizeof(helpers[0]); i++)
        if (size >= helpers[i].size && memcmp(bytes, helpers[i].code, helpers[i].size) == 0)
            return &helpers[i];
    return NULL;
}

void arm_table_call(const uint8_t *bytes, uint64_t size, struct insn *call)
{
    const struct case_helper *helper = helper_at(bytes, size);
    uint64_t table_vaddr = call->vaddr + call->size;
    struct op *op;

    if (!helper)
        return;
    if (helper->entry_size == 4)
        table_vaddr = (table_vaddr + 3) & ~UINT64_C(3);
    call->op_count = 0;
    arm_op_clobber(call, 1u << ARM_LR);
    arm_op_const(call, REG_TEMP2, table_vaddr);
    op = insn_push_op(call, OP_ELEMENT);
    op->dst = REG_TEMP;
    op->src = REG_NONE;
    op->imm = (int64_t)table_vaddr;
    op->size = helper->entry_size;
    op->shift = helper->is_signed;
    arm_op_add_reg(call, ARM_PC, REG_TEMP2, REG_TEMP, helper->entry_size == 4 ? 0 : 1);
    call->has_target = false;
    call->target_vaddr = 0;
    arm_jump_register(call, ARM_PC);
}
