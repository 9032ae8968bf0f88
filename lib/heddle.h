/* libheddle: Heddle's golden models and its GPU performance model inside other programs. docs/library.md shows how to
 * use it.
 *
 *   machine   one configuration, loaded and checked
 *   model     the golden model of a module of a machine, stepped cycle by cycle: bit by bit what the generated Verilog does
 *   run       a workload on the GPU of a machine, and its figures
 *
 * Over 400 lines: a program includes one header, and most of its lines are contracts.
 *
 * Contract of all functions:
 * - Objects are opaque. A machine never changes after heddle_load, so threads may share it. Every other object belongs to
 *   one thread at a time. A machine must outlive the objects that were made from it.
 * - The library never aborts, exits, prints, or installs a signal handler. It has no global state. Of the environment it
 *   reads only TMPDIR, where it unpacks foreign traces.
 * - A function that can fail returns a heddle_status. The object keeps a message that explains the failure, until its next
 *   failure: what was found, and what is allowed.
 * - A function that makes an object returns one even if it fails, because the object holds the message. Close it like any
 *   other object. It is NULL only if there is no memory for it. Functions that return a message accept NULL, and return a
 *   message that says so.
 * - No pointer may be NULL unless its function says so. Texts end with '\0'. What a function returns belongs to the object.
 * - A callback must not call the library with the object that calls it, unless its contract allows this. It must not leave
 *   by longjmp or by an exception. */
#ifndef HEDDLE_H
#define HEDDLE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined __GNUC__
#define HEDDLE_API __attribute__((visibility("default")))
#else
#define HEDDLE_API
#endif

/* A program runs with every library that has the number with which the program was compiled. The number is part of
 * the soname. */
#define HEDDLE_API_NUMBER 0
/* Returns the version of Heddle, as "1.0.0". */
HEDDLE_API const char *heddle_version(void);

typedef enum heddle_status {
  HEDDLE_OK = 0,
  HEDDLE_ERR_MEMORY,    /* out of memory */
  HEDDLE_ERR_CONFIG,    /* the configuration cannot be read, or is refused */
  HEDDLE_ERR_NAME,      /* no module, value, event or key has this name */
  HEDDLE_ERR_ARGUMENT,  /* an index or a row does not exist; a value cannot be set */
  HEDDLE_ERR_CHECK,     /* a module's answer is wrong */
  HEDDLE_ERR_FILE,      /* a file cannot be read or written */
  HEDDLE_ERR_DAMAGED,   /* the bytes are no checkpoint, are incomplete, or have changed */
  HEDDLE_ERR_FIT,       /* a checkpoint of another module, configuration or version */
  HEDDLE_ERR_WORKLOAD,  /* a workload cannot be opened or read, or does not fit the machine */
  HEDDLE_ERR_LIMIT,     /* a run has reached its limit of cycles */
  HEDDLE_ERR_CANCELLED, /* a callback has ended the run */
  HEDDLE_ERR_DEADLOCK,  /* nothing happens any more: a bug in Heddle */
} heddle_status;

/* An index that no value and no event has. */
#define HEDDLE_NONE SIZE_MAX

/* ---- Machines ---------------------------------------------------------------------------------------------- */

typedef struct heddle_machine heddle_machine;

/* Loads a configuration, a YAML file, with the files that its `base:` names. `sets`: n_sets overrides, each
 * "section.key=value"; NULL if n_sets is 0. Returns HEDDLE_ERR_CONFIG if there are problems. Then
 * heddle_machine_message lists all of them, one a line: FILE:LINE: section.key: found X; allowed Y; do Z. Problems of
 * `sets` have --set section.key=value instead of FILE:LINE. */
HEDDLE_API heddle_status heddle_load(const char *path, const char *const *sets, size_t n_sets,
                                     heddle_machine **machine);
/* The same for a configuration given as text. `called`: the file name that problems show; bases are searched beside it. */
HEDDLE_API heddle_status heddle_load_text(const char *text, const char *called, const char *const *sets,
                                          size_t n_sets, heddle_machine **machine);
/* Frees it. Does nothing if it is NULL. */
HEDDLE_API void heddle_unload(heddle_machine *machine);
/* Returns the message of heddle_load; "" if there was no problem. */
HEDDLE_API const char *heddle_machine_message(const heddle_machine *machine);

