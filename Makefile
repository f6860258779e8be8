# The workbook's targets. Help comes from the ## lines; labs are found by their folders, listed nowhere.
#   SRC=file.cu         instead of the lab's file          BACKEND=gpu|cpu    FROM=folder
#   GPU=h200            of data/gpus.csv, for inspect      IMAGE=photo.png    for demo
#   CUDA_ARCH=75,80,90  FMAD=0 FAST_MATH=1  CXX=g++-12     how to compile
#   DEPS=folder         where packages are that the system lacks: include/, lib/, bin/
#   METHODS=serial,naive                                   for lab, demo, inspect, bench, plot, map
#   CHECK=3 CHECK=borders                                  for lab: of this number, with this in their names
#   IMAGES=4096x4096,1920x1080 FILTERS=3,5,7x33            width x height, for inspect, bench, plot, map
#   LENGTHS=1000,65536                                     the same in one dimension
#   BLOCKS=8x8,16x16,32x32 KINDS=box,gaussian MEMORY=pinned  for bench, plot
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help
.SECONDARY:
.SECONDEXPANSION:
MAKEFLAGS += --no-builtin-rules --no-print-directory
ifeq ($(MAKELEVEL),0)
# Some tests wait: one more of them at a time.
MAKEFLAGS += -j$(shell expr $$(nproc) + $(words $(filter test,$(MAKECMDGOALS))))
endif
SHELL := /bin/bash
# make -n runs lines with a plus.
dry_run = $(findstring n,$(filter-out -% %=%,$(firstword $(MAKEFLAGS))))
# Of a verdict make says nothing itself: with -q, lines with a plus run, and exit code 1 is no error.
VERDICTS_ONLY := $(if $(MAKECMDGOALS),$(if $(filter-out lab% inspect% questions% answers%,$(MAKECMDGOALS)),,yes))
QUIET := $(if $(filter 0yes,$(MAKELEVEL)$(VERDICTS_ONLY)),$(if $(dry_run),,yes))
ifneq ($(QUIET),)
MAKEFLAGS += -q
endif

CXX := $(if $(filter default,$(origin CXX)),g++,$(CXX))
LABS := $(sort $(patsubst labs/%/,%,$(wildcard labs/[0-9][0-9]_*/)))
SOLVED := $(filter $(patsubst solutions/%/,%,$(wildcard solutions/[0-9][0-9]_*/)),$(LABS))
FAST := $(patsubst solutions/%/fast.cu,%,$(wildcard $(SOLVED:%=solutions/%/fast.cu)))
NUMBERS := $(foreach lab,$(LABS),$(firstword $(subst _, ,$(lab))))
IMAGE ?= data/images/camera.png

# $(call key,05) is 05_conv2d_naive; $(call name,05_conv2d_naive) is conv2d_naive and $(call number,..) 05.
key = $(filter $(1)_%,$(LABS))
number = $(firstword $(subst _, ,$(1)))
name = $(patsubst $(call number,$(1))_%,%,$(1))
# In a rule for NN: its lab.
this_lab = $(call key,$*)
# The report on a lab's file, or on the one that SRC= names.
report = build/reports/$(1)/$(or $(SRC_NAME),report).json
comma := ,
quote = '$(subst ','\'',$(1))'
space := $(subst ,, )

include common/build/checks.mk   # of what was asked for: lab, file, backend
include common/build/workers.mk  # a student's file to a worker
include common/build/libs.mk     # the libraries, the rewriter, the judges
include common/build/bench.mk    # a worker to its times
include common/build/demo.mk     # demo and gallery
include common/build/pages.mk    # handouts and slides
# What instructors have besides: their rooms bring it along.
INSTRUCTORS := $(wildcard common/author/author.mk common/grade/grade.mk solutions/fastest/fastest.mk)
include $(INSTRUCTORS)

