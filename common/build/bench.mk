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
# Wrong results are left out (exit code 1) and that is said: the others are there to be drawn.
judge_bench = ($(with_screen) $(say_backend) common/bench/measure.sh build/tests/$(1) $@ '$(measured)' \
    --build=$(BUILD)$(SELECTION) --comment=$(call quote,command: $(subst ',,$(asked))) \
    --comment="kernels: $$($(hash_of_file))" $(3)) || [ $$? = 1 ]

# One worker, or one for each block that was asked for.
variants = $(if $(BLOCK_LIST),$(BLOCK_LIST:%=block_%_$(student)),$(student))
measured = $(foreach variant,$(variants),$(call timed_worker,$(1),$(variant)))
build/bench/%.csv: $$(call measured,$$*) build/bench/%.worker $$(call measure_again,$$*) | build/tests/%
	@$(call judge_bench,$*,bench)
build/bench/%.map.csv: $$(call measured,$$*) build/bench/%.map.worker $$(call measure_again,$$*) \
    | build/tests/%
	@$(call judge_bench,$*,map,--map)
# The name of the worker that was measured.
build/bench/%.worker: FORCE
	@echo '$(call measured,$(basename $*))' | common/build/changed.sh $@
# A file of results stays when one of them is wrong.
.PRECIOUS: build/bench/%.csv build/bench/%.map.csv build/bench/%.worker