/* The functions below require a machine that was loaded without a problem. */

/* Returns the configuration's name. */
HEDDLE_API const char *heddle_machine_name(const heddle_machine *machine);
/* Returns a hash of all keys. It is the same for two machines whose keys all have the same values, whatever their
 * files and names. */
HEDDLE_API uint64_t heddle_machine_hash(const heddle_machine *machine);

/* Gives the value of key "section.key": a number; 0 or 1 for off and on; the place of a word in its list. Returns
 * HEDDLE_ERR_NAME, with *value 0, if there is no such key. */
HEDDLE_API heddle_status heddle_key(const heddle_machine *machine, const char *key, int64_t *value);
/* Returns the word that the key is set to. Returns NULL if it is a number, or if there is no such key. */
HEDDLE_API const char *heddle_key_word(const heddle_machine *machine, const char *key);

typedef struct heddle_module {
  const char *name;  /* the name of the Verilog module */
  const char *title; /* what it is */
  int model_only;    /* 1: it has no Verilog */
} heddle_module;
/* Returns the number of modules of the machine. Inner modules come before the modules that contain them. */
HEDDLE_API size_t heddle_module_count(const heddle_machine *machine);
/* Returns NULL if `index` is not below heddle_module_count. */
HEDDLE_API const heddle_module *heddle_module_at(const heddle_machine *machine, size_t index);

/* ---- Models ------------------------------------------------------------------------------------------------ */

typedef struct heddle_model heddle_model;

/* Flags of heddle_open; 0: none. */
#define HEDDLE_NO_DATA 1u /* leaves out line bytes: faster; values with line bytes mean nothing */

/* Makes the golden model of a module, with the modules inside it. `module` may also be a mechanism alone, a drop-in,
 * named as in `heddle gen -t`: "apcm", "memsched_top". All state and all inputs are 0; then the reset edge is done
 * (heddle_reset). Run-time enables are the exception: the configuration sets them. Returns HEDDLE_ERR_NAME if the
 * machine has no such module or mechanism. */
HEDDLE_API heddle_status heddle_open(const heddle_machine *machine, const char *module, unsigned flags,
                                     heddle_model **model);
/* Frees it. Does nothing if it is NULL. */
HEDDLE_API void heddle_close(heddle_model *model);
/* Returns the message of its last failure; "" if there was none. */
HEDDLE_API const char *heddle_model_message(const heddle_model *model);

/* A cycle of a model is
 *   heddle_set ...      sets the inputs of the cycle; an input that is not set keeps its value
 *   heddle_eval         computes the Mealy outputs of these inputs; call it any number of times, or not at all
 *   heddle_tick         the clock edge; after it the outputs that follow from registers are those of the next cycle
 * as in Verilog whose inputs change after the rising edge of the clock and are sampled at the next one.
 *
 * heddle_reset is a clock edge with the reset set: registers with a reset value take it, everything else stays. */
HEDDLE_API void heddle_reset(heddle_model *model);
HEDDLE_API void heddle_eval(heddle_model *model);
HEDDLE_API void heddle_tick(heddle_model *model);
/* Returns the number of clock edges so far, including resets and that of heddle_open. */
HEDDLE_API uint64_t heddle_cycle(const heddle_model *model);

/* ---- Values: ports, registers, memories -------------------------------------------------------------------- */

typedef enum heddle_kind {
  /* an input port */
  HEDDLE_KIND_INPUT,
  /* an output port, a function of registers: valid after heddle_open, heddle_reset and heddle_tick */
  HEDDLE_KIND_OUTPUT,
  /* an output port that depends on inputs of the same cycle: valid after heddle_eval */
  HEDDLE_KIND_MEALY,
  /* a port of an inner module that is known at the clock edge: valid after heddle_tick, for the cycle that has ended */
  HEDDLE_KIND_LATE,
  /* flip-flops */
  HEDDLE_KIND_REGISTER,
  /* a memory macro, or a field of its rows */
  HEDDLE_KIND_MEMORY
} heddle_kind;

