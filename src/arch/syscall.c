/* SPDX-License-Identifier: MIT */
#include "arch/syscall.h"

static const struct {
    uint8_t form, flags;
} traits[CALL_COUNT] = {
#define TRAITS(id, name, form, flags) {FORM_##form, flags},
    SYSCALL_LIST(TRAITS)
#undef TRAITS
};

enum syscall syscall_find(const struct syscall_numbers *numbers, int64_t number)
{
    if (number < 0 || number >= NR_NONE - 1)
        return CALL_COUNT;
    for (unsigned i = 0; i < CALL_COUNT; i++)
        if (numbers->of[i] == NR(number))
            return (enum syscall)i;
    return CALL_COUNT;
}

enum syscall_form syscall_form(enum syscall call)
{
    return call < CALL_COUNT ? (enum syscall_form)traits[call].form : FORM_NO_OBJECT;
}

unsigned syscall_flags(enum syscall call)
{
    return call < CALL_COUNT ? traits[call].flags : 0;
}
