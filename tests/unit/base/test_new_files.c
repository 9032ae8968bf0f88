/* Files that are written together, in a directory made for the test. */
#include "base/new_files.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"

static char dir[] = "/tmp/heddle_new_files_XXXXXX";

static char *in_dir(const char *name) {
  return hd_format("%s/%s", dir, name);
}

static void put(const char *name, const char *text) {
  char *path = in_dir(name);
  assert_true(hd_write_file(path, text));
  free(path);
}

static void holds(const char *name, const char *text) {
  char *path = in_dir(name), *found = hd_slurp(path);
  assert_non_null(found);
  assert_string_equal(found, text);
  free(found);
  free(path);
}

/* Things in the directory, with hidden ones. */
static unsigned things(void) {
  unsigned n = 0;
  DIR *d = opendir(dir);
  assert_non_null(d);
  for (const struct dirent *e; (e = readdir(d));)
    n += strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0;
  closedir(d);
  return n;
}

static void empty(void) {
  static const char *const names[] = {"first", "second", "third"};
  for (unsigned i = 0; i < 3; i++) {
    char *path = in_dir(names[i]);
    remove(path);
    free(path);
  }
  assert_int_equal(things(), 0);
}

static void add_two(struct hd_files *files) {
  hd_files_add(files, dir, "first", "", hd_format("new"));
  hd_files_add(files, dir, "second", "", hd_format("new"));
}

static bool open_two(struct hd_files *files, struct hd_why *why) {
  static const char *const names[] = {"first", "second"};
  for (unsigned i = 0; i < 2; i++) {
    FILE *f = hd_files_open(files, dir, names[i], why);
    if (!f)
      return false;
    fputs("new", f);
  }
  return true;
}

static enum hd_rc write_them(struct hd_why *why) {
  struct hd_files files = {0};
  add_two(&files);
  const enum hd_rc rc = hd_files_write(&files, dir, why);
  hd_files_free(&files);
  return rc;
}

static enum hd_rc open_and_place(struct hd_why *why) {
  struct hd_files files = {0};
  const bool opened = open_two(&files, why);
  holds("first", "old"); /* none has its name yet */
  const enum hd_rc rc = opened ? hd_files_place(&files, why) : HD_INPUT;
  hd_files_drop(&files);
  hd_files_free(&files);
  return rc;
}

static enum hd_rc write_or_place(bool texts, struct hd_why *why) {
  return (texts ? write_them : open_and_place)(why);
}

static void all_are_new(void **state) {
  (void)state;
  for (unsigned texts = 0; texts < 2; texts++) {
    put("first", "old");
    assert_int_equal(write_or_place(texts, NULL), HD_OK);
    holds("first", "new");
    holds("second", "new");
    assert_int_equal(things(), 2);
    empty();
  }
}

/* The second has the name of a directory: the first is not new either, and nothing else is left. */
static void a_directory(void **state) {
  (void)state;
  for (unsigned texts = 0; texts < 2; texts++) {
    struct hd_why why;
    char *second = in_dir("second"), *said = hd_format("cannot write %s: Is a directory", second);
    put("first", "old");
    assert_int_equal(mkdir(second, 0777), 0);
    assert_int_equal(write_or_place(texts, &why), HD_INPUT);
    assert_string_equal(why.text, said);
    holds("first", "old");
    assert_int_equal(things(), 2);
    empty();
    free(second);
    free(said);
  }
}

/* A link to a directory gives way, as a link to a file does. */
static void a_link(void **state) {
  (void)state;
  for (unsigned texts = 0; texts < 2; texts++) {
    char *second = in_dir("second");
    put("first", "old");
    assert_int_equal(symlink("/", second), 0);
    assert_int_equal(write_or_place(texts, NULL), HD_OK);
    holds("first", "new");
    holds("second", "new");
    empty();
    free(second);
  }
}

static void make_directory(const char *name) {
  char *path = in_dir(name);
  assert_int_equal(mkdir(path, 0777), 0);
  free(path);
}

/* A directory is refused as the file is opened. One that comes later is refused before any file is new. */
static void a_directory_in_time(void **state) {
  (void)state;
  struct hd_files files = {0};
  struct hd_why why;
  make_directory("first");
  assert_false(open_two(&files, &why));
  assert_non_null(strstr(why.text, "/first: Is a directory"));
  assert_int_equal(things(), 1);
  hd_files_free(&files);
  empty();
  assert_true(open_two(&files, &why));
  make_directory("second");
  assert_int_equal(hd_files_place(&files, &why), HD_INPUT);
  assert_non_null(strstr(why.text, "/second: Is a directory"));
  assert_int_equal(things(), 1);
  hd_files_free(&files);
  empty();
}

/* What can't be opened, or has no room on the disk, is told with the system's reason. */
static void reasons(void **state) {
  (void)state;
  struct hd_files files = {0};
  struct hd_why why;
  assert_null(hd_files_open(&files, "/proc", "none", &why));
  assert_non_null(strstr(why.text, "cannot write /proc/none: "));
  assert_int_equal(files.n, 0);
  hd_files_free(&files);
  char *part = in_dir(".second.part");
  assert_int_equal(symlink("/dev/full", part), 0);
  free(part);
  put("first", "old");
  assert_int_equal(open_and_place(&why), HD_INPUT);
  assert_non_null(strstr(why.text, "/second: No space left on device"));
  holds("first", "old");
  empty();
}

/* A directory that was made for files that can't be written does not stay. One that was there does. */
static void a_directory_for_nothing(void **state) {
  (void)state;
  char *path = in_dir("third"), *stem = hd_format("%0300d", 0); /* longer than a name may be */
  for (unsigned there = 0; there < 2; there++) {
    struct hd_files files = {0};
    if (there)
      make_directory("third");
    hd_files_add(&files, path, stem, "", hd_format("new"));
    assert_int_equal(hd_files_write(&files, path, NULL), HD_INPUT);
    assert_int_equal(things(), there);
    hd_files_free(&files);
  }
  empty();
  free(path);
  free(stem);
}

static void dropped(void **state) {
  (void)state;
  struct hd_files files = {0};
  assert_true(open_two(&files, NULL));
  assert_int_equal(things(), 2);
  hd_files_drop(&files);
  hd_files_free(&files);
  assert_int_equal(things(), 0);
}

static int make_dir(void **state) {
  (void)state;
  return mkdtemp(dir) ? 0 : -1;
}
static int remove_dir(void **state) {
  (void)state;
  return rmdir(dir);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_are_new),
      cmocka_unit_test(a_directory),
      cmocka_unit_test(a_directory_in_time),
      cmocka_unit_test(a_link),
      cmocka_unit_test(a_directory_for_nothing),
      cmocka_unit_test(reasons),
      cmocka_unit_test(dropped),
  };
  return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
