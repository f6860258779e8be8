# What is built once: the libraries of each room, the launch rewriter and other programs, one judge a lab.
# -Wno-restrict: g++ 12 finds overlapping copies in its own std::string (GCC bug 105651).
# No debug information: it would make every worker ten times as large. For a debugger: make CXX='g++ -g'.
# Functions begin lines of the cache: what stands before those that every access calls must not decide how fast they are.
OPTIMIZE := -O2 -falign-functions=64
HOST = -std=c++20 $(OPTIMIZE) -Wall -Wextra -Wno-restrict -Icommon \
    $(if $(HAS_DEPS),-isystem $(call quote,$(DEPS)/include))
HEADERS = -MMD -MF @.d -MT $@ -MP
# Every file is made under another name, @, and renamed: whoever reads it sees a whole one.
whole = @common/build/whole.sh $@

# Change when the compiler or its options do, and with them everything that was built by it.
build/compiler: FORCE
	@{ command -v '$(CXX)'; '$(CXX)' --version; echo $(call quote,$(HOST)); } 2>/dev/null | \
	    common/build/changed.sh $@
build/gpu/compiler: FORCE
	@{ echo '$(NVCC) $(filter-out BACKEND=gpu:,$(backend_line))'; '$(NVCC)' --version; } 2>/dev/null | \
	    common/build/changed.sh $@
$(gpu_dir)/options: FORCE
	@echo '$(NVCC_FLAGS)' | common/build/changed.sh $@
# What is linked besides our own libraries.
build/link.flags: FORCE
	@common/build/link_flags.sh | common/build/changed.sh $@
# Everything that is built waits for this: without these packages nothing is, without libdw it is said.
build/tools: build/compiler build/link.flags
	@common/build/need.sh build
	@common/build/need.sh lines || true; touch $@

# Objects of the host and of the CPU backend; worker and helpers once more against CUDA's own headers.
build/obj/simt/% build/obj/inspect/%: private ROOM_FLAGS := -O3 -ffp-contract=off -Icommon/simt/include
build/obj/lab.o build/obj/worker.o build/obj/worker/%: private ROOM_FLAGS := -Icommon/simt/include
build/obj/simt/rewrite.o: private ROOM_FLAGS :=
build/obj/inspect/report.o build/obj/simt/runtime.o: private ROOM_FLAGS := -Icommon/simt/include
# They know lines by libdw, where it is. (An #if __has_include would be nothing that ccache knows of.)
build/obj/simt/engine.o build/obj/worker.o build/gpu/obj/worker.o: build/link.flags
build/obj/simt/engine.o build/obj/worker.o build/gpu/obj/worker.o: \
    private LIBDW = $$(grep -qe -ldw build/link.flags || echo -DNO_LIBDW)
# They compute by FFTW, where it is.
build/obj/simt/transform.o: build/link.flags
build/obj/simt/transform.o: private ROOM_FLAGS += $$(grep -qe -lfftw3f build/link.flags || echo -DNO_FFTW)
compile = $(whole) $(CXX) $(HOST) $(ROOM_FLAGS) $(LIBDW) $(HEADERS) -c $< -o @
compile_for_gpu = $(whole) $(CXX) $(HOST) $(LIBDW) $(HEADERS) $(CUDA_INCLUDE) -c $< -o @