/* A value has `rows` rows (memories; else 1) of `count` elements of `width` bits (1 to 64). Element e is at
 * [e*width +: width] of the Verilog signal. The payload of a port means something only in cycles in which its valid is 1.
 *
 * Names are those of the Verilog: a port (mreq_line), a register (count_q). A memory has its name without the u_ of its
 * instance (tags); a memory with fields has one value for each field (fifo.line). Values of an inner module begin with its
 * instances (u_l1d.tags). */
typedef struct heddle_value {
  const char *name, *meaning;
  heddle_kind kind;
  unsigned count, width;
  unsigned bits;  /* bits of a row: count * width */
  unsigned words; /* 32-bit words of a row */
  unsigned rows;
  int settable; /* 1: heddle_set accepts it */
} heddle_value;

/* Returns the number of values of a model: the ports of its module, and the registers and memories of the module and
 * of those inside it. */
HEDDLE_API size_t heddle_value_count(const heddle_model *model);
/* Returns NULL if `value` is not below heddle_value_count. */
HEDDLE_API const heddle_value *heddle_value_at(const heddle_model *model, size_t value);
/* Returns the index of the value of that name. It is the same in every model of that module in that machine. Returns
 * HEDDLE_NONE if there is no such value; the model's message then suggests a similar name. */
HEDDLE_API size_t heddle_find(heddle_model *model, const char *name);

/* A row of a value as 32-bit words, the least significant first, as in Verilator and SystemC. `row` is 0 except for
 * memories. heddle_set ignores bits above the value's; heddle_get returns 0 for them.
 *
 * Inputs, memories, and registers without a reset value can be set. Both return HEDDLE_ERR_ARGUMENT if there is no such
 * value or row; heddle_set also if it cannot be set. Then nothing has changed, and heddle_get writes no words. */
HEDDLE_API heddle_status heddle_set(heddle_model *model, size_t value, unsigned row, const uint32_t *words);
HEDDLE_API heddle_status heddle_get(heddle_model *model, size_t value, unsigned row, uint32_t *words);
/* Row 0 as a number: its lowest 64 bits. heddle_get_u64 returns 0, and sets the message, if there is no such value. */
HEDDLE_API heddle_status heddle_set_u64(heddle_model *model, size_t value, uint64_t number);
HEDDLE_API uint64_t heddle_get_u64(heddle_model *model, size_t value);

/* Gives the newest bytes of line `line` (a number, as at the port req_line) that a model of l2_top holds: in its
 * lines, in its MSHRs with the lines that have come, in requests that it has taken, in lines that it writes back. If
 * known[i] is 1, bytes[i] is byte i of the line. If known[i] is 0, bytes[i] is 0: the memory has the newest byte, or
 * the last reset has lost it. Both arrays have l1d.line_bytes elements. So a load that is taken next brings the known
 * bytes, and the others from the memory. The model does not change. Returns HEDDLE_ERR_ARGUMENT for a model of
 * another module, or one with HEDDLE_NO_DATA. */
HEDDLE_API heddle_status heddle_peek(heddle_model *model, uint64_t line, uint8_t *bytes, uint8_t *known);

/* ---- Events ------------------------------------------------------------------------------------------------ */

typedef struct heddle_event {
  const char *name;    /* "load_hit"; in an inner module "u_l1d.load_hit" */
  const char *meaning; /* when it happens */
  const char *format;  /* its message: a printf format for its arguments, %llu and %llx, in order */
} heddle_event;

/* Returns the number of events that can happen in this machine: those of the module and of the modules inside it. */
HEDDLE_API size_t heddle_event_count(const heddle_model *model);
/* Returns NULL if `event` is not below heddle_event_count. */
HEDDLE_API const heddle_event *heddle_event_at(const heddle_model *model, size_t event);
/* Returns HEDDLE_NONE if there is no such event; the model's message then suggests a similar name. */
HEDDLE_API size_t heddle_event_find(heddle_model *model, const char *name);
/* Returns how often the event has happened since heddle_open; 0 if there is no such event. */
HEDDLE_API uint64_t heddle_event_total(const heddle_model *model, size_t event);

/* Called for an event of the edge that ends cycle `cycle`. It may read the model, whose values are then partly from
 * before and partly from after the edge. It must not change the model. */
