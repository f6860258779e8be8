# What convolutions look like: the demo, and the gallery of all filters.

# Every lab's judge in turn adds its rows to build/demo/results.csv. A release has no solutions: it
# shows the student's files that are begun, and a wrong one is no error. What one judge cannot do (2), no
# other can.
skeleton_of = labs/$(1)/.skeleton/$(call name,$(1)).cu
BEGUN = $(foreach lab,$(LABS),$(shell cmp -s $(call skeleton_of,$(lab)) $(call source_of_student,$(lab)) \
    || echo $(lab)))
DEMO_LABS = $(or $(SOLVED),$(strip $(BEGUN)))
none_begun = echo "no lab is begun yet: make next says where to start"; exit;
demo_variant := $(if $(SOLVED),solution,student)
DEMO_OPTIONS = --image='$(IMAGE)'$(call option,METHODS,methods) --out=build/demo
run_demo = common/build/leash.sh $(call run_timed,$(1),$(demo_variant)) demo $(DEMO_OPTIONS)
demo-run: $$(foreach lab,$$(DEMO_LABS),$$(call timed_needs,$$(lab),$$(demo_variant)))
	@$(if $(METHODS),common/build/methods.sh '$(METHODS)' $(DEMO_LABS:%=build/tests/%))
	@rm -rf build/demo; mkdir -p build/demo; echo '$(backend_line)'
	@$(if $(DEMO_LABS),,$(none_begun)) status=0; \
	    $(foreach lab,$(DEMO_LABS),$(call run_demo,$(lab)) || { status=$$?; [ $$status = 1 ] || exit $$status; };) \
	    ! common/build/need.sh charts || \
        common/build/plot.sh common/plot/demo.gp build/demo/results.csv build/demo/chart || status=1; \
	    echo "pictures and chart: build/demo"; $(if $(SOLVED),exit $$status)

# The gallery: the same with every filter of the sources, and contact sheets.
run_gallery = common/build/leash.sh $(call run_timed,$(1),$(demo_variant)) $(if $(filter 0,$(FMAD)),--no-fmad) gallery
gallery-run: $$(foreach lab,$$(DEMO_LABS),$$(call timed_needs,$$(lab),$$(demo_variant)))
	@rm -rf build/gallery; mkdir -p build/gallery; echo '$(backend_line)'
	@$(if $(DEMO_LABS),,$(none_begun)) status=0; \
	    $(foreach lab,$(DEMO_LABS),$(call run_gallery,$(lab)) || status=1;) \
	    common/build/gallery.sh build/gallery || status=1; $(if $(SOLVED),exit $$status)

.PHONY: gallery-run demo-run
