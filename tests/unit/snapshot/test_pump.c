/* SPDX-License-Identifier: MIT */
#include "snapshot/pump.h"

#include <fcntl.h>

#include "shared_fixture.h"
#include "unit_test.h"

TEST(pump_shares_its_page_with_no_later_child)
{
    const int before = shared_count(), fd = open("/dev/null", O_WRONLY | O_CLOEXEC);
    struct diag diag;
    struct pump *pump;

    assert_true(fd >= 0);
    assert_int_equal(pump_start(fd, "/dev/null", NULL, NULL, &pump, &diag), STATUS_OK);
    close(fd);
    assert_int_equal(shared_count(), before + 1);
    assert_int_equal(shared_count_of_child(), before);
    pump_destroy(pump);
}
