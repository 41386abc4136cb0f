/* SPDX-License-Identifier: MIT */
/*
 * Outcomes of functions that can fail.
 *
 * NOT_FOUND, FAULT, END, UNSUPPORTED and BUSY are ordinary outcomes that a caller acts on; BAD_DATA
 * and IO come with a filled struct diag where the function takes one.
 */
#ifndef BASE_STATUS_H
#define BASE_STATUS_H

enum status {
    STATUS_OK = 0,
    STATUS_END,         /* end of input or of the stack: nothing more to come, no error */
    STATUS_NOT_FOUND,   /* no such entry */
    STATUS_FAULT,       /* memory that was not captured or is not mapped */
    STATUS_UNSUPPORTED, /* well-formed, but of a kind this program does not handle */
    STATUS_BAD_DATA,    /* malformed input */
    STATUS_NO_MEMORY,
    STATUS_BUSY, /* not possible now, perhaps later: something else uses the resource */
    STATUS_IO,   /* an operating system call failed */
};

#define MUST_CHECK            __attribute__((warn_unused_result))
#define PRINTF_LIKE(fmt, arg) __attribute__((format(printf, fmt, arg)))

/* Returns a short English phrase for `status`, in static storage; never NULL. */
const char *status_name(enum status status);

#endif
