# Says in one line what is wrong with what was asked for, before anything is built.

# A goal with a lab's number in it: lab05, solution05, ... An unknown number stops here.
VERBS := lab solution fast hint inspect bench plot map diff reset
ASKED_NUMBERS := $(foreach goal,$(MAKECMDGOALS),$(foreach verb,$(VERBS),\
    $(if $(filter $(verb)%,$(goal)),$(patsubst $(verb)%,%,$(goal)))))
UNKNOWN := $(filter-out $(NUMBERS),$(filter-out s,$(ASKED_NUMBERS)))
ifneq ($(UNKNOWN),)
$(error unknown lab $(firstword $(UNKNOWN)): labs are $(subst $(space),$(comma) ,$(NUMBERS)))
endif

# In a release there are no solutions.
NEEDS_SOLUTIONS := $(filter test selfcheck skeletons release readme solution% fast% diff%,$(MAKECMDGOALS))
ifeq ($(SOLVED),)
ifneq ($(NEEDS_SOLUTIONS),)
$(error no solutions here, which make $(firstword $(NEEDS_SOLUTIONS)) needs: it is for instructors)
endif
endif

# Not every lab has a faster form.
ASKED_FAST := $(foreach number,$(patsubst fast%,%,$(filter fast%,$(MAKECMDGOALS))),$(call key,$(number)))
NOT_FAST := $(filter-out $(FAST),$(ASKED_FAST))
ifneq ($(NOT_FAST),)
$(error solutions/$(firstword $(NOT_FAST)) has no fast.cu)
endif

ifneq ($(SRC),)
ifeq ($(wildcard $(SRC)),)
$(error SRC=$(SRC): no such file)
endif
ifeq ($(filter %.cu,$(SRC)),)
$(error SRC=$(SRC): not a .cu file)
endif
endif

ifeq ($(wildcard $(IMAGE)),)
$(error IMAGE=$(IMAGE): no such file)
endif

# A lab's file that is gone, where nothing else was given.
MISSING := $(if $(SRC),,$(foreach number,$(filter-out s,$(foreach verb,lab inspect bench plot map,\
    $(patsubst $(verb)%,%,$(filter $(verb)%,$(MAKECMDGOALS))))),\
    $(foreach lab,$(call key,$(number)),$(if $(wildcard labs/$(lab)/$(call name,$(lab)).cu),,$(lab)))))
ifneq ($(strip $(MISSING)),)
MISSED := $(firstword $(MISSING))
$(error $(call source_of_student,$(MISSED)) is missing: make reset$(call number,$(MISSED)))
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
