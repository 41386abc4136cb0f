/* SPDX-License-Identifier: MIT */
#include "output/refuse_weight.h"

#include "graph/amount.h"

enum status refuse_weight(enum weight_kind weight, enum source_kind kind, bool is_all,
                          const char *what, struct diag *diag)
{
    static const char *const reasons[][WEIGHT_COUNT] = {
        [SOURCE_SNAPSHOT] = {[WEIGHT_WALL] = "each thread was sampled once",
                             [WEIGHT_CPU] = "no thread was found running",
                             [WEIGHT_OFFCPU] = "no thread was found blocked twice"},
        [SOURCE_CORE] = {[WEIGHT_WALL] = "a core is one moment",
                         [WEIGHT_CPU] = "a core is one moment",
                         [WEIGHT_OFFCPU] = "a core is one moment"},
        [SOURCE_PERF] = {[WEIGHT_WALL] = "perf records none",
                         [WEIGHT_CPU] = "perf record -e cpu-clock counts it",
                         [WEIGHT_OFFCPU] = "perf records none"},
        [SOURCE_PROFILE] = {[WEIGHT_SAMPLES] = "the profile has others",
                            [WEIGHT_WALL] = "the profile has others",
                            [WEIGHT_CPU] = "the profile has others",
                            [WEIGHT_OFFCPU] = "the profile has others"},
    };

    if (is_all)
        diag_set(diag, NULL, "%s have no %s (%s)", what, amount_weight_name(weight),
                 reasons[kind][weight]);
    else
        diag_set(diag, NULL, "%s have no %s", what, amount_weight_name(weight));
    diag_hint(diag,
              weight == WEIGHT_SAMPLES ? "try --weight cpu, wall or offcpu%s"
                                       : "try --weight samples%s",
              kind == SOURCE_SNAPSHOT ? ", or a longer capture" : "");
    return STATUS_NOT_FOUND;
}
