/*
 * Functions written by hand, as compilers do not write them: hand_arm.S, hand_a64.S.
 *
 * chain: hand_leaf_1 < hand_plain < main < ..
 * chain: hand_leaf_2 < hand_single < main < ..
 * chain: hand_leaf_3 < hand_kept < main < ..
 * chain: hand_leaf_4 < hand_big < main < ..
 * chain: hand_leaf_5 < hand_cond < main < ..
 * chain: hand_leaf_6 < hand_arguments < main < ..
 * chain: hand_leaf_7 < hand_other_register < main < ..
 * chain: hand_leaf_9 < hand_lent < main < ..
 * chain: hand_leaf_10 < hand_far < main < ..
 * chain: hand_stride < main < ..
 * chain arm: .. < hand_special < main < ..
 * chain a64: hand_leaf_8 < hand_special < main < ..
 */
#include "common.h"

void hand_plain(void), hand_single(void), hand_kept(void), hand_big(void), hand_cond(unsigned);
void hand_arguments(unsigned, unsigned, unsigned, unsigned), hand_other_register(void);
void hand_lent(void), hand_far(void), hand_stride(unsigned), hand_special(void);

int main(void)
{
    ready();
    for (unsigned i = 0; running; i++) {
        hand_plain();
        hand_single();
        hand_kept();
        hand_big();
        hand_cond(i & 1);
        hand_arguments(1, 2, 3, 4);
        hand_other_register();
        hand_lent();
        hand_far();
        hand_stride(i % 3);
        hand_special();
    }
}
