/* SPDX-License-Identifier: MIT */
/* Writes the files that the backend kept of the target (FORMAT.md, FILE and FILE_PART). */
#ifndef CAPTURE_BUNDLE_H
#define CAPTURE_BUNDLE_H

struct capture;

/*
 * Call when the target has been let go, before the summary. Fills the result's bundled, unbundled
 * and bundled_bytes. Ends early at a signal, when nothing comes for 10 s, and when the process that
 * reads the files has ended: bundle_end says which, and unbundled stays 0.
 */
void bundle_write(struct capture *cap);

#endif
