/* SPDX-License-Identifier: MIT */
/*
 * Says that a part of a frame is known, or for which of three reasons it is not:
 *
 * <optimized out> the program itself does not have it any more, or nowhere <not captured> it is in
 * memory that the snapshot lacks <unavailable: WHY> the snapshot, the debug information or the
 * unwinding do not suffice
 */
#ifndef VARIABLES_MODEL_KNOWN_H
#define VARIABLES_MODEL_KNOWN_H

#include <stdbool.h>

enum known_state { KNOWN, OPTIMIZED_OUT, NOT_CAPTURED, UNAVAILABLE };

struct known_how {
    enum known_state state;
    const char *why; /* UNAVAILABLE: a few words, static storage; else NULL */
};

#define KNOWN_TEXT_MAX 128

/* Returns the state's name for outputs that programs read: "optimized-out", ...; static storage. */
const char *known_state_name(enum known_state state);

/*
 * Returns the state as people read it, "<optimized out>", ...; "" for KNOWN. The text is static or
 * in `text`.
 */
const char *known_text(struct known_how known, char text[KNOWN_TEXT_MAX]);

static inline struct known_how known_yes(void)
{
    return (struct known_how){.state = KNOWN};
}

static inline struct known_how known_not(enum known_state state)
{
    return (struct known_how){.state = state};
}

static inline struct known_how unavailable(const char *why)
{
    return (struct known_how){.state = UNAVAILABLE, .why = why};
}

static inline bool is_known(struct known_how known)
{
    return known.state == KNOWN;
}

#endif
