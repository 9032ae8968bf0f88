/* Threads of the library; see quiet_thread.h. */
#include "base/quiet_thread.h"

#include <signal.h>

bool hd_quiet_thread(pthread_t *thread, void *(*live)(void *ctx), void *ctx) {
  sigset_t none;
  pthread_attr_t attributes;
  sigfillset(&none);
  for (const int *fault = (const int[]){SIGSEGV, SIGBUS, SIGFPE, SIGILL, 0}; *fault; fault++)
    sigdelset(&none, *fault);
  pthread_attr_init(&attributes);
  pthread_attr_setsigmask_np(&attributes, &none);
  const bool lives = pthread_create(thread, &attributes, live, ctx) == 0;
  pthread_attr_destroy(&attributes);
  return lives;
}
