# What instructors make: tests, skeletons, records, what students get. A release leaves this room out, and with it these
# targets.
# Somebody may have taken the solutions away.
NEEDS_SOLUTIONS := $(filter test steps selfcheck mutants grade skeletons release readme record tables \
    counts fuzz stale format spelling solution% fast% diff%,$(MAKECMDGOALS))
ifeq ($(SOLVED),)
ifneq ($(NEEDS_SOLUTIONS),)
$(error no solutions here, which make $(firstword $(NEEDS_SOLUTIONS)) needs: it is for instructors)
endif
endif
# Not every lab has a faster form.
ASKED_FAST := $(foreach number,$(patsubst fast%,%,$(filter-out $(LIKE_VERBS),$(filter fast%,$(MAKECMDGOALS)))),$(call key,$(number)))
NOT_FAST := $(filter-out $(FAST),$(ASKED_FAST))
ifneq ($(NOT_FAST),)
$(error solutions/$(firstword $(NOT_FAST)) has no fast.cu)
endif

AUTHORS := author author/mutants
build/lib/libauthor.a: $(call objects,$(AUTHORS) simt/rewrite)
build/obj/author.o build/obj/author/%: private OPTIMIZE := -O0
build/bin/cut: common/author/cut.cpp build/lib/libauthor.a build/compiler | build/tools
	$(call program)
build/bin/selfcheck: common/author/selfcheck.cpp build/lib/libauthor.a build/compiler | build/tools
	$(call program)
build/bin/mutants: common/author/mutants/main.cpp build/lib/libauthor.a build/compiler | build/tools
	$(call program)
include common/author/tests.mk

## test: test everything (of the known-wrong kernels and attacks a fourth, SHARD=0 to 3; ALL=1: all), at the end N passed, N failed, N skipped (instructors)
test: setup
	@common/build/need.sh && $(alone) build/testing $(MAKE) test-run
## solutionNN: the same for the reference solution (instructors)
$(NUMBERS:%=solution%): solution%: $$(call check_needs,$$(this_lab),solution)
	@$(call judge_check,$(this_lab),solution) --exact check
## fastNN: the same for its faster form fast.cu, where there is one (instructors)
$(NUMBERS:%=fast%): fast%: $$(call check_needs,$$(this_lab),fast)
	@$(call judge_check,$(this_lab),fast) --serial-values check
## diffNN: your file beside the solution (instructors)
$(NUMBERS:%=diff%): diff%:
	@common/build/diff.sh $(this_lab) $(call name,$(this_lab)).cu
## tables: the sources' tables with our numbers beside theirs, Markdown and CSV (DATA=folder) (instructors)
tables: build/bin/selfcheck
	@build/bin/selfcheck tables '$(DATA)' build/tables

## spelling: the words of the pages that hunspell does not know (instructors)
spelling:
	@common/pages/spelling.sh

## record: measure the solutions on this GPU into data/measurements; PARTS="bench maps" only these (authors)
record: $$(if $$(filter gpu,$$(BACKEND)),$$(record_needs))
	@test '$(BACKEND)' = gpu || { echo 'make record measures a GPU: $(backend_line)' >&2; exit 2; }
	@common/bench/record.sh $(gpu_dir) $(SOLVED)
## stale: recorded files of other kernels than those that are here (authors)
stale:
	@common/bench/kernels.sh stale

## counts: count anew what some figures show, into data/counts.csv (instructors)
counts: $(counts_needs)
	@common/bench/counts.sh write data/counts.csv

## skeletons: cut labs/ from solutions/ (instructors)
cut_skeleton = build/bin/cut skeleton $(call source_of_solution,$(1)) $(call source_of_student,$(1))
skeletons: build/bin/cut build/bin/questions
	@$(foreach lab,$(SOLVED),$(call cut_skeleton,$(lab)) &&) true
	@common/build/answers.sh labs $(SOLVED)
## steps: which TODOs a check needs, into labs/NN_name/steps.json (instructors)
steps:
	@$(alone) build/testing $(MAKE) steps-run ALL=1
## selfcheck: judge the judges: known-wrong kernels, unusual right ones, missing regions (instructors)
selfcheck:
	@$(alone) build/testing $(MAKE) selfcheck-run ALL=1
## mutants: one token changed at a time must lose points (LAB=07 JOBS=4 MOST=50 WHOLE=1) (instructors)
mutants: mutants-prepare
	@build/bin/mutants $(call option,JOBS,jobs)$(call option,MOST,most)$(if $(WHOLE), --whole) $(MUTATED)
## fuzz: random kernels beside a model of what they must do: PROGRAMS=3000 SEED=1 JOBS=2 (instructors)
fuzz: setup
	@$(MAKE) fuzz-run
