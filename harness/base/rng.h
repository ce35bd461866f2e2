// Random numbers as an argument: one counter-based generator, keyed by what the numbers are for.

#pragma once

#include <cmath>
#include <cstdint>
#include <string_view>

namespace ablate {

/// What a stream of random numbers is for. Arms that share a seed share every stream, so their
/// differences are paired ("common random numbers"). The values are part of every result: append
/// only.
enum class Stream : std::uint64_t {
  initial_weights = 1,
  data_order = 2,
  corruption = 3,
  dropout = 4,
  probes = 5,
  language = 6,    // the language's own parameters
  corpus = 7,      // text drawn from the language
  split = 8,       // documents into training and held-out parts
  texts = 9,       // what an objective draws once for a text, whenever it is read
  phases = 10,     // the seeds of a trial's phases after the first
  members = 11,    // which corpus of a mixture a text is drawn from
  documents = 12,  // what an objective draws for a document, in each reading of the corpus
  samples = 13,    // the tokens that one network samples for another one to read
};

/// A stream of random numbers, the same on every platform and LibTorch version.
///
/// Copying an Rng copies its position, so a function that takes one by value is a pure function.
/// What is constexpr here is also called by kernels on a device.
/// Source: Steele, Lea & Flood 2014, "Fast Splittable Pseudorandom Number Generators" (SplitMix64).
class Rng {
 public:
  /// The stream of a seed. Trials use the keyed constructor below.
  explicit constexpr Rng(std::uint64_t seed) : state_(seed) {}

  /// The stream of (seed, stream, step, index). No draw depends on earlier draws of other streams,
  /// so workers may run in any order and a resumed trial gets the same numbers.
  constexpr Rng(std::uint64_t seed, Stream stream, std::uint64_t step = 0, std::uint64_t index = 0)
      : Rng(Rng(mix(seed)).fork(static_cast<std::uint64_t>(stream)).fork(step).fork(index)) {}

  /// The stream of item `index` of this stream.
  constexpr Rng fork(std::uint64_t index) const { return Rng(mix(state_ + mix(index + kGamma))); }

  /// The stream of a name within this stream, for draws keyed by name (initial weights).
  Rng fork(std::string_view name) const {
    std::uint64_t hash = 0xCBF29CE484222325u;  // FNV-1a
    for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3u;
    return fork(hash);
  }

  /// 64 random bits.
  std::uint64_t next() { return mix(state_ += kGamma); }

  /// The value that next() returns after `skipped` other draws. The draws are independent of each
  /// other, so that a loop over them can be vectorised.
  constexpr std::uint64_t peek(std::uint64_t skipped) const {
    return mix(state_ + (skipped + 1) * kGamma);
  }

  /// Uniform over [0, bound), without modulo bias. Requires bound > 0.
  std::int64_t below(std::int64_t bound) {
    const auto n = static_cast<std::uint64_t>(bound);
    const std::uint64_t surplus = (0 - n) % n;  // 2^64 mod n values are rejected
    std::uint64_t draw = next();
    while (draw < surplus) draw = next();
    return static_cast<std::int64_t>(draw % n);
  }

  /// Uniform over [0, 1): 53 bits.
  double uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

  /// True with this probability. Draws once whatever the probability is.
  bool probability(double probability) { return uniform() < probability; }

  /// The threshold that probability() compares with, exact for every p: probability(p) equals
  /// (next() >> 11) < threshold(p).
  static std::uint64_t threshold(double probability) {
    return probability > 0 ? static_cast<std::uint64_t>(std::ceil(probability * 0x1.0p53)) : 0;
  }

  /// Whether an event of that threshold's probability happens at the draw after `skipped` others:
  /// what probability() would return there, without drawing.
  bool happens(std::uint64_t skipped, std::uint64_t threshold) const {
    return peek(skipped) >> 11 < threshold;
  }

  /// Approximately standard normal, which suffices for initial weights: the sum of twelve uniforms
  /// minus six (Irwin-Hall), in [-6, 6]. It uses only additions, so it is bitwise the same on every
  /// platform.
  double normal() {
    constexpr std::uint64_t kPiece = (1u << 21) - 1;
    std::uint64_t sum = 0;
    for (int draw = 0; draw < 4; ++draw) {
      const std::uint64_t bits = next();
      sum += (bits & kPiece) + ((bits >> 21) & kPiece) + ((bits >> 42) & kPiece);
    }
    return (static_cast<double>(sum) + 6.0) * 0x1.0p-21 - 6.0;
  }

 private:
  static constexpr std::uint64_t kGamma = 0x9E3779B97F4A7C15u;

  /// The mixing function of SplitMix64: a bijection of 64-bit integers.
  static constexpr std::uint64_t mix(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }

  std::uint64_t state_;
};

}  // namespace ablate