typedef void (*heddle_listener)(void *user, size_t event, uint64_t cycle, const uint64_t arguments[4]);
/* Calls `listener` for these n events from now on, or for all events if `events` is NULL. It replaces the previous
 * listener. `listener` NULL: no calls; events are still counted. Returns HEDDLE_ERR_ARGUMENT if there is no such
 * event; nothing changes then. */
HEDDLE_API heddle_status heddle_listen(heddle_model *model, heddle_listener listener, void *user,
                                       const size_t *events, size_t n);

/* ---- An SM: what runs a workload on sm_mem ----------------------------------------------------------------- */

/* An SM drives the inputs of sm_mem except those of its memory side (mreq_ready, mrsp_...). It checks that each request is
 * answered once, and that loads bring what was stored. It uses the ports of a model of sm_mem. The program steps that model,
 * or the model only holds the values of other pins. A cycle is:
 *   heddle_sm_hear     for outputs of sm_mem that follow from registers, if the model is not stepped
 *   heddle_sm_drive    sets the SM's inputs of sm_mem; read them with heddle_get
 *   heddle_set         sets the inputs of the memory side
 *   heddle_eval        or heddle_sm_hear for all outputs
 *   heddle_sm_clock    the edge of the SM, before that of the model */
typedef struct heddle_sm heddle_sm;

/* `workload`: as for `heddle sim -w`, "atax:tiny", "trace:PATH". Returns HEDDLE_ERR_ARGUMENT if the model is not of
 * sm_mem, or has no line bytes. Returns HEDDLE_ERR_WORKLOAD if the workload cannot be opened, or does not fit the
 * machine. The model must outlive the SM. Returns an object even if it fails. */
HEDDLE_API heddle_status heddle_sm_open(heddle_model *model, const char *workload, heddle_sm **sm);
/* Frees it. Does nothing if it is NULL. */
HEDDLE_API void heddle_sm_close(heddle_sm *sm);
/* Returns the message of its last failure; "" if there was none. */
HEDDLE_API const char *heddle_sm_message(const heddle_sm *sm);
/* Tells the SM the value of an output of sm_mem. Returns HEDDLE_ERR_ARGUMENT if no output has this index; see
 * heddle_model_message. */
HEDDLE_API heddle_status heddle_sm_hear(heddle_sm *sm, size_t value, const uint32_t *words);
HEDDLE_API void heddle_sm_drive(heddle_sm *sm);
/* Returns HEDDLE_ERR_CHECK if an answer is wrong, HEDDLE_ERR_WORKLOAD if the workload does not fit the machine, or
 * HEDDLE_ERR_MEMORY. After each of these the SM is over. */
HEDDLE_API heddle_status heddle_sm_clock(heddle_sm *sm);
/* An edge with the reset set, instead of heddle_sm_clock. Not needed before the first cycle. What is in flight is
 * forgotten, and the workload starts anew. The memory keeps what it was sent: stores that left at mreq count as done,
 * the others never happened. Fails as heddle_sm_open does; then only heddle_sm_message and heddle_sm_close may be
 * called. */
HEDDLE_API heddle_status heddle_sm_reset(heddle_sm *sm);
/* Returns 1 if the workload has ended, and nothing of it is in flight. */
HEDDLE_API int heddle_sm_done(const heddle_sm *sm);
/* Return the warp instructions since the last reset, and the facts checked since heddle_sm_open. */
HEDDLE_API uint64_t heddle_sm_instructions(const heddle_sm *sm);
HEDDLE_API uint64_t heddle_sm_checked(const heddle_sm *sm);
/* Returns 64-bit word `word` of a line that was never stored to. */
HEDDLE_API uint64_t heddle_memory_initial(uint64_t line, unsigned word);
/* Performs an atomic as Heddle's memories do: operation `op`, as at the port mreq_op, on each 32-bit word of the line
 * of which a byte is enabled (not 0). All three arrays have `bytes` elements, a multiple of 8. Any other `op` changes
 * nothing. */
HEDDLE_API void heddle_memory_atomic(unsigned op, uint8_t *line, const uint8_t *operand,
                                     const uint8_t *enabled, size_t bytes);

/* ---- Lockstep: a model beside the Verilated RTL of its module ---------------------------------------------- */

