/* libheddle: Heddle's golden models and its GPU performance model inside other programs. docs/library.md shows how.
 *
 *   machine   one configuration, loaded and checked
 *   model     the golden model of a module of a machine, stepped cycle by cycle: bit by bit what the generated Verilog does
 *   run       a workload on the GPU of a machine, and its figures
 *
 * Over 400 lines: a program includes one header, and most of them are contracts.
 *
 * Contract of all functions:
 * - Objects are opaque. A machine never changes after heddle_load: threads may share it. Every other object belongs to one
 *   thread at a time. A machine outlives what was made from it.
 * - The library never aborts, exits, prints, or installs a signal handler. It has no state of its own, and reads nothing of
 *   the environment but TMPDIR, where a foreign trace is unpacked.
 * - A function that can fail returns a heddle_status. The sentence that explains it is with the object, until its next
 *   failure: what was found, what is allowed.
 * - Functions that make an object give one out also when they fail, for its sentence; it is to be closed as any other. It is NULL
 *   if there is no memory for it: functions that give a sentence take NULL, and say so.
 * - No pointer may be NULL where nothing else is said. Texts end with '\0'. What a function returns belongs to the object.
 * - Callbacks may not call the library with the object that calls them, unless their contract allows it, and may not leave by
 *   longjmp or an exception.
 */
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

/* Programs that were compiled with one number run with every library that has it; it is part of the soname. */
#define HEDDLE_API_NUMBER 0
/* The version of Heddle, as "1.0.0". */
HEDDLE_API const char *heddle_version(void);

typedef enum heddle_status {
  HEDDLE_OK = 0,
  HEDDLE_ERR_MEMORY,    /* out of memory */
  HEDDLE_ERR_CONFIG,    /* the configuration cannot be read, or is refused */
  HEDDLE_ERR_NAME,      /* no module, value, event or key has this name */
  HEDDLE_ERR_ARGUMENT,  /* an index or a row that is not there; a value that cannot be set */
  HEDDLE_ERR_CHECK,     /* what a module answered is wrong */
  HEDDLE_ERR_FILE,      /* a file cannot be read or written */
  HEDDLE_ERR_DAMAGED,   /* bytes are no checkpoint, or not all of one, or have changed */
  HEDDLE_ERR_FIT,       /* a checkpoint is of another module, configuration or version */
  HEDDLE_ERR_WORKLOAD,  /* a workload cannot be opened or read, or does not fit the machine */
  HEDDLE_ERR_LIMIT,     /* a run has had as many cycles as it was to have */
  HEDDLE_ERR_CANCELLED, /* a callback has ended the run */
  HEDDLE_ERR_DEADLOCK,  /* nothing happens any more: a mistake in Heddle */
} heddle_status;

/* The index that no value and no event has. */
#define HEDDLE_NONE SIZE_MAX

/* ---- Machines ---------------------------------------------------------------------------------------------- */

typedef struct heddle_machine heddle_machine;

/* Reads a configuration, a YAML file, with the files that its `base:` names. `sets` are n_sets overrides, each
 * "section.key=value"; NULL if n_sets is 0. HEDDLE_ERR_CONFIG: heddle_machine_message says every problem, one a line:
 * FILE:LINE: section.key: found X; allowed Y; do Z. Instead of FILE:LINE, problems of sets have --set section.key=value. */
HEDDLE_API heddle_status heddle_load(const char *path, const char *const *sets, size_t n_sets,
                                     heddle_machine **machine);
/* The same of a configuration that is a text. Problems in it are at `called`, beside which its bases are. */
HEDDLE_API heddle_status heddle_load_text(const char *text, const char *called, const char *const *sets,
                                          size_t n_sets, heddle_machine **machine);
/* Frees it. NULL: nothing is done. */
HEDDLE_API void heddle_unload(heddle_machine *machine);
/* The sentences of heddle_load; "": there was no problem. */
HEDDLE_API const char *heddle_machine_message(const heddle_machine *machine);

/* The functions below take machines that were loaded without a problem. */

