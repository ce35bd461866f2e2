// Mixture of denoisers (UL2): corrupts each text with one of several denoisers, drawn by fixed
// probabilities.
//
// R hides few tokens in short spans, X hides many tokens or long spans, S predicts the end of a
// text from its beginning (a prefix LM). A mode token before the inputs names the kind. The
// defaults are the seven denoisers of the paper, equally likely.
//
// Source: Tay et al. 2022, "UL2: Unifying Language Learning Paradigms", arXiv:2205.05131, section
// 3.1.2, table 1, and appendix 9.2.

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>

#include "harness/base/error.h"
#include "objectives/common/optimum/hidden_optimum.h"
#include "objectives/common/optimum/prefix.h"
#include "objectives/common/spans/span_optimum.h"

namespace ablate::objectives {
namespace {

constexpr std::string_view kName = "mixture_of_denoisers";

constexpr std::string_view kPicture =
    "text     a b c d e f g h\n"
    "inputs   R a b S0 e f g h .        R, S, X: mode tokens; S0, S1: sentinels; . the end token\n"
    "targets  S0 c d .\n"
    "     or  S a b c d e f             then  g h\n"
    "     or  X a S0 e f S1 .           then  S0 b c d S1 g h .\n";

constexpr std::string_view kDiffers =
    "every text may get any denoiser; the appendix's code gives each a seventh of the corpus\n"
    "S predicts a quarter of a text on average, as in the table; the appendix's code calls T5's "
    "prefix_lm, which predicts half";

enum class Mode { none, r, s, x };

constexpr std::string_view kModes[] = {"none", "r", "s", "x"};
constexpr std::string_view kFacts[] = {"mode_none", "mode_r", "mode_s", "mode_x"};
constexpr Token kModeTokens[] = {pad_token, mode_r_token, mode_s_token, mode_x_token};

Mode mode_named(const std::string& name) {
  return static_cast<Mode>(std::ranges::find(kModes, name) - std::begin(kModes));
}

/// A member of the mixture.
struct Denoiser {
  std::unique_ptr<const SpanNoise> spans;  // null: a prefix denoiser
  PrefixDistribution prefix;               // if spans is null
  Mode mode = Mode::none;
  double probability = 0;  // that a text gets this denoiser; all sum to 1
};

struct Mixture {
  std::vector<Denoiser> denoisers;
  Vocabulary vocabulary;
  bool mode_tokens = true;
  std::optional<Mode> asked_as;  // the members that answer questions; none: any
};

Denoiser denoiser_of(const Json& member, std::size_t index, std::int64_t text_length) {
  const double density = member["noise_density"];
  Denoiser denoiser{.mode = mode_named(member["mode"].get<std::string>()),
                    .probability = member["share"]};
  const std::string where = fmt::format("{}: member {}", kName, index);
  if (member["kind"] == "prefix") {
    if (density > 0.5)
      reject(
          "{}: noise_density = {:g} is too high for a prefix denoiser, which predicts at most half "
          "of a text; lower it to .5 or less",
          where, density);
    denoiser.prefix.fraction = density;
  } else {
    denoiser.spans = std::make_unique<const SpanNoise>(
        where, SpanSettings{.density = density, .mean = member["mean_span_length"]}, text_length);
  }
  return denoiser;
}

Mixture mixture_of(const Params& params, const Context& context) {
  Mixture mixture{.vocabulary = context.vocabulary, .mode_tokens = params.toggle("mode_tokens")};
  double total = 0;
  for (const Json& member : params.list("members")) {
    const std::size_t index = mixture.denoisers.size();
    mixture.denoisers.push_back(denoiser_of(member, index, context.text_length));
    total += mixture.denoisers.back().probability;
  }
  if (!(total > 0))
    reject("{}: the shares of its {} members sum to 0; set at least one share above 0", kName,
           mixture.denoisers.size());
  for (Denoiser& denoiser : mixture.denoisers) denoiser.probability /= total;
  if (!params.has("asked_as")) return mixture;
  mixture.asked_as = mode_named(params.text("asked_as"));
  if (std::ranges::none_of(mixture.denoisers, [&](const Denoiser& one) {
        return one.probability > 0 && one.mode == *mixture.asked_as;
      }))
    reject("{}: asked_as = \"{}\", but no member has that mode; name the mode of a member", kName,
           params.text("asked_as"));
  return mixture;
}

const Denoiser& drawn(const Mixture& mixture, Rng& rng) {
  double draw = rng.uniform();
  const Denoiser* chosen = nullptr;
  for (const Denoiser& denoiser : mixture.denoisers) {
    if (denoiser.probability == 0) continue;
    chosen = &denoiser;  // the last one absorbs rounding
    if ((draw -= denoiser.probability) < 0) break;
  }
  return *chosen;
}

Example denoised(const Mixture& mixture, const Text& text, const Part& part, Rng rng) {
  const Denoiser& denoiser = drawn(mixture, rng);
  const auto tokens = static_cast<std::int64_t>(part.own_count);
  const std::span<const Token> all = tokens_of(text, part);
  Example example =
      denoiser.spans
          ? corrupted(text, part, denoiser.spans->draw(tokens, rng.fork(0)), mixture.vocabulary)
          : split_at(all, prefix_length(denoiser.prefix, std::ssize(all), rng.fork(0)));
  const auto mode = static_cast<std::size_t>(denoiser.mode);
  if (mixture.mode_tokens && denoiser.mode != Mode::none)
    example.inputs.insert(example.inputs.begin(), kModeTokens[mode]);
  for (std::size_t i = 0; i < std::size(kFacts); ++i)
    example.facts.push_back({kFacts[i], i == mode ? 1.0 : 0.0});
  return example;
}

/// Whether a span denoiser made the example. The inputs of a prefix denoiser never end with an end
/// token if there is anything to predict.
bool is_of_spans(const Example& example) {
  return !example.targets.empty() && example.inputs.back() == end_token;
}

/// Whether `split_at` made the example from these tokens, with or without a mode token.
bool is_of(std::span<const Token> tokens, const Example& example) {
  if (tokens.size() < example.targets.size()) return false;
  const std::size_t prefix = tokens.size() - example.targets.size();
  const auto head = tokens.first(prefix), tail = tokens.subspan(prefix);
  return prefix <= example.inputs.size() && example.inputs.size() <= prefix + 1 &&
         std::equal(head.rbegin(), head.rend(), example.inputs.rbegin()) &&
         std::equal(tail.begin(), tail.end(), example.targets.begin());
}

/// A predictor that knows the length of the text can distinguish the members as far as it matters:
/// by whether the inputs end with an end token, and by the numbers of hidden tokens and spans.
/// Members with the same counts have the same distribution of examples, so their probabilities
/// cancel. The optimum is therefore the member's own, with or without mode tokens.
Loss optimum(const Mixture& mixture, const Chain& language, const Text& text,
             const Example& example) {
  if (is_of_spans(example)) {
    const auto spans = std::find_if(mixture.denoisers.begin(), mixture.denoisers.end(),
                                    [](const Denoiser& one) { return one.spans != nullptr; });
    return span_optimum(*spans->spans, language, text, example);  // the same for all members
  }
  for (const Part& part : parts_of(text))
    if (is_of(tokens_of(text, part), example))
      return prefix_optimum(language, tokens_of(text, part), example);
  throw std::logic_error(fmt::format("{}: the example was not made from this text", kName));
}

Lengths lengths(const Mixture& mixture, std::int64_t tokens) {
  Lengths maximum;
  for (const Denoiser& denoiser : mixture.denoisers) {
    if (denoiser.probability == 0) continue;
    const Lengths own =
        denoiser.spans ? denoiser.spans->lengths(tokens) : Lengths{tokens, tokens, tokens};
    const std::int64_t mark = mixture.mode_tokens && denoiser.mode != Mode::none ? 1 : 0;
    maximum = {std::max(maximum.inputs, own.inputs + mark), std::max(maximum.targets, own.targets),
               std::max(maximum.both, own.both + mark)};
  }
  return maximum;
}

/// The fractions in texts of the full length; shorter texts differ by the rounding of their counts.
std::vector<Intended> intended(const Mixture& mixture, std::int64_t tokens) {
  double corruption = 0, prediction = 0, modes[std::size(kFacts)] = {};
  for (const Denoiser& one : mixture.denoisers) {
    modes[static_cast<std::size_t>(one.mode)] += one.probability;
    const double hidden = one.spans ? static_cast<double>(one.spans->counts(tokens).tokens) /
                                          static_cast<double>(tokens)
                                    : 0;
    corruption += one.probability * hidden;
    prediction += one.probability * (one.spans ? hidden : target_fraction(one.prefix));
  }
  std::vector<Intended> all = {{"corruption", corruption, 0.05}, {"prediction", prediction, 0.05}};
  for (std::size_t i = 0; i < std::size(kFacts); ++i) all.push_back({kFacts[i], modes[i], 0.02});
  return all;
}

std::int64_t sentinels(const Mixture& mixture, std::int64_t tokens) {
  std::int64_t maximum = 0;
  for (const Denoiser& one : mixture.denoisers)
    if (one.spans && one.probability > 0) maximum = std::max(maximum, one.spans->sentinels(tokens));
  return maximum;
}

/// The member that is asked, of those with the mode to be asked as: for what follows a text a prefix
/// denoiser, where there is one; else the span denoiser whose mean length is closest to the number
/// of tokens.
const Denoiser& asked(const Mixture& mixture, const Cloze& cloze) {
  const auto length = static_cast<double>(cloze.target.size());
  const auto distance = [&](const Denoiser& one) {
    if (one.probability == 0 || one.mode != mixture.asked_as.value_or(one.mode))
      return std::numeric_limits<double>::infinity();
    if (!one.spans) return cloze.right.empty() ? -1 : std::numeric_limits<double>::max();
    return std::abs(one.spans->settings().mean - length);
  };
  return *std::ranges::min_element(mixture.denoisers, {}, distance);
}

std::vector<Example> in_mode(const Mixture& mixture, Mode mode, std::vector<Example> examples) {
  if (!mixture.mode_tokens || mode == Mode::none) return examples;
  for (Example& example : examples)
    example.inputs.insert(example.inputs.begin(), kModeTokens[static_cast<std::size_t>(mode)]);
  return examples;
}

std::vector<Example> cloze_of(const Mixture& mixture, const Cloze& cloze) {
  const Denoiser& denoiser = asked(mixture, cloze);
  return in_mode(mixture, denoiser.mode,
                 denoiser.spans ? span_cloze(cloze, mixture.vocabulary) : prefix_cloze(cloze));
}

std::vector<Example> stop_of(const Mixture& mixture, const Cloze& cloze) {
  const Denoiser& denoiser = asked(mixture, cloze);
  return in_mode(mixture, denoiser.mode,
                 denoiser.spans ? span_stop(cloze, mixture.vocabulary) : prefix_stop(cloze));
}

ClozeFormat cloze_format(const Params& params) {
  const Json asked = params.has("asked_as") ? Json(params.text("asked_as")) : Json();
  const auto is_prefix = [&](const Json& member) {
    return member["kind"] == "prefix" || member["share"] == 0 ||
           (!asked.is_null() && member["mode"] != asked);
  };
  return std::ranges::all_of(params.list("members"), is_prefix) ? ClozeFormat::left
                                                                : ClozeFormat::both_sides;
}

Objective build(const Params& params, const Context& context) {
  const auto mixture = std::make_shared<const Mixture>(mixture_of(params, context));
  return {.needs = {.attention = Attention::bidirectional,
                    .alignment = Alignment::continuation,
                    .unit = Unit::document,
                    .sentinels = sentinels(*mixture, context.text_length)},
          .transform =
              [mixture](const Text& text, Rng rng) {
                std::vector<Example> examples;
                for (const Part& part : parts_of(text))
                  examples.push_back(denoised(*mixture, text, part, rng.fork(examples.size())));
                return examples;
              },
          .optimum =
              [mixture](const Chain& language, const Text& text, const Example& example) {
                return optimum(*mixture, language, text, example);
              },
          .context_free =
              [](std::span<const double> unigram, const Text&, const Example& example) {
                return is_of_spans(example) ? span_context_free(unigram, example)
                                            : cost_without_context(unigram, example);
              },
          .lengths = [mixture](std::int64_t tokens) { return lengths(*mixture, tokens); },
          .intended = intended(*mixture, context.text_length),
          .cloze = [mixture](const Cloze& cloze) { return cloze_of(*mixture, cloze); },
          .cloze_stop = [mixture](const Cloze& cloze) { return stop_of(*mixture, cloze); }};
}

OptimumKind optimum_kind(const Params&) { return OptimumKind::lower; }

Json member(const char* kind, double density, double mean, const char* mode) {
  return {{"kind", kind}, {"noise_density", density}, {"mean_span_length", mean}, {"mode", mode}};
}

/// Table 1 of the paper.
Json seven_denoisers() {
  return {member("span", .15, 3, "r"),  member("span", .15, 8, "r"),  member("span", .5, 3, "x"),
          member("span", .5, 8, "x"),   member("span", .15, 64, "x"), member("span", .5, 64, "x"),
          member("prefix", .25, 3, "s")};
}

std::vector<Param> parameters() {
  return {list("members", seven_denoisers(),
               {choice("kind", "span", {"span", "prefix"},
                       "span: hides spans behind sentinels; prefix: predicts the end of the text"),
                number("noise_density", 0.15, 0.01, 0.99,
                       "mean fraction of the tokens hidden or predicted; at most .5 for a prefix"),
                number("mean_span_length", 3, 1, 512, "mean length of a hidden span, tokens"),
                number("share", 1, 0, 1e6,
                       "relative probability of this member; divided by the sum over all members"),
                choice("mode", "none", {"r", "s", "x", "none"}, "mode token before its inputs")},
               64, "the denoisers; one is drawn for each text"),
          toggle("mode_tokens", true, "whether inputs start with their member's mode token"),
          optional(choice("asked_as", Json(), {"r", "s", "x"},
                          "the mode in which the trained model is asked questions (probe 'cloze', "
                          "'ablate try'); training does not depend on it; absent: the member that "
                          "suits a question best"))};
}

}  // namespace

ObjectiveSpec mixture_of_denoisers_objective() {
  return {.name = kName,
          .summary = "hide few, many or long spans or the end of a text, as a mode token says",
          .picture = kPicture,
          .source = "Tay et al. 2022, arXiv:2205.05131, section 3.1.2, table 1",
          .differs = kDiffers,
          .params = parameters(),
          .build = build,
          .optimum_kind = optimum_kind,
          .cloze_format = cloze_format};
}

}  // namespace ablate::objectives
