# The workbook's targets. Help comes from the ## lines; labs are found by their folders' names and listed nowhere.
# Variables: SRC=file.cu (instead of the lab's file), BACKEND=gpu|cpu, FROM=folder, GPU=h200 (of data/gpus.csv); also CXX, CUDA_ARCH=75,80,90, FMAD=0, IMAGE=photo.png
# bench, plot, map: METHODS=serial,naive IMAGES=4096x4096,1920x1080 FILTERS=3,5,7x33 (width x height) LENGTHS=1000,65536 (1D); demo: METHODS
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help
.SECONDARY:
.SECONDEXPANSION:
MAKEFLAGS += --no-builtin-rules --no-print-directory
ifeq ($(MAKELEVEL),0)
MAKEFLAGS += -j$(shell nproc)
endif
SHELL := /bin/bash

CXX := $(if $(filter default,$(origin CXX)),g++,$(CXX))
LABS := $(sort $(patsubst labs/%/,%,$(wildcard labs/[0-9][0-9]_*/)))
SOLVED := $(filter $(patsubst solutions/%/,%,$(wildcard solutions/[0-9][0-9]_*/)),$(LABS))
FAST := $(patsubst solutions/%/fast.cu,%,$(wildcard $(SOLVED:%=solutions/%/fast.cu)))
NUMBERS := $(foreach lab,$(LABS),$(firstword $(subst _, ,$(lab))))
IMAGE ?= data/images/camera.png

# $(call key,05) is 05_conv2d_naive; $(call name,05_conv2d_naive) is conv2d_naive.
key = $(filter $(1)_%,$(LABS))
name = $(patsubst $(firstword $(subst _, ,$(1)))_%,%,$(1))
comma := ,
space := $(subst ,, )

include common/build/checks.mk   # of what was asked for: lab, file, backend
include common/build/libs.mk     # the rewriter, the libraries, the judges
include common/build/workers.mk  # a student's file to a worker
include common/build/bench.mk    # a worker to its times
include common/build/tests.mk    # tests, selfcheck, release

help: ## this list
	@echo "make TARGET [SRC=file.cu] [BACKEND=gpu|cpu]      labs: $(subst $(space),$(comma) ,$(NUMBERS))"
	@sed -nE 's/^(.*: )?([a-z]+)(%?):.*## (.*)/  \2\3|\4/p' Makefile | sed 's/%/NN/' $(if $(SOLVED),,| grep -v instructors) | awk -F'|' '{ printf "%-14s %s\n", $$1, $$2 }'

demo: setup ## every reference solution on a photograph (IMAGE=file.png, METHODS=naive,tiled): table, pictures, chart under build/demo
	@$(MAKE) demo-run
test: setup ## test everything, ending with the line N passed, N failed, N skipped (instructors)
	@$(MAKE) test-run

$(addprefix lab,$(NUMBERS)): lab%: $$(call ready,check,$$*,$(student)) ## build and check your file labs/NN_name/name.cu
	@mkdir -p build/reports/$(call key,$*)
	@$(call judge_check,$(call key,$*),$(student)) check --json=build/reports/$(call key,$*)/$(if $(SRC),other,report).json
$(addprefix solution,$(NUMBERS)): solution%: $$(call ready,check,$$*,solution) ## the same for the reference solution (instructors)
	@$(call judge_check,$(call key,$*),solution) --exact check
$(addprefix fast,$(NUMBERS)): fast%: $$(call ready,check,$$*,fast) ## the same for its faster form fast.cu, where there is one (instructors)
	@$(call judge_check,$(call key,$*),fast) --exact check
$(addprefix inspect,$(NUMBERS)): inspect%: $$(call ready,check,$$*,$(student)) $$(call reference,$$(call key,$$*)) ## what your kernel does to each memory, line by line; pictures; GPU=h200 bounds its time
	@$(call judge_check,$(call key,$*),$(student)) inspect $(call inspect_options,$(call key,$*)); status=$$?; \
	    common/build/pictures.sh build/inspect/$(call key,$*) && exit $$status
$(addprefix bench,$(NUMBERS)): bench%: build/bench/$$(call key,$$*).csv ## time your kernels (METHODS= IMAGES= FILTERS=); writes build/bench/NN_name.csv
$(addprefix plot,$(NUMBERS)): plot%: build/bench/$$(call key,$$*).csv ## draw the lab's chart from that file, which is measured if need be
	@common/build/plot.sh labs/$(call key,$*)/plot.gp $< build/plots/$(call key,$*)
$(addprefix map,$(NUMBERS)): map%: build/bench/$$(call key,$$*).map.csv ## the same over filter width and height, as a heat map (2D labs)
	@common/build/plot.sh $(or $(wildcard labs/$(call key,$*)/map.gp),common/plot/map.gp) $< build/plots/$(call key,$*).map
$(addprefix hint,$(NUMBERS)): hint%: ## the first hint; HINT=2 and HINT=3 say more
	@common/build/hint.sh handouts/$(call key,$*).md $(or $(HINT),1)
$(addprefix diff,$(NUMBERS)): diff%: ## your file beside the solution (instructors)
	@common/build/diff.sh $(call key,$*) $(call name,$(call key,$*)).cu
$(addprefix reset,$(NUMBERS)): reset%: $(if $(SOLVED),build/bin/cut) ## start a lab again; your file is kept under build/backup
	@common/build/reset.sh $(call key,$*) $(call name,$(call key,$*)).cu

progress: build/bin/progress ## points of every lab from its last run
	@build/bin/progress build/reports $(LABS)
watch: ## check a lab again whenever its file is saved
	@common/build/watch.sh "$(MAKE)" $(foreach lab,$(LABS),labs/$(lab)/$(call name,$(lab)).cu)
plots: ## all charts from recorded data, no GPU needed
	@common/build/plots.sh

record: $$(record_needs) ## measure the solutions on this GPU into data/measurements; PARTS="bench maps" only these (authors)
	@test '$(BACKEND)' = gpu || { echo 'make record measures a GPU: $(backend_line)' >&2; exit 2; }
	@common/bench/record.sh $(gpu_dir) $(SOLVED)

skeletons: build/bin/cut ## cut labs/ from solutions/ (instructors)
	@$(foreach lab,$(SOLVED),build/bin/cut skeleton solutions/$(lab)/$(call name,$(lab)).cu labs/$(lab)/$(call name,$(lab)).cu &&) true
selfcheck: selfcheck-prepare ## judge the judges: known-wrong kernels, unusual right ones, missing regions (instructors)
	@$(MAKE) selfcheck-cases
	@build/bin/selfcheck build/selfcheck build/release $(SOLVED)
release: build/bin/cut ## what students get, in build/release (instructors)
	@common/build/release.sh build/release
readme: build/bin/selfcheck ## the table of labs in README.md (instructors)
	@build/bin/selfcheck readme $(SOLVED)

setup: ## install the Debian or Ubuntu packages that are missing
	@CXX='$(CXX)' common/build/setup.sh install
format: ## clang-format every source; CHECK=1 only says which ones need it
	@common/build/format.sh $(if $(CHECK),check)
clean: ## remove build/
	@rm -rf build

.PHONY: help demo test progress watch plots record skeletons selfcheck release readme setup format clean FORCE