/* The configuration's name. */
HEDDLE_API const char *heddle_machine_name(const heddle_machine *machine);
/* A number that two machines have in common if all their keys have the same values, whatever their files and names. */
HEDDLE_API uint64_t heddle_machine_hash(const heddle_machine *machine);

/* What key "section.key" is set to: a number; 0 or 1 for off and on; the place of a word in its list.
 * HEDDLE_ERR_NAME: there is no such key; *value is 0 then. */
HEDDLE_API heddle_status heddle_key(const heddle_machine *machine, const char *key, int64_t *value);
/* The word that it is set to; NULL: it is a number, or there is no such key. */
HEDDLE_API const char *heddle_key_word(const heddle_machine *machine, const char *key);

typedef struct heddle_module {
  const char *name;  /* as the Verilog module is called */
  const char *title; /* what it is */
  int model_only;    /* 1: there is no Verilog of it */
} heddle_module;
/* The modules of the machine; inner ones come before those that they are in. */
HEDDLE_API size_t heddle_module_count(const heddle_machine *machine);
/* NULL: `index` is not below heddle_module_count. */
HEDDLE_API const heddle_module *heddle_module_at(const heddle_machine *machine, size_t index);

/* ---- Models ------------------------------------------------------------------------------------------------ */

typedef struct heddle_model heddle_model;

/* What heddle_open may be told; 0: nothing. */
#define HEDDLE_NO_DATA 1u /* bytes of lines are left out: faster; values that hold such bytes mean nothing */

/* Makes the golden model of a module, with the modules inside it; or of a mechanism alone, a drop-in, by its name as `heddle gen
 * -t` takes it: "apcm", "memsched_top". All state and all inputs are 0, then the reset edge is
 * done (heddle_reset). Run-time enables are the exception: they are what the configuration says.
 * HEDDLE_ERR_NAME: the machine has no such module, nor such a mechanism. */
HEDDLE_API heddle_status heddle_open(const heddle_machine *machine, const char *module, unsigned flags,
                                     heddle_model **model);
/* Frees it. NULL: nothing is done. */
HEDDLE_API void heddle_close(heddle_model *model);
/* The sentence of its last failure; "": there was none. */
HEDDLE_API const char *heddle_model_message(const heddle_model *model);

/* A cycle of a model is
 *   heddle_set ...      the inputs of the cycle; an input that is not set keeps its value
 *   heddle_eval         the Mealy outputs of these inputs; any number of times, or not at all
 *   heddle_tick         the clock edge; then the outputs of the next cycle that follow from registers
 * as with Verilog whose inputs change after the rising edge of the clock, and are read at the next.
 *
 * heddle_reset is a clock edge with the reset set: registers that have a reset value take it, everything else stays. */
HEDDLE_API void heddle_reset(heddle_model *model);
HEDDLE_API void heddle_eval(heddle_model *model);
HEDDLE_API void heddle_tick(heddle_model *model);
/* Clock edges so far, resets (and that of heddle_open) included. */
HEDDLE_API uint64_t heddle_cycle(const heddle_model *model);

/* ---- Values: ports, registers, memories -------------------------------------------------------------------- */

typedef enum heddle_kind {
  HEDDLE_KIND_INPUT, /* a port */
  HEDDLE_KIND_OUTPUT, /* a port that follows from registers: known after heddle_open, heddle_reset, heddle_tick */
  HEDDLE_KIND_MEALY, /* a port that depends on inputs of the same cycle: known after heddle_eval */
  HEDDLE_KIND_LATE, /* a port of an inner module that is known at the edge: after heddle_tick, of the cycle that has ended */
  HEDDLE_KIND_REGISTER, /* flip-flops */
  HEDDLE_KIND_MEMORY    /* a memory macro, or a field of its rows */
} heddle_kind;

