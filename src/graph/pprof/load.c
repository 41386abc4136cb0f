/* SPDX-License-Identifier: MIT */
#include "graph/pprof/load.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "graph/pprof/fields.h"
#include "graph/pprof/places.h"
#include "graph/pprof/weights.h"
#include "graph/thread_state.h"

/* The current sample. */
struct sample {
    size_t off;
    struct wire_numbers locations, values; /* their memory is used again */
    struct cursor frames;                  /* SAMPLE_FRAMES */
    uint64_t offcpu_ns;
    struct cursor thread; /* a name */
    uint32_t tid;
    char state;
    enum stop_reason stop;
};

/* The profile's frame of a location, as the last sample that has it found it. */
struct known_frame {
    uint32_t id;
    uint8_t how; /* 1 + 2 * trust + is_call; 0: no sample has it yet */
};

struct loader {
    const struct pprof_tables *tables;
    struct ingest *ingest;
    struct diag *diag;
    struct pprof_columns columns;
    struct pprof_places places;
    struct sample sample;
    struct known_frame *known; /* owned; by location */
    size_t frames;             /* frames of all samples so far */
};

enum status pprof_arch(const struct pprof_tables *tables, const struct arch **arch,
                       struct diag *diag)
{
    *arch = NULL;
    if (tables->arch == 0 || pprof_text_is(tables, tables->arch, PPROF_ARCH_ANY))
        return STATUS_OK;
    for (enum arch_id id = 0; id < ARCH_COUNT; id++)
        if (pprof_text_is(tables, tables->arch, arch_get(id)->name))
            *arch = arch_get(id);
    if (*arch)
        return STATUS_OK;
    diag_set(diag, tables->name, "is of an architecture that is not known");
    return STATUS_UNSUPPORTED;
}

static enum status bad(const struct loader *l, size_t off, const char *what)
{
    return pprof_bad(l->tables, off, what, l->diag);
}

/* Returns the state with this name; 0: none. */
static char state_of(const struct pprof_tables *tables, uint64_t text)
{
    for (int c = 'A'; c <= 'z'; c++) {
        const char *name = thread_state_name((char)c);

        if (name && pprof_text_is(tables, text, name))
            return (char)c;
    }
    return '\0';
}

static enum stop_reason stop_of(const struct pprof_tables *tables, uint64_t text)
{
    for (enum stop_reason stop = 0; stop < STOP_COUNT; stop++)
        if (pprof_text_is(tables, text, stop_reason_name(stop)))
            return stop;
    return STOP_THREAD_START;
}

static enum status read_label(struct loader *l, struct cursor message)
{
    const struct pprof_tables *t = l->tables;
    uint64_t key = 0, text = 0, number = 0;
    struct wire_field field;
    enum status status;

    while ((status = wire_next(&message, &field)) == STATUS_OK) {
        if (field.number == LABEL_KEY)
            key = field.value;
        else if (field.number == LABEL_STR)
            text = field.value;
        else if (field.number == LABEL_NUM)
            number = field.value;
    }
    if (status != STATUS_END)
        return bad(l, l->sample.off, "a label does not fit its sample");
    if (pprof_text_is(t, key, PPROF_LABEL_THREAD))
        return pprof_text(t, text, l->sample.off, &l->sample.thread, l->diag);
    if (pprof_text_is(t, key, PPROF_LABEL_THREAD_ID))
        l->sample.tid = number <= UINT32_MAX ? (uint32_t)number : 0;
    else if (pprof_text_is(t, key, PPROF_LABEL_STATE))
        l->sample.state = state_of(t, text);
    else if (pprof_text_is(t, key, PPROF_LABEL_STOP))
        l->sample.stop = stop_of(t, text);
    return STATUS_OK;
}

static enum status read_field(struct loader *l, const struct wire_field *field)
{
    struct sample *s = &l->sample;
    enum status status = STATUS_OK;

    if (field->number == SAMPLE_LOCATION_ID)
        status = wire_append(&s->locations, field);
    else if (field->number == SAMPLE_VALUE)
        status = wire_append(&s->values, field);
    else if (field->number == SAMPLE_LABEL && field->is_bytes)
        return read_label(l, field->bytes);
    else if (field->number == SAMPLE_FRAMES && field->is_bytes)
        s->frames = field->bytes;
    else if (field->number == SAMPLE_OFFCPU)
        s->offcpu_ns = field->value;
    return status == STATUS_BAD_DATA ? bad(l, s->off, "a number of the sample does not fit")
                                     : status;
}

static enum status read_sample(struct loader *l, struct cursor message)
{
    struct sample *s = &l->sample;
    struct wire_field field;
    enum status status;

    *s = (struct sample){.off = pprof_offset(l->tables, &message),
                         .locations = {.list = s->locations.list, .cap = s->locations.cap},
                         .values = {.list = s->values.list, .cap = s->values.cap}};
    while ((status = wire_next(&message, &field)) == STATUS_OK) {
        status = read_field(l, &field);
        if (status != STATUS_OK)
            return status;
    }
    if (status != STATUS_END)
        return bad(l, s->off, "a field does not fit the sample");
    if (s->values.count != l->columns.count)
        return bad(l, s->off, "the sample has not one value of each type");
    if (s->locations.count > CHAIN_DEPTH_MAX)
        return bad(l, s->off, "the sample has more frames than any chain");
    l->frames += s->locations.count;
    return l->frames <= PPROF_FRAMES_MAX
               ? STATUS_OK
               : bad(l, s->off, "the samples so far have more frames than any profile");
}

