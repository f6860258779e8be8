# The tests of everything, the judges' own judgement, and what students get.

# A result is one line "PASSED FAILED SKIPPED"; a program that did not build leaves none and counts as failed.
DOCTESTS := $(HOST_TESTS) $(patsubst tests/%.cpp,%,$(wildcard tests/simt/*.cpp))
PROGRAMS := $(patsubst tests/%.cu,%,$(wildcard tests/simt/*.cu tests/inspect/*.cu tests/detection/*.cu))
RESULTS := $(patsubst %,build/results/%,$(DOCTESTS) $(PROGRAMS) $(if $(SOLVED),own_main selfcheck fidelity/table fidelity/replay fidelity/registers))

test-run:
	@rm -rf build/results
	@$(MAKE) -k $(RESULTS) || true
	@common/build/tally.sh $(RESULTS)

$(DOCTESTS:%=build/results/%): build/results/%: build/tests/%
	@common/build/test.sh $@ $<
$(PROGRAMS:%=build/results/%): build/results/%: build/tests/%
	@common/build/test.sh $@ $<
build/results/selfcheck: selfcheck-prepare
	@$(MAKE) selfcheck-cases
	@common/build/test.sh $@ build/bin/selfcheck build/selfcheck build/release $(SOLVED)

build/tests/simt/%: tests/simt/%.cpp $(DOCTEST_MAIN) build/librewrite.a build/bin/rewrite build/cpu/libsimt.a
	@mkdir -p $(@D)
	@$(CXX) $(HOST) $(DEPS) -MF $@.d -MT $@ $< $(DOCTEST_MAIN) build/librewrite.a -o $@.tmp && mv $@.tmp $@
build/tests/simt/%: tests/simt/%.cu $(wildcard tests/simt/*.h) $(SIMTCC) build/cpu/libsimt.a
	@mkdir -p $(@D); common/simt/simtcc -Icommon $< -o $@.o
	@$(CXX) $@.o build/cpu/libsimt.a $(SIMT_LINK) -o $@.tmp && mv $@.tmp $@
# $(call inspected_tests,FOLDER)
define inspected_tests
build/tests/$(1)/%: tests/$(1)/%.cu $(wildcard tests/$(1)/*.h) $(SIMTCC) build/cpu/libinspect.a build/cpu/libsimt.a
	@mkdir -p $$(@D); common/simt/simtcc --inspect -Icommon $$< -o $$@.o
	@$$(CXX) $$@.o build/cpu/libinspect.a build/cpu/libsimt.a $$(SIMT_LINK) -o $$@.tmp && mv $$@.tmp $$@
endef
$(foreach folder,inspect detection,$(eval $(call inspected_tests,$(folder))))

# The inspector beside a GPU's counters: one program of access patterns, which builds for either backend, and a table.
FIDELITY := $(patsubst tests/fidelity/%.cu,%,$(wildcard tests/fidelity/*.cu))
FIDELITY_PROGRAMS := build/tests/fidelity/patterns $(gpu_dir)/fidelity/patterns
build/tests/fidelity/%.o: tests/fidelity/%.cu tests/fidelity/pattern.h $(SIMTCC)
	@mkdir -p $(@D); common/simt/simtcc --inspect -Icommon $< -o $@
build/tests/fidelity/patterns: tests/fidelity/counted.cpp $(FIDELITY:%=build/tests/fidelity/%.o) build/cpu/libinspect.a build/cpu/libsimt.a
	@$(CXX) $(HOST) $(DEPS) -MF $@.d -MT $@ -Icommon/simt/include $(filter %.cpp %.o %.a,$^) $(SIMT_LINK) -o $@.tmp && mv $@.tmp $@
$(gpu_dir)/fidelity/%.o: tests/fidelity/%.cu tests/fidelity/pattern.h build/compiler
	@mkdir -p $(@D); $(NVCC) $(NVCC_FLAGS) -x cu -c $< -o $@
$(gpu_dir)/fidelity/patterns: tests/fidelity/profiled.cpp $(FIDELITY:%=$(gpu_dir)/fidelity/%.o)
	@$(NVCC) $(NVCC_FLAGS) $^ -o $@.tmp && mv $@.tmp $@

FIDELITY_NEEDS = build/tests/fidelity/patterns $(foreach lab,$(1),build/tests/$(lab) $(call inspector,$(lab),solution))
build/results/fidelity/table: tests/fidelity/table.sh $(wildcard tests/fidelity/ncu* common/bench/c*) $(call FIDELITY_NEEDS,01_conv1d_basic)
	@common/build/test.sh $@ $<
build/results/fidelity/replay: data/measurements/nvidia-h200/inspector_vs_ncu.csv $(call FIDELITY_NEEDS,$(SOLVED))
	@common/build/test.sh $@ common/bench/counters.sh replay $< $(SOLVED)

build/results/fidelity/registers: tests/fidelity/registers.sh $(call FIDELITY_NEEDS,13_conv2d_adaptive)
	@common/build/test.sh $@ $<

# Pretended students, for the tests of the worker. One of them has a main() of its own: it must not link.
STUDENTS := $(patsubst tests/call/students/%.cu,build/tests/call/students/%,$(filter-out %/own_main.cu,$(wildcard tests/call/students/*.cu)))
$(patsubst tests/%.cpp,build/results/%,$(wildcard tests/call/*.cpp)): $(STUDENTS:%=%.worker) $(addprefix build/tests/call/students/,right.inspect bad_launches.inspect)
build/tests/call/students/glue.o: common/worker/glue.cpp tests/call/students/student.h $(WORKER_HEADERS) build/compiler
	@mkdir -p $(@D); $(CXX) $(HOST) -include worker/offer.h -include tests/call/students/student.h -c $< -o $@
build/tests/call/students/%.worker: tests/call/students/%.cu tests/call/students/student.h $(SIMTCC) $(call cpu_parts,build/tests/call/students/glue.o,off) $(PLAIN_LIBS)
	@$(call compile_plain,tests/call/students,$<,$@.o) && $(call link_plain,build/tests/call/students/glue.o,$@.o,$@.tmp) && mv $@.tmp $@
build/tests/call/students/%.inspect: tests/call/students/%.cu tests/call/students/student.h $(SIMTCC) $(call cpu_parts,build/tests/call/students/glue.o,on) $(INSPECT_LIBS)
	@$(call compile_inspected,tests/call/students,$<,$@.o) && $(call link_inspected,build/tests/call/students/glue.o,$@.o,$@.tmp) && mv $@.tmp $@
build/results/own_main: tests/call/students/own_main.cu build/tests/call/students/right.worker
	@$(call compile_plain,tests/call/students,$<,build/tests/call/students/own_main.o)
	@common/build/test.sh $@ common/build/must_fail.sh 'multiple definition of .main' \
	    '$(call link_plain,build/tests/call/students/glue.o,build/tests/call/students/own_main.o,build/tests/call/students/own_main)'

# selfcheck: cut the cases, judge each, hand the reports to the program that knows the promises.
selfcheck-prepare: build/bin/cut build/bin/selfcheck release
	@$(foreach lab,$(SOLVED),build/bin/cut cases solutions/$(lab) build/selfcheck/$(lab) &&) true
selfcheck-cases: $(patsubst %.cu,%.json,$(foreach lab,$(SOLVED),$(wildcard build/selfcheck/$(lab)/*.cu)))

# What has to be right runs on the GPU too, where there is one. Wrong kernels are judged on the CPU backend alone: what a
# race or a stray read gives there is the same every time. A worker is removed after its judgement: 300 would fill a
# small disk.
define case_rules
build/selfcheck/$(1)/%.json: build/selfcheck/$(1)/%.cu $(call judge_needs,$(1))
	@common/build/judge_case.sh $(1) $$* \
	    '$$(call compile_inspected,labs/$(1),$$<,$$(<:.cu=.inspect.o)) && $$(call link_inspected,build/glue/$(1).o,$$(<:.cu=.inspect.o),$$(<:.cu=.inspect))' \
	    '$$(if $$(and $$(filter gpu,$$(BACKEND)),$$(filter solution right_%,$$*)),$$(call compile_gpu,labs/$(1),$$<,$$(<:.cu=.o)) && $$(call link_gpu,build/glue/$(1).o,$$(<:.cu=.o),$$(<:.cu=.worker)))'
endef
ifneq ($(filter selfcheck-cases,$(MAKECMDGOALS)),)
$(foreach lab,$(SOLVED),$(eval $(call case_rules,$(lab))))
endif

# The demo: every lab's judge in turn adds its rows to build/demo/results.csv. A release has no solutions: it shows the student's files.
DEMO_LABS := $(or $(SOLVED),$(LABS))
demo_variant := $(if $(SOLVED),solution,student)
demo-run: $$(foreach lab,$$(DEMO_LABS),$$(call ready,fast,$$(firstword $$(subst _, ,$$(lab))),$$(demo_variant)))
	@$(if $(METHODS),common/build/methods.sh '$(METHODS)' $(DEMO_LABS:%=build/tests/%))
	@rm -rf build/demo; mkdir -p build/demo; echo '$(backend_line)'
	@status=0; $(foreach lab,$(DEMO_LABS),$(call run_fast,$(lab),$(demo_variant)) demo --image='$(IMAGE)'$(if $(METHODS), --methods='$(METHODS)') --out=build/demo || status=1;) \
	    common/build/plot.sh common/plot/demo.gp build/demo/results.csv build/demo/chart || status=1; \
	    echo "pictures and chart: build/demo"; exit $$status

.PHONY: demo-run test-run selfcheck-prepare selfcheck-cases