/* The program steps both, and compares the ports itself by heddle_get. These functions compare the registers and
 * memories. The RTL must be Verilated with the control file <top>_sc.vlt that `heddle gen --systemc` writes: it keeps
 * them readable. */
typedef struct heddle_lockstep heddle_lockstep;

/* A variable of the RTL: rows of `bytes` bytes, little-endian, of which `bits` bits are used; the bits above are 0. A
 * variable of up to 64 bits has 1, 2, 4 or 8 bytes, aligned to its size. */
typedef struct heddle_rtl_variable {
  uint8_t *data;
  size_t bytes;
  unsigned bits, rows;
} heddle_rtl_variable;
/* Finds a variable. `scope`: "" for the top, else the instances below it, as in ".u_l1d.u_tags". Returns 0 if there
 * is none. */
typedef int (*heddle_rtl_finder)(void *user, const char *scope, const char *name,
                                 heddle_rtl_variable *variable);

/* Returns an object even if it fails. Returns HEDDLE_ERR_NAME if the RTL lacks something that is declared, or has it
 * in another size. Returns HEDDLE_ERR_ARGUMENT if the model has no line bytes. The model must outlive the lockstep. */
HEDDLE_API heddle_status heddle_lockstep_open(heddle_model *model, heddle_rtl_finder find, void *user,
                                              heddle_lockstep **lockstep);
/* Frees it. Does nothing if it is NULL. */
HEDDLE_API void heddle_lockstep_close(heddle_lockstep *lockstep);
/* Copies all registers and memories of the RTL into the model. After that read the model (heddle_get, heddle_peek),
 * but do not step it: models keep notes about registers, which the copy does not update. */
HEDDLE_API void heddle_lockstep_copy(heddle_lockstep *lockstep);
/* Call after a reset edge of both. Copies the RTL's values into the model for all state without a reset value. */
HEDDLE_API void heddle_lockstep_align(heddle_lockstep *lockstep);
/* Call after a clock edge of both. Returns 1 if every register is equal, and every memory row that the model has just
 * written; with all_rows, every memory row. Else returns 0, and heddle_lockstep_message lists the differences by
 * their declared names. */
HEDDLE_API int heddle_lockstep_same(heddle_lockstep *lockstep, int all_rows);
/* Returns the number of values compared so far. */
HEDDLE_API uint64_t heddle_lockstep_values(const heddle_lockstep *lockstep);
/* Returns the message of the last failure; "" if there was none. */
HEDDLE_API const char *heddle_lockstep_message(const heddle_lockstep *lockstep);

/* ---- Checkpoints ------------------------------------------------------------------------------------------- */

/* A checkpoint holds the whole state of a model. After heddle_restore the model behaves as it did after heddle_save,
 * to the bit, also in another process. It can be restored only by the same version of Heddle, and for the same
 * module, flags and keys of the configuration. */

/* Returns the size in bytes of a checkpoint of this model. It never changes. */
HEDDLE_API size_t heddle_state_size(heddle_model *model);
/* Writes heddle_state_size bytes to `buffer`. */
HEDDLE_API void heddle_save(heddle_model *model, void *buffer);
/* After HEDDLE_ERR_DAMAGED or HEDDLE_ERR_FIT nothing has changed. The listener stays. */
HEDDLE_API heddle_status heddle_restore(heddle_model *model, const void *buffer, size_t size);
/* The same with a file. Returns HEDDLE_ERR_FILE if the file cannot be written or read; the message says why. A failed
 * save leaves an existing file as it was. */
HEDDLE_API heddle_status heddle_save_file(heddle_model *model, const char *path);
HEDDLE_API heddle_status heddle_restore_file(heddle_model *model, const char *path);

/* ---- Performance runs -------------------------------------------------------------------------------------- */

/* A run of a workload on the GPU of a machine, as in `heddle sim`. The L1Ds, L2 slices and schedulers are the golden
 * models. */
typedef struct heddle_run heddle_run;

/* Flags of heddle_run_open; 0: none. */
#define HEDDLE_NO_SKIP 1u /* simulates idle cycles one by one: same figures, slower */