/*
 * Sets how the frame was found, if the sample says it: a letter, upper case for a return address.
 */
static enum status set_trust(struct loader *l, size_t i, struct frame *frame)
{
    static const char letters[] = PPROF_TRUST_LETTERS;
    const struct sample *s = &l->sample;
    const char *found;
    char letter;

    _Static_assert(sizeof(letters) == TRUST_COUNT + 1, "a letter for each");
    frame->is_call = i > 0;
    frame->trust = i > 0 ? TRUST_KERNEL : TRUST_CONTEXT; /* found by whoever took the sample */
    if (s->frames.size == 0)
        return STATUS_OK;
    letter = (char)s->frames.data[i];
    frame->is_call = letter >= 'A' && letter <= 'Z';
    if (frame->is_call)
        letter = (char)(letter - 'A' + 'a');
    found = letter ? strchr(letters, letter) : NULL;
    if (!found)
        return bad(l, s->off, "how a frame was found is not known");
    frame->trust = (enum trust)(found - letters);
    return STATUS_OK;
}

/* Sets *id to the profile's frame of the sample's location i; 0: the innermost. */
static enum status find_frame(struct loader *l, size_t i, uint32_t *id)
{
    const struct sample *s = &l->sample;
    struct frame found = {.trust = TRUST_CONTEXT};
    struct known_frame *known;
    enum status status = set_trust(l, i, &found);
    size_t index;
    uint8_t how;

    if (status != STATUS_OK)
        return status;
    if (!pprof_find(&l->tables->location_ids, s->locations.list[i], &index))
        return bad(l, s->off, "the sample names a location that is not there");
    known = &l->known[index];
    how = (uint8_t)(1 + 2 * found.trust + found.is_call);
    if (known->how != how) {
        struct frame frame = l->places.frames[index];

        frame.trust = found.trust;
        frame.is_call = found.is_call;
        status = profile_frame(l->ingest->profile, &frame, &known->id);
        known->how = status == STATUS_OK ? how : 0;
    }
    *id = known->id;
    return status;
}

static enum status find_chain(struct loader *l, uint32_t *chain)
{
    const struct sample *s = &l->sample;
    struct profile *profile = l->ingest->profile;
    uint32_t node = TRIE_ROOT, frame = 0;

    if (s->frames.size > 0 && s->frames.size != s->locations.count)
        return bad(l, s->off, "the sample does not tell of each frame how it was found");
    for (size_t i = s->locations.count; i-- > 0;) {
        enum status status = find_frame(l, i, &frame);

        if (status == STATUS_OK)
            status = profile_step(profile, node, frame, &node);
        if (status != STATUS_OK)
            return status;
    }
    return profile_chain_at(profile, node, s->stop, chain);
}

static enum status find_thread(struct loader *l, uint32_t *thread)
{
    const struct sample *s = &l->sample;
    struct ingest *in = l->ingest;
    char name[PPROF_THREAD_NAME_MAX + 1];
    size_t size = s->thread.size < sizeof(name) ? s->thread.size : sizeof(name) - 1;

    memcpy(name, s->thread.data ? (const void *)s->thread.data : "", size);
    name[size] = '\0';
    if (in->profile->thread_count >= PPROF_THREADS_MAX)
        return bad(l, s->off, "the samples so far are of more threads than any profile's");
    return profile_thread(in->profile, 0, in->by_tid ? s->tid : 0, name, thread);
}

static void count_sample(struct ingest *in, char state, const struct weights *weights)
{
    const uint64_t samples = weights->value[WEIGHT_SAMPLES];
    struct capture_account *sum = ingest_account(in);

    in->samples++;
    sum->samples = weight_add(sum->samples, samples);
    sum->ready = weight_add(sum->ready, state == SNAP_STATE_READY ? samples : 0);
    sum->wall_ns = weight_add(sum->wall_ns, weights->value[WEIGHT_WALL]);
}

static enum status add_sample(struct loader *l)
{
    struct weights weights = pprof_weights(&l->columns, l->sample.values.list);
    struct profile *profile = l->ingest->profile;
    uint32_t thread, chain;
    enum status status = find_chain(l, &chain);

    if (l->sample.offcpu_ns)
        weights.value[WEIGHT_OFFCPU] = l->sample.offcpu_ns;
    if (status == STATUS_OK)
        status = find_thread(l, &thread);
    if (status == STATUS_OK)
        status = profile_weigh(profile, thread, chain, l->sample.state, &weights);
    if (status == STATUS_OK)
        count_sample(l->ingest, l->sample.state, &weights);
    return status;
}

static enum status add_samples(struct loader *l)
{
    struct cursor message = l->tables->all;
    struct wire_field field;
    enum status status;

