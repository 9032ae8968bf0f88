/* Drop-ins: which of them exist, and that each does the same as its modules inside sm_mem and l2_top. The test runs both side by
 * side and compares every wire in every cycle. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "verif/dropin/env_dropin.c"

enum { CYCLES = 10000 };

struct machine {
  struct hd_config c;
  struct hd_design *design;
};

static void load(struct machine *m, const char *config, const char *change) {
  char *path = hd_format("configs/%s.yaml", config);
  const char *const set[] = {change};
  assert_int_equal(hd_config_load_set(&m->c, path, NULL, set, change ? 1 : 0, stderr), 0);
  m->design = hd_design_new(&m->c);
  assert_non_null(m->design);
  free(path);
}

/* Returns NULL if the machine has no drop-in of that name. */
static const struct hd_decl *add(struct hd_design *design, const char *name) {
  const struct hd_decl *decl;
  struct hd_why why = {""};
  const enum hd_rc rc = hd_dropin_add(design, name, &decl, &why);
  if (rc != HD_OK && rc != HD_INPUT)
    fail_msg("%s: %s", name, why.text);
  assert_int_equal(rc == HD_OK, decl != NULL);
  return decl;
}

/* --- beside sm_mem and l2_top ----------------------------------------------------------------------------- */

static bool same_name(const struct hd_inst *inst, const char *name) {
  return !strcmp(inst->name, name);
}

/* Returns the value that element e of a drop-in's output has in the large machine. */
static uint64_t there(const struct dropin_env *e, const struct hd_net *net, unsigned element) {
  for (size_t p = 0; p < e->decl->dropin->n_parts; p++) {
    const struct hd_decl *top = e->world[p].part->decl;
    for (size_t i = 0; i < top->n_insts; i++)
      if (same_name(&top->insts[i], net->inst->name))
        return *hd_elem(top->insts[i].decl, net->row, (char *)e->world[p].model + top->insts[i].out_offset, 0,
                        element);
  }
  fail_msg("%s is nowhere", net->inst->name);
  return 0;
}

/* Fields of an offer count only while the offer is valid. */
static bool offered(const struct hd_decl *d, const struct hd_row *row, const void *out) {
  for (size_t i = 0; i < d->n_rows; i++) {
    const struct hd_row *valid = &d->rows[i];
    const size_t n = strlen(valid->var);
    if (hd_is_output(valid->cls) && n > 6 && !strcmp(valid->var + n - 6, "_valid") && valid != row &&
        !strncmp(valid->var, row->var, n - 5))
      return *hd_elem(d, valid, out, 0, 0);
  }
  return true;
}

static const struct hd_net *net_of(const struct hd_decl *d, const struct hd_row *row) {
  const struct hd_wiring *w = d->dropin->wiring;
  size_t i = 0;
  while (strcmp(w->nets[i].name, row->var) != 0)
    i++;
  return &w->nets[i];
}

/* Returns the number of values that differ. *compared: the number of values that count. */
static uint64_t run(const struct machine *m, const struct hd_decl *d, uint64_t *compared) {
  const struct hd_env_job job = {.design = m->design, .module = d->module, .seed = 7, .random = true};
  const struct hd_model_ops *ops = hd_model_ops_of(d);
  struct hd_model *model = hd_model_new(m->design, d->module, true, NULL);
  void *in = calloc(1, d->in_size), *out = calloc(1, d->out_size);
  struct hd_env *env;
  struct hd_why why;
  uint64_t differ = 0;
  *compared = 0;
  assert_true(model && in && out && hd_alloc_in(d, in) && hd_alloc_out(d, out));
  assert_int_equal(hd_env_open(&job, &env, &why), HD_OK);
  for (unsigned cycle = 0; cycle < CYCLES; cycle++) {
    ops->moore(model, out);
    env->ops->drive(env, out, in);
    ops->mealy(model, in, out);
    for (const struct hd_row *row = d->rows; row < d->rows + d->n_rows; row++)
      for (unsigned e = 0; hd_is_output(row->cls) && offered(d, row, out) && e < row->count; e++) {
        differ += *hd_elem(d, row, out, 0, e) != there((struct dropin_env *)env, net_of(d, row), e);
        ++*compared;
      }
    assert_true(env->ops->clock(env, in, out));
    ops->tick(model, in);
  }
  env->ops->close(env);
  hd_free_in(d, in);
  hd_free_out(d, out);
  free(in);
  free(out);
  hd_model_free(model);
  return differ;
}

