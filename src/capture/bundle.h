/* SPDX-License-Identifier: MIT */
/* The files that were kept of the target go into the snapshot: FORMAT.md, FILE and FILE_PART. */
#ifndef CAPTURE_BUNDLE_H
#define CAPTURE_BUNDLE_H

struct capture;

/*
 * To be called when the target has been let go, before the summary. Ends at a signal, and when
 * nothing comes for some seconds: what is missing then is counted in the result.
 */
void bundle_write(struct capture *cap);

#endif
