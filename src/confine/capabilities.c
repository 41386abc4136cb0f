/* SPDX-License-Identifier: MIT */
#include "confine/capabilities.h"

#include <errno.h>
#include <linux/capability.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

static uint32_t bit(unsigned capability)
{
    return UINT32_C(1) << capability % 32;
}

int capabilities_drop(bool keep_reading)
{
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3];
    uint32_t keep_low = bit(CAP_DAC_READ_SEARCH), keep_high = bit(CAP_SYSLOG);

    if (syscall(SYS_capget, &header, data) != 0)
        return errno;
    /* In a container root often has CAP_DAC_OVERRIDE and not CAP_DAC_READ_SEARCH. */
    if (!(data[0].permitted & keep_low))
        keep_low = bit(CAP_DAC_OVERRIDE);
    data[0].permitted &= keep_reading ? keep_low : 0;
    data[1].permitted &= keep_reading ? keep_high : 0;
    for (unsigned i = 0; i < _LINUX_CAPABILITY_U32S_3; i++) {
        data[i].effective &= data[i].permitted;
        data[i].inheritable = 0;
    }
    return syscall(SYS_capset, &header, data) == 0 ? 0 : errno;
}
