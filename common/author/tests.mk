# The tests of everything, the judges' own judgement, and what students get.

# A result is one line "PASSED FAILED SKIPPED"; a program that did not build leaves none and counts as failed.
HOST_ROOMS := attacks author bench build call check diagnose grade problem questions report
HOST_TESTS := $(wildcard $(HOST_ROOMS:%=tests/%/*.cpp))
SIMT_TESTS := $(wildcard tests/simt/*.cpp)
KERNEL_TESTS := $(wildcard tests/simt/*.cu tests/inspect/*.cu tests/detection/*.cu)
TEST_PROGRAMS := $(basename $(patsubst tests/%,%,$(HOST_TESTS) $(SIMT_TESTS) $(KERNEL_TESTS)))
OTHER_TESTS := own_main counts selfcheck mutants fuzz/seeds fidelity/table fidelity/replay fidelity/registers
RESULTS := $(patsubst %,build/results/%,$(TEST_PROGRAMS) $(if $(SOLVED),$(OTHER_TESTS)))
run_test = @common/build/leash.sh common/build/test.sh $@

test-run:
	@rm -rf build/results
	@common/build/leash.sh $(MAKE) -k $(RESULTS) || true
	@common/build/tally.sh $(RESULTS)

$(TEST_PROGRAMS:%=build/results/%): build/results/%: build/tests/%
	$(run_test) $<
build/results/selfcheck: selfcheck-prepare
	@$(MAKE) selfcheck-cases
	$(run_test) build/bin/selfcheck build/selfcheck build/release $(SOLVED)

# Tests of the host's rooms have doctest's main(), but for one with its own.
HOST_LIBS := $(addprefix build/lib/lib,author.a bench.a questions.a report.a check.a)
grade_lib = $(if $(filter tests/grade/% tests/attacks/%,$(1)),build/lib/libgrade.a)
DOCTEST_MAIN := build/tests/doctest_main.o
$(DOCTEST_MAIN): tests/doctest_main.cpp build/compiler | build/tools
	$(whole) $(CXX) $(HOST) -c $< -o @
with_main = $(if $(filter %/reporter,$(1)),,$(DOCTEST_MAIN))
$(HOST_TESTS:%.cpp=build/%): build/%: %.cpp $$(call with_main,$$*) $$(call grade_lib,$$*) $(HOST_LIBS) \
    build/compiler | build/tools
	$(call program,-Itests/support)

# One puts another lab into a copy of the workbook, one runs make lab01 in such a copy.
build/results/build/added_lab: build/bin/cut build/bin/questions $(JUDGE_PARTS) $(INSPECT_PARTS)
build/results/build/verdicts: build/tests/01_conv1d_basic build/glue/01_conv1d_basic.o $(INSPECT_PARTS)

# One measures two blocks of lab 06.
build/results/bench/sweeps: build/tests/06_conv2d_constant \
    $(patsubst %,build/cpu/06_conv2d_constant/block_%_solution.worker,8x8 32x4)

# One has solutions inspected.
build/results/questions/inspected: $(foreach lab,$(filter 01% 02% 03% 04% 05% 06% 07%,$(SOLVED)),\
    build/tests/$(lab) $(call inspector,$(lab),solution))

# One reads what students get.
build/results/author/release: release-students

# One makes a page of a handout.
build/results/author/pages: $(wildcard common/pages/* handouts/*.md handouts/instructor/*.md)

# One draws the sources' figures.
build/results/bench/figures: common/build/figures.sh data/counts.csv $(wildcard common/plot/* common/plot/figures/*)

# Some grade a class of lab 01.
$(addprefix build/results/,grade/answers grade/class grade/gpu grade/slurm attacks/attacks attacks/folders): build/bin/grade build/bin/boxed \
    build/tests/01_conv1d_basic build/glue/01_conv1d_basic.o $(INSPECT_PARTS)
build/results/grade/gpu: $$(if $$(filter gpu,$$(BACKEND)),$(GPU_PARTS))

# Some labs are attacked: all attacks take two processors twelve minutes.
build/results/attacks/attacks: export TEST_LIMIT := 2400
ATTACKED = $(foreach number,$(shell sed -n 's/^@lab //p' $(wildcard tests/attacks/*.txt) /dev/null | sort -u),$(call key,$(number)))
build/results/attacks/attacks: $$(foreach lab,$$(ATTACKED),build/tests/$$(lab) build/glue/$$(lab).o)

# One makes autograder packages of what students get and runs them for lab 01.
build/results/grade/packages: release-students $(addprefix build/bin/,grade boxed other_user gradescope pack) \
    build/tests/01_conv1d_basic build/glue/01_conv1d_basic.o $(INSPECT_PARTS) build/grading

# Tests of the CPU backend and of the inspector: kernels, and the rewriter's.
$(SIMT_TESTS:%.cpp=build/%): build/%: %.cpp $(DOCTEST_MAIN) build/lib/librewrite.a $(SIMTCC) \
    | build/lib/libsimt.a
	$(call program)
build/results/simt/cucc_test build/results/simt/features_test: $(CUCC_PARTS)
# Kernels of tests/simt run at full speed, all others under the inspector.
inspected = $(if $(filter simt/%,$(1)),,--inspect)
build/tests/%.o: tests/%.cu $$(wildcard $$(dir tests/$$*)*.h tests/support/*.h) $(SIMTCC) \
    | build/prelude/plain.how build/prelude/inspect.how
	$(whole) common/simt/simtcc $(call inspected,$*) -Icommon $< -o @
kernel_program = $(whole) $(CXX) $(HOST) -Icommon/simt/include $(HEADERS) $(filter %.cpp %.o %.a,$^) \
    @build/link.flags -o @
BACKEND_LIBS = $(if $(filter simt/%,$(1)),,build/lib/libinspect.a) build/lib/libcufft.a build/lib/libsimt.a
$(KERNEL_TESTS:%.cu=build/%): build/tests/%: build/tests/%.o $$(call BACKEND_LIBS,$$*)
	$(kernel_program)

# The inspector beside a GPU's counters: one program of access patterns, for either backend, and a table.
FIDELITY := $(wildcard tests/fidelity/*.cu)
FIDELITY_PROGRAMS := build/tests/fidelity/patterns $(gpu_dir)/fidelity/patterns
build/tests/fidelity/patterns: tests/fidelity/counted.cpp $(FIDELITY:%.cu=build/%.o) \
    $(call BACKEND_LIBS,fidelity)
	$(kernel_program)
$(gpu_dir)/fidelity/%.o: tests/fidelity/%.cu tests/fidelity/pattern.h build/gpu/compiler $(gpu_dir)/options
	$(whole) $(NVCC) $(NVCC_FLAGS) -x cu -c $< -o @
$(gpu_dir)/fidelity/patterns: tests/fidelity/profiled.cpp $(FIDELITY:tests/%.cu=$(gpu_dir)/%.o)
	$(whole) $(NVCC) $(NVCC_FLAGS) $^ -o @

fidelity_needs = build/tests/fidelity/patterns $(1:%=build/tests/%) \
    $(foreach lab,$(1),$(call inspector,$(lab),solution))
build/results/fidelity/table: tests/fidelity/table.sh $(wildcard tests/fidelity/ncu* common/bench/c*) \
    build/tests/fidelity/fuzz $(call fidelity_needs,01_conv1d_basic)
	$(run_test) $<
# Of all tables that of all labs.
build/results/fidelity/replay: data/measurements/nvidia-h100-80gb-hbm3/inspector_vs_ncu.csv \
    $(call fidelity_needs,$(SOLVED))
	$(run_test) common/bench/counters.sh replay $< $(SOLVED)
counts_needs = $(call fidelity_needs,06_conv2d_constant 07_conv2d_tiled 11_conv2d_banks)
build/results/counts: common/bench/counts.sh data/counts.csv $(counts_needs)
	$(run_test) $< replay data/counts.csv
build/results/fidelity/registers: tests/fidelity/registers.sh $(call fidelity_needs,13_conv2d_adaptive)
	$(run_test) $<

# Random kernels beside a model of what they must do. The program writes, builds and runs them itself, linked with
# what runs them.
FUZZ := build/tests/fuzz/fuzz
FUZZ_RUNNER := harness reported
FUZZ_PARTS := $(FUZZ) $(FUZZ_RUNNER:%=build/tests/fuzz/%.o) build/tests/fidelity/profiled.o $(SIMTCC) build/prelude/inspect.how \
    build/lib/libinspect.a build/lib/libsimt.a
$(FUZZ): $(patsubst %.cpp,build/%.o,$(filter-out $(FUZZ_RUNNER:%=tests/fuzz/%.cpp),$(wildcard tests/fuzz/*.cpp)))
	@$(CXX) $^ -pthread -o $@.tmp && mv $@.tmp $@
build/tests/fuzz/%.o build/tests/fidelity/%.o: private ROOM_FLAGS := -Icommon/simt/include
build/tests/fuzz/%.o: private OPTIMIZE := -O1
build/tests/%.o: tests/%.cpp build/compiler | build/tools
	$(whole) $(CXX) $(HOST) $(ROOM_FLAGS) $(HEADERS) -c $< -o @
fuzz = CXX='$(CXX)' $(FUZZ)
fuzz-run: $(FUZZ_PARTS)
	@$(fuzz) $(or $(PROGRAMS),300) $(or $(SEED),1) $(or $(JOBS),$(shell nproc))
build/results/fuzz/seeds: $(FUZZ_PARTS)
	$(run_test) env FUZZ_QUIET=1 $(fuzz) 50 1 $(shell nproc)
# Right ones for a GPU, whose profiler counts: 200 from seed 1 on.
export FUZZ_TABLE := 200 1
FUZZ_TABLE_NEEDS := $(FUZZ) build/tests/fidelity/fuzz $(gpu_dir)/fidelity/fuzz
build/fuzz/table.cu: $(FUZZ)
	@mkdir -p $(@D); $(FUZZ) $(FUZZ_TABLE) source >$@.tmp && mv $@.tmp $@
build/fuzz/table.o: build/fuzz/table.cu tests/fuzz/harness.h $(SIMTCC)
	@common/simt/simtcc --inspect -w -Itests/fuzz $< -o $@
build/tests/fidelity/fuzz: build/fuzz/table.o $(addprefix build/tests/,fuzz/harness.o fidelity/counted.o) \
    $(call BACKEND_LIBS,fidelity)
	$(kernel_program)
$(gpu_dir)/fidelity/fuzz: build/fuzz/table.cu tests/fuzz/harness.cpp tests/fidelity/profiled.cpp tests/fuzz/harness.h
	@mkdir -p $(@D); $(NVCC) $(NVCC_FLAGS) -w -Itests/fuzz -x cu $(filter %.cu %.cpp,$^) -o $@.tmp && mv $@.tmp $@

# Pretended students, for the tests of calls. One of them has a main() of its own: it must not link.
STUDENTS := $(patsubst %.cu,build/%,$(filter-out %/own_main.cu %/transforms.cu,$(wildcard tests/call/students/*.cu)))
PRETENDED := tests/call/students build/tests/call/students/glue.o
$(patsubst tests/%.cpp,build/results/%,$(wildcard tests/call/*.cpp)): $(STUDENTS:%=%.worker) \
    $(addprefix build/tests/call/students/,\
    right.inspect bad_launches.inspect ways_to_the_device.inspect buffers.inspect kernel_facts.inspect)
# One needs FFTW.
build/results/call/transforms: $$(if $$(shell common/build/missing.sh fft),,$$(patsubst %,\
    build/tests/call/students/transforms.%,worker inspect))
build/tests/call/students/glue.o: common/worker/glue.cpp tests/call/students/student.h build/compiler
	$(call glue,tests/call/students/student.h)
PRETENDED_GLUE := $(lastword $(PRETENDED))
build/tests/call/students/%.worker: tests/call/students/%.cu $(PRETENDED_GLUE) $(PLAIN_PARTS) FORCE
	@common/build/worker.sh plain $(PRETENDED) $< $@
build/tests/call/students/%.inspect: tests/call/students/%.cu $(PRETENDED_GLUE) $(INSPECT_PARTS) FORCE
	@common/build/worker.sh inspect $(PRETENDED) $< $@
build/results/own_main: tests/call/students/own_main.cu build/tests/call/students/right.worker
	$(run_test) common/build/must_fail.sh 'multiple definition of .main' \
	    'common/build/worker.sh plain $(PRETENDED) $< build/tests/call/students/own_main.worker'

# selfcheck: cut the cases, judge each, hand the reports to the program that knows the promises. make test takes a part
# of them (common/author/shard.h) unless ALL=1 asks for every one.
selfcheck-prepare: build/bin/cut build/bin/selfcheck release-students
	@$(foreach lab,$(SOLVED),build/bin/cut cases solutions/$(lab) build/selfcheck/$(lab) &&) true
selfcheck-run: selfcheck-prepare
	@$(MAKE) selfcheck-cases
	@build/bin/selfcheck build/selfcheck build/release $(SOLVED)
selfcheck-cases: $(patsubst %.cu,%.json,$(wildcard $(SOLVED:%=build/selfcheck/%/*.cu)))
build/selfcheck/%.json: build/selfcheck/%.cu $$(wildcard build/selfcheck/$$*.only) \
    build/tests/$$(call lab_of,$$*) $$(call contract_of,$$*) \
    $(INSPECT_PARTS) $$(if $$(filter gpu,$$(BACKEND)),$(GPU_PARTS))
	@common/build/leash.sh common/build/judge_case.sh $(call lab_of,$*) $(notdir $*) $(BACKEND)

# steps: what comes of the solution without each region says what a check needs.
steps-run: selfcheck-prepare
	@rm -f $(SOLVED:%=build/selfcheck/%/without_*.json)
	@$(MAKE) steps-cases
	@build/bin/selfcheck steps build/selfcheck $(SOLVED)
steps-cases: $(patsubst %.cu,%.json,$(wildcard $(SOLVED:%=build/selfcheck/%/without_*.cu)))

# mutants: solutions with one token changed, judged as students' files are; with every test a few of each fourth lab.
MUTATED := $(foreach number,$(if $(filter all,$(or $(LAB),all)),$(NUMBERS),$(subst $(comma), ,$(LAB))),\
    $(filter $(number)_%,$(SOLVED)))
FEW := 2
mutants-prepare: build/bin/mutants $(MUTATED:%=build/tests/%) $(MUTATED:%=build/glue/%.o) \
    $(PLAIN_PARTS) $(INSPECT_PARTS)
build/results/mutants: mutants-prepare
	$(run_test) build/bin/mutants --most=$(FEW) --shard $(SOLVED)

.PHONY: test-run fuzz-run selfcheck-run selfcheck-prepare selfcheck-cases steps-run steps-cases mutants-prepare
