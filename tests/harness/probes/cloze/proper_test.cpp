// The scores of all formats are proper: they sum to one, and are the exact ones where the model is the
// exact predictor. All in double, so that nothing is hidden in a tolerance.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "harness/probes/cloze/questions.h"
#include "tests/harness/probes/cloze/asking.h"

namespace ablate::probes {
namespace {

using namespace testing;

TEST(Cloze, SumsToOneOverAllTargetsOfALength) {
  const SmallWorld world({{"vocabulary", 4}, {"states", 3}});
  const std::vector<std::vector<Token>> targets = all_texts(world.vocabulary(), 3);
  for (const Json& objective : with_format())
    for (const bool shown : {false, true}) {
      std::vector<Cloze> questions;
      for (const std::vector<Token>& target : targets)
        questions.push_back({kLeft, target, shown ? std::span(kRight) : std::span<const Token>()});
      Oracle network(arbitrary_rule(world.vocabulary()));
      network.in_double();
      with_subject(world, objective, network, [&](const Subject& subject) {
        double sum = 0;
        for (const double cost : cloze_costs(subject, questions)) sum += std::exp(-cost);
        EXPECT_NEAR(sum, 1, 1e-10) << objective << (shown ? ", with the right side" : "");
      });
    }
}

/// The objectives of `with_format()` that an encoder-decoder hosts: what they show is read first, and
/// what is predicted follows it.
std::vector<Json> with_continuation(const SmallWorld& world) {
  std::vector<Json> objectives = with_format();
  std::erase_if(objectives, [&](const Json& objective) {
    const plan::ResolvedModel model = any_model(world.vocabulary());
    const Objective made = phase_of(trial_of(objective), model).objective;
    return made.needs.alignment != Alignment::continuation || made.needs.one_stack ||
           made.cloze({kLeft, {kRight, 1}, {}}).front().inputs.empty();
  });
  return objectives;
}

// The encoder reads what the format shows; the decoder sees all of it and its own past.
TEST(Cloze, SumsToOneWhereAnEncoderReadsWhatIsShown) {
  const SmallWorld world({{"vocabulary", 4}, {"states", 3}});
  const std::vector<std::vector<Token>> targets = all_texts(world.vocabulary(), 3);
  const std::vector<Json> objectives = with_continuation(world);
  EXPECT_GE(objectives.size(), 4u);
  for (const Json& objective : objectives)
    for (const bool shown : {false, true}) {
      std::vector<Cloze> questions;
      for (const std::vector<Token>& target : targets)
        questions.push_back({kLeft, target, shown ? std::span(kRight) : std::span<const Token>()});
      std::vector<std::size_t> read;  // tokens of the encoder that a prediction saw
      const Oracle::Rule rule = arbitrary_rule(world.vocabulary());
      Oracle network([&](const Seen& seen) {
        read.push_back(seen.source.size());
        return rule(seen);
      });
      network.in_double();
      with_subject(
          world, objective, network,
          [&](const Subject& subject) {
            double sum = 0;
            for (const double cost : cloze_costs(subject, questions)) sum += std::exp(-cost);
            EXPECT_NEAR(sum, 1, 1e-10) << objective << (shown ? ", with the right side" : "");
          },
          true);
      EXPECT_GE(*std::ranges::min_element(read), std::size(kLeft)) << objective;
    }
}

TEST(Cloze, SumsToOneBesideAFurtherBlank) {
  const SmallWorld world({{"vocabulary", 4}, {"states", 3}});
  const std::vector<std::vector<Token>> targets = all_texts(world.vocabulary(), 2);
  const Token right[] = {special_count + 1, mask_token, mask_token, special_count, end_token};
  for (const Json& objective : with_format()) {
    std::vector<Cloze> questions;
    for (const std::vector<Token>& target : targets) questions.push_back({kLeft, target, right});
    Oracle network(arbitrary_rule(world.vocabulary()));
    network.in_double();
    with_subject(world, objective, network, [&](const Subject& subject) {
      double sum = 0;
      for (const double cost : cloze_costs(subject, questions)) sum += std::exp(-cost);
      EXPECT_NEAR(sum, 1, 1e-10) << objective;
    });
  }
}

/// What a row shows of a question: everything left of the token that is predicted, and whether
/// anything right of the target is visible.
struct Shown {
  std::vector<Token> known;  // from the begin token on
  std::vector<Token> right;
};

/// <prefix>, <suffix> and <middle> name the part that follows them.
Shown shown_by_marks(std::span<const Token> visible) {
  Shown shown;
  std::vector<Token> left, middle;
  std::vector<Token>* part = &shown.known;
  for (const Token token : visible) {
    if (token == prefix_token)
      part = &left;
    else if (token == suffix_token)
      part = &shown.right;
    else if (token == middle_token)
      part = &middle;
    else
      part->push_back(token);
  }
  for (const auto& more : {left, middle})
    shown.known.insert(shown.known.end(), more.begin(), more.end());
  return shown;
}

/// left S0 right <end> S0 target; a mode token may be first. Without a sentinel, a text.
Shown shown_by_sentinels(std::span<const Token> visible, Token sentinel) {
  if (visible.front() != begin_token) visible = visible.subspan(1);
  const auto first = std::ranges::find(visible, sentinel);
  const auto second =
      first == visible.end() ? first : std::find(first + 1, visible.end(), sentinel);
  Shown shown{{visible.begin(), first}, {}};
  if (first == visible.end()) return shown;
  shown.right.assign(first + 1, second);
  if (second != visible.end()) shown.known.insert(shown.known.end(), second + 1, visible.end());
  return shown;
}

/// The inputs and, from a second begin token on, the text again.
Shown shown_twice(std::span<const Token> visible, std::size_t left) {
  const auto again = std::find(visible.begin() + 1, visible.end(), Token{begin_token});
  Shown shown{{again, visible.end()}, {visible.begin() + static_cast<std::ptrdiff_t>(left), again}};
  std::erase(shown.right, Token{mask_token});
  return shown;
}

/// A blank in the text, which ends where what fills it starts.
Shown shown_by_blank(std::span<const Token> visible) {
  const auto blank = std::ranges::find(visible, Token{mask_token});
  const auto start = std::ranges::find(visible, Token{middle_token});
  Shown shown{{visible.begin(), blank}, {blank + 1, start}};
  shown.known.insert(shown.known.end(), start + 1, visible.end());
  return shown;
}

/// Tokens in any order, by their positions: those before the place and those behind it.
Shown shown_by_position(const Seen& seen) {
  std::map<std::int64_t, Token> tokens;
  for (std::size_t i = 0; i < seen.visible.size(); ++i)
    if (const Token token = seen.visible[i]; token != mask_token && token != separator_token)
      tokens[seen.positions[i]] = token;
  Shown shown;
  for (const auto& [position, token] : tokens)
    (position < seen.position ? shown.known : shown.right).push_back(token);
  return shown;
}

Shown shown_in_place(const Seen& seen) {
  const auto here = seen.visible.begin() + static_cast<std::ptrdiff_t>(seen.at);
  const auto after =
      std::find_if(here, seen.visible.end(), [](Token t) { return t != mask_token; });
  return {{seen.visible.begin(), here}, {after, seen.visible.end()}};
}

Shown shown_to(const Seen& seen, const ObjectiveSpec& spec, const Vocabulary& vocabulary,
               std::size_t left) {
  if (spec.name == "fill_in_the_middle") return shown_by_marks(seen.visible);
  if (spec.name == "span_corruption" || spec.name == "mixture_of_denoisers")
    return shown_by_sentinels(seen.visible, vocabulary.sentinel(0));
  if (spec.name == "denoising") return shown_twice(seen.visible, left);
  if (spec.name == "masked_lm" || spec.name == "masked_diffusion") return shown_in_place(seen);
  if (spec.name == "blank_infilling") return shown_by_blank(seen.visible);
  if (spec.name == "permutation_lm" || spec.name == "block_diffusion")
    return shown_by_position(seen);
  return {{seen.visible.begin(), seen.visible.end()}, {}};
}

/// The exact predictor of questions with `left` tokens before a target of `tokens`, which it knows
/// where it is shown the right side. It reads the left and right sides off the row.
Oracle::Rule exact_in_format(const SmallWorld& world, const Json& objective, std::size_t left,
                             std::size_t tokens) {
  const auto [spec, params] = spec_of(objective);
  const ClozeFormat format = cloze_format_of(*spec, params);
  return [&world, spec = spec, format, left, tokens](const Seen& seen) {
    Shown shown = shown_to(seen, *spec, world.vocabulary(), left);
    std::erase(shown.right, Token{end_token});
    const std::vector<double> first =
        exact_first(world.language.chain(), shown.known, left + tokens - shown.known.size(),
                    shown.right, format);
    std::vector<double> logits(static_cast<std::size_t>(world.vocabulary().size()), -1e4);
    double rest = 1;
    for (std::size_t i = 0; i < first.size(); ++i) {
      logits[special_count + i] = std::log(first[i]);
      rest -= first[i];
    }
    if (rest > 1e-12) logits[end_token] = std::log(rest);
    return logits;
  };
}

TEST(Cloze, HasTheExactCostInEveryFormatUnderItsExactPredictor) {
  const SmallWorld world({{"vocabulary", 4}, {"states", 3}});
  const std::vector<std::vector<Token>> targets = all_texts(world.vocabulary(), 3);
  for (const Json& objective : with_format())
    for (const std::span<const Token> right : kRights) {
      std::vector<Cloze> questions;
      for (const std::vector<Token>& target : targets) questions.push_back({kLeft, target, right});
      Oracle network(exact_in_format(world, objective, std::size(kLeft), 3));
      network.in_double();
      const auto [spec, params] = spec_of(objective);
      const ClozeFormat format = cloze_format_of(*spec, params);
      with_subject(world, objective, network, [&](const Subject& subject) {
        const std::vector<double> costs = cloze_costs(subject, questions);
        double sum = 0, exact_sum = 0;
        for (std::size_t i = 0; i < costs.size(); ++i) {
          const double exact = exact_cost(world.language.chain(), questions[i], format);
          ASSERT_NEAR(costs[i], exact, kExact) << objective << right.size() << ", target " << i;
          sum += std::exp(-costs[i]);
          exact_sum += std::exp(-exact);
        }
        EXPECT_NEAR(sum, exact_sum, kExact) << objective;
        if ((reads_right(format) && !right.empty()) || is_told_length(format))
          EXPECT_NEAR(sum, 1, kExact) << objective;
        else
          EXPECT_LT(sum, 1) << objective << ": the document may end before";
      });
    }
}

TEST(Cloze, OfCausalAndPrefixModelsAgreesOnAnEmptyPrefix) {
  const SmallWorld world;
  const Token target[] = {special_count + 3, special_count, special_count + 5};
  const auto cost = [&](const char* objective, std::size_t left) {
    Oracle network(arbitrary_rule(world.vocabulary()));
    double nats = 0;
    with_subject(world, {{"type", objective}}, network, [&](const Subject& subject) {
      const Cloze question{std::span(kLeft).first(left), target, {}};
      nats = cloze_costs(subject, {&question, 1}).front();
    });
    return nats;
  };
  EXPECT_EQ(cost("causal_lm", 1), cost("prefix_lm", 1));
}

/// Ignores the marks of fill-in-the-middle.
Oracle::Rule without_marks(const Oracle::Rule& rule) {
  return [rule](const Seen& seen) {
    std::vector<Token> text;
    for (const Token token : seen.visible)
      if (token < prefix_token || token > end_middle_token) text.push_back(token);
    Seen without = seen;
    without.visible = text;
    without.at = text.size() - 1;
    return rule(without);
  };
}

TEST(Cloze, OfAnEmptySuffixIsCausalUpToTheMarks) {
  const SmallWorld world;
  const Token target[] = {special_count + 3, special_count, special_count + 5};
  const auto cost = [&](const Json& objective, std::span<const Token> right) {
    Oracle network(without_marks(arbitrary_rule(world.vocabulary())));
    double nats = 0;
    with_subject(world, objective, network, [&](const Subject& subject) {
      const Cloze question{kLeft, target, right};
      nats = cloze_costs(subject, {&question, 1}).front();
    });
    return nats;
  };
  const double causal = cost({{"type", "causal_lm"}}, {});
  const Token end[] = {end_token};
  for (const Json& objective : with_format()) {
    if (objective.at("type") != "fill_in_the_middle") continue;
    EXPECT_EQ(cost(objective, {}), causal) << objective;
    EXPECT_EQ(cost(objective, end), causal) << objective;
  }
}

}  // namespace
}  // namespace ablate::probes