    while ((status = wire_next(&message, &field)) == STATUS_OK) {
        if (field.number != PROFILE_SAMPLE || !field.is_bytes)
            continue;
        status = read_sample(l, field.bytes);
        if (status == STATUS_OK)
            status = add_sample(l);
        if (status != STATUS_OK)
            return status;
    }
    return status == STATUS_END ? STATUS_OK : status;
}

static uint64_t account(const struct pprof_tables *tables, size_t number)
{
    return number < tables->account.count ? tables->account.list[number] : 0;
}

/* Adds the facts of all samples together. */
static void add_account(const struct pprof_tables *t, struct ingest *in, struct pprof_found *found)
{
    const uint64_t flags = account(t, ACCOUNT_FLAGS);
    struct capture_account *all = ingest_account(in);
    const struct {
        uint64_t *sum;
        size_t number;
    } sums[] = {
        {&in->profile->chains_unwound, ACCOUNT_CHAINS_UNWOUND},
        {&all->cpu.used_ns, ACCOUNT_CPU_USED},
        {&all->cpu.waited_ns, ACCOUNT_CPU_WAITED},
        {&all->cpu.placed_ns, ACCOUNT_CPU_PLACED},
        {&all->cpu.ticks, ACCOUNT_TICKS},
        {&all->cpu.cut_ns, ACCOUNT_CPU_CUT},
        {&all->cpu.places, ACCOUNT_PLACES},
        {&all->cpu.squares_us2, ACCOUNT_SQUARES},
    };

    for (size_t i = 0; i < sizeof(sums) / sizeof(sums[0]); i++)
        *sums[i].sum = weight_add(*sums[i].sum, account(t, sums[i].number));
    for (size_t i = 0; i < SNAP_LOSS_REASONS; i++)
        all->lost[i] = weight_add(all->lost[i], account(t, ACCOUNT_LOST + i));
    if (t->rate.count >= RATE_REACHED + 1)
        capture_rate_add(&all->rate, &(struct capture_rate){t->rate.list[RATE_ASKED],
                                                            t->rate.list[RATE_REACHED]});
    all->captures =
        weight_add(all->captures, t->rate.count > RATE_CAPTURES ? t->rate.list[RATE_CAPTURES] : 1);
    found->cut_short = flags & ACCOUNT_IS_CUT_SHORT;
    all->cpu.by_clock |= (flags & ACCOUNT_IS_BY_CLOCK) != 0;
    all->cpu.untold |= (flags & ACCOUNT_IS_UNTOLD) != 0;
}

static void add_times(const struct pprof_tables *t, struct ingest *in)
{
    if (t->start_ns && t->start_ns <= INT64_MAX && (!in->start_ns || t->start_ns < in->start_ns))
        in->start_ns = t->start_ns;
    if (t->duration_ns <= INT64_MAX)
        in->duration_ns = weight_add(in->duration_ns, t->duration_ns);
    if (pprof_text_is(t, t->period_type.type, "wall") && t->period <= INT64_MAX &&
        t->period > in->period_ns)
        in->period_ns = t->period;
}

/* Adds the programs: ours are comments; by the others' convention the first mapping. */
static enum status add_programs(struct loader *l)
{
    const struct pprof_tables *t = l->tables;
    struct profile *profile = l->ingest->profile;
    struct title *title = ingest_title(l->ingest);
    const bool is_ours = t->arch != 0;
    const size_t count = is_ours ? t->comments.count : t->mapping_count > 0;
    enum status status = STATUS_OK;

    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        char text[PPROF_PATH_MAX + 1];
        struct cursor program;

        status = pprof_text(t, is_ours ? t->comments.list[i] : t->mappings[0].file, 0, &program,
                            l->diag);
        if (status != STATUS_OK || program.size == 0)
            continue;
        if (program.size > PPROF_PATH_MAX)
            program.size = PPROF_PATH_MAX;
        memcpy(text, program.data, program.size);
        text[program.size] = '\0';
        status = title_text(title, text);
    }
    return status == STATUS_OK ? profile_program(profile, title_program(title)) : status;
}

enum status pprof_load(const struct pprof_tables *tables, struct ingest *ingest, struct told *told,
                       struct pprof_found *found, struct diag *diag)
{
    struct loader l = {.tables = tables, .ingest = ingest, .diag = diag};
    enum status status;

    *found = (struct pprof_found){.cut_short = false};
    l.known = calloc(tables->location_count + 1, sizeof(*l.known));
    status = l.known ? pprof_columns_find(tables, &l.columns, diag) : STATUS_NO_MEMORY;
    if (status == STATUS_OK)
        status = pprof_places_make(tables, ingest->modules, told, &l.places, diag);
    if (status == STATUS_OK)
        status = add_samples(&l);
    if (status == STATUS_OK)
        status = add_programs(&l);
    if (status == STATUS_OK) {
        add_account(tables, ingest, found);
        add_times(tables, ingest);
        found->note = l.columns.note;
    }
    pprof_places_deinit(&l.places);
    free(l.sample.locations.list);
    free(l.sample.values.list);
    free(l.known);
    return status;
}
