/* Can code of a file be entered by exceptions? */
#ifndef SYMBOL_THROWS_H
#define SYMBOL_THROWS_H

#include <stdbool.h>

#include "symbol/elf_image.h"

/*
 * Does it have, or import, what goes on with an exception behind a landing pad (Itanium C++ ABI, level 1 and 2; EHABI)?
 * True also where no dynamic symbols tell: the runtime may be linked in.
 */
bool elf_image_may_throw(struct elf_image *image);

#endif
