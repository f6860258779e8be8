# From a student's file to a worker, the program that serves the judge's calls: worker.sh makes it.
#   build/cpu/05_conv2d_naive/student.inspect   CPU backend and inspector
#   build/cpu/05_conv2d_naive/student.worker    CPU backend at full speed
#   build/gpu/05_conv2d_naive/student.worker    GPU
# Variants: student (labs/), solution, fast and right_NAME (solutions/), other_NAME (SRC=, wherever that lies;
# NAME is of source.sh).
student := $(if $(value SRC),other_$(SRC_NAME),student)
# How workers for the GPU are compiled, one folder a way. block_16x16_NAME is NAME with blocks of 16 x 16.
gpu_base := build/gpu$(if $(CUDA_ARCH),-sm$(subst $(comma),-,$(CUDA_ARCH)))
FLAGS_no-fmad := --fmad=false
FLAGS_fast-math := --use_fast_math
BUILD := $(if $(filter 0,$(FMAD)),no-fmad,$(if $(filter-out 0,$(FAST_MATH)),fast-math,default))
gpu_dir_of = $(gpu_base)$(if $(filter-out default,$(1)),-$(1))
gpu_dir := $(call gpu_dir_of,$(BUILD))
arch_flag = -gencode arch=compute_$(1)$(comma)code=sm_$(1)
ARCHITECTURES := $(subst $(comma), ,$(CUDA_ARCH))
NVCC_ARCH := $(or $(foreach sm,$(ARCHITECTURES),$(call arch_flag,$(sm))),-arch=native)
NVCC_FLAGS := -std=c++20 -O3 -g -lineinfo -ccbin $(CXX) $(NVCC_ARCH) -Icommon
NVCC_FLAGS += $(FLAGS_$(BUILD))
# make record compares them all.
ifeq ($(BUILD),default)
$(call gpu_dir_of,no-fmad)/%: private NVCC_FLAGS += $(FLAGS_no-fmad)
$(call gpu_dir_of,fast-math)/%: private NVCC_FLAGS += $(FLAGS_fast-math)
endif
CUDA_INCLUDE := $(patsubst %/bin/nvcc,-isystem %/include,$(realpath $(NVCC)))
export NVCC_FLAGS

# 05_conv2d_naive/student: the lab, and the file that the worker is made of.
lab_of = $(patsubst %/,%,$(dir $(1)))
kind_of = $(firstword $(subst _, ,$(notdir $(1))))
source_of = $(call source_of_$(call kind_of,$(1)),$(call lab_of,$(1)),$(notdir $(1)))
source_of_student = labs/$(1)/$(call name,$(1)).cu
source_of_solution = solutions/$(1)/$(call name,$(1)).cu
source_of_fast = solutions/$(1)/fast.cu
# Those of right.txt are where make selfcheck-prepare writes them.
source_of_right = $(or $(wildcard solutions/$(1)/right/$(patsubst right_%,%,$(2)).cu),build/selfcheck/$(1)/$(2).cu)
source_of_other = $(SRC)
source_of_block = build/blocks/$(1)/$(2).cu
# block_16x16_solution: the block, and whose file it is.
block_in = $(word 2,$(subst _, ,$(notdir $(1))))
without_block = $(dir $(1))$(patsubst block_$(call block_in,$(1))_%,%,$(notdir $(1)))
build/blocks/%.cu: FORCE
	@common/build/with_block.sh $(call block_in,$*) \
	    $(call quote,$(call source_of,$(call without_block,$*))) $@

KERNEL_HEADERS := $(wildcard common/lab/*.h common/simt/include/*.h common/simt/include/*/*)
WORKER_TOOLS := $(addprefix common/build/,worker.sh symbols.sh outside_calls.sh) build/bin/rewrite \
    $(KERNEL_HEADERS) build/compiler build/link.flags
SIMTCC := common/simt/simtcc $(WORKER_TOOLS)
PLAIN_PARTS := $(SIMTCC) $(addprefix build/lib/lib,worker.a lab.a simt.a cufft.a) build/lib/free.names \
    build/obj/worker/inspection_off.o build/prelude/lab_plain.how
INSPECT_PARTS := $(SIMTCC) $(addprefix build/lib/lib,worker.a lab.a inspect.a simt.a cufft.a) build/lib/free.names \
    build/obj/worker/inspection_on.o build/prelude/lab_inspect.how
# What every file begins with, and every file of a lab, compiled.
build/prelude/lab_%.how: common/worker/standard.h
build/prelude/lab_%.how: private FIRST := -Icommon -include worker/standard.h
build/prelude/%.how: $(SIMTCC) | build/tools
	@mkdir -p $(@D) && common/simt/simtcc $(patsubst %inspect,--inspect,$(filter %inspect,$*)) $(FIRST) \
	    --prelude build/prelude/$*
