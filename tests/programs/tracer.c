/* SPDX-License-Identifier: MIT */
/*
 * What -finstrument-functions calls, for traces.py: writes E and X lines to the file $TRACE, or
 * pairs of callee and call site when PAIRS is defined.
 */
#include <stdio.h>
#include <stdlib.h>

#define APART __attribute__((no_instrument_function))

static FILE *trace;

APART void __cyg_profile_func_enter(void *callee, void *site);
APART void __cyg_profile_func_exit(void *callee, void *site);

static APART __attribute__((constructor)) void begin(void)
{
    trace = fopen(getenv("TRACE"), "w");
    if (!trace)
        abort();
}

void __cyg_profile_func_enter(void *callee, void *site)
{
#ifdef PAIRS
    fprintf(trace, "%p %p\n", callee, site);
#else
    (void)site;
    fprintf(trace, "E%p\n", callee);
#endif
}

void __cyg_profile_func_exit(void *callee, void *site)
{
    (void)site;
#ifdef PAIRS
    (void)callee;
#else
    fprintf(trace, "X%p\n", callee);
#endif
}
