// The models that are timed: S and M of the README's table, and two larger ones.

#pragma once

#include <array>
#include <cstdint>

namespace ablate::bench {

struct Size {
  const char* name;
  std::int64_t depth, width, heads, context;
  std::int64_t vocabulary;  // reserved tokens included
  std::int64_t batch;       // texts a step
};

inline constexpr Size kS = {"S", 2, 64, 4, 64, 64, 32};
inline constexpr Size kM = {"M", 4, 256, 4, 128, 4096, 16};
inline constexpr Size kL = {"L", 6, 384, 6, 256, 8192, 8};
inline constexpr Size kXL = {"XL", 8, 512, 8, 512, 16384, 4};

inline constexpr std::array<Size, 4> kSizes = {kS, kM, kL, kXL};
inline constexpr std::array<Size, 2> kTableSizes = {kS, kM};

/// S with more tokens to choose from, and S wider: how the cost grows with either.
inline constexpr std::array<Size, 7> kGrownSizes = {
    Size{"vocabulary:64", 2, 64, 4, 64, 64, 32},
    Size{"vocabulary:1024", 2, 64, 4, 64, 1024, 32},
    Size{"vocabulary:8192", 2, 64, 4, 64, 8192, 32},
    Size{"vocabulary:65536", 2, 64, 4, 64, 65536, 32},
    Size{"width:128", 2, 128, 4, 64, 64, 32},
    Size{"width:256", 2, 256, 4, 64, 64, 32},
    Size{"width:1024", 2, 1024, 16, 64, 64, 32}};

/// The share of positions that an objective scores: what a step costs differs by it.
struct Scoring {
  const char* name;
  double share;
  bool causal;
};

inline constexpr Scoring kCausal = {"causal", 1, true};
inline constexpr Scoring kMasked = {"masked_15", 0.15, false};

inline constexpr std::array<Scoring, 2> kScorings = {kCausal, kMasked};

}  // namespace ablate::bench
