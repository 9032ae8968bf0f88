# Compiles a SystemC module that heddle gen --systemc wrote, with all files that it needs:
#   make -f rtl/heddle_sc.mk TOP=sm_mem           makes rtl/obj_sc/libsm_mem_sc.a
#   make -f rtl/heddle_sc.mk TOP=sm_mem RTL=0     without the Verilated RTL: side::golden alone
#   make -s -f rtl/heddle_sc.mk cflags libs       prints the flags to compile and link a program that uses the module
# SYSTEMC_HOME: the directory of SystemC, if pkg-config does not know it. HEDDLE_PREFIX: the directory of heddle, likewise.
HERE := $(patsubst %/,%,$(dir $(lastword $(MAKEFILE_LIST))))
TOP ?= $(patsubst $(HERE)/%_sc.vlt,%,$(firstword $(wildcard $(HERE)/*_sc.vlt)))
OUT ?= $(HERE)/obj_sc
RTL ?= 1
VERILATOR ?= verilator
OPT ?= -O2

ifdef SYSTEMC_HOME
SC_INCLUDE := $(SYSTEMC_HOME)/include
SC_LIB := $(patsubst %/,%,$(dir $(firstword $(wildcard $(SYSTEMC_HOME)/lib*/libsystemc.so) $(wildcard $(SYSTEMC_HOME)/lib/*/libsystemc.so))))
else
SC_INCLUDE := $(shell pkg-config --variable=includedir systemc 2>/dev/null)
SC_LIB := $(shell pkg-config --variable=libarchdir systemc 2>/dev/null)
endif
ifeq ($(wildcard $(SC_LIB)/libsystemc.so),)
$(error SystemC is not there: install libsystemc-dev, or set SYSTEMC_HOME to a directory with include/ and lib/)
endif
# SystemC's library works only with the C++ standard that it was compiled for.
STD := $(shell nm -D --defined-only $(SC_LIB)/libsystemc.so | sed -n 's/.*cxx20\([0-9][0-9]\).*L$$/\1/p' | head -1)
STD := -std=gnu++$(if $(filter 20 23,$(STD)),$(STD),17)

ifdef HEDDLE_PREFIX
HD_CFLAGS := -I$(HEDDLE_PREFIX)/include
HD_LIBS := -L$(HEDDLE_PREFIX)/lib -Wl,-rpath,$(HEDDLE_PREFIX)/lib -lheddle
else
HD_CFLAGS := $(shell pkg-config --cflags heddle 2>/dev/null)
HD_LIBS := $(shell pkg-config --libs heddle 2>/dev/null)
endif
ifeq ($(HD_LIBS),)
$(error libheddle is not there: make install it, and set HEDDLE_PREFIX, or PKG_CONFIG_PATH to its lib/pkgconfig)
endif

ifeq ($(RTL),1)
ROOT := $(shell $(VERILATOR) --getenv VERILATOR_ROOT 2>/dev/null)
ifeq ($(ROOT),)
$(error $(VERILATOR) is not there: install Verilator 5, set VERILATOR, or say RTL=0)
endif
RTL_CFLAGS := -isystem $(ROOT)/include -isystem $(ROOT)/include/vltstd
else
RTL_CFLAGS := -DHEDDLE_NO_RTL
endif

CFLAGS_SC = $(STD) $(OPT) -I$(HERE) $(addprefix -isystem ,$(filter-out /usr/include,$(SC_INCLUDE))) $(HD_CFLAGS) $(RTL_CFLAGS)
LIBS_SC = $(OUT)/lib$(TOP)_sc.a $(HD_LIBS) -L$(SC_LIB) -Wl,-rpath,$(SC_LIB) -lsystemc -pthread

# Objects that all tops share: Heddle's, and Verilator's run time.
SHARED := $(OUT)/heddle_all.o $(if $(filter 1,$(RTL)),$(OUT)/verilated.o)
$(OUT)/lib$(TOP)_sc.a: $(OUT)/$(TOP)_sc.o $(SHARED) $(if $(filter 1,$(RTL)),$(OUT)/V$(TOP)/V$(TOP)__ALL.a)
	rm -f $@
	$(AR) rcs $@ $(filter %.o,$^) $(if $(filter 1,$(RTL)),$(OUT)/V$(TOP)/*.o)

$(OUT)/$(TOP)_sc.o: $(HERE)/$(TOP)_sc.cpp $(HERE)/$(TOP)_sc.h $(wildcard $(HERE)/heddle_*.h) $(OUT)/made_with $(if $(filter 1,$(RTL)),$(OUT)/V$(TOP)/V$(TOP)__ALL.a)
	$(CXX) $(CFLAGS_SC) $(if $(filter 1,$(RTL)),-isystem $(OUT)/V$(TOP)) -Wall -Wextra -c -o $@ $<

# All sources are compiled as one file, so that the compiler reads SystemC's headers once: a fifth of the time. heddle_sc.cpp is the
# first, since it includes Verilator's headers, which must come before SystemC's.
SOURCES := $(HERE)/heddle_sc.cpp $(filter-out $(HERE)/heddle_sc.cpp,$(sort $(wildcard $(HERE)/heddle_*.cpp)))
$(OUT)/heddle_all.o: $(SOURCES) $(wildcard $(HERE)/heddle_*.h) $(OUT)/made_with
	printf '#include "%s"\n' $(notdir $(SOURCES)) >$(OUT)/heddle_all.cpp
	$(CXX) $(CFLAGS_SC) -Wall -Wextra -c -o $@ $(OUT)/heddle_all.cpp
$(OUT)/verilated.o: $(OUT)/verilated_with
	$(CXX) $(STD) $(OPT) -w -I$(ROOT)/include -I$(ROOT)/include/vltstd -r -nostdlib -o $@ $(ROOT)/include/verilated.cpp $(ROOT)/include/verilated_threads.cpp

# Objects that were made with other settings are made again: all of them, or only those that depend on Verilator.
VERILATED := $(strip $(STD) $(OPT) $(ROOT) $(if $(filter 1,$(RTL)),$(shell $(VERILATOR) --version 2>/dev/null)))
SETTINGS := $(strip RTL=$(RTL) $(VERILATED) $(SC_LIB) $(HD_CFLAGS))
ifneq ($(shell cat $(OUT)/made_with 2>/dev/null),$(SETTINGS))
.PHONY: $(OUT)/made_with
endif
ifneq ($(shell cat $(OUT)/verilated_with 2>/dev/null),$(VERILATED))
.PHONY: $(OUT)/verilated_with
endif
$(OUT)/made_with:
	@mkdir -p $(@D)
	@echo '$(SETTINGS)' >$@
$(OUT)/verilated_with:
	@mkdir -p $(@D)
	@echo '$(VERILATED)' >$@

# Verilator's own make takes its flags from here, not from an outer make.
$(OUT)/V$(TOP)/V$(TOP)__ALL.a: $(HERE)/$(TOP).f $(HERE)/$(TOP)_sc.vlt $(wildcard $(HERE)/*.v) $(OUT)/verilated_with
	rm -rf $(OUT)/V$(TOP)
	@mkdir -p $(OUT)
	$(VERILATOR) --cc --prefix V$(TOP) -Mdir $(OUT)/V$(TOP) -O3 -Wno-fatal --x-assign unique --x-initial unique \
	  --top-module $(TOP) $(HERE)/$(TOP)_sc.vlt -F $(HERE)/$(TOP).f
	$(MAKE) -C $(OUT)/V$(TOP) -f V$(TOP).mk CFG_CXXFLAGS_PCH_I=-include OPT_FAST='$(OPT)' OPT_SLOW=-O0 V$(TOP)__ALL.a

.PHONY: cflags libs
cflags:
	@echo '$(CFLAGS_SC)'
libs:
	@echo '$(LIBS_SC)'