/* A value has `rows` (memories; else 1) of `count` elements of `width` bits (1 to 64): element e is at
 * [e*width +: width] of the Verilog signal. Payload ports mean something only in cycles in which their valid is 1.
 *
 * Names are those of the Verilog: a port (mreq_line), a register (count_q). A memory is called without the u_ of its
 * instance (tags), one that has fields, field by field (fifo.line). In an inner module, its instances come before, as in
 * u_l1d.tags. */
typedef struct heddle_value {
  const char *name, *meaning;
  heddle_kind kind;
  unsigned count, width;
  unsigned bits;  /* of a row: count * width */
  unsigned words; /* of 32 bits, that a row takes */
  unsigned rows;
  int settable; /* heddle_set takes it */
} heddle_value;

/* The values of a model: the ports of its module; its registers and memories, and those of the modules inside. */
HEDDLE_API size_t heddle_value_count(const heddle_model *model);
/* NULL: `value` is not below heddle_value_count. */
HEDDLE_API const heddle_value *heddle_value_at(const heddle_model *model, size_t value);
/* The index of the value of that name, the same in every model of that module in that machine; HEDDLE_NONE: there is none,
 * and the model's message says which name is near. */
HEDDLE_API size_t heddle_find(heddle_model *model, const char *name);

/* A row of a value as 32-bit words, the least significant first, as Verilator and SystemC have them. `row` is 0 for all but
 * memories. heddle_set ignores bits above the value's, heddle_get gives 0 for them.
 *
 * Inputs and memories can be set, and registers without a reset value. HEDDLE_ERR_ARGUMENT: there is no such value
 * or row, or it cannot be set; nothing has changed then, and heddle_get gives nothing. */
HEDDLE_API heddle_status heddle_set(heddle_model *model, size_t value, unsigned row, const uint32_t *words);
HEDDLE_API heddle_status heddle_get(heddle_model *model, size_t value, unsigned row, uint32_t *words);
/* Row 0 as a number: its lowest 64 bits. heddle_get_u64 gives 0 for what is not there, and sets the message. */
HEDDLE_API heddle_status heddle_set_u64(heddle_model *model, size_t value, uint64_t number);
HEDDLE_API uint64_t heddle_get_u64(heddle_model *model, size_t value);

/* The newest bytes of line `line` (a number, as at the port req_line) that are in a model of l2_top: in its lines, in its MSHRs with
 * the lines that have come, among requests that it has taken, among lines that it writes back. bytes[i] is byte i if known[i] is 1;
 * if it is 0, byte i is 0, and the memory has the newest one, or the last reset has lost it. Both have l1d.line_bytes elements.
 * So a load that is taken next brings these bytes, and the others from the memory. The model does not change.
 * HEDDLE_ERR_ARGUMENT: a model of another module, or one with HEDDLE_NO_DATA. */
HEDDLE_API heddle_status heddle_peek(heddle_model *model, uint64_t line, uint8_t *bytes, uint8_t *known);

/* ---- Events ------------------------------------------------------------------------------------------------ */

typedef struct heddle_event {
  const char *name;    /* as load_hit; in an inner module u_l1d.load_hit */
  const char *meaning; /* when it happens */
  const char *format;  /* its sentence, a format of printf for its arguments, %llu and %llx in their order */
} heddle_event;

/* The events that can happen in this machine, of the module and those inside. */
HEDDLE_API size_t heddle_event_count(const heddle_model *model);
/* NULL: `event` is not below heddle_event_count. */
HEDDLE_API const heddle_event *heddle_event_at(const heddle_model *model, size_t event);
/* HEDDLE_NONE: there is none, and the model's message says which name is near. */
HEDDLE_API size_t heddle_event_find(heddle_model *model, const char *name);
/* How often it has happened since heddle_open; 0 if there is no such event. */
HEDDLE_API uint64_t heddle_event_total(const heddle_model *model, size_t event);

/* An event of the edge that ends cycle `cycle`. It may read the model, and hear of values half before and half after the
 * edge; it may not change it. */
