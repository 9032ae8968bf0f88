/* The environment that lockstep puts around a module (verif/harness/env.h), for a bench in C++: inputs that keep the protocols and
 * reach every event, and checks of the outputs.
 *
 * One cycle: surround_put of the outputs that depend on registers alone, surround_drive, surround_get of the inputs; then
 * surround_put of all outputs, and surround_clock. */
#ifndef HEDDLE_TESTS_SYSTEMC_SURROUND_H
#define HEDDLE_TESTS_SYSTEMC_SURROUND_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { SURROUND_WORDS = 2048 }; /* of the widest port */

struct surround;
/* `machine` is a configuration's path. Returns NULL after printing the reason on stderr. */
struct surround *surround_open(const char *machine, const char *module, uint64_t seed);
void surround_close(struct surround *s);
/* Returns the index of a port by its Verilog name. The port must exist. */
size_t surround_port(struct surround *s, const char *name);
void surround_put(struct surround *s, size_t port, const uint32_t *words);
void surround_get(const struct surround *s, size_t port, uint32_t *words);
void surround_drive(struct surround *s);
/* Returns 0 if a check failed, after printing it on stderr. */
int surround_clock(struct surround *s);
/* Returns the number of facts checked so far. */
uint64_t surround_checked(const struct surround *s);

#ifdef __cplusplus
}
#endif

#endif
