# The tests of everything, the judges' own judgement, and what students get.

# A result is one line "PASSED FAILED SKIPPED"; a program that did not build leaves none and counts as failed.
HOST_TESTS := $(wildcard $(patsubst %,tests/%/*.cpp,author bench build call check diagnose problem))
SIMT_TESTS := $(wildcard tests/simt/*.cpp)
KERNEL_TESTS := $(wildcard tests/simt/*.cu tests/inspect/*.cu tests/detection/*.cu)
PROGRAMS := $(basename $(patsubst tests/%,%,$(HOST_TESTS) $(SIMT_TESTS) $(KERNEL_TESTS)))
OTHER_TESTS := own_main selfcheck fidelity/table fidelity/replay fidelity/registers
RESULTS := $(patsubst %,build/results/%,$(PROGRAMS) $(if $(SOLVED),$(OTHER_TESTS)))
run_test = @common/build/test.sh $@

test-run:
	@rm -rf build/results
	@$(MAKE) -k $(RESULTS) || true
	@common/build/tally.sh $(RESULTS)

$(PROGRAMS:%=build/results/%): build/results/%: build/tests/%
	$(run_test) $<
build/results/selfcheck: selfcheck-prepare
	@$(MAKE) selfcheck-cases
	$(run_test) build/bin/selfcheck build/selfcheck build/release $(SOLVED)

# Tests of the host's rooms have doctest's main(), but for one with its own.
HOST_LIBS := $(addprefix build/lib/lib,author.a bench.a check.a)
DOCTEST_MAIN := build/tests/doctest_main.o
$(DOCTEST_MAIN): tests/doctest_main.cpp build/compiler | build/tools
	@mkdir -p $(@D); $(CXX) $(HOST) -c $< -o $@
with_main = $(if $(filter %/reporter,$(1)),,$(DOCTEST_MAIN))
$(HOST_TESTS:%.cpp=build/%): build/%: %.cpp $$(call with_main,$$*) $(HOST_LIBS) build/compiler | build/tools
	$(call program,-Itests/support)

# Tests of the CPU backend and of the inspector: kernels, and the rewriter's.
$(SIMT_TESTS:%.cpp=build/%): build/%: %.cpp $(DOCTEST_MAIN) build/lib/librewrite.a $(SIMTCC) \
    | build/lib/libsimt.a
	$(call program)
# Kernels of tests/simt run at full speed, all others under the inspector.
inspected = $(if $(filter simt/%,$(1)),,--inspect)
build/tests/%.o: tests/%.cu $$(wildcard $$(dir tests/$$*)*.h tests/support/*.h) $(SIMTCC)
	@mkdir -p $(@D); common/simt/simtcc $(call inspected,$*) -Icommon $< -o $@
kernel_program = @$(CXX) $(HOST) -Icommon/simt/include $(DEPS) $(filter %.cpp %.o %.a,$^) \
    @common/simt/link.flags -o $@.tmp && mv $@.tmp $@
BACKEND_LIBS = $(if $(filter simt/%,$(1)),,build/lib/libinspect.a) build/lib/libsimt.a
$(KERNEL_TESTS:%.cu=build/%): build/tests/%: build/tests/%.o $$(call BACKEND_LIBS,$$*)
	$(kernel_program)

# The inspector beside a GPU's counters: one program of access patterns, for either backend, and a table.
FIDELITY := $(wildcard tests/fidelity/*.cu)
FIDELITY_PROGRAMS := build/tests/fidelity/patterns $(gpu_dir)/fidelity/patterns
build/tests/fidelity/patterns: tests/fidelity/counted.cpp $(FIDELITY:%.cu=build/%.o) \
    $(call BACKEND_LIBS,fidelity)
	$(kernel_program)
$(gpu_dir)/fidelity/%.o: tests/fidelity/%.cu tests/fidelity/pattern.h build/compiler
	@mkdir -p $(@D); $(NVCC) $(NVCC_FLAGS) -x cu -c $< -o $@
$(gpu_dir)/fidelity/patterns: tests/fidelity/profiled.cpp $(FIDELITY:tests/%.cu=$(gpu_dir)/%.o)
	@$(NVCC) $(NVCC_FLAGS) $^ -o $@.tmp && mv $@.tmp $@

fidelity_needs = build/tests/fidelity/patterns $(1:%=build/tests/%) \
    $(foreach lab,$(1),$(call inspector,$(lab),solution))
build/results/fidelity/table: tests/fidelity/table.sh $(wildcard tests/fidelity/ncu* common/bench/c*) \
    $(call fidelity_needs,01_conv1d_basic)
	$(run_test) $<
build/results/fidelity/replay: data/measurements/nvidia-h200/inspector_vs_ncu.csv \
    $(call fidelity_needs,$(SOLVED))
	$(run_test) common/bench/counters.sh replay $< $(SOLVED)
build/results/fidelity/registers: tests/fidelity/registers.sh $(call fidelity_needs,13_conv2d_adaptive)
	$(run_test) $<

# Pretended students, for the tests of calls. One of them has a main() of its own: it must not link.
STUDENTS := $(patsubst %.cu,build/%,$(filter-out %/own_main.cu,$(wildcard tests/call/students/*.cu)))
PRETENDED := tests/call/students build/tests/call/students/glue.o
$(patsubst tests/%.cpp,build/results/%,$(wildcard tests/call/*.cpp)): $(STUDENTS:%=%.worker) \
    $(addprefix build/tests/call/students/,right.inspect bad_launches.inspect)
build/tests/call/students/glue.o: common/worker/glue.cpp tests/call/students/student.h build/compiler
	$(call glue,tests/call/students/student.h)
PRETENDED_GLUE := $(lastword $(PRETENDED))
build/tests/call/students/%.worker: tests/call/students/%.cu $(PRETENDED_GLUE) $(PLAIN_PARTS)
	@common/build/worker.sh plain $(PRETENDED) $< $@
build/tests/call/students/%.inspect: tests/call/students/%.cu $(PRETENDED_GLUE) $(INSPECT_PARTS)
	@common/build/worker.sh inspect $(PRETENDED) $< $@
build/results/own_main: tests/call/students/own_main.cu build/tests/call/students/right.worker
	$(run_test) common/build/must_fail.sh 'multiple definition of .main' \
	    'common/build/worker.sh plain $(PRETENDED) $< build/tests/call/students/own_main.worker'

# selfcheck: cut the cases, judge each, hand the reports to the program that knows the promises.
selfcheck-prepare: build/bin/cut build/bin/selfcheck release
	@$(foreach lab,$(SOLVED),build/bin/cut cases solutions/$(lab) build/selfcheck/$(lab) &&) true
selfcheck-cases: $(patsubst %.cu,%.json,$(wildcard $(SOLVED:%=build/selfcheck/%/*.cu)))
build/selfcheck/%.json: build/selfcheck/%.cu build/tests/$$(call lab_of,$$*) $$(call contract_of,$$*) \
    $(INSPECT_PARTS) $$(if $$(filter gpu,$$(BACKEND)),$(GPU_PARTS))
	@common/build/judge_case.sh $(call lab_of,$*) $(notdir $*) $(BACKEND)

# The demo: every lab's judge in turn adds its rows to build/demo/results.csv. A release has no solutions: it
# shows the student's files.
DEMO_LABS := $(or $(SOLVED),$(LABS))
demo_variant := $(if $(SOLVED),solution,student)
DEMO_OPTIONS = --image='$(IMAGE)'$(call option,METHODS,methods) --out=build/demo
demo-run: $$(foreach lab,$$(DEMO_LABS),$$(call timed_needs,$$(lab),$$(demo_variant)))
	@$(if $(METHODS),common/build/methods.sh '$(METHODS)' $(DEMO_LABS:%=build/tests/%))
	@rm -rf build/demo; mkdir -p build/demo; echo '$(backend_line)'
	@status=0; \
	    $(foreach lab,$(DEMO_LABS),$(call run_timed,$(lab),$(demo_variant)) demo $(DEMO_OPTIONS) || status=1;) \
	    common/build/plot.sh common/plot/demo.gp build/demo/results.csv build/demo/chart || status=1; \
	    echo "pictures and chart: build/demo"; exit $$status

.PHONY: demo-run test-run selfcheck-prepare selfcheck-cases