typedef void (*heddle_listener)(void *user, size_t event, uint64_t cycle, const uint64_t arguments[4]);
/* From now on `listener` hears of these n events, or of all if `events` is NULL, and no other listener hears of any. Listener
 * NULL: none does; events are counted all the same. HEDDLE_ERR_ARGUMENT: no such event; all is as before then. */
HEDDLE_API heddle_status heddle_listen(heddle_model *model, heddle_listener listener, void *user,
                                       const size_t *events, size_t n);

/* ---- An SM: what runs a workload on sm_mem ----------------------------------------------------------------- */

/* It drives the inputs of sm_mem but those of its memory side (mreq_ready, mrsp_...), and checks what comes back: that each
 * request is answered once, and that loads bring what was stored. It uses the ports of a model of sm_mem, which is stepped, or only
 * holds the values of other pins. A cycle:
 *   heddle_sm_hear     outputs of sm_mem that follow from registers, if the model is not stepped
 *   heddle_sm_drive    the SM's inputs of sm_mem; to be read with heddle_get
 *   heddle_set         the inputs of the memory side
 *   heddle_eval        or heddle_sm_hear of all outputs
 *   heddle_sm_clock    the edge of the SM, before that of the model */
typedef struct heddle_sm heddle_sm;

/* `workload` as `heddle sim -w` takes it: "atax:tiny", "trace:PATH". HEDDLE_ERR_ARGUMENT: the model is not of sm_mem, or
 * has no bytes of lines.
 * HEDDLE_ERR_WORKLOAD: the workload cannot be opened, or does not fit the machine. The model must live longer. Gives out
 * an object also when it fails. */
HEDDLE_API heddle_status heddle_sm_open(heddle_model *model, const char *workload, heddle_sm **sm);
/* Frees it. NULL: nothing is done. */
HEDDLE_API void heddle_sm_close(heddle_sm *sm);
/* The sentence of its last failure; "": there was none. */
HEDDLE_API const char *heddle_sm_message(const heddle_sm *sm);
/* An output of sm_mem is this. HEDDLE_ERR_ARGUMENT: no output has this index; heddle_model_message says. */
HEDDLE_API heddle_status heddle_sm_hear(heddle_sm *sm, size_t value, const uint32_t *words);
HEDDLE_API void heddle_sm_drive(heddle_sm *sm);
/* HEDDLE_ERR_CHECK: an answer is wrong; HEDDLE_ERR_WORKLOAD: the workload does not fit the machine; HEDDLE_ERR_MEMORY. After each
 * of them it is over. */
HEDDLE_API heddle_status heddle_sm_clock(heddle_sm *sm);
/* An edge with the reset set, instead of heddle_sm_clock; not needed before the first. What is in flight is forgotten, and the
 * workload starts anew. The memory keeps what it was sent: the stores that mreq had taken count as done, the others never
 * happened. Fails as heddle_sm_open does; then only heddle_sm_message and heddle_sm_close may be called. */
HEDDLE_API heddle_status heddle_sm_reset(heddle_sm *sm);
/* 1: the workload has ended, and nothing of it is inside. */
HEDDLE_API int heddle_sm_done(const heddle_sm *sm);
/* So far: warp instructions since the last reset; facts that were checked since heddle_sm_open. */
HEDDLE_API uint64_t heddle_sm_instructions(const heddle_sm *sm);
HEDDLE_API uint64_t heddle_sm_checked(const heddle_sm *sm);
/* What word `word`, 64 bits, of a line holds that was never stored to. */
HEDDLE_API uint64_t heddle_memory_initial(uint64_t line, unsigned word);
/* Performs an atomic as Heddle's memories do: operation `op`, as the port mreq_op has it, on each 32-bit word of a line of which a
 * byte is enabled (not 0). All three have `bytes` elements, a multiple of 8. An `op` that is none changes nothing. */
HEDDLE_API void heddle_memory_atomic(unsigned op, uint8_t *line, const uint8_t *operand,
                                     const uint8_t *enabled, size_t bytes);

/* ---- Lockstep: a model beside the Verilated RTL of its module ---------------------------------------------- */

