# From a worker to its times: a results file lasts until the worker that it measured, or another one, is to be
# measured.
option = $(if $($(1)), --$(2)='$($(1))')
SIZES := $(call option,METHODS,methods)$(call option,LENGTHS,lengths)$(call option,IMAGES,images)
SIZES := $(SIZES)$(call option,FILTERS,filters)
SELECTION := $(SIZES)$(call option,KINDS,kinds)
SELECTION := $(SELECTION)$(if $(filter pinned,$(MEMORY)), --pinned)
# make benchNN measures always; who names methods or sizes wants these.
measure_again = $(if $(SELECTION)$(BLOCKS)$(filter bench$(call number,$(1)),$(MAKECMDGOALS)),FORCE)
CHOICES := METHODS LENGTHS IMAGES FILTERS KINDS MEMORY BLOCKS
asked = $(strip make $(2)$(call number,$(1)) $(foreach one,$(CHOICES),$(if $($(one)),$(one)=$($(one)))))
hash_of_file = common/bench/kernels.sh of $(1)/$(student) $(call quote,$(call source_of,$(1)/$(student))) $(1)
judge_bench = $(with_screen) $(say_backend) common/bench/measure.sh build/tests/$(1) $@ '$(measured)' \
    --build=$(BUILD)$(SELECTION) --comment=$(call quote,command: $(subst ',,$(asked))) \
    --comment="kernels: $$($(hash_of_file))"

# One worker, or one for each block that was asked for.
variants = $(if $(BLOCK_LIST),$(BLOCK_LIST:%=block_%_$(student)),$(student))
measured = $(foreach variant,$(variants),$(call timed_worker,$(1),$(variant)))
build/bench/%.csv: $$(call measured,$$*) build/bench/%.worker $$(call measure_again,$$*) | build/tests/%
	@$(call judge_bench,$*,bench)
build/bench/%.map.csv: $$(call measured,$$*) build/bench/%.map.worker $$(call measure_again,$$*) \
    | build/tests/%
	@$(call judge_bench,$*,map) --map
# The name of the worker that was measured.
build/bench/%.worker: FORCE
	@echo '$(call measured,$(basename $*))' | common/build/changed.sh $@
# A file of results stays when one of them is wrong.
.PRECIOUS: build/bench/%.csv build/bench/%.map.csv build/bench/%.worker

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
    $(if $(call wants,pipeline),$(PIPELINES)) \
    $(if $(call wants,checks counters bench maps),$(SOLVED:%=build/tests/%) $(call of_solutions,timed_worker)) \
    $(if $(call wants,checks counters),$(call of_solutions,inspector)) \
    $(if $(call wants,counters),$(FIDELITY_PROGRAMS)) $(if $(call wants,$(SWEPT)),$(sweep_needs)) \
    $(if $(call wants,fuzz),$(FUZZ_TABLE_NEEDS)) $(if $(call wants,staircase),$(step_needs))

# Made of kernels of their own and of the labs' clock. Nothing else is linked with the toolkit's FFT.
define compile_program
@echo "  compiling $<"
$(whole) $(NVCC) $(NVCC_FLAGS) $(LABS_OF_PROGRAM:%=-Ilabs/%) $(filter %.cu %.o,$^) $(LIBRARY) -o @
endef
$(gpu_dir)/fft: LIBRARY := -lcufft
$(gpu_dir)/ceilings $(gpu_dir)/fft: $(gpu_dir)/%: common/bench/%.cu $(call gpu_objects,lab) build/gpu/compiler \
    $(gpu_dir)/options
	$(compile_program)
# Whole calls of labs.
PIPELINES := $(gpu_dir)/pipeline_conv2d_pipeline $(gpu_dir)/pipeline_fast
$(PIPELINES): LABS_OF_PROGRAM := 06_conv2d_constant 14_conv2d_pipeline
$(PIPELINES): $(gpu_dir)/pipeline_%: common/bench/pipeline.cu solutions/14_conv2d_pipeline/%.cu \
    solutions/06_conv2d_constant/conv2d_constant.cu $(call gpu_objects,lab) build/gpu/compiler $(gpu_dir)/options
	$(compile_program)
