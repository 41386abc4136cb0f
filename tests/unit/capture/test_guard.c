/* SPDX-License-Identifier: MIT */
#include "capture/guard.h"

#include "shared_fixture.h"
#include "unit_test.h"

TEST(guard_shares_its_page_with_no_later_child)
{
    const int before = shared_count();
    struct guard *guard;

    assert_int_equal(guard_start(&guard), STATUS_OK);
    assert_int_equal(shared_count(), before + 1);
    assert_int_equal(shared_count_of_child(), before);
    guard_destroy(guard);
}
