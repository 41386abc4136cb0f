/* SPDX-License-Identifier: MIT */
/*
 * What a capture may cost its target: of the time that passes or, if that is more, of the CPU time
 * that the target uses, a part at most. It costs the time for which threads are held that would
 * run, and our own CPU time, which is theirs where CPUs are contended. And as much again where no
 * CPU is idle: there we run where they would, and what they had in its caches is gone (decision
 * 28). More than that, and rounds are further apart.
 *
 * What a round costs is measured first, while rounds are rare; then one period is kept, and changed
 * only when the load has (decision 49):
 *
 *     rounds  |   |   |   |        |        |       |    |    |    |    |    |    |    |    |
 *             begin   probed: cheap enough?         measured: the period that is kept
 *
 * Internal to capture/.
 */
#ifndef CAPTURE_BUDGET_H
#define CAPTURE_BUDGET_H

#include <stdbool.h>
#include <stdint.h>

/* Percent times this. */
#define BUDGET_UNIT 1000u
/* No limit. */
#define BUDGET_ALL (100u * BUDGET_UNIT)

/* Nanoseconds since some moment, the same for all. */
enum budget_kind {
    BUDGET_WALL,        /* that passed */
    BUDGET_TARGET,      /* CPU time of the target's, of all its processes */
    BUDGET_SPENT,       /* its threads were held, or we used a CPU: the pump, too */
    BUDGET_IDLE,        /* for which CPUs of this machine were idle, all together */
    BUDGET_SIGNAL_TIME, /* its threads were held, or we used a CPU, for signals, not for rounds */
    BUDGET_SIGNALS,     /* not a time: how many those were */
    BUDGET_KINDS
};

struct budget_use {
    double of[BUDGET_KINDS];
};

enum budget_state {
    BUDGET_BEGUN,    /* what the first round costs, which copies all, is not looked at */
    BUDGET_PROBED,   /* some rounds tell whether they are cheap, whatever the machine does */
    BUDGET_MEASURED, /* more of them tell what they cost */
    BUDGET_KEPT,     /* the period is one that is kept */
};

struct budget {
    uint32_t limit;   /* BUDGET_UNIT to a percent; BUDGET_ALL: there is none */
    double period_ns; /* how far apart rounds are to be, */
    double asked_ns;  /* at least, */
    enum budget_state state;
    bool exceeded; /* and were for longer than at first, as it would have cost too much */
    /*
     * Ever: signals were many, and have cost more than an eighth of what is permitted. Something is
     * to be done about it, and rounds are measured anew.
     */
    bool signals_exceed;

    struct budget_use since; /* when the window that is looked at began; */
    uint32_t rounds;         /* how many have begun since; */
    double spent_ns;         /* what was spent when the last of them did; */
    double inverse;          /* the sum of 1 / nanoseconds that each took */
    double permitted;        /* of the time that passes, as it was last */
    double changed_ns;       /* when the period was changed last */
    uint32_t dear, cheap;    /* so many windows in a row cost too much, or little; */
    double cheap_ns;         /* all of these permit this period; */
    double needed_ns;        /* and the last window this one */
};

void budget_init(struct budget *budget, uint32_t limit, double period_ns);

/* From `from` to `to` nothing was captured: that time, and what it cost, is not checked. */
void budget_skip(struct budget *budget, const struct budget_use *from, const struct budget_use *to);

/*
 * A round is about to begin, and so much is spent. True: it is time to check. Not where there is no
 * limit.
 */
bool budget_begin_round(struct budget *budget, double wall_ns, double spent_ns);

/* How far apart are rounds to be from now on? */
void budget_check(struct budget *budget, const struct budget_use *now);

#endif
