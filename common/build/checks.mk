# Says in one line what is wrong with what was asked for, before anything is built.

# Packages that the system lacks: those that make setup fetched, or a folder with include/, lib/ and bin/ of
# somebody's.
DEPS ?= build/deps
override DEPS := $(if $(filter /%,$(firstword $(DEPS))),$(DEPS),$(CURDIR)/$(DEPS))
HAS_DEPS := $(shell test -d $(call quote,$(DEPS)/include) && echo yes)
ifeq ($(HAS_DEPS)$(filter %/build/deps,$(lastword $(DEPS))),)
$(error DEPS=$(DEPS): no folder with include/ in it)
endif
export DEPS
ifeq ($(MAKELEVEL),0)
export PATH := $(PATH):$(DEPS)/bin
endif

# A goal with a lab's number in it: lab05, solution05, ... An unknown number stops here.
VERBS := lab solution fast hint questions answers inspect bench plot map diff reset
LIKE_VERBS := fastest%
ASKED_NUMBERS := $(foreach goal,$(filter-out $(LIKE_VERBS),$(MAKECMDGOALS)),$(foreach verb,$(VERBS),\
    $(if $(filter $(verb)%,$(goal)),$(patsubst $(verb)%,%,$(goal)))))
UNKNOWN := $(filter-out $(NUMBERS),$(filter-out s,$(ASKED_NUMBERS)))
ifneq ($(UNKNOWN),)
$(error unknown lab $(firstword $(UNKNOWN)): labs are $(subst $(space),$(comma) ,$(NUMBERS)))
endif

# A verb without its lab, as in make labs, or a folder, which make would call up to date.
NAMED := $(firstword $(filter $(filter-out plots,$(VERBS) $(VERBS:%=%s)),$(MAKECMDGOALS)))
ifneq ($(NAMED),)
VERB := $(or $(filter $(VERBS),$(NAMED)),$(NAMED:%s=%))
$(error make $(NAMED): of which lab? Say make $(VERB)$(firstword $(NUMBERS)): labs are \
    $(subst $(space),$(comma) ,$(NUMBERS)))
endif
FOLDER := $(firstword $(foreach goal,$(filter-out handouts,$(MAKECMDGOALS)),$(if $(wildcard $(goal)/.),$(goal))))
ifneq ($(FOLDER),)
$(error make $(FOLDER): a folder, nothing to be made; make alone lists all targets)
endif

# make mutants LAB=07, LAB=05,07 or LAB=all.
UNKNOWN_LABS := $(filter-out all $(NUMBERS),$(subst $(comma), ,$(LAB)))
ifneq ($(UNKNOWN_LABS),)
$(error LAB=$(LAB): labs are $(subst $(space),$(comma) ,$(NUMBERS)))
endif

# Of all there is only charts ask for gnuplot, and only pages for pandoc: better before they are measured than after.
DRAWN := $(filter plot% map% figure%,$(MAKECMDGOALS))
WRITTEN := $(filter handouts slides,$(MAKECMDGOALS))
ifneq ($(DRAWN)$(WRITTEN),)
NOT_DRAWN := $(shell DEPS=$(call quote,$(DEPS)) common/build/need.sh $(if $(WRITTEN),pages) charts 2>&1)
ifneq ($(NOT_DRAWN),)
$(error $(NOT_DRAWN))
endif
endif

# Another file than the lab's. Its name may hold anything, so it goes to the shell in quotes and is never a
# word of make's.
ifneq ($(value SRC),)
override SRC := $(value SRC)
SRC_SEEN := $(shell common/build/source.sh $(call quote,$(SRC)))
ifneq ($(firstword $(SRC_SEEN)),name)
$(error SRC=$(SRC): $(wordlist 2,99,$(SRC_SEEN)))
endif
SRC_NAME := $(lastword $(SRC_SEEN))
endif

# Blocks to be measured, as in BLOCKS=8x8,32x8.
BLOCK_LIST := $(subst $(comma), ,$(BLOCKS))
ifneq ($(BLOCK_LIST),)
WRONG_BLOCK := $(shell common/build/with_block.sh check $(foreach block,$(BLOCK_LIST),$(call quote,$(block))))
ifneq ($(WRONG_BLOCK),)
$(error $(WRONG_BLOCK))
endif
endif
ifneq ($(filter-out pageable pinned,$(MEMORY)),)
$(error MEMORY=$(MEMORY): the host arrays of a benchmark are pageable or pinned)
endif

ifeq ($(wildcard $(IMAGE)),)
$(error IMAGE=$(IMAGE): no such file)
endif
# What a PNG or JPEG file begins with, told before minutes of building.
ifneq ($(filter demo,$(MAKECMDGOALS)),)
BEGINNING := $(shell head -c 4 $(call quote,$(IMAGE)) 2>/dev/null | od -An -tx1 | tr -d ' ')
ifeq ($(filter 89504e47 ffd8ff%,$(BEGINNING)),)
$(error IMAGE=$(IMAGE): not a PNG or JPEG file)
endif
endif

# What an earlier run said of a file is no answer to this one, even if this one ends below.
ifeq ($(MAKELEVEL)$(dry_run),0)
OLD_REPORTS := $(foreach goal,$(filter lab%,$(MAKECMDGOALS)),$(call report,$(call key,$(goal:lab%=%))))
$(shell rm -f $(OLD_REPORTS) 2>/dev/null)
endif

# A lab's file that is gone, where nothing else was given.
MISSING := $(if $(value SRC),,$(foreach number,$(filter-out s,$(foreach verb,lab inspect bench plot map,\
    $(patsubst $(verb)%,%,$(filter $(verb)%,$(MAKECMDGOALS))))),\
    $(foreach lab,$(call key,$(number)),$(if $(wildcard labs/$(lab)/$(call name,$(lab)).cu),,$(lab)))))
ifneq ($(strip $(MISSING)),)
MISSED := $(firstword $(MISSING))
$(error labs/$(MISSED)/$(call name,$(MISSED)).cu is missing: make reset$(call number,$(MISSED)))
endif

# Whether anything can be built here at all; who builds, for those who have to wait.
LOOKING := help hint% plots spelling stale clean setup doctor format watch progress next reset% editor staircase
ifeq ($(MAKELEVEL),0)
export WHO := make $(MAKECMDGOALS) (process $(shell echo $$PPID))
ifneq ($(filter-out $(LOOKING),$(MAKECMDGOALS)),)
NOT_READY := $(shell common/build/ready.sh)
ifneq ($(NOT_READY),)
$(error $(wordlist 2,99,$(NOT_READY)))
endif
endif
endif
# A compiler has to put its own files somewhere.
ifneq ($(shell test -w "$${TMPDIR:-/tmp}" && echo yes),yes)
export TMPDIR := $(CURDIR)/build/tmp
endif

# The backend, asked once and only where it is needed: "cpu no GPU found: running on the CPU backend", or
# "error ...".
NVCC := $(firstword $(shell command -v nvcc) $(wildcard /usr/local/cuda/bin/nvcc))
WANTED := $(BACKEND)
ask_backend = $(shell NVCC='$(NVCC)' common/build/backend.sh $(WANTED))
found_backend = $(eval found_backend := $(ask_backend))$(found_backend)
override BACKEND = $(firstword $(found_backend))
backend_line = $(wordlist 2,99,$(found_backend))
ifneq ($(WANTED),)
ifeq ($(firstword $(found_backend)),error)
$(error $(backend_line))
endif
endif
export NVCC CXX
