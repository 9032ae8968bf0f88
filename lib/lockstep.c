/* A model beside the Verilated RTL of its module; see heddle.h.
 *
 * Invariant: a lockstep without a message has every register and memory of the model in its table.
 */
#include "lib/objects.h"
#include "verif/harness/table.h"

#include <inttypes.h>
#include <stdlib.h>

/* the most differences that are reported one by one */
enum { REPORTED = 8 };

struct heddle_lockstep {
  heddle_model *model;
  heddle_rtl_finder find;
  void *user;
  struct hd_table table;
  uint64_t values;
  struct hd_said said;
};

static bool find(void *lockstep, const char *scope, const char *name, struct hd_dut_var *var) {
  const heddle_lockstep *k = lockstep;
  heddle_rtl_variable v;
  if (!k->find(k->user, scope, name, &v))
    return false;
  *var = (struct hd_dut_var){v.data, v.bytes, v.bits, v.rows};
  return true;
}

heddle_status heddle_lockstep_open(heddle_model *model, heddle_rtl_finder finder, void *user,
                                   heddle_lockstep **lockstep) {
  heddle_lockstep *k = *lockstep = calloc(1, sizeof *k);
  if (!k)
    return HEDDLE_ERR_MEMORY;
  if (!model->m->data)
    return hd_no_bytes(&k->said);
  k->model = model;
  k->find = finder;
  k->user = user;
  struct hd_why why;
  const enum hd_rc rc = hd_table_of_state(&k->table, model->decl, "", find, k, model->m, &why);
  if (rc == HD_OK)
    return HEDDLE_OK;
  return hd_say(&k->said, rc == HD_CHECK ? HEDDLE_ERR_NAME : HEDDLE_ERR_MEMORY, "%s", why.text);
}

void heddle_lockstep_close(heddle_lockstep *k) {
  if (!k)
    return;
  hd_table_free(&k->table);
  free(k);
}

void heddle_lockstep_copy(heddle_lockstep *k) {
  hd_copy_state(&k->table, true);
}

void heddle_lockstep_align(heddle_lockstep *k) {
  hd_copy_state(&k->table, false);
  k->model->ops->moore(k->model->m, k->model->out);
}

/* Sets the message: NAME: RTL x, golden model y; ... as many as fit. */
static void tell(heddle_lockstep *k) {
  struct hd_diff diff[REPORTED];
  const size_t n = hd_differences(&k->table, HD_AT_STATE, diff, REPORTED);
  char *const text = k->said.text;
  const size_t room = sizeof k->said.text - sizeof "; and 18446744073709551615 more";
  size_t reported = 0, end = 0;
  for (; reported < n && reported < REPORTED; reported++) {
    const struct hd_diff *d = &diff[reported];
    const int length =
        snprintf(text + end, room - end, "%s%s %s (%s): RTL 0x%" PRIx64 ", golden model 0x%" PRIx64,
                 reported ? "; " : "", d->kind, d->name, d->row->meaning, d->rtl, d->model);
    if (length >= (int)(room - end))
      break;
    end += (size_t)length;
  }
  if (n > reported)
    snprintf(text + end, sizeof k->said.text - end, "; and %zu more", n - reported);
}

int heddle_lockstep_same(heddle_lockstep *k, int all_rows) {
  bool same = hd_state_agrees(&k->table);
  k->values += k->table.state.elements;
  same &= all_rows ? hd_memories_agree(&k->table, &k->values) : hd_writes_agree(&k->table, &k->values);
  if (!same)
    tell(k);
  return same;
}

uint64_t heddle_lockstep_values(const heddle_lockstep *k) {
  return k->values;
}

const char *heddle_lockstep_message(const heddle_lockstep *k) {
  return k ? k->said.text : "out of memory";
}
