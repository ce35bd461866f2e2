// ABLATE_CLONES before a function of plain loops compiles it once for each instruction set and
// calls the version for the current processor. No version uses fused multiply-add, so all round in
// the same way.

#pragma once

// The resolvers that choose a version run before the sanitizers are initialised, and crash.
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && \
    !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)
#define ABLATE_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define ABLATE_CLONES
#endif