/* The program that steps both compares the ports, by heddle_get; this compares the registers and memories. The RTL is Verilated with the
 * control file <top>_sc.vlt that `heddle gen --systemc` writes, which keeps them readable. */
typedef struct heddle_lockstep heddle_lockstep;

/* A variable of the RTL: rows of `bytes` bytes, `bits` of them used, little-endian; those above are 0. Up to 64 bits have 1, 2,
 * 4 or 8 bytes, aligned so. */
typedef struct heddle_rtl_variable {
  uint8_t *data;
  size_t bytes;
  unsigned bits, rows;
} heddle_rtl_variable;
/* Finds one: `scope` is "" for the top, else the instances below it, as in ".u_l1d.u_tags". 0: it is not there. */
typedef int (*heddle_rtl_finder)(void *user, const char *scope, const char *name,
                                 heddle_rtl_variable *variable);

/* Gives out an object also when it fails. HEDDLE_ERR_NAME: the RTL lacks something that is declared, or it has another size.
 * HEDDLE_ERR_ARGUMENT: the model has no bytes of lines.
 * The model must live longer. */
HEDDLE_API heddle_status heddle_lockstep_open(heddle_model *model, heddle_rtl_finder find, void *user,
                                              heddle_lockstep **lockstep);
/* Frees it. NULL: nothing is done. */
HEDDLE_API void heddle_lockstep_close(heddle_lockstep *lockstep);
/* The model takes all registers and memories of the RTL. From then on it is to be looked at (heddle_get, heddle_peek), and not to be
 * stepped: the library keeps notes about registers. */
HEDDLE_API void heddle_lockstep_copy(heddle_lockstep *lockstep);
/* After a reset edge of both: what has no reset value gets the RTL's, in the model. */
HEDDLE_API void heddle_lockstep_align(heddle_lockstep *lockstep);
/* After a clock edge of both: 1 if every register is equal, and every row of a memory that the model has just written; with
 * all_rows, every row. 0: heddle_lockstep_message says what differs, by its declared name. */
HEDDLE_API int heddle_lockstep_same(heddle_lockstep *lockstep, int all_rows);
/* Values compared so far. */
HEDDLE_API uint64_t heddle_lockstep_values(const heddle_lockstep *lockstep);
/* The sentence of the last failure; "": there was none. */
HEDDLE_API const char *heddle_lockstep_message(const heddle_lockstep *lockstep);

/* ---- Checkpoints ------------------------------------------------------------------------------------------- */

/* A checkpoint is all that a model holds: what follows after heddle_restore is what followed after heddle_save, to the bit, also
 * in another process. It is read by the same version of Heddle, for the same module, flags and keys of the configuration. */

/* The bytes of a checkpoint of this model, always the same. */
HEDDLE_API size_t heddle_state_size(heddle_model *model);
/* Writes so many bytes to `buffer`. */
HEDDLE_API void heddle_save(heddle_model *model, void *buffer);
/* HEDDLE_ERR_DAMAGED, HEDDLE_ERR_FIT: nothing has changed. The listener stays what it is. */
HEDDLE_API heddle_status heddle_restore(heddle_model *model, const void *buffer, size_t size);
/* The same with a file. HEDDLE_ERR_FILE: the message says why; a file that was there before stays as it was. */
HEDDLE_API heddle_status heddle_save_file(heddle_model *model, const char *path);
HEDDLE_API heddle_status heddle_restore_file(heddle_model *model, const char *path);

/* ---- Performance runs -------------------------------------------------------------------------------------- */

/* A run of a workload on the GPU of a machine: what `heddle sim` does. The L1Ds, L2 slices and schedulers are the golden models. */
typedef struct heddle_run heddle_run;

/* What heddle_run_open may be told; 0: nothing. */
#define HEDDLE_NO_SKIP 1u /* idle cycles are simulated one by one: the same figures, slower */

/* `workload` is a spec as `heddle sim --workload` takes it: "atax", "gemm:ni=256,nj=256,nk=128", "trace:PATH".
 * HEDDLE_ERR_WORKLOAD: it cannot be opened; the message says why. As heddle_load, it gives out an object also then. */
