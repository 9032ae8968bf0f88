/* Threads of the library, besides those of the host program. */
#ifndef HEDDLE_BASE_QUIET_THREAD_H
#define HEDDLE_BASE_QUIET_THREAD_H

#include <pthread.h>
#include <stdbool.h>

/* Starts a thread that takes no signals, so that they go to the host program's own threads, which have handlers for
 * them. The thread's own faults are the exception: blocked, they would end the program without its handlers. Returns
 * false if the system allows no more threads. */
bool hd_quiet_thread(pthread_t *thread, void *(*live)(void *ctx), void *ctx);

#endif
