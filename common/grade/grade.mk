# The mass grader, and autograders to give away. A release leaves this room out; an autograder of Gradescope has it.
# make grade has to be told where the submissions are; their names may hold anything.
ifneq ($(filter grade,$(MAKECMDGOALS)),)
ifeq ($(value FROM),)
$(error make grade FROM=folder: the folder (or zip) of submissions, one student an entry)
endif
ifneq ($(filter-out slurm,$(CLUSTER)),)
$(error CLUSTER=$(CLUSTER): slurm is the one that is known)
endif
endif

GRADERS := grade grade/formats grade/program
build/lib/libgrade.a: $(call objects,$(GRADERS))
build/obj/grade.o build/obj/grade/%: private OPTIMIZE := -O0
ARCHIVES = $(if $(filter %grade.a,$^),-Wl$(comma)--as-needed -larchive)
GRADE_PARTS := $(addprefix build/lib/lib,grade.a questions.a report.a check.a)
build/bin/grade: common/grade/program/main.cpp $(GRADE_PARTS) build/compiler | build/tools
	$(call program)
build/bin/boxed build/bin/other_user: build/bin/%: common/grade/%.cpp $(GRADE_PARTS) build/compiler | build/tools
	$(call program)
build/bin/gradescope build/bin/pack: build/bin/%: common/grade/package/%.cpp $(GRADE_PARTS) build/compiler \
    | build/tools
	$(call program)
# Packages that nobody but graders needs, and what a student may do without.
build/grading: | build/compiler
	@common/build/need.sh lines grade && touch $@
$(call objects,$(GRADERS)): | build/grading

## grade: judge a folder of submissions: FROM=dir LAB=05,07 OUT=dir JOBS=n CLUSTER=slurm BACKEND=gpu (instructors)
grade: $$(grade_needs)
	@$(grade)
# make grade: the judges of the labs asked for, what a worker is made of, and the grader. The seed goes by the
# environment, as everything does that make was told.
GRADED = $(foreach number,$(if $(filter all,$(or $(LAB),all)),$(NUMBERS),$(subst $(comma), ,$(LAB))),\
    $(call key,$(number)))
grade_needs = $(GRADED:%=build/tests/%) $(GRADED:%=build/glue/%.o) $(INSPECT_PARTS) build/bin/grade \
    build/bin/boxed build/grading $(if $(filter gpu,$(WANTED)),$(GPU_PARTS))
# BACKEND=gpu: what has points is judged on the GPU as well. A box, where nvcc runs, has no GPU that it could ask.
gpu_here = sm_$(subst .,,$(shell nvidia-smi --query-gpu=compute_cap --format=csv,noheader | head -n 1))
grade_flags = NVCC_FLAGS='$(subst -arch=native,-arch=$(gpu_here),$(NVCC_FLAGS))'
# What setup.sh of an autograder package (grade/package) has built: all of its labs.
autograder: $(LABS:%=build/tests/%) $(LABS:%=build/glue/%.o) $(INSPECT_PARTS) build/bin/gradescope \
    build/bin/boxed build/bin/other_user build/grading
.PHONY: autograder
grade = $(if $(filter gpu,$(WANTED)),$(grade_flags)) common/build/leash.sh build/bin/grade --from=$(call quote,$(value FROM)) \
    --labs=$(call list,$(GRADED)) --all-labs=$(call list,$(LABS)) --compiler='$(CXX)' \
    $(if $(OUT),--out=$(call quote,$(value OUT))) $(if $(JOBS),--jobs='$(JOBS)') \
    $(if $(filter-out 0,$(UNSAFE)),--unsafe) $(if $(filter gpu,$(WANTED)),--gpu) $(if $(CLUSTER),$(on_cluster))
# CLUSTER=slurm: what is asked of it; SBATCH holds other options of sbatch.
sbatch_options = $(foreach wish,partition=$(PARTITION) account=$(ACCOUNT) time=$(TIME) mem-per-cpu=$(MEM),\
    $(if $(filter-out %=,$(wish)),--$(wish))) $(SBATCH)
on_cluster = --cluster='$(CLUSTER)'$(call option,CHUNK,chunk)$(call option,TASKS,tasks) \
    $(if $(strip $(sbatch_options)),--sbatch=$(call quote,$(strip $(sbatch_options))))
list = $(subst $(space),$(comma),$(strip $(1)))
.PHONY: grade
