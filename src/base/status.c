/* SPDX-License-Identifier: MIT */
#include "base/status.h"

const char *status_name(enum status status)
{
    switch (status) {
    case STATUS_OK:
        return "ok";
    case STATUS_END:
        return "end of input";
    case STATUS_NOT_FOUND:
        return "not found";
    case STATUS_FAULT:
        return "memory not available";
    case STATUS_UNSUPPORTED:
        return "not supported";
    case STATUS_BAD_DATA:
        return "malformed data";
    case STATUS_NO_MEMORY:
        return "out of memory";
    case STATUS_BUSY:
        return "busy";
    case STATUS_IO:
        return "input/output error";
    }
    return "unknown status";
}
