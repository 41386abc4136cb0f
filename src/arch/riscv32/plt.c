/* SPDX-License-Identifier: MIT */
#include "arch/analysis/plt.h"

#include "arch/riscv/plt.h"

bool plt_riscv32_decode(const struct plt_code *code, struct plt_stub *out)
{
    return riscv_plt_decode(code, 4, out);
}
