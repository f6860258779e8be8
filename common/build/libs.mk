# The parts that are built once: launch rewriter, CPU backend, inspector, helpers, the judge's library, one judge a lab.
# -Wno-restrict: g++ 12 finds overlapping copies in its own std::string (GCC bug 105651).
# -g1: whole debug information takes a third of the time of compiling and makes every worker ten times as large.
OPTIMIZE := -O2
HOST = -std=c++20 $(OPTIMIZE) -g1 -Wall -Wextra -Wno-restrict -DFMT_HEADER_ONLY -Icommon
DEPS = -MMD -MP
sources = $(wildcard $(addsuffix /*.cpp,$(1)))

# Changes when the compiler does, and with it everything that was built by it.
build/compiler: FORCE
	@mkdir -p build; { command -v '$(CXX)' && '$(CXX)' -dumpfullversion; } >$@.tmp 2>/dev/null || true
	@cmp -s $@.tmp $@ && rm $@.tmp || mv $@.tmp $@
build/tools: | build/compiler
	@CXX='$(CXX)' common/build/setup.sh check && touch $@

# $(call library,ARCHIVE,OBJECT FOLDER,SOURCES,FLAGS,OBJECTS OF ANOTHER LIBRARY)
define library
$(1): $$(patsubst common/%.cpp,$(2)/%.o,$(3)) $(5) build/compiler | build/tools
	@mkdir -p $$(@D); rm -f $$@.tmp; ar rcs $$@.tmp $$(filter %.o,$$^) && mv $$@.tmp $$@
$(2)/%.o: common/%.cpp build/compiler | build/tools
	@mkdir -p $$(@D)
	@echo "  compiling $$<"
	@$$(CXX) $$(HOST) $(4) $$(DEPS) -c $$< -o $$@
endef
SIMT := $(call sources,$(addprefix common/simt/,engine memory texture runtime))
$(eval $(call library,build/cpu/libsimt.a,build/obj/simt,$(SIMT),-O3 -Icommon/simt/include))
$(eval $(call library,build/cpu/libinspect.a,build/obj/inspect,$(call sources,$(addprefix common/inspect/,watch memory report)),-O3 -Icommon/simt/include))
$(eval $(call library,build/cpu/liblab.a,build/obj/lab,$(call sources,common/lab),-Icommon/simt/include))
REPORT := $(patsubst common/%.cpp,build/obj/inspect/%.o,$(call sources,common/inspect/report))
JUDGE := $(call sources,$(addprefix common/,call problem diagnose check check/modes))
$(eval $(call library,build/libcheck.a,build/obj/check,$(filter-out %/main.cpp,$(JUDGE)),,$(REPORT)))
$(eval $(call library,build/libbench.a,build/obj/bench,$(call sources,common/bench),))
$(eval $(call library,build/libauthor.a,build/obj/author,$(filter-out %/cut.cpp %/selfcheck.cpp,$(call sources,common/author)),))
$(eval $(call library,build/librewrite.a,build/obj/rewrite,$(filter-out %/main.cpp,$(call sources,common/simt/rewrite)),))

# What runs for a moment, read options, read files, count tests, would take longer to optimize than it ever runs.
BRIEF := build/obj/author/% build/bin/% build/tests/% $(addprefix build/obj/,doctest_main.o check/check/doctest.o check/check/modes/main.o)
$(BRIEF): private OPTIMIZE := -O0

# Programs of one or more sources.
program = $(CXX) $(HOST) $(DEPS) -MF $@.d -MT $@ $(filter %.cpp,$^) -o $@.tmp $(1) && mv $@.tmp $@
build/bin/rewrite: common/simt/rewrite/main.cpp build/librewrite.a build/compiler | build/tools
	@mkdir -p $(@D); echo "  building the launch rewriter"
	@$(call program,build/librewrite.a)
build/bin/cut: common/author/cut.cpp build/libauthor.a build/compiler | build/tools
	@mkdir -p $(@D); $(call program,build/libauthor.a)
build/bin/selfcheck: common/author/selfcheck.cpp build/libauthor.a build/compiler | build/tools
	@mkdir -p $(@D); $(call program,build/libauthor.a)
build/bin/progress: common/build/progress.cpp build/compiler | build/tools
	@mkdir -p $(@D); $(call program)

# Tests of the host's rooms have doctest's main(), but for one with its own. A pattern with a folder wins over the one
# for judges.
HOST_TESTS := $(patsubst tests/%.cpp,%,$(call sources,$(addprefix tests/,author bench build call check diagnose problem)))
HOST_LIBS := build/libauthor.a build/libbench.a build/libcheck.a
DOCTEST_MAIN = build/obj/doctest_main.o
$(DOCTEST_MAIN): tests/doctest_main.cpp build/compiler | build/tools
	@mkdir -p $(@D); $(CXX) $(HOST) -c $< -o $@
build/tests/check/reporter: private DOCTEST_MAIN =
$(HOST_TESTS:%=build/tests/%): build/tests/%: tests/%.cpp $(DOCTEST_MAIN) $(HOST_LIBS) build/compiler | build/tools
	@mkdir -p $(@D)
	@$(CXX) $(HOST) -Itests/support $(DEPS) -MF $@.d -MT $@ $< $(DOCTEST_MAIN) $(HOST_LIBS) -pthread -o $@.tmp && mv $@.tmp $@
# One judge a lab: its checks, main() and the libraries.
JUDGE_PARTS := build/obj/check/check/modes/main.o build/libbench.a build/libcheck.a
build/tests/%: tests/%.cpp $(JUDGE_PARTS) build/compiler | build/tools
	@mkdir -p $(@D); echo "  building the judge of $*"
	@$(CXX) $(HOST) $(DEPS) -MF $@.d -MT $@ -Ilabs/$* $< $(JUDGE_PARTS) -pthread -o $@.tmp && mv $@.tmp $@

-include $(shell find build/obj build/cpu/obj build/gpu/obj build/bin build/tests -name '*.d' 2>/dev/null)
