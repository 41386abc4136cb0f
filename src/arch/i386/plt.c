/* SPDX-License-Identifier: MIT */
#include "arch/analysis/plt.h"

#include "arch/x86/plt.h"

bool plt_i386_decode(const struct plt_code *code, struct plt_stub *out)
{
    return x86_plt_decode(code, 4, out);
}
