// ABLATE_CLONES before a function of plain loops: compiled once for each kind of vector unit, and
// the one for the processor at hand is called. No fused multiply-add, so that all clones round
// alike.

#pragma once

// The sanitizers' start-up does not stand the resolvers that choose between clones.
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && \
    !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)
#define ABLATE_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define ABLATE_CLONES
#endif
