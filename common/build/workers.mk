# From a student's file to a worker: the object, the lab's glue, the worker's own objects and a backend.
# A variant is student (labs/), solution (solutions/), or other_... (SRC=, wherever that lies).
student := $(if $(SRC),other_$(subst /,_,$(subst ..,_,$(basename $(SRC)))),student)
gpu_dir := build/gpu$(if $(CUDA_ARCH),-sm$(subst $(comma),-,$(CUDA_ARCH)))$(if $(filter 0,$(FMAD)),-nofmad)
NVCC_ARCH := $(if $(CUDA_ARCH),$(foreach sm,$(subst $(comma), ,$(CUDA_ARCH)),-gencode arch=compute_$(sm)$(comma)code=sm_$(sm)),-arch=native)
NVCC_FLAGS = -std=c++20 -O3 -g -lineinfo -ccbin $(CXX) $(NVCC_ARCH) $(if $(filter 0,$(FMAD)),--fmad=false) -Icommon
# The worker does without libdw where it is not installed: crashes on the host then name no line.
LIBDW := $(shell $(CXX) -include elfutils/libdwfl.h -x c++ -fsyntax-only /dev/null 2>/dev/null && echo -ldw)
CUDA_INCLUDE := $(patsubst %/bin/nvcc,-isystem %/include,$(realpath $(NVCC)))