GPU_PARTS := common/build/nvcc_report.sh $(WORKER_TOOLS) build/gpu/compiler build/gpu/libworker.a
# Named by a rule of its own, a part that is gone is an error. For want of one that only patterns name, make would leave the
# patterns out and take an old worker for a file that nothing is to be done for.
parts: $(PLAIN_PARTS) $(INSPECT_PARTS) $(GPU_PARTS)
.PHONY: parts
contract_of = build/glue/$(call lab_of,$(1)).o

# A file with other blocks is written first.
blocked = $(if $(filter block,$(call kind_of,$(1))),build/blocks/$(1).cu)

# Always asked for: worker.sh knows by what is in the file and its headers whether there is anything to do.
# LEAVE_REFUSED=1: a refusal is no error of make's (verdict.sh looks for it).
make_worker = @common/build/worker.sh $(1) labs/$(call lab_of,$*) $(call contract_of,$*) \
    $(call quote,$(call source_of,$*)) $@ $(if $(LEAVE_REFUSED),|| test -s $@.refused)

build/cpu/%.inspect: $$(call contract_of,$$*) $(INSPECT_PARTS) $$(call blocked,$$*) FORCE | build/tools
	$(call make_worker,inspect)
build/cpu/%.worker: $$(call contract_of,$$*) $(PLAIN_PARTS) $$(call blocked,$$*) FORCE | build/tools
	$(call make_worker,plain)
define gpu_workers
$(1)/%.worker: $$$$(call contract_of,$$$$*) $$(GPU_PARTS) $$$$(call blocked,$$$$*) FORCE | build/tools
	$$(call make_worker,gpu)
endef
$(foreach build,default no-fmad fast-math,$(eval $(call gpu_workers,$(call gpu_dir_of,$(build)))))

# The lab's own part of its workers: the contract's functions, offered.
glue = $(whole) $(CXX) $(HOST) $(HEADERS) -include worker/offer.h -include $(1) \
    -c common/worker/glue.cpp -o @
build/glue/%.o: common/worker/glue.cpp labs/$$*/$$(call name,$$*).h build/compiler | build/tools
	$(call glue,labs/$*/$(call name,$*).h)

# Workers of a lab's variant. Checks on the CPU backend use the inspected one for everything.
inspector = build/cpu/$(1)/$(2).inspect
timed_worker = $(if $(filter gpu,$(BACKEND)),$(gpu_dir),build/cpu)/$(1)/$(2).worker
check_worker = $(if $(filter gpu,$(BACKEND)),$(timed_worker),$(inspector))
# What must be built before the judge can check a variant, or time it.
check_needs = build/tests/$(1) $(inspector) $(check_worker)
timed_needs = build/tests/$(1) $(inspector) $(timed_worker)
run_check = build/tests/$(1) --worker=$(check_worker) --inspector=$(inspector) \
    $(if $(filter 0,$(FMAD)),--no-fmad)
# What of the verdict is told: the state of the file's TODOs and the first mistake; METHODS= and CHECK= choose.
steps = $(wildcard labs/$(1)/steps.json)
told = $(if $(steps),--steps=$(steps) --source=$(call quote,$(call source_of,$(1)/$(2)))) \
    $(if $(filter-out 0,$(ALL)),,--brief) $(call option,METHODS,methods) $(if $(CHECK),--only=$(call quote,$(CHECK)))
run_timed = build/tests/$(1) --worker=$(timed_worker) --inspector=$(inspector)
# One judge at a time has the screen: make lab01 lab05 runs two, and so do two makes. None outlives its make.
alone = exec common/build/leash.sh common/build/alone.sh
say_backend = sh -c 'echo "$$0"; exec "$$@"' '$(backend_line)'
with_screen = $(alone) build/screen
judge_check = $(with_screen) $(say_backend) $(run_check)

# What make inspectNN is given: the reference solution's worker where there is one, a folder for pictures,
# registers.
reference = $(if $(filter $(1),$(SOLVED)),$(call inspector,$(1),solution))
inspect_options = $(addprefix --reference=,$(reference)) --expected-counts --pictures=build/inspect/$(1) \
    $(SIZES) $(if $(CASE),--failed=$(call report,$(1))) $(if $(filter-out 0,$(ALL)),--all) $(addprefix --gpu=,$(GPU)) $$(common/build/registers.sh \
    $(call quote,$(call source_of,$(1)/$(student))) $(1) '$(GPU)' build/inspect/$(1) | \
    sed 's/^/--registers=/')
