// For loops over lanes or elements: compiled twice, and the wider one runs where the processor has it.
#pragma once

#if defined(__x86_64__) && !defined(__clang__)  // clang's clones are no templates
#define WITH_WIDE_VECTORS [[gnu::target_clones("arch=haswell", "default")]]
#else
#define WITH_WIDE_VECTORS
#endif