## release: what students get, in build/release, and autograder packages of LAB=05 or all (instructors)
release: release-students build/bin/pack
	@$(alone) build/releasing common/grade/package/package.sh build/release build/packages $(GRADED)
release-students: build/bin/cut build/bin/questions
	@$(alone) build/releasing common/build/release.sh build/release $(AUTHORS) $(GRADERS)
## readme: what README.md and the handouts show of labs and recorded data, made anew (instructors)
readme: build/bin/selfcheck build/bin/questions
	@build/bin/selfcheck readme $(SOLVED)
	@build/bin/questions answers | common/build/changed.sh handouts/instructor/answers.md
## format: clang-format every source; CHECK=1 only says which ones need it (instructors)
format:
	@common/build/format.sh $(if $(CHECK),check)

# What make record measures, by part: the ceilings, the solutions and their faster forms, and the steps that a
# lab's staircase.csv lists.
# A sweep of sweeps.txt is a part, too.
SWEPT = $(shell awk '!/^\#/ { print $$1 }' $(wildcard solutions/sweeps.txt) /dev/null | sort -u)
wants = $(filter $(1),$(or $(PARTS),$(1)))
# Of its lines: judges, and workers of every build and block.
sweep_needs = $(shell common/bench/sweep_workers.sh needs $(gpu_base) $(call wants,$(SWEPT)))
STEPS := $(wildcard $(SOLVED:%=solutions/%/staircase.csv))
step_needs = $(shell awk -F, '!/^\#/ && $$1 != "step" { \
    print "build/tests/" $$2, "$(gpu_dir)/" $$2 "/" $$3 ".worker" }' $(STEPS) /dev/null)
# The inspectors are only for those that count.
of_solutions = $(foreach lab,$(SOLVED),$(call $(1),$(lab),solution)) $(foreach lab,$(FAST),$(call $(1),$(lab),fast))
record_needs = $(if $(call wants,ceilings),$(gpu_dir)/ceilings) $(if $(call wants,fft),$(gpu_dir)/fft) \
    $(if $(call wants,pipeline),$(PIPELINES)) $(if $(call wants,devices),$(gpu_dir)/devices) \
    $(if $(call wants,checks counters bench maps),$(SOLVED:%=build/tests/%) $(call of_solutions,timed_worker)) \
    $(if $(call wants,checks counters),$(call of_solutions,inspector)) \
    $(if $(call wants,counters),$(FIDELITY_PROGRAMS)) $(if $(call wants,$(SWEPT)),$(sweep_needs)) \
    $(if $(call wants,fuzz),$(FUZZ_TABLE_NEEDS)) $(if $(call wants,staircase),$(step_needs))

# Made of kernels of their own and of the labs' clock. Nothing else is linked with the toolkit's FFT.
define compile_program
@echo "  compiling $<"
$(whole) $(NVCC) $(NVCC_FLAGS) $(LABS_OF_PROGRAM:%=-Ilabs/%) $(filter-out $(INCLUDED),$(filter %.cu %.o,$^)) \
    $(LIBRARY) -o @
endef
$(gpu_dir)/fft: LIBRARY := -lcufft
$(gpu_dir)/ceilings $(gpu_dir)/fft: $(gpu_dir)/%: common/bench/%.cu $(call gpu_objects,lab) build/gpu/compiler \
    $(gpu_dir)/options
	$(compile_program)
# With NCCL where its header is.
$(gpu_dir)/devices: LIBRARY = $(shell echo '\#include <nccl.h>' | $(NVCC) -E -x cu - >/dev/null 2>&1 && echo -lnccl)
$(gpu_dir)/devices: LABS_OF_PROGRAM := 19_conv2d_multi_gpu
$(gpu_dir)/devices: INCLUDED := solutions/19_conv2d_multi_gpu/conv2d_multi_gpu.cu
$(gpu_dir)/devices: common/bench/devices.cu solutions/19_conv2d_multi_gpu/conv2d_multi_gpu.cu \
    $(call gpu_objects,lab) build/gpu/compiler $(gpu_dir)/options
	$(compile_program)
# Whole calls of labs.
PIPELINES := $(gpu_dir)/pipeline_conv2d_pipeline $(gpu_dir)/pipeline_fast
$(PIPELINES): LABS_OF_PROGRAM := 06_conv2d_constant 14_conv2d_pipeline
$(PIPELINES): $(gpu_dir)/pipeline_%: common/bench/pipeline.cu solutions/14_conv2d_pipeline/%.cu \
    solutions/06_conv2d_constant/conv2d_constant.cu $(call gpu_objects,lab) build/gpu/compiler $(gpu_dir)/options
	$(compile_program)

.PHONY: test tables spelling record stale counts skeletons steps selfcheck mutants fuzz release release-students readme format
