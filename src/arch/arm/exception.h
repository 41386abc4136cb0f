/* SPDX-License-Identifier: MIT */
/* Describes the exceptions of ARM's M-profile, for struct arch_analysis. */
#ifndef ARCH_ARM_EXCEPTION_H
#define ARCH_ARM_EXCEPTION_H

#include "arch/analysis/exception.h"

extern const struct exception_arch arm_exception;

/* Implements exception_arch.fault for ARM's M-profile. */
bool arm_fault(const struct snap_system *system, uint32_t count, uint64_t active, char *text,
               size_t text_size);
/* Implements exception_arch.name for ARM's M-profile. */
void arm_exception_name(unsigned number, char *text, size_t text_size);

/* Exception numbers of faults (ARMv8-M ARM, B3.9). */
enum arm_exception_number {
    ARM_HARD_FAULT = 3,
    ARM_MEM_MANAGE = 4,
    ARM_BUS_FAULT = 5,
    ARM_USAGE_FAULT = 6,
    ARM_SECURE_FAULT = 7,
};

#endif