## help: this list
help:
	@echo "make TARGET [SRC=file.cu] [BACKEND=gpu|cpu]"; echo "labs: $(NUMBERS)"
	@sed -nE 's/^## ([a-zN]+): (.*)/\1|\2/p' Makefile $(INSTRUCTORS) | awk -F'|' '{ \
	        line = sprintf("  %-12s", $$1); count = split($$2, words, " "); \
	        for (k = 1; k <= count; k++) { \
	            if (length(line " " words[k]) > 80) { print line; line = sprintf("%14s", "") } \
	            line = line " " words[k] } print line }'

## demo: the solutions, or where there are none your labs, on a photograph (IMAGE=file.png METHODS=naive)
demo: setup
	@$(with_screen) $(MAKE) demo-run
## gallery: photographs through every filter and method, compared with the serial loop, in build/gallery
gallery: setup
	@$(with_screen) $(MAKE) gallery-run
# What make starts is to work, without its -q.
working = $(if $(QUIET),MAKEFLAGS="$${MAKEFLAGS/q/}")
# The judge of the lab (libs.mk) calls the worker of the student's file (workers.mk), which worker.sh makes.
# verdict.sh has both built and leaves the report, of which a file named by SRC= has its own.
lab_needs = $(MAKE) -s LEAVE_REFUSED=1 $(call check_needs,$(this_lab),$(student))
lab_check = $(say_backend) $(call run_check,$(this_lab),$(student)) --json=$(call report,$(this_lab)) \
    $(call told,$(this_lab),$(student)) check
## labNN: build and check your file labs/NN_name/name.cu (METHODS=naive CHECK=3 choose, ALL=1 tells all)
$(NUMBERS:%=lab%): lab%:
	@+$(if $(dry_run),$(lab_needs),$(working) $(with_screen) common/build/verdict.sh $(this_lab) \
	    $(call report,$(this_lab)) '$(lab_needs)' $(lab_check))
## inspectNN: what your kernel does to each memory, line by line; CASE=1: in the case that failed; ALL=1: all of it
inspect_needs = $(MAKE) -s LEAVE_REFUSED=1 $(call check_needs,$(this_lab),$(student)) $(call reference,$(this_lab))
refused = $(patsubst %,%.refused,$(call check_needs,$(this_lab),$(student)))
inspect = $(with_screen) common/build/pictures.sh build/inspect/$(this_lab) $(say_backend) \
    $(call run_check,$(this_lab),$(student)) inspect $(call inspect_options,$(this_lab))
$(NUMBERS:%=inspect%): inspect%:
	@+$(if $(dry_run),,rm -f $(refused); )$(working) $(inspect_needs)$(if $(dry_run),, && ! cat $(refused) 2>/dev/null | grep -q . && $(inspect))
## benchNN: time your kernels (METHODS= IMAGES= FILTERS= BLOCKS=); writes build/bench/NN_name.csv
$(NUMBERS:%=bench%): bench%: build/bench/$$(this_lab).csv
## plotNN: draw the lab's chart from that file, which is measured if need be
$(NUMBERS:%=plot%): plot%: build/bench/$$(this_lab).csv
	@common/build/plot.sh labs/$(this_lab)/plot.gp $< build/plots/$(this_lab)
## mapNN: the same over filter width and height, as a heat map (2D labs)
map_script = $(or $(wildcard labs/$(1)/map.gp),common/plot/map.gp)
$(NUMBERS:%=map%): map%: build/bench/$$(this_lab).map.csv
	@common/build/plot.sh $(call map_script,$(this_lab)) $< build/plots/$(this_lab).map
## hintNN: the first hint; HINT=2 and HINT=3 say more, TODO=05.3 is of that one alone
$(NUMBERS:%=hint%): hint%:
	@common/build/hint.sh handouts/$(this_lab).md '$(or $(HINT),1)' '$(TODO)'
## questionsNN: the lab's marked questions, with numbers drawn for the name in labs/NN_name/answers.txt
questions = handouts/questions/$(1).txt
answers = labs/$(1)/answers.txt
ask_questions = $(working) $(MAKE) -s build/bin/questions && $(if $(dry_run),true,build/bin/questions)
$(NUMBERS:%=questions%): questions%:
	@+$(ask_questions) ask $(call questions,$(this_lab)) $(call answers,$(this_lab)) || exit 1
