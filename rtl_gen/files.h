/* A design under one top as texts in memory, and the files beside its modules. Internal to rtl_gen. */
#ifndef HEDDLE_RTL_GEN_FILES_H
#define HEDDLE_RTL_GEN_FILES_H

#include "arch/modules.h"

/* The texts of hd_ram_1rw.v and hd_ram_1r1w.v. */
extern const char hd_ram_1rw[], hd_ram_1r1w[];

/* `top` and every module below it, inner ones first. */
struct hd_set {
  const struct hd_design *design;
  const struct hd_decl *top;
  const struct hd_decl **decls;
  char **texts; /* of the modules */
  size_t n;
  bool one_port, two_port; /* which memory wrappers they hold */
};

/* The texts of <top>.f, <top>.core and <top>.json, to be freed. */
char *hd_files_list(const struct hd_set *set);
char *hd_files_core(const struct hd_set *set);
char *hd_files_signature(const struct hd_set *set);

#endif