HEDDLE_API heddle_status heddle_run_open(const heddle_machine *machine, const char *workload, unsigned flags,
                                         heddle_run **run);
/* Frees it. NULL: nothing is done. */
HEDDLE_API void heddle_run_close(heddle_run *run);
/* The sentence of its last failure; "": there was none. */
HEDDLE_API const char *heddle_run_message(const heddle_run *run);

/* The run ends with HEDDLE_ERR_LIMIT when it has had so many cycles; 0: no limit, as at first. */
HEDDLE_API void heddle_run_limit(heddle_run *run, uint64_t cycles);
/* A GPU of several SMs is run by so many threads, at most; 0 means 1, the default. All figures are the same. The
 * threads live as long as heddle_run_go and take no signals of the program; callbacks are called by the thread that
 * has called it. With a callback for requests or spans the run uses one thread. */
HEDDLE_API void heddle_run_threads(heddle_run *run, unsigned threads);

/* What heddle_run_sample allows. */
enum {
  HEDDLE_LEAST_ONE_IN = 2,
  HEDDLE_MOST_ONE_IN = 10000,
  HEDDLE_LEAST_SAMPLE_CYCLES = 100,
  HEDDLE_MOST_SAMPLE_CYCLES = 10000000
};

/* The run simulates about one cycle in `one_in`, or more, so that a class of launches that are alike has three samples. These measure
 * `cycles` at least; the run passes over the instructions between: docs/gpu/sampling.md. "cycles", "instructions", "ipc" and "time_us"
 * are then estimates for the whole workload, or, when it was stopped, for what was passed and simulated up to then. All other figures
 * are of what was simulated, and those of "sampling" say how much that was and how sure the estimates are ("sampling.ipc_margin", a NAN
 * if there is none). HEDDLE_ERR_ARGUMENT: other numbers, or a machine that powers lines of its L2 off; in heddle_run_go: there is a
 * callback for requests, spans or intervals, which are of whole runs. */
HEDDLE_API heddle_status heddle_run_sample(heddle_run *run, unsigned one_in, unsigned cycles, uint64_t seed);

typedef struct heddle_progress {
  uint64_t cycles, instructions; /* of the core clock; of warps, on all SMs */
  uint64_t launches;             /* kernels launched */
  uint32_t ctas_ended, ctas;     /* of the kernel that runs */
} heddle_progress;
/* Returns 0: the run goes on; else it ends with HEDDLE_ERR_CANCELLED. */
typedef int (*heddle_progress_fn)(void *user, const heddle_progress *progress);
/* Called at most every so many milliseconds (0: every time that the run looks up, each 16,384 cycles or so). NULL: not at all. */
HEDDLE_API void heddle_run_on_progress(heddle_run *run, heddle_progress_fn progress, void *user,
                                       unsigned milliseconds);

typedef enum heddle_access_kind {
  HEDDLE_ACCESS_LOAD,
  HEDDLE_ACCESS_STORE,
  HEDDLE_ACCESS_PREFETCH
} heddle_access_kind;
typedef enum heddle_outcome {
  HEDDLE_HIT,
  HEDDLE_MERGED,  /* the line is in flight: it waits for that */
  HEDDLE_MISS,    /* the line is fetched into the cache */
  HEDDLE_UNCACHED /* it goes on to the next level, and takes no line: bypassed loads; stores at the L1D */
} heddle_outcome;
/* A memory request of one line, when a cache has decided it. */
typedef struct heddle_access {
  uint64_t cycle;   /* of the core clock */
  uint64_t address; /* of the line's first byte */
  unsigned level;   /* 1: the L1D; 2: the L2, of machines that have one (memory.kind: l2) */
  unsigned sm;      /* whose request it is */
  unsigned warp;    /* level 1: the warp slot of a load or store; else 0 */
  heddle_access_kind kind;
  heddle_outcome outcome;
  uint32_t pc;        /* level 1: byte offset in its kernel of a load or store instruction; else 0 */
  const char *kernel; /* level 1: the kernel that runs, until the callback returns; else NULL */
} heddle_access;
typedef void (*heddle_access_fn)(void *user, const heddle_access *access);
/* Called for each request at each level, within heddle_run_go. Those of one SM at level 1 come in the order of their cycles; SMs
 * and L2 banks are simulated apart, some hundred cycles at a time, so others may come out of order. NULL: not at all. */