## answersNN: mark that file: a line a question, and the points
$(NUMBERS:%=answers%): answers%:
	@+$(ask_questions) mark $(call questions,$(this_lab)) $(call answers,$(this_lab)) \
	    build/reports/$(this_lab)/answers.json || exit 1
## resetNN: start a lab again; your file is kept under build/backup
$(NUMBERS:%=reset%): reset%:
	@common/build/reset.sh $(this_lab) $(call name,$(this_lab)).cu

## progress: points of every lab; what has changed since its last run is judged anew
progress:
	@exec common/build/leash.sh common/build/progress.sh '$(MAKE)' $(LABS)
## next: the lab to go on with
next:
	@exec common/build/leash.sh common/build/next.sh '$(MAKE)' $(LABS)
## report: one page of all your labs with pictures and charts, build/report.html (NAME="Ada Lovelace")
# (In the environment NAME is the machine's on WSL.)
named = $(if $(filter command,$(firstword $(origin NAME))),$(NAME),$(or $(shell git config user.name),$(shell id -un)))
report: build/bin/report
	@exec common/build/leash.sh common/build/page.sh '$(MAKE)' $(call quote,$(named)) '$(DATA)' $(LABS)
## watch: check a lab whenever its file is saved; the hint that fits, the counts that changed
watch:
	@exec common/build/leash.sh common/build/watch.sh '$(MAKE)' $(LABS)
## editor: build/compile_commands.json, from which clangd knows the labs' kernels (.vscode/tasks.json makes labs)
editor:
	@mkdir -p build
	@common/build/compile_commands.sh $(foreach lab,$(LABS),$(call source_of_student,$(lab)) \
	    $(if $(filter $(lab),$(SOLVED)),$(call source_of_solution,$(lab)))) >build/compile_commands.json
	@echo "wrote build/compile_commands.json"
## plots: all charts from recorded data, no GPU needed
plots:
	@common/build/plots.sh

## staircase: what each lab brought: your times (make benchNN) beside the reference and the roofline, GFLOP/s
staircase:
	@common/build/staircase.sh '$(DATA)' $(LABS)

## figures: the sources' figures from recorded data, no GPU needed (DATA=folder); make figure-NAME draws one
DATA ?= data/measurements/nvidia-h200
figures:
	@common/build/figures.sh '$(DATA)'
figure-%:
	@common/build/figures.sh '$(DATA)' $*

## handouts: all pages of handouts/ with their figures, as HTML and PDF, in build/handouts
## slides: a deck a lab, of the same text, pictures and counts, in build/slides
handouts slides:
	@$(alone) build/drawing $(MAKE) -s $@-run

## cucc: any CUDA program without a GPU: common/simt/cucc file.cu -o program (handouts/cpu_backend.md)
cucc: $(CUCC_PARTS)
	@echo "common/simt/cucc file.cu -o program        with counts and findings: cucc --inspect file.cu -o program"
## install: cucc with its headers and libraries under PREFIX=folder, to be called as PREFIX/bin/cucc
install: $(CUCC_PARTS)
	@common/build/install.sh $(call quote,$(PREFIX))
## setup: get the packages that are missing, without being root, too; FOR=pages those of make handouts
setup:
	@common/build/setup.sh $(FOR)
## doctor: what is here, what is missing, and the line that mends it
doctor:
	@common/build/doctor.sh $(found_backend)
## clean: remove what was built; your files of make resetNN (build/backup) and fetched packages (build/deps) stay
clean:
	@[ ! -d build ] || find build -mindepth 1 -maxdepth 1 ! -name backup ! -name deps -exec rm -rf {} +
	@rmdir build 2>/dev/null || true

# What nothing makes.
.DEFAULT:
	@echo "make $@: no such target; make alone lists all" >&2; exit 2

.PHONY: help demo gallery progress next report watch editor staircase plots figures handouts slides setup doctor clean \
    cucc install FORCE
