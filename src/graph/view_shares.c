/* SPDX-License-Identifier: MIT */
/* Compares weights of a view, and says what its shares are of. */
#include "graph/view.h"

#include <stdio.h>

#include "graph/amount.h"

/* Writes "12 of 34 shown (35.29%)", or "34" if all are. */
static void put_total(char *buffer, size_t size, const struct view *view, uint64_t shown,
                      uint64_t total)
{
    char part[AMOUNT_TEXT_MAX];
    char whole[AMOUNT_TEXT_MAX];
    char share[AMOUNT_TEXT_MAX];

    amount_weight(whole, view->weight, total);
    if (shown == total)
        snprintf(buffer, size, "%s", whole);
    else
        snprintf(buffer, size, "%s of %s shown (%s)", amount_weight(part, view->weight, shown),
                 whole, amount_share(share, shown, total));
}

const char *view_summary(const struct view *view, char buffer[VIEW_SUMMARY_MAX])
{
    char now[100];
    char base[100];
    char total[AMOUNT_TEXT_MAX];
    const char *what = amount_weight_name(view->weight);
    bool is_filtered = view->shown != view->all || view->base_shown != view->base_all;

    put_total(now, sizeof(now), view, view->shown, view->all);
    put_total(base, sizeof(base), view, view->base_shown, view->base_all);
    amount_weight(total, view->weight, view->total);
    if (view->compare)
        snprintf(buffer, VIEW_SUMMARY_MAX, "%s: %s; baseline: %s%s", what, now, base,
                 view->relative && is_filtered ? "; shares are of what is shown" : "");
    else if (!is_filtered)
        snprintf(buffer, VIEW_SUMMARY_MAX, "%s: %s", what, now);
    else
        snprintf(buffer, VIEW_SUMMARY_MAX, "%s: %s; shares are of %s%s", what, now,
                 view->relative ? "the " : "", total);
    return buffer;
}

uint64_t view_importance(const struct view *view, uint64_t weight, uint64_t base)
{
    double scaled = (double)base;

    if (view->total && view->base_total)
        scaled = scaled / (double)view->base_total * (double)view->total;
    if (scaled >= 0x1p63)
        return UINT64_MAX;
    return weight > (uint64_t)scaled ? weight : (uint64_t)scaled;
}

int32_t view_delta(const struct view *view, uint64_t weight, uint64_t base)
{
    return (int32_t)amount_basis_points(weight, view->total) -
           (int32_t)amount_basis_points(base, view->base_total);
}

bool view_is_noise(const struct view *view, uint64_t weight, uint64_t base)
{
    const double now = (double)weight / (double)view->total;
    const double before = (double)base / (double)view->base_total;
    const double n = (double)view->carriers, m = (double)view->base_carriers;
    double share;

    if (!view->carriers || !view->base_carriers || view_delta(view, weight, base) == 0)
        return false;
    share = (now * n + before * m) / (n + m); /* if it is the same in both */
    return (now - before) * (now - before) <= 4 * share * (1 - share) * (1 / n + 1 / m);
}