# A folder is compiled as one text that includes its sources: most of the time goes into headers, and they have
# the same.
UNITS := $(sort $(patsubst common/%/,%,$(dir $(wildcard common/*/*.cpp common/*/*/*.cpp))))
# But for files that have a main(), are chosen by the linker's line, or that a test has in its own way.
MAINS := $(shell grep -slE '^int main\b' common/*/*.cpp common/*/*/*.cpp)
ALONE := $(filter-out worker/main,$(MAINS:common/%.cpp=%)) call/plain_text call/worker_process check/doctest \
    problem/serial $(addprefix worker/,glue inspection_on inspection_off)
# What workers need of another room, too.
ALSO_worker := $(patsubst %,common/call/%.cpp,channel changed_words leftovers call_filter refused_calls landlock)
sources = $(filter-out $(ALONE:%=common/%.cpp),$(wildcard common/$(1)/*.cpp)) $(ALSO_$(1))
build/obj/units: FORCE
	@printf '%s\n' $(foreach unit,$(UNITS),$(call sources,$(unit))) | common/build/changed.sh $@
build/obj/%.cpp: build/obj/units
	@printf '#include "%s"\n' $(patsubst common/%,%,$(call sources,$*)) | common/build/changed.sh $@
$(UNITS:%=build/obj/%.o): build/obj/%.o: build/obj/%.cpp build/compiler | build/tools
	@echo "  compiling common/$*"
	$(compile)
build/gpu/obj/%.o: build/obj/%.cpp build/compiler build/gpu/compiler | build/tools
	@echo "  compiling common/$* for the GPU"
	$(compile_for_gpu)
$(ALONE:%=build/obj/%.o): build/obj/%.o: common/%.cpp build/compiler | build/tools
	@echo "  compiling $<"
	$(compile)
build/gpu/obj/worker/inspection_off.o: common/worker/inspection_off.cpp build/compiler build/gpu/compiler \
    | build/tools
	$(compile_for_gpu)

objects = $(1:%=build/obj/%.o)
gpu_objects = $(1:%=build/gpu/obj/%.o)
build/lib/libsimt.a: $(call objects,$(addprefix simt/,engine memory texture runtime))
# Of programs that call cuFFT alone; FFTW is linked with no other.
build/lib/libcufft.a: $(call objects,simt/transform)
build/lib/libinspect.a: $(call objects,$(addprefix inspect/,watch streams memory report))
# What kernels may call of them: all but the host's calls, and the copies that headers make (outside_calls.sh).
FREE = $$2 == "T" && $$3 !~ /^cuda/ || $$2 == "W" && $$3 ~ /^_ZNK?4simt/ { print "free", $$3 }
build/lib/free.names: build/lib/libsimt.a build/lib/libinspect.a
	@nm --defined-only $^ | awk '$(FREE)' >$@.part && mv $@.part $@
build/lib/liblab.a: $(call objects,lab)
build/lib/libworker.a: $(call objects,worker)
build/lib/libcheck.a: $(call objects,call call/plain_text call/worker_process problem problem/serial diagnose \
    check check/modes check/doctest inspect/report)
build/lib/libbench.a: $(call objects,bench)
build/lib/libquestions.a: $(call objects,questions call/plain_text)
build/lib/libreport.a: $(call objects,report)
build/lib/librewrite.a: $(call objects,simt/rewrite)
build/gpu/libworker.a: $(call gpu_objects,worker lab worker/inspection_off)
archive = $(whole) ar rcs @ $(filter %.o,$^)
build/lib/lib%.a: build/compiler | build/tools
	$(archive)
build/gpu/lib%.a: build/compiler | build/tools
	$(archive)

# What runs for a moment, reads options or files, counts tests, would take longer to optimize than it runs.
BRIEF := $(addprefix build/,obj/report.o bin/% tests/% obj/check/doctest.o obj/check/modes.o obj/check/modes/main.o)
$(BRIEF): private OPTIMIZE := -O0
# The first make of a lab compiles these, and a judge is hardly slower by it.
$(call objects,bench call call/worker_process problem check diagnose inspect/report simt/rewrite simt/runtime): \
    private OPTIMIZE := -O1
# It is timed, too: what the charts call serial.
$(call objects,problem/serial): private OPTIMIZE := -O3

# A program or test of one source and some objects and libraries (ARCHIVES: the grader's, grade.mk). fmt makes the
# texts of the judge and of the benchmark; header-only it would take three seconds of every file.
FMT = $(if $(filter %check.a,$^),-lfmt)
GROUPED = -Wl,--start-group $(filter %.a,$^) -Wl,--end-group
program = $(whole) $(CXX) $(HOST) $(1) $(HEADERS) $(filter %.cpp %.o,$^) $(GROUPED) $(FMT) $(ARCHIVES) \
    @build/link.flags -o @
build/bin/rewrite: common/simt/rewrite/main.cpp build/lib/librewrite.a build/compiler | build/tools
	@echo "  building the launch rewriter"
	$(call program)
# What common/simt/cucc works with.
CUCC_PARTS := build/bin/rewrite $(addprefix build/lib/lib,cufft.a simt.a inspect.a) build/obj/inspect/program.o \
    build/link.flags
build/bin/questions: common/questions/main.cpp build/lib/libquestions.a build/compiler | build/tools
	$(call program)
build/bin/report: common/report/main.cpp build/lib/libreport.a build/lib/libcheck.a build/compiler | build/tools
	@echo "  building the report"
	$(call program)
# One judge a lab: its checks, main() and the libraries.
JUDGE_PARTS := build/obj/check/modes/main.o build/lib/libbench.a build/lib/libcheck.a
parts: $(JUDGE_PARTS)
build/tests/%: tests/%.cpp $(JUDGE_PARTS) build/compiler | build/tools
	@echo "  building the judge of $*"
	$(call program,-Ilabs/$*)

-include $(shell find build/obj build/gpu/obj build/bin build/tests build/glue -name '*.d' 2>/dev/null)
