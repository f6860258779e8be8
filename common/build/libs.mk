# What is built once: the libraries of each room, the launch rewriter and other programs, one judge a lab.
# -Wno-restrict: g++ 12 finds overlapping copies in its own std::string (GCC bug 105651).
# -g1: whole debug information takes a third of the time of compiling and makes every worker ten times as
# large.
OPTIMIZE := -O2
HOST = -std=c++20 $(OPTIMIZE) -g1 -Wall -Wextra -Wno-restrict -Icommon
DEPS = -MMD -MF @.d -MT $@ -MP
# Every file is made under another name, @, and renamed: whoever reads it sees a whole one.
whole = @common/build/whole.sh $@

# Change when the compiler or its options do, and with them everything that was built by it.
build/compiler: FORCE
	@{ command -v '$(CXX)'; '$(CXX)' --version; echo '$(HOST)'; } 2>/dev/null | common/build/changed.sh $@
build/gpu/compiler: FORCE
	@{ echo '$(NVCC) $(filter-out BACKEND=gpu:,$(backend_line))'; '$(NVCC)' --version; } 2>/dev/null | \
	    common/build/changed.sh $@
$(gpu_dir)/options: FORCE
	@echo '$(NVCC_FLAGS)' | common/build/changed.sh $@
build/tools: | build/compiler
	@CXX='$(CXX)' common/build/setup.sh check && touch $@

# Objects of the host and of the CPU backend; worker and helpers once more against CUDA's own headers.
build/obj/simt/% build/obj/inspect/%: private ROOM_FLAGS := -O3 -Icommon/simt/include
build/obj/lab/% build/obj/worker/%: private ROOM_FLAGS := -Icommon/simt/include
build/obj/simt/rewrite/%: private ROOM_FLAGS :=
build/obj/%.o: common/%.cpp build/compiler | build/tools
	@echo "  compiling $<"
	$(whole) $(CXX) $(HOST) $(ROOM_FLAGS) $(DEPS) -c $< -o @
build/gpu/obj/%.o: common/%.cpp build/compiler build/gpu/compiler | build/tools
	@echo "  compiling $< for the GPU"
	$(whole) $(CXX) $(HOST) $(DEPS) $(CUDA_INCLUDE) -c $< -o @

# $(call sources,ROOMS): their files but those that have a main() or are chosen by the linker's line.
sources = $(filter-out $(MAINS),$(wildcard $(1:%=common/%/*.cpp)))
MAINS := $(addprefix common/,author/cut.cpp author/selfcheck.cpp author/mutants/main.cpp \
    grade/boxed.cpp grade/other_user.cpp grade/program/main.cpp check/modes/main.cpp simt/rewrite/main.cpp worker/glue.cpp worker/inspection_on.cpp worker/inspection_off.cpp)
objects = $(patsubst common/%.cpp,build/obj/%.o,$(call sources,$(1)))
gpu_objects = $(patsubst common/%.cpp,build/gpu/obj/%.o,$(call sources,$(1)))

build/lib/libsimt.a: $(call objects,$(addprefix simt/,engine memory texture runtime))
build/lib/libinspect.a: $(call objects,$(addprefix inspect/,watch memory report))
build/lib/liblab.a: $(call objects,lab)
CALL_PARTS := $(patsubst %,call/%.o,channel leftovers call_filter refused_calls landlock)  # that workers need too
build/lib/libworker.a: $(call objects,worker) $(CALL_PARTS:%=build/obj/%)
build/lib/libcheck.a: $(call objects,call problem diagnose check check/modes inspect/report)
build/lib/libbench.a: $(call objects,bench)
AUTHORS := author author/mutants
GRADERS := grade grade/formats grade/program
build/lib/libauthor.a: $(call objects,$(AUTHORS) simt/rewrite)
build/lib/libgrade.a: $(call objects,$(GRADERS))
build/lib/librewrite.a: $(call objects,simt/rewrite)
build/gpu/libworker.a: $(call gpu_objects,worker lab) \
    $(addprefix build/gpu/obj/,$(CALL_PARTS) worker/inspection_off.o)
archive = $(whole) ar rcs @ $(filter %.o,$^)
build/lib/lib%.a: build/compiler | build/tools
	$(archive)
build/gpu/lib%.a: build/compiler | build/tools
	$(archive)

# What runs for a moment, reads options or files, counts tests, would take longer to optimize than it runs.
BRIEF := $(addprefix build/,obj/author/% obj/grade/% bin/% tests/% obj/check/doctest.o \
    obj/check/modes/main.o)
$(BRIEF): private OPTIMIZE := -O0

# A program or test of one source and some objects and libraries. fmt makes the texts of the judge and of the
# benchmark; header-only it would take three seconds of every file.
FMT = $(if $(filter %check.a,$^),-lfmt)
ARCHIVES = $(if $(filter %grade.a,$^),-Wl$(comma)--as-needed -larchive)
program = $(whole) $(CXX) $(HOST) $(1) $(DEPS) $(filter %.cpp %.o %.a,$^) $(FMT) $(ARCHIVES) -pthread -o @
build/bin/rewrite: common/simt/rewrite/main.cpp build/lib/librewrite.a build/compiler | build/tools
	@echo "  building the launch rewriter"
	$(call program)
build/bin/cut: common/author/cut.cpp build/lib/libauthor.a build/compiler | build/tools
	$(call program)
build/bin/selfcheck: common/author/selfcheck.cpp build/lib/libauthor.a build/compiler | build/tools
	$(call program)
build/bin/mutants: common/author/mutants/main.cpp build/lib/libauthor.a build/compiler | build/tools
	$(call program)
GRADE_PARTS := build/lib/libgrade.a build/lib/libcheck.a
build/bin/grade: common/grade/program/main.cpp $(GRADE_PARTS) build/compiler | build/tools
	$(call program)
build/bin/boxed build/bin/other_user: build/bin/%: common/grade/%.cpp $(GRADE_PARTS) build/compiler | build/tools
	$(call program)
build/bin/gradescope build/bin/pack: build/bin/%: common/grade/package/%.cpp $(GRADE_PARTS) build/compiler \
    | build/tools
	$(call program)
# Packages that nobody but graders needs.
build/grading: | build/compiler
	@CXX='$(CXX)' common/build/setup.sh check grade && touch $@
$(patsubst common/%.cpp,build/obj/%.o,$(call sources,$(GRADERS))): | build/grading
build/bin/progress: common/build/progress.cpp build/compiler | build/tools
	$(call program)

# One judge a lab: its checks, main() and the libraries.
JUDGE_PARTS := build/obj/check/modes/main.o build/lib/libbench.a build/lib/libcheck.a
build/tests/%: tests/%.cpp $(JUDGE_PARTS) build/compiler | build/tools
	@echo "  building the judge of $*"
	$(call program,-Ilabs/$*)

-include $(shell find build/obj build/gpu/obj build/bin build/tests build/glue -name '*.d' 2>/dev/null)
