/* SPDX-License-Identifier: MIT */
/* Writes the target's files that the backend kept to the snapshot (FORMAT.md, FILE, FILE_PART). */
#ifndef CAPTURE_BUNDLE_H
#define CAPTURE_BUNDLE_H

struct capture;

/*
 * Writes the kept files; to be called when the target has been let go, before the SUMMARY record.
 * Fills bundled, unbundled, bundled_bytes and bundle_end of cap->result. Ends early at a signal,
 * when nothing comes for 10 s, and when the process that reads the files has ended: bundle_end says
 * which, and unbundled stays 0.
 */
void bundle_write(struct capture *cap);

#endif