static void test_beside(void **state) {
  static const struct {
    const char *config, *name;
  } all[] = {{"apcm", "apcm"},
             {"apres", "apres"},
             {"memsched", "memsched_top"},
             {"lasc_casc", "lasc"},
             {"lasc_casc", "casc_top"},
             {"mrpb", "mrpb_top"},
             {"ccws", "ccws"},
             {"mascar", "mascar_top"},
             {"loscache", "loscache"},
             {"lockstep/casc/casc_locality", "casc_top"},
             {"lockstep/apcm/apcm_all", "apcm"},
             {"lockstep/mix/mix_ccws_laws", "apres"},
             {"lockstep/mix/mix_everything", "loscache"}};
  (void)state;
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    struct machine m;
    uint64_t compared;
    load(&m, all[i].config, NULL);
    const struct hd_decl *d = add(m.design, all[i].name);
    assert_non_null(d);
    const uint64_t differ = run(&m, d, &compared);
    if (differ || compared < CYCLES)
      fail_msg("%s of %s: %llu of %llu values differ", all[i].name, all[i].config, (unsigned long long)differ,
               (unsigned long long)compared);
    hd_design_free(m.design);
  }
}

/* A wire at a wrong place is found. */
static void test_wrong_wire(void **state) {
  struct machine m;
  uint64_t compared;
  (void)state;
  load(&m, "apcm", NULL);
  const struct hd_decl *d = add(m.design, "apcm_top");
  struct hd_tie *two = NULL, *trk = NULL;
  for (size_t i = 0; i < d->dropin->wiring->n_ties; i++) {
    struct hd_tie *tie = &d->dropin->wiring->ties[i];
    if (!strcmp(tie->inst->name, "u_mta") && !strcmp(tie->port->var, "acc_wid"))
      two = tie;
    if (!strcmp(tie->inst->name, "u_mta") && !strcmp(tie->port->var, "acc_trk"))
      trk = tie;
  }
  assert_true(two && trk);
  struct hd_wire_expr *was = two->expr;
  two->expr = trk->expr;
  trk->expr = was;
  assert_true(run(&m, d, &compared) > 0);
  hd_design_free(m.design);
}

/* --- names and ports -------------------------------------------------------------------------------------- */

static void note(void *user, const char *name) {
  strcat(strcat(user, " "), name);
}

static void test_names(void **state) {
  struct machine m;
  char names[200] = "";
  (void)state;
  load(&m, "lasc_casc", NULL);
  hd_dropins(m.design, note, names);
  assert_string_equal(names, " casc_top lasc_top");
  assert_null(add(m.design, "apcm")); /* not in this machine */
  assert_null(add(m.design, "reuse"));
  assert_null(add(m.design, "casc_to"));
  assert_string_equal(add(m.design, "lasc")->module, "lasc_top");
  assert_ptr_equal(hd_design_find(m.design, "lasc_top"), m.design->decls[m.design->n - 1]);
  hd_design_free(m.design);
}

static const struct hd_row *port(const struct hd_decl *d, const char *name) {
  for (size_t i = 0; i < d->n_rows; i++)
    if (!strcmp(d->rows[i].var, name))
      return &d->rows[i];
  return NULL;
}

static void test_ports(void **state) {
  struct machine m;
  (void)state;
  load(&m, "lockstep/mix/mix_ccws_laws", NULL);
  const struct hd_decl *d = add(m.design, "ccws");
  assert_int_equal(d->n_insts, 2);
  assert_int_equal(port(d, "withhold")->cls, HD_MEALY); /* a hook's class, found by the port's name */
  assert_int_equal(port(d, "outcome_take")->cls, HD_IN);
  assert_null(port(d, "ccws_score_withhold"));
  d = add(m.design, "apres");
  assert_int_equal(port(d, "withhold")->cls, HD_IN); /* all other outputs to a hook form one input */
  hd_design_free(m.design);
  load(&m, "apcm", NULL);
  d = add(m.design, "apcm");
  assert_int_equal(d->n_insts, 6); /* including the counter of line uses */
  assert_null(port(d, "ask_pc"));  /* a wire between two of them */
  assert_int_equal(port(d, "pins")->cls, HD_MEALY);
  assert_int_equal(port(d, "pins")->width, m.c.d.WAYS);
  assert_int_equal(port(d, "issue_valid")->cls, HD_IN);
  hd_design_free(m.design);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_beside), cmocka_unit_test(test_wrong_wire),
                                     cmocka_unit_test(test_names), cmocka_unit_test(test_ports)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
