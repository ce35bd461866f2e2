#include "harness/plan/preview/golden.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <vector>

#include "harness/base/sha256.h"
#include "harness/plan/resolve/built_objective.h"

namespace ablate::plan {
namespace {

constexpr Token kOrdinary = 64;
constexpr std::int64_t kTokens = 64;  // of a text
constexpr std::uint64_t kTexts = 8;
constexpr Token kSentinels = 8;  // at least

/// Words in an order of their own for each text, with an end and a begin token in the middle.
std::vector<Token> golden_tokens(std::uint64_t number) {
  std::vector<Token> tokens(static_cast<std::size_t>(kTokens));
  for (std::size_t i = 0; i < tokens.size(); ++i)
    tokens[i] = special_count + static_cast<Token>((7 * i + 5 * number) % kOrdinary);
  tokens[0] = begin_token;
  tokens[40] = end_token;
  tokens[41] = begin_token;
  return tokens;
}

/// The bits of numbers, so that no rounding of text hides a difference.
std::vector<std::uint32_t> bits_of(const std::vector<float>& values) {
  std::vector<std::uint32_t> bits;
  bits.reserve(values.size());
  for (const float value : values) bits.push_back(std::bit_cast<std::uint32_t>(value));
  return bits;
}

std::string text_of(const Example& example) {
  std::string text = fmt::format(
      "{} | {} | {:x} | {}\n", fmt::join(example.inputs, " "), fmt::join(example.targets, " "),
      fmt::join(bits_of(example.weights), " "), fmt::join(example.positions, " "));
  for (const Hidden& hidden : example.hidden)
    text += fmt::format("hidden {} {}\n", hidden.position, static_cast<int>(hidden.how));
  if (!example.inner.empty()) text += fmt::format("inner {}\n", fmt::join(example.inner, " "));
  if (!example.shown.empty()) text += fmt::format("shown {}\n", fmt::join(example.shown, " "));
  for (const Sight& sight : example.sees) {
    text += fmt::format("sees {} {}", sight.from, sight.until);
    if (sight.is_split()) text += fmt::format(" {} {}", sight.also_from, sight.also_until);
    text += '\n';
  }
  for (const Label& label : example.labels) {
    text += fmt::format("label {} {} {} {:x}\n", label.head, label.at, label.target,
                        std::bit_cast<std::uint32_t>(label.weight));
    if (label.partner >= 0) text += fmt::format("partner {}\n", label.partner);
  }
  for (const Fact& fact : example.facts)
    text += fmt::format("fact {} {:x}\n", fact.name, std::bit_cast<std::uint64_t>(fact.value));
  if (example.loss_denominator)
    text += fmt::format("over {:x}\n", std::bit_cast<std::uint32_t>(*example.loss_denominator));
  return text;
}

/// The objective with its defaults, and as many sentinels as it asks for.
Objective with_defaults(const ObjectiveSpec& spec) {
  Context context{{.ordinary = kOrdinary}, kTokens};
  const auto needed = static_cast<Token>(default_objective(spec, context).needs.sentinels);
  context.vocabulary.sentinels = std::max(kSentinels, needed);
  return default_objective(spec, context);
}

std::string digest_of(const ObjectiveSpec& spec) {
  const Objective objective = with_defaults(spec);
  Sha256 hash;
  for (std::uint64_t i = 0; i < kTexts; ++i) {
    const std::vector<Token> tokens = golden_tokens(i);
    const Text text{.tokens = tokens,
                    .index = static_cast<std::int64_t>(i),
                    .own = Rng(2).fork(i),
                    .shared = Rng(3).fork(i),
                    .row = static_cast<std::int64_t>(i),
                    .rows = static_cast<std::int64_t>(kTexts)};
    for (const Example& example : objective.transform(text, Rng(1).fork(i)))
      hash.add(text_of(example));
  }
  return hash.hex();
}

}  // namespace

std::map<std::string, GoldenVector> golden_vectors(const Catalog& catalog) {
  std::map<std::string, GoldenVector> vectors;
  for (const ObjectiveSpec& spec : catalog.objectives)
    vectors[std::string(spec.name)] = {spec.version, digest_of(spec)};
  return vectors;
}

std::string golden_text(const GoldenVector& golden) {
  return fmt::format("version {}, {}", golden.version, golden.digest);
}

}  // namespace ablate::plan
