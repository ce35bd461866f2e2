// What the exact predictor of damaged texts loses, against the sum over all texts and all damage.

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "harness/contract/catalog.h"
#include "harness/probes/specs.h"
#include "tests/harness/contract/tiny_chain.h"
#include "tests/objectives/example_of.h"

namespace ablate::objectives {
namespace {

using Tokens = std::vector<Token>;
using Law = std::map<Tokens, double>;

Json only(const char* name, double value) {
  Json given = {{"infill_rate", 0}, {"permute_sentences", 0}};
  given[name] = value;
  return given;
}

Objective denoising(const Json& given) { return objective_of("denoising", given, 3, 8); }

/// [begin token] words [end token]: where the words are.
std::pair<std::size_t, std::size_t> words_of(const Tokens& text) {
  const std::size_t begins = text.front() == begin_token, ends = text.back() == end_token;
  return {begins, text.size() - ends};
}

/// P(inputs | text), all of them: each word hidden or not, and shown as a mask or not at all.
Law hidden_each(const Tokens& text, double rate, bool masked) {
  Law distribution = {{{}, 1.0}};
  const auto [first, end] = words_of(text);
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool word = i >= first && i < end;
    Law next;
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

Law rotated(const Tokens& text, double probability) {
  const auto [first, end] = words_of(text);
  Law distribution;
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

Law damaged(const Tokens& text, const std::string& name, double value) {
  if (name == "rotate") return rotated(text, value);
  return hidden_each(text, value, name == "mask_rate");
}

/// All texts that a window may be, and all that may become of each.
class Enumeration {
 public:
  Enumeration(const Chain& chain, const Tokens& window, const std::string& name, double value)
      : window_(window) {
    for (const Tokens& text : fillings(chain, window))
      joint_.push_back({text, window_probability(chain, text), damaged(text, name, value)});
  }

  /// -log P(the window | inputs, and its first token where that is read).
  double loss(const Tokens& inputs, bool first_is_read) const {
    double whole = 0, part = 0;
    for (const auto& [text, probability, distribution] : joint_) {
      const auto found = distribution.find(inputs);
      if (found == distribution.end() || (first_is_read && text.front() != window_.front()))
        continue;
      whole += probability * found->second;
      if (text == window_) part += probability * found->second;
    }
    return -std::log(part / whole);
  }

 private:
  struct Joint {
    Tokens text;
    double probability;
    Law distribution;
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
        // A layout scores no first target where nothing stands before it; it is read all the same.
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
  // 600 words of which about 180 are left, in 1e150 ways: nothing overflows, nothing vanishes.
  const Chain chain = tiny_chain(4);
  Tokens tokens;
  for (std::size_t i = 0; i < 600; ++i)
    tokens.push_back(special_count + static_cast<Token>(i * i % 3));
  const Objective objective = denoising(only("delete_rate", .7));
  const Example example = objective.transform({.tokens = tokens}, Rng(1)).front();
  const Loss loss = objective.optimum(chain, {.tokens = tokens}, example);
  EXPECT_GT(loss.mean(), 0);
  EXPECT_LT(loss.mean(), std::log(3.0) + 0.1);
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
      for (const Metric& metric : probe.metrics({spec, params, offer, true}))
        if (metric.name == "held_out.optimum") return true;
    return false;
  };
  EXPECT_FALSE(lists_optimum(Json::object()));
  EXPECT_TRUE(lists_optimum(only("mask_rate", .3)));
  EXPECT_FALSE(lists_optimum(only("permute_sentences", 1)));
}

}  // namespace
}  // namespace ablate::objectives