/* `workload`: as for `heddle sim --workload`, "atax", "gemm:ni=256,nj=256,nk=128", "trace:PATH". Returns
 * HEDDLE_ERR_WORKLOAD if it cannot be opened; the message says why. Returns an object even then. */
HEDDLE_API heddle_status heddle_run_open(const heddle_machine *machine, const char *workload, unsigned flags,
                                         heddle_run **run);
/* Frees it. Does nothing if it is NULL. */
HEDDLE_API void heddle_run_close(heddle_run *run);
/* Returns the message of its last failure; "" if there was none. */
HEDDLE_API const char *heddle_run_message(const heddle_run *run);

/* Ends the run with HEDDLE_ERR_LIMIT after `cycles` cycles. 0: no limit, the default. */
HEDDLE_API void heddle_run_limit(heddle_run *run, uint64_t cycles);
/* Runs a GPU of several SMs with at most `threads` threads; 0 means 1, the default. All figures are the same for any
 * number. The threads live only during heddle_run_go, and take no signals of the program. Callbacks are called by the
 * thread that called heddle_run_go. With a callback for requests or spans the run uses one thread. */
HEDDLE_API void heddle_run_threads(heddle_run *run, unsigned threads);

/* The limits of heddle_run_sample. */
enum {
  HEDDLE_LEAST_ONE_IN = 2,
  HEDDLE_MOST_ONE_IN = 10000,
  HEDDLE_LEAST_SAMPLE_CYCLES = 100,
  HEDDLE_MOST_SAMPLE_CYCLES = 10000000
};

/* Simulates only samples: about one cycle in `one_in`, or more, so that each class of similar launches has three
 * samples. A sample measures at least `cycles` cycles; the run passes over the instructions between samples
 * (docs/gpu/sampling.md). Then "cycles", "instructions", "ipc" and "time_us" are estimates for the whole workload; if
 * the run was stopped, for what was passed and simulated up to then. All other figures are of the simulated part.
 * Those of "sampling" say how large that part was, and how sure the estimates are ("sampling.ipc_margin", a NAN if
 * there is none). Returns HEDDLE_ERR_ARGUMENT for other numbers, or for a machine that powers lines of its L2 off.
 * heddle_run_go returns it if there is a callback for requests, spans or intervals, because these need whole runs. */
HEDDLE_API heddle_status heddle_run_sample(heddle_run *run, unsigned one_in, unsigned cycles, uint64_t seed);

typedef struct heddle_progress {
  uint64_t cycles, instructions; /* cycles of the core clock; warp instructions, on all SMs */
  uint64_t launches;             /* kernels launched */
  uint32_t ctas_ended, ctas;     /* of the kernel that runs */
} heddle_progress;
/* Return 0 to go on. Any other value ends the run with HEDDLE_ERR_CANCELLED. */
typedef int (*heddle_progress_fn)(void *user, const heddle_progress *progress);
/* Sets a callback for progress, called at most every `milliseconds` ms. 0: at every look, about every 16,384 cycles.
 * `progress` NULL: no calls. */
HEDDLE_API void heddle_run_on_progress(heddle_run *run, heddle_progress_fn progress, void *user,
                                       unsigned milliseconds);

typedef enum heddle_access_kind {
  HEDDLE_ACCESS_LOAD,
  HEDDLE_ACCESS_STORE,
  HEDDLE_ACCESS_PREFETCH
} heddle_access_kind;
typedef enum heddle_outcome {
  HEDDLE_HIT,
  HEDDLE_MERGED,  /* the line is in flight; the request waits for it */
  HEDDLE_MISS,    /* the line is fetched into the cache */
  HEDDLE_UNCACHED /* goes to the next level, takes no line: bypassed loads; stores at the L1D */
} heddle_outcome;
/* A memory request for one line, when a cache has decided it. */
typedef struct heddle_access {
  uint64_t cycle;   /* of the core clock */
  uint64_t address; /* of the line's first byte */
  unsigned level;   /* 1: the L1D; 2: the L2, of machines that have one (memory.kind: l2) */
  unsigned sm;      /* the SM whose request it is */
  unsigned warp;    /* level 1: the warp slot of a load or store; else 0 */
  heddle_access_kind kind;
  heddle_outcome outcome;
  uint32_t pc;        /* level 1: byte offset of the load or store in its kernel; else 0 */
  const char *kernel; /* level 1: the running kernel, valid in the callback; else NULL */
} heddle_access;
typedef void (*heddle_access_fn)(void *user, const heddle_access *access);
/* Sets a callback for each request at each level, called within heddle_run_go. The requests of one SM at level 1 come
 * in the order of their cycles. SMs and L2 banks are simulated separately, some hundred cycles at a time, so other
 * requests may come out of order. `access` NULL: no calls. */
