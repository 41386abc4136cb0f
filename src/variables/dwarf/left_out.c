/* SPDX-License-Identifier: MIT */
#include "variables/dwarf/serve.h"

#include <unistd.h>

#include "variables/dwarf/pipes.h"

bool serve_is_possible(struct diag *why)
{
    diag_set(why, NULL, "variables cannot be told: cgunwind was built without libdwarf");
    diag_hint(why, "build it with -DCG_VARIABLES=ON");
    return false;
}

void serve_questions(void *from_parent, const struct child *parent, int in, int out)
{
    (void)from_parent, (void)parent, (void)in, (void)out;
    _exit(CHILD_EXIT_CONFUSED);
}
