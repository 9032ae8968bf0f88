/* Threads beside the host program's own. */
#ifndef HEDDLE_BASE_QUIET_THREAD_H
#define HEDDLE_BASE_QUIET_THREAD_H

#include <pthread.h>
#include <stdbool.h>

/* A thread that takes no signals: those that the program has handlers for go to its own threads. But for the thread's own faults:
 * blocked, they would end the program past its handlers. False: the system allows no more. */
bool hd_quiet_thread(pthread_t *thread, void *(*live)(void *ctx), void *ctx);

#endif
