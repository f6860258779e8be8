# From a worker to its times: a results file lasts until the worker that it measured, or another one, is to be measured.
SELECTION := $(if $(METHODS), --methods='$(METHODS)')$(if $(LENGTHS), --lengths='$(LENGTHS)')$(if $(IMAGES), --images='$(IMAGES)')$(if $(FILTERS), --filters='$(FILTERS)')
number = $(firstword $(subst _, ,$(1)))
# make benchNN measures always; who names methods or sizes wants these.
measure_again = $(if $(SELECTION)$(filter bench$(call number,$(1)),$(MAKECMDGOALS)),FORCE)
judge_bench = $(with_screen) build/tests/$(1) --worker=$(call fast_worker,$(1),$(student))

build/bench/%.csv: $$(call fast_worker,$$*,$(student)) build/bench/%.worker $$(call measure_again,$$*) | build/tests/%
	@$(call judge_bench,$*) bench$(SELECTION) --csv=$@
build/bench/%.map.csv: $$(call fast_worker,$$*,$(student)) build/bench/%.map.worker $$(call measure_again,$$*) | build/tests/%
	@$(call judge_bench,$*) bench --map$(SELECTION) --csv=$@
# The name of the worker that was measured.
build/bench/%.worker: FORCE
	@mkdir -p $(@D); echo '$(call fast_worker,$(basename $*),$(student))' >$@.tmp
	@cmp -s $@.tmp $@ && rm $@.tmp || mv $@.tmp $@
# A file of results stays when one of them is wrong.
.PRECIOUS: build/bench/%.csv build/bench/%.map.csv build/bench/%.worker

# What make record measures: the solutions, and the steps that a lab's staircase.csv lists.
STAIRCASES := $(wildcard $(SOLVED:%=solutions/%/staircase.csv))
step_programs = $(if $(STAIRCASES),$(shell awk -F, '/^#/ || $$1 == "step" { next } { print "build/tests/" $$2 " $(gpu_dir)/" $$2 "/" $$3 ".worker" }' $(STAIRCASES)))
record_needs = $(if $(filter ceilings,$(or $(PARTS),ceilings)),$(gpu_dir)/ceilings) $(if $(filter-out ceilings staircase,$(or $(PARTS),all)),$(foreach lab,$(SOLVED),$(call ready,fast,$(call number,$(lab)),solution)) \
    $(foreach lab,$(FAST),$(call ready,fast,$(call number,$(lab)),fast)) $(FIDELITY_PROGRAMS)) \
    $(if $(filter staircase,$(or $(PARTS),staircase)),$(step_programs))

# Made of kernels of its own and of the labs' clock.
$(gpu_dir)/ceilings: common/bench/ceilings.cu $(patsubst common/%.cpp,build/gpu/obj/%.o,$(call sources,common/lab)) build/compiler
	@mkdir -p $(@D); echo "  compiling $<"
	@$(NVCC) $(NVCC_FLAGS) $(filter %.cu %.o,$^) -o $@.tmp && mv $@.tmp $@
