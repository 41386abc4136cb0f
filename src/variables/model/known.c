/* SPDX-License-Identifier: MIT */
#include "variables/model/known.h"

#include <stdio.h>

const char *known_state_name(enum known_state state)
{
    switch (state) {
    case KNOWN:
        return "known";
    case OPTIMIZED_OUT:
        return "optimized-out";
    case NOT_CAPTURED:
        return "not-captured";
    case UNAVAILABLE:
        return "unavailable";
    }
    return "unavailable";
}

const char *known_text(struct known_how known, char text[KNOWN_TEXT_MAX])
{
    switch (known.state) {
    case KNOWN:
        return "";
    case OPTIMIZED_OUT:
        return "<optimized out>";
    case NOT_CAPTURED:
        return "<not captured>";
    case UNAVAILABLE:
        break;
    }
    if (!known.why)
        return "<unavailable>";
    snprintf(text, KNOWN_TEXT_MAX, "<unavailable: %s>", known.why);
    return text;
}
