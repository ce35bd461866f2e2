// The exact predictor of corrupted texts against a sum over all texts and all corruptions.

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "harness/contract/catalog.h"
#include "harness/probes/specs.h"
#include "models/specs/head_specs.h"
#include "tests/harness/contract/tiny_chain.h"
#include "tests/objectives/example_of.h"

namespace ablate::objectives {
namespace {

using Tokens = std::vector<Token>;
using Distribution = std::map<Tokens, double>;

Json only(const char* name, double value) {
  Json given = {{"infill_rate", 0}, {"permute_sentences", 0}};
  given[name] = value;
  return given;
}

Objective denoising(const Json& given) { return objective_of("denoising", given, 3, 8); }

/// The range of words in [begin token] words [end token].
std::pair<std::size_t, std::size_t> words_of(const Tokens& text) {
  const std::size_t begins = text.front() == begin_token, ends = text.back() == end_token;
  return {begins, text.size() - ends};
}

/// P(inputs | text) of all inputs: each word is kept or hidden, and a hidden word is masked or
/// deleted.
Distribution hidden_each(const Tokens& text, double rate, bool masked) {
  Distribution distribution = {{{}, 1.0}};
  const auto [first, end] = words_of(text);
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool word = i >= first && i < end;
    Distribution next;
    for (const auto& [shown, probability] : distribution) {
      Tokens kept = shown, hidden = shown;
      kept.push_back(text[i]);
      if (masked) hidden.push_back(mask_token);
      next[kept] += probability * (word ? 1 - rate : 1);
      if (word) next[hidden] += probability * rate;
    }
    distribution = next;
  }
  return distribution;
}

Distribution rotated(const Tokens& text, double probability) {
  const auto [first, end] = words_of(text);
  Distribution distribution;
  distribution[text] += 1 - probability;
  if (end == first) return {{text, 1.0}};
  for (std::size_t by = 0; by < end - first; ++by) {
    Tokens turned = text;
    for (std::size_t i = first; i < end; ++i)
      turned[i] = text[first + (i - first + by) % (end - first)];
    distribution[turned] += probability / static_cast<double>(end - first);
  }
  return distribution;
}

Distribution damaged(const Tokens& text, const std::string& name, double value) {
  if (name == "rotate") return rotated(text, value);
  return hidden_each(text, value, name == "mask_rate");
}

/// All possible texts of a window, and all inputs that can be made from each.
class Enumeration {
 public:
  Enumeration(const Chain& chain, const Tokens& window, const std::string& name, double value)
      : window_(window) {
    for (const Tokens& text : fillings(chain, window))
      joint_.push_back({text, window_probability(chain, text), damaged(text, name, value)});
  }

  /// -log P(window | inputs, and its first token if it is read but not scored).
  double loss(const Tokens& inputs, bool first_is_read) const {
    double total = 0, part = 0;
    for (const auto& [text, probability, distribution] : joint_) {
      const auto found = distribution.find(inputs);
      if (found == distribution.end() || (first_is_read && text.front() != window_.front()))
        continue;
      total += probability * found->second;
      if (text == window_) part += probability * found->second;
    }
    return -std::log(part / total);
  }

 private:
  struct Joint {
    Tokens text;
    double probability;
    Distribution distribution;
  };

  Tokens window_;
  std::vector<Joint> joint_;
};

/// Windows of one document's part.
std::vector<Tokens> windows() {
  constexpr Token b = begin_token, e = end_token;
  return {{16, 17, 18, 16, 16, 17},
          {b, 18, 17, 16, 16, 18},
          {b, 17, 17, e},
          {17, 18, e},
          {16, 16, 16, 16},
          {b, 16},
          {18},
          {16, e},
          {e}};
}

struct Case {
  const char* name;
  double value;
};

TEST(DenoisingsOptimum, IsWhatEnumerationGives) {
  for (const Case& one : {Case{"mask_rate", .4}, Case{"mask_rate", 1}, Case{"delete_rate", .4},
                          Case{"delete_rate", .9}, Case{"rotate", .6}, Case{"rotate", 1}}) {
    const Objective objective = denoising(only(one.name, one.value));
    const Chain chain = tiny_chain(3);
    for (const Tokens& window : windows()) {
      const Text text{.tokens = window};
      const Enumeration enumeration(chain, window, one.name, one.value);
      for (std::uint64_t seed = 0; seed < 12; ++seed) {
        Example example = objective.transform(text, Rng(seed)).front();
        // A layout does not score a first target that nothing precedes, but the token is read.
        const bool first_is_read = example.inputs.empty();
        if (first_is_read) example.weights.front() = 0;
        const Loss loss = objective.optimum(chain, text, example);
        ASSERT_NEAR(loss.total, enumeration.loss(example.inputs, first_is_read), 1e-10)
            << one.name << " " << testing::PrintToString(example.inputs);
        double weight = 0;
        for (const float each : example.weights) weight += each;
        ASSERT_EQ(loss.weight, weight);
      }
    }
  }
}

TEST(DenoisingsOptimum, StaysFiniteOnLongTexts) {
  // About 180 of 600 words are left, in 1e150 ways: neither overflow nor underflow.
  const Chain chain = tiny_chain(4);
  Tokens tokens;
  for (std::size_t i = 0; i < 600; ++i)
    tokens.push_back(special_count + static_cast<Token>(i * i % 3));
  const Objective objective = denoising(only("delete_rate", .7));
  const Example example = objective.transform({.tokens = tokens}, Rng(1)).front();
  const Loss loss = objective.optimum(chain, {.tokens = tokens}, example);
  EXPECT_GT(loss.mean().value(), 0);
  EXPECT_LT(loss.mean().value(), std::log(3.0) + 0.1);
}

TEST(DenoisingsOptimum, IsStatedWhereOneKindOfDamageIsAlone) {
  const ObjectiveSpec& spec = spec_of("denoising");
  const auto kind = [&](const Json& given) {
    const Objective objective = denoising(given);
    const OptimumKind stated = spec.optimum_kind(Params(spec.params, given));
    EXPECT_EQ(stated != OptimumKind::none, static_cast<bool>(objective.optimum));
    return stated;
  };
  EXPECT_EQ(kind(Json::object()), OptimumKind::none);
  EXPECT_EQ(kind(only("mask_rate", .3)), OptimumKind::exact);
  EXPECT_EQ(kind(only("rotate", .3)), OptimumKind::exact);
  EXPECT_EQ(kind(only("delete_rate", .3)), OptimumKind::lower);
  EXPECT_EQ(kind(only("permute_sentences", 1)), OptimumKind::none);
  Json both = only("mask_rate", .3);
  both["rotate"] = .5;
  EXPECT_EQ(kind(both), OptimumKind::none);
}

TEST(DenoisingsOptimum, IsListedForTheArmsThatHaveOne) {
  const auto lists_optimum = [](const Json& given) {
    const ObjectiveSpec& spec = spec_of("denoising");
    const Params params(spec.params, given);
    const Offer offer;
    for (const ProbeSpec& probe : probes::probe_specs())
      for (const Metric& metric : probe.metrics(Params(probe.params, Json::object()),
                                                {spec, params, offer, models::head_specs(), true}))
        if (metric.name == "held_out.optimum") return true;
    return false;
  };
  EXPECT_FALSE(lists_optimum(Json::object()));
  EXPECT_TRUE(lists_optimum(only("mask_rate", .3)));
  EXPECT_FALSE(lists_optimum(only("permute_sentences", 1)));
}

}  // namespace
}  // namespace ablate::objectives