HEDDLE_API void heddle_run_on_access(heddle_run *run, heddle_access_fn access, void *user);

typedef enum heddle_span_kind {
  HEDDLE_SPAN_CTA,     /* a CTA in its slot */
  HEDDLE_SPAN_LOAD,    /* a load of a warp, from its issue to its last answer */
  HEDDLE_SPAN_STORE,   /* a store or an atomic, likewise */
  HEDDLE_SPAN_MISS,    /* an MSHR of the L1D with a load's miss, until the line is filled */
  HEDDLE_SPAN_PREFETCH /* an MSHR with a prefetch */
} heddle_span_kind;
/* What takes a while in an SM. */
typedef struct heddle_span {
  heddle_span_kind kind;
  unsigned sm;
  unsigned unit;     /* CTA slot; warp slot; MSHR */
  unsigned slot;     /* LOAD, STORE: which of the warp's memory instructions in flight; else 0 */
  uint64_t from, to; /* cycles of the core clock: the first, and the one behind the last */
  uint64_t
      value; /* CTA: its number in its launch; LOAD, STORE: pc; MISS, PREFETCH: address of the line's first byte */
} heddle_span;
typedef void (*heddle_span_fn)(void *user, const heddle_span *span);
/* Called within heddle_run_go for each span, as it ends; those of one SM in the order of their ends. NULL: not at all. */
HEDDLE_API void heddle_run_on_span(heddle_run *run, heddle_span_fn span, void *user);

/* Called within heddle_run_go when the figures of `run` are those of its first so many cycles. Figures stay where they are. */
typedef void (*heddle_interval_fn)(void *user, const heddle_run *run);
/* Called each so many cycles (>= 1), and at the end. SMs are simulated apart, some hundred cycles at a time (without an L2: up to
 * 16,384, and no more than `cycles`): it is called when they have all come so far, and the figure "cycles" says how far. What is
 * behind the SMs may be up to such a time before or after them. No figure of the run depends on it. NULL: not at all. */
HEDDLE_API void heddle_run_on_interval(heddle_run *run, heddle_interval_fn interval, void *user,
                                       uint64_t cycles);

/* Runs it to the end, once. HEDDLE_ERR_WORKLOAD: the workload does not fit the machine, or its file is damaged.
 * HEDDLE_ERR_LIMIT, HEDDLE_ERR_CANCELLED: it was stopped; figures are of the cycles up to then. HEDDLE_ERR_DEADLOCK:
 * nothing has happened for a million cycles, a mistake in Heddle. HEDDLE_ERR_ARGUMENT: it has been run. */
HEDDLE_API heddle_status heddle_run_go(heddle_run *run);

/* A figure of the result. Its name is the path of the same figure in the JSON of `heddle sim` (docs/json.md): "cycles",
 * "l1d.hits", "gpu.l2.misses". */
typedef struct heddle_figure {
  const char *name;
  double number;
  uint64_t count; /* the same, exactly, if it counts something */
  int counts;     /* 1: it does */
} heddle_figure;
/* 0 before heddle_run_go. */
HEDDLE_API size_t heddle_figure_count(const heddle_run *run);
/* NULL: `figure` is not below heddle_figure_count. */
HEDDLE_API const heddle_figure *heddle_figure_at(const heddle_run *run, size_t figure);
/* NULL: there is none of this name; the message says which name is near. */
HEDDLE_API const heddle_figure *heddle_figure_find(heddle_run *run, const char *name);

#ifdef __cplusplus
}
#endif

#endif
