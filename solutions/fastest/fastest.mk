# One convolution for every filter (fastest.h): built for a GPU, checked, measured. A release leaves this folder out.

# Hopper's own instructions are those of sm_90a. Without CUDA_ARCH it is the GPU's architecture that counts.
fastest_archs = $(patsubst 90,90a,$(or $(ARCHITECTURES),$(shell nvidia-smi --query-gpu=compute_cap \
    --format=csv,noheader 2>/dev/null | head -n 1 | tr -d .)))
# What only Hopper has a use for is then never called.
unused_is_right := -diag-suppress 177
fastest_cufft = $(wildcard $(patsubst %/bin/nvcc,%/include/cufft.h,$(realpath $(NVCC))))
fastest_flags = $(filter-out $(NVCC_ARCH),$(NVCC_FLAGS)) $(foreach arch,$(fastest_archs),$(call arch_flag,$(arch))) \
    $(if $(filter 90a,$(fastest_archs)),-DHAS_SM_90A,$(unused_is_right)) $(if $(fastest_cufft),-DHAS_CUFFT) \
    -Ilabs/13_conv2d_adaptive -Ilabs/15_conv2d_separable
fastest_dir := $(gpu_dir)/fastest
FASTEST_SOURCES := $(wildcard solutions/fastest/*.cu solutions/fastest/*.cpp)
FASTEST_PROGRAMS := benchmark check
FASTEST_OBJECTS := $(patsubst solutions/fastest/%,$(fastest_dir)/%.o,$(FASTEST_SOURCES))
FASTEST_PARTS := $(filter-out $(FASTEST_PROGRAMS:%=$(fastest_dir)/%.cu.o),$(FASTEST_OBJECTS))
# Everything that is included, of labs, too.
FASTEST_HEADERS := $(wildcard solutions/fastest/*.h solutions/fastest/*.cuh labs/1[35]_*/*.h labs/1[35]_*/fast/*.h) \
    solutions/13_conv2d_adaptive/conv2d_adaptive.cu solutions/15_conv2d_separable/fast.cu $(KERNEL_HEADERS)

$(FASTEST_OBJECTS): $(fastest_dir)/%.o: solutions/fastest/% $(FASTEST_HEADERS) build/gpu/compiler $(gpu_dir)/options
	@mkdir -p $(@D) && echo "  compiling $<"
	$(whole) $(NVCC) $(fastest_flags) -Werror all-warnings -c $< -o @
$(FASTEST_PROGRAMS:%=$(fastest_dir)/%): $(fastest_dir)/%: $(fastest_dir)/%.cu.o $(FASTEST_PARTS) $(call gpu_objects,lab)
	$(whole) $(NVCC) $(fastest_flags) $^ $(if $(fastest_cufft),-lcufft) -o @

needs_gpu = @test '$(BACKEND)' = gpu || { echo 'make $@ measures a GPU: $(backend_line)' >&2; exit 2; }
fastest_needs = $(if $(filter gpu,$(BACKEND)),$(FASTEST_PROGRAMS:%=$(fastest_dir)/%))
## fastest: one convolution for every filter: every method checked, the chosen ones measured on this GPU (instructors)
fastest: $$(fastest_needs)
	$(needs_gpu)
	@$(fastest_dir)/check && solutions/fastest/measure.sh $(fastest_dir)/benchmark build/bench/fastest.csv
## tune: measure every method for every filter on this GPU: what make fastest chooses by (instructors)
tune: $$(fastest_needs)
	$(needs_gpu)
	@solutions/fastest/measure.sh $(fastest_dir)/benchmark
# Everything compiled, on a machine without a GPU, too: make fastest-parts CUDA_ARCH=75,80,90.
fastest-parts: $(FASTEST_OBJECTS)
# Its test is linked with the file that chooses.
build/tests/bench/fastest: solutions/fastest/choice.cpp
.PHONY: fastest tune fastest-parts