KERNEL_HEADERS := $(wildcard common/lab/*.h common/simt/include/*.h common/simt/include/*/*.h)
WORKER_HEADERS := $(KERNEL_HEADERS) $(wildcard common/worker/*.h common/call/channel.h common/call/call_end.h)
WORKER := $(filter-out %/glue.cpp %/inspection_on.cpp %/inspection_off.cpp,$(call sources,common/worker)) common/call/channel.cpp

# Libraries are linked as a whole and the worker's parts as objects: a student's own main() or other doubled name is then
# an error of the linker, not a silent replacement.
cpu_parts = $(1) $(WORKER:common/%.cpp=build/cpu/obj/%.o) build/cpu/obj/worker/inspection_$(2).o
gpu_parts = $(1) $(patsubst common/%.cpp,build/gpu/obj/%.o,$(WORKER) $(call sources,common/lab)) build/gpu/obj/worker/inspection_off.o
PLAIN_LIBS := build/cpu/liblab.a build/cpu/libsimt.a
INSPECT_LIBS := build/cpu/liblab.a build/cpu/libinspect.a build/cpu/libsimt.a
SIMT_LINK := $(addprefix @,$(wildcard common/simt/link.flags)) -ldw -pthread

# $(call compile_...,FOLDER OF THE CONTRACT,FILE,OBJECT) and $(call link_...,GLUE,OBJECT,WORKER): the commands.
compile_inspected = common/simt/simtcc --inspect -Icommon -I$(1) $(2) -o $(3)
compile_plain = common/simt/simtcc -Icommon -I$(1) $(2) -o $(3)
compile_gpu = common/build/nvcc_report.sh $(3:.o=.registers) $(NVCC) $(NVCC_FLAGS) -I$(1) -x cu -c $(2) -o $(3)
link_inspected = $(CXX) $(2) $(call cpu_parts,$(1),on) -Wl,--whole-archive $(INSPECT_LIBS) -Wl,--no-whole-archive $(SIMT_LINK) -o $(3)
link_plain = $(CXX) $(2) $(call cpu_parts,$(1),off) -Wl,--whole-archive $(PLAIN_LIBS) -Wl,--no-whole-archive $(SIMT_LINK) -o $(3)
link_gpu = $(NVCC) $(NVCC_FLAGS) $(2) $(call gpu_parts,$(1)) $(LIBDW) -lpthread -o $(3)

# What must be there before a file is compiled for the CPU backend.
SIMTCC := common/simt/simtcc build/bin/rewrite $(KERNEL_HEADERS) build/compiler
# $(call judge_needs,LAB): what must be there before one of its files is compiled and judged in one go.
judge_needs = build/tests/$(1) $(SIMTCC) $(call cpu_parts,build/glue/$(1).o,on) $(INSPECT_LIBS) \
    $(if $(filter gpu,$(BACKEND)),$(call gpu_parts,build/glue/$(1).o))

# $(call ...,LAB,VARIANT): its workers. Checks on the CPU backend use the inspected one for everything.
inspector = build/cpu/$(1)/$(2).inspect
fast_worker = $(if $(filter gpu,$(BACKEND)),$(gpu_dir)/$(1)/$(2).worker,build/cpu/$(1)/$(2).worker)
check_worker = $(if $(filter gpu,$(BACKEND)),$(fast_worker),$(inspector))
run_check = build/tests/$(1) --worker=$(check_worker) --inspector=$(inspector)$(if $(filter 0,$(FMAD)), --no-fmad)
run_fast = build/tests/$(1) --worker=$(fast_worker) --inspector=$(inspector)
# One judge at a time has the screen: make lab01 lab05 runs two.
with_screen = flock -o build/screen sh -c 'echo "$$0"; exec "$$@"' '$(backend_line)'
judge_check = $(with_screen) $(run_check)
# $(call ready,check|fast,NUMBER,VARIANT): what must be built before the judge can run.
ready = build/tests/$(call key,$(2)) $(call inspector,$(call key,$(2)),$(3)) $(call $(1)_worker,$(call key,$(2)),$(3))

# What make inspectNN is given: the reference solution's worker where there is one, the folder of its pictures, registers.
reference = $(if $(filter $(1),$(SOLVED)),$(call inspector,$(1),solution))
inspect_options = $(addprefix --reference=,$(call reference,$(1))) --expected-counts --pictures=build/inspect/$(1) $(addprefix --gpu=,$(GPU)) \
    $$(common/build/registers.sh '$(or $(SRC),labs/$(1)/$(call name,$(1)).cu)' $(1) '$(GPU)' build/inspect/$(1) | sed 's/^/--registers=/')

define lab_rules
build/glue/$(1).o: common/worker/glue.cpp labs/$(1)/$(2).h $(WORKER_HEADERS) build/compiler | build/tools
	@mkdir -p $$(@D)
	@$$(CXX) $$(HOST) -include worker/offer.h -include labs/$(1)/$(2).h -c $$< -o $$@
build/cpu/$(1)/%.inspect: build/cpu/$(1)/%.inspect.o $(call cpu_parts,build/glue/$(1).o,on) $(INSPECT_LIBS)
	@$$(call link_inspected,build/glue/$(1).o,$$<,$$@.tmp) && mv $$@.tmp $$@
build/cpu/$(1)/%.worker: build/cpu/$(1)/%.plain.o $(call cpu_parts,build/glue/$(1).o,off) $(PLAIN_LIBS)
	@$$(call link_plain,build/glue/$(1).o,$$<,$$@.tmp) && mv $$@.tmp $$@
$(gpu_dir)/$(1)/%.worker: $(gpu_dir)/$(1)/%.o $(call gpu_parts,build/glue/$(1).o)
	@$$(call link_gpu,build/glue/$(1).o,$$<,$$@.tmp) && mv $$@.tmp $$@
$(call variant_rules,$(1),$(student),$(or $(SRC),labs/$(1)/$(2).cu),$(wildcard labs/$(1)/*.h))
$(if $(filter $(1),$(SOLVED)),$(call variant_rules,$(1),solution,solutions/$(1)/$(2).cu,$(wildcard labs/$(1)/*.h)))
$(if $(filter $(1),$(SOLVED)),$(call variant_rules,$(1),right_%,solutions/$(1)/right/%.cu,$(wildcard labs/$(1)/*.h)))
endef
# $(call variant_rules,LAB,VARIANT,FILE,HEADERS)
define variant_rules

build/cpu/$(1)/$(2).inspect.o: $(3) $(4) $(SIMTCC) | build/tools
	@mkdir -p $$(@D); $$(call compile_inspected,labs/$(1),$$<,$$@)
build/cpu/$(1)/$(2).plain.o: $(3) $(4) $(SIMTCC) | build/tools
	@mkdir -p $$(@D); $$(call compile_plain,labs/$(1),$$<,$$@)
$(gpu_dir)/$(1)/$(2).o: $(3) $(4) $(KERNEL_HEADERS) common/build/nvcc_report.sh build/compiler | build/tools
	@mkdir -p $$(@D); $$(call compile_gpu,labs/$(1),$$<,$$@)
endef
$(foreach lab,$(LABS),$(eval $(call lab_rules,$(lab),$(call name,$(lab)))))

# The worker's host code, against the CPU backend's headers and against CUDA's.
build/cpu/obj/%.o: common/%.cpp build/compiler | build/tools
	@mkdir -p $(@D); echo "  compiling $<"
	@$(CXX) $(HOST) $(DEPS) -Icommon/simt/include -c $< -o $@
build/gpu/obj/%.o: common/%.cpp build/compiler | build/tools
	@mkdir -p $(@D); echo "  compiling $< for the GPU"
	@$(CXX) $(HOST) $(DEPS) $(CUDA_INCLUDE) -c $< -o $@
