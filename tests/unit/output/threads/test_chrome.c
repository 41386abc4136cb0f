/* SPDX-License-Identifier: MIT */
/* The timeline in the Trace Event Format. */
#include "output/threads/chrome.h"

#include <jansson.h>

#include "timeline_fixture.h"

static char *write_scene(struct scene *scene, const char *title, uint64_t clock_offset)
{
    struct capture capture;

    assert_int_equal(chrome_write(scene->timeline, title, clock_offset, capture_begin(&capture)),
                     STATUS_OK);
    capture_end(&capture);
    return capture.text;
}

/* The golden file is of all versions. */
static void leave_out_version(char *text)
{
    char *version = strstr(text, "cgunwind " CG_VERSION);

    assert_non_null(version);
    version += strlen("cgunwind");
    memmove(version, version + strlen(" " CG_VERSION),
            strlen(version + strlen(" " CG_VERSION)) + 1);
}

TEST_OF(document_is_the_golden_one, scene, scene)
{
    char *text;

    scene_thread(scene, 8, "w<&\"\n", 0);
    scene_sample(scene, SCENE_PID, 5000000, 'S', 0, "main futex");
    scene_repeat(scene, SCENE_PID, 15000000);
    scene_sample(scene, 8, 5100000, 'R', 0, "start worker f");
    scene_sample(scene, 8, 10100000, 'R', 1000000, "start worker g/900");
    scene_sample(scene, 8, 15100000, 'S', 4000000, "start worker futex");
    scene_finish(scene, 5000000);
    text = write_scene(scene, "/usr/bin/prog (pid 7)", 1000000000);
    leave_out_version(text);
    assert_golden("timeline.json", text);
    free(text);
}

/* As numbers that need no rounding, since viewers compute with floating point. */
TEST_OF(ends_are_the_beginnings_that_follow, scene, scene)
{
    json_t *document, *event;
    json_int_t end = 0;
    size_t i, events = 0;
    char *text;

    scene_thread(scene, 8, "worker", 0);
    for (uint64_t t = 0; t < 3000; t++)
        scene_sample(scene, 8, t * 10061447, 'R', 0, t % 2 ? "start worker f" : "start worker g");
    scene_finish(scene, 10061447);
    text = write_scene(scene, "", 0);
    document = json_loads(text, 0, NULL);
    assert_non_null(document);
    json_array_foreach(json_object_get(document, "traceEvents"), i, event)
    {
        const char *category = json_string_value(json_object_get(event, "cat"));

        if (!category || strcmp(category, "function") != 0)
            continue;
        assert_true(json_integer_value(json_object_get(event, "ts")) == end);
        end += json_integer_value(json_object_get(event, "dur"));
        events++;
    }
    assert_int_equal(events, 2999);
    json_decref(document);
    free(text);
}

TEST_OF(waits_tell_what_is_known_of_them, scene, scene)
{
    char *text;

    scene_thread(scene, 8, "worker", 0);
    scene_sample(scene, 8, 0, 'S', 0, "start worker futex");
    scene_wait(scene, WAIT_MUTEX, "g_lock", SCENE_PID);
    scene->wait_list[0].kind_evidence = WAIT_INFERRED;
    scene->wait_list[0].doubt = "it is odd";
    scene_sample(scene, 8, 5000, 'S', 0, "start worker futex");
    scene_finish(scene, 5000);
    scene->objects[0].detail = "robust";
    text = write_scene(scene, "", 0);
    assert_non_null(strstr(text, "\"known by\":\"inferred\",\"object\":\"g_lock\","
                                 "\"object is\":\"robust\",\"held by tid\":7,"
                                 "\"holder known by\":\"read\",\"doubt\":\"it is odd\"}"));
    free(text);
}

TEST_OF(times_of_a_part_are_those_of_the_capture, scene, scene)
{
    char *text;

    scene->history.window.from_ns = 2000000;
    assert_int_equal(history_begin(&scene->history, 1000000), STATUS_OK);
    scene_thread(scene, 8, "worker", 0);
    scene_sample(scene, 8, 3000000, 'R', 0, "start worker f");
    scene_sample(scene, 8, 4000000, 'R', 1000000, "start worker f");
    scene_finish(scene, 1000000);
    text = write_scene(scene, "", 0);
    assert_non_null(strstr(text, "\"first sample, ns of the target's clock\":\"1000000\""));
    assert_non_null(strstr(text, "\"name\":\"running threads\",\"pid\":7,\"tid\":7,\"ts\":2000,"));
    assert_non_null(strstr(text, "\"ts\":2000,\"dur\":1000,"));
    assert_null(strstr(text, "\"ts\":0,"));
    free(text);
}
