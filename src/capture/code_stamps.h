/* SPDX-License-Identifier: MIT */
/*
 * Notices code that takes the place of other code of the same size (a plug-in that is loaded again)
 * where no clock of the CPUs tells it (remapped.h):
 *
 *     mappings are read, stamps are taken ──── the plug-in is replaced ──── sample
 *         do the modules that the sample refers to have their stamps? else it is lost, and mappings
 *         are read; within 2 s after that this is asked in the sample's stop, and it is not lost
 *
 * A stamp is a hash of the first KiB of a module (ELF header, build-id) and of the first 512 bytes
 * of its text. Modules that differ nowhere there go unnoticed.
 */
#ifndef CAPTURE_CODE_STAMPS_H
#define CAPTURE_CODE_STAMPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sys/types.h>

struct capture;
struct pending_sample;
struct process;

struct code_stamps {
    uint32_t *values; /* of each of the process's executable mappings; 0: it has none; owned */
    size_t count;
    uint64_t taken_ns; /* 0: none were taken */
};

void code_stamps_deinit(struct code_stamps *stamps);

struct maps;

/*
 * Takes the stamps of the process's mappings, which have just been read, through its live thread
 * `tid`, if no clock tells what is replaced. Mappings that go on from `maps`, of which the stamps
 * were until now, but for their stamps, are taken for new ones. May wait for files' memory.
 */
void code_stamps_take(struct capture *cap, struct process *process, const struct maps *maps,
                      pid_t tid);

/* Whether code was replaced within the last 2 s. */
bool code_stamps_churn(const struct process *process);

/*
 * To be called in the stop of the sample's thread, since `held_ns`, when its stack is copied. If
 * code was replaced lately, makes the process's mappings those of the sample. Notes in it of when
 * they are. False: they are older, as there is no credit for a reading (mappings.h).
 */
bool code_stamps_check_held(struct capture *cap, struct pending_sample *sample, uint64_t held_ns);

/*
 * To be called before the sample is written. False: code that it refers to has been replaced since
 * the mappings were read, which they are again if there is credit.
 */
bool code_stamps_check(struct capture *cap, struct pending_sample *sample);

#endif