HEDDLE_API void heddle_run_on_access(heddle_run *run, heddle_access_fn access, void *user);

typedef enum heddle_span_kind {
  HEDDLE_SPAN_CTA,     /* a CTA in its slot */
  HEDDLE_SPAN_LOAD,    /* a load of a warp, from its issue to its last answer */
  HEDDLE_SPAN_STORE,   /* a store or an atomic, in the same way */
  HEDDLE_SPAN_MISS,    /* an MSHR of the L1D with a load's miss, until the line is filled */
  HEDDLE_SPAN_PREFETCH /* an MSHR with a prefetch */
} heddle_span_kind;
/* Something in an SM that takes several cycles. */
typedef struct heddle_span {
  heddle_span_kind kind;
  unsigned sm;
  unsigned unit;     /* CTA slot; warp slot; MSHR */
  unsigned slot;     /* LOAD, STORE: index among the warp's memory instructions in flight; else 0 */
  uint64_t from, to; /* cycles of the core clock: the first, and the one after the last */
  /* CTA: its number in its launch; LOAD, STORE: pc; MISS, PREFETCH: address of the line's first byte */
  uint64_t value;
} heddle_span;
typedef void (*heddle_span_fn)(void *user, const heddle_span *span);
/* Sets a callback for each span, called within heddle_run_go as the span ends. The spans of one SM come in the order
 * of their ends. `span` NULL: no calls. */
HEDDLE_API void heddle_run_on_span(heddle_run *run, heddle_span_fn span, void *user);

/* Called within heddle_run_go when the figures of `run` are those of its cycles so far. Pointers to figures stay valid. */
typedef void (*heddle_interval_fn)(void *user, const heddle_run *run);
/* Sets a callback that is called every `cycles` cycles (>= 1), and at the end. SMs are simulated separately, some
 * hundred cycles at a time (without an L2: up to 16,384, but no more than `cycles`). The callback comes when all SMs
 * have got so far; the figure "cycles" says how far. What is behind the SMs may be up to such a time before or after
 * them. The callback changes no figure of the run. `interval` NULL: no calls. */
HEDDLE_API void heddle_run_on_interval(heddle_run *run, heddle_interval_fn interval, void *user,
                                       uint64_t cycles);

/* Runs the workload to its end, once. Returns HEDDLE_ERR_WORKLOAD if the workload does not fit the machine, or its
 * file is damaged. HEDDLE_ERR_LIMIT, HEDDLE_ERR_CANCELLED: the run was stopped; figures are of the cycles up to then.
 * HEDDLE_ERR_DEADLOCK: nothing has happened for a million cycles, a bug in Heddle. HEDDLE_ERR_ARGUMENT: the run has
 * been run before. */
HEDDLE_API heddle_status heddle_run_go(heddle_run *run);

/* A figure of the result. Its name is the path of the same figure in the JSON of `heddle sim` (docs/json.md): "cycles",
 * "l1d.hits", "gpu.l2.misses". */
typedef struct heddle_figure {
  const char *name;
  double number;
  uint64_t count; /* the exact number, if the figure is a count */
  int counts;     /* 1: the figure is a count */
} heddle_figure;
/* Returns the number of figures; 0 before heddle_run_go. */
HEDDLE_API size_t heddle_figure_count(const heddle_run *run);
/* Returns NULL if `figure` is not below heddle_figure_count. */
HEDDLE_API const heddle_figure *heddle_figure_at(const heddle_run *run, size_t figure);
/* Returns NULL if there is no figure of this name; the message then suggests a similar name. */
HEDDLE_API const heddle_figure *heddle_figure_find(heddle_run *run, const char *name);

#ifdef __cplusplus
}
#endif

#endif
