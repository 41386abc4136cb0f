/* SPDX-License-Identifier: MIT */
/*
 * Unwinding alone: the samples of a file are read into memory, then each unwinder goes over all of
 * them, in turn and in both orders.
 *
 *     bench_unwind FILE ROUNDS UNWINDER…      of ours, libdw, libunwind
 *
 * Prints JSON Lines. {"pass":…}: the CPU time of one pass of one unwinder over all samples. `cold`:
 * with a fresh one, its creation (opening the files) included; `warm`: the same again; ours alone
 * also: `compared`, which part of a stack is as in the thread's sample before is found out while
 * the time is taken, not by the reader; `apart`, nothing is taken from the thread's sample before.
 * Then {"compare":…}: the chains of the first unwinder against each other's. At last {"input":…}:
 * `shared` are the frames that a chain has in common, from the outermost on, with that of the
 * thread's sample before; `told` the samples whose reader knows what is unchanged in the stack.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "peer.h"

#define PEERS_MAX 3
#define WARM_OURS 12
#define WARM_PEER 2

static void pass(const struct peer *peer, void *self, const struct recording *recording,
                 const char *kind, uint64_t start_ns)
{
    enum peer_mode mode = strcmp(kind, "apart") == 0      ? PEER_APART
                          : strcmp(kind, "compared") == 0 ? PEER_COMPARED
                                                          : PEER_AS_READ;
    uint64_t frames = 0;

    for (size_t i = 0; i < recording->sample_count; i++) {
        struct peer_chain chain = {0};

        peer->unwind(self, &recording->samples[i], mode, &chain);
        frames += chain.count;
    }
    printf("{\"pass\":\"%s\",\"unwinder\":\"%s\",\"ns\":%" PRIu64 ",\"frames\":%" PRIu64 "}\n",
           kind, peer->name, bench_cpu_ns() - start_ns, frames);
}

static void run(const struct peer *peer, const struct recording *recording)
{
    uint64_t start_ns = bench_cpu_ns();
    void *self = peer->create(recording);

    pass(peer, self, recording, "cold", start_ns);
    /* Ours take a millisecond where chains are short: the first ones still have pages to find. */
    for (unsigned i = 0; i < (peer == &peer_ours ? WARM_OURS : WARM_PEER); i++)
        pass(peer, self, recording, "warm", bench_cpu_ns());
    if (peer == &peer_ours) {
        pass(peer, self, recording, "compared", bench_cpu_ns());
        pass(peer, self, recording, "apart", bench_cpu_ns());
    }
    peer->destroy(self);
}

struct difference {
    uint64_t same, longer, shorter, other;
};

/* PCs must be the same; a chain may end earlier. */
static void compare_chain(const struct peer_chain *ours, const struct peer_chain *theirs,
                          struct difference *difference)
{
    size_t common = ours->count < theirs->count ? ours->count : theirs->count;

    if (memcmp(ours->pcs, theirs->pcs, common * sizeof(*ours->pcs)) != 0)
        difference->other++;
    else if (ours->count == theirs->count)
        difference->same++;
    else if (ours->count > theirs->count)
        difference->longer++;
    else
        difference->shorter++;
}

static struct peer_chain new_chain(void)
{
    return (struct peer_chain){.pcs = bench_alloc(PEER_DEPTH_MAX, sizeof(uint64_t))};
}

static void compare(const struct peer *first, const struct peer *second,
                    const struct recording *recording)
{
    void *ours = first->create(recording), *theirs = second->create(recording);
    struct peer_chain a = new_chain(), b = new_chain();
    struct difference difference = {0};

    for (size_t i = 0; i < recording->sample_count; i++) {
        first->unwind(ours, &recording->samples[i], PEER_COMPARED, &a);
        second->unwind(theirs, &recording->samples[i], PEER_COMPARED, &b);
        compare_chain(&a, &b, &difference);
    }
    printf("{\"compare\":\"%s\",\"with\":\"%s\",\"same\":%" PRIu64 ",\"longer\":%" PRIu64
           ",\"shorter\":%" PRIu64 ",\"different\":%" PRIu64 "}\n",
           first->name, second->name, difference.same, difference.longer, difference.shorter,
           difference.other);
    free(a.pcs);
    free(b.pcs);
    first->destroy(ours);
    second->destroy(theirs);
}

static uint64_t common_tail(const struct peer_chain *a, const struct peer_chain *b)
{
    size_t count = 0;

    while (count < a->count && count < b->count &&
           a->pcs[a->count - 1 - count] == b->pcs[b->count - 1 - count])
        count++;
    return count;
}

static void describe(const struct peer *peer, const struct recording *recording)
{
    struct peer_chain *last = bench_alloc(recording->thread_count, sizeof(*last));
    struct peer_chain chain = new_chain();
    void *self = peer->create(recording);
    uint64_t frames = 0, shared = 0, stack = 0, told = 0;

    for (size_t i = 0; i < recording->sample_count; i++) {
        const struct recorded *recorded = &recording->samples[i];
        struct peer_chain *before = &last[recorded->thread];

        peer->unwind(self, recorded, PEER_AS_READ, &chain);
        frames += chain.count;
        shared += common_tail(&chain, before);
        told += recorded->sample.unchanged_addr != 0;
        free(before->pcs);
        *before = (struct peer_chain){.pcs = bench_alloc(chain.count, sizeof(uint64_t)),
                                      .count = chain.count};
        memcpy(before->pcs, chain.pcs, chain.count * sizeof(uint64_t));
        for (uint32_t j = 0; j < recorded->sample.region_count; j++)
            stack += recorded->sample.regions[j].end_addr - recorded->sample.regions[j].start_addr;
    }
    printf("{\"input\":{\"samples\":%zu,\"threads\":%zu,\"frames\":%" PRIu64 ",\"shared\":%" PRIu64
           ",\"told\":%" PRIu64 ",\"stack_bytes\":%" PRIu64 "}}\n",
           recording->sample_count, recording->thread_count, frames, shared, told, stack);
    peer->destroy(self);
    for (size_t i = 0; i < recording->thread_count; i++)
        free(last[i].pcs);
    free(last);
    free(chain.pcs);
}

int main(int argc, char **argv)
{
    static const struct peer *const known[] = {&peer_ours, &peer_libdw, &peer_libunwind};
    const struct peer *peers[PEERS_MAX];
    struct recording recording;
    unsigned long rounds = argc > 2 ? strtoul(argv[2], NULL, 10) : 0;
    size_t count = 0;

    for (int i = 3; i < argc && count < PEERS_MAX; i++)
        for (size_t j = 0; j < PEERS_MAX; j++)
            if (strcmp(argv[i], known[j]->name) == 0)
                peers[count++] = known[j];
    if (!count || argc - 3 != (int)count)
        bench_die("usage: bench_unwind FILE ROUNDS ours|libdw|libunwind…");
    recording_read(&recording, argv[1]);
    if (recording.arch->id != ARCH_X86_64)
        bench_die("%s: only x86-64 is compared", argv[1]);
    for (unsigned long round = 0; round < rounds; round++)
        for (size_t i = 0; i < count; i++)
            run(peers[round % 2 ? count - 1 - i : i], &recording);
    for (size_t i = 1; i < count; i++)
        compare(peers[0], peers[i], &recording);
    describe(peers[0], &recording);
    recording_free(&recording);
    return 0;
}
