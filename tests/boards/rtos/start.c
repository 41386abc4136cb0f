/* SPDX-License-Identifier: MIT */
/* What a Cortex-M begins with: its vectors, and from reset to main. */
#include <stdint.h>

extern uint32_t _data[], _data_end[], _data_load[], _bss[], _bss_end[], __StackTop[];

int main(void);
void PendSV_Handler(void);
void SysTick_Handler(void);

void Reset_Handler(void)
{
    for (uint32_t *to = _data, *from = _data_load; to < _data_end;)
        *to++ = *from++;
    for (volatile uint32_t *to = _bss; to < _bss_end;)
        *to++ = 0;
    main();
    for (;;)
        ;
}

void Fault_Handler(void)
{
    for (;;)
        ;
}

__attribute__((section(".vectors"), used)) static const void *const vectors[16] = {
    __StackTop,
    (void *)Reset_Handler,
    (void *)Fault_Handler,
    (void *)Fault_Handler,
    (void *)Fault_Handler,
    (void *)Fault_Handler,
    (void *)Fault_Handler,
    [11] = (void *)Fault_Handler,
    [14] = (void *)PendSV_Handler,
    [15] = (void *)SysTick_Handler,
};
