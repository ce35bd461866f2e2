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
#include "harness/contract/objective.h"
#include "objectives/common/mixing/shares.h"
#include "objectives/common/spans/parts.h"

namespace ablate::objectives {

ObjectiveSpec prefix_lm_objective();
ObjectiveSpec span_corruption_objective();

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

/// A member of the mixture: span corruption or a prefix LM, as they are alone.
struct Denoiser {
  Objective objective;
  bool of_spans = true;
  double mean_span = 0;  // length, tokens, where it hides spans
  double predicted = 0;  // mean fraction of a long text
  Mode mode = Mode::none;
};

struct Mixture {
  std::vector<Denoiser> denoisers;
  Shares shares;
  bool mode_tokens = true;
  std::optional<Mode> asked_as;  // the members that answer questions; none: any

  bool marks(Mode mode) const { return mode_tokens && mode != Mode::none; }
  const Denoiser& maker_of(const Example& example) const {
    return denoisers[static_cast<std::size_t>(example.member)];
  }
};

/// The objective of a member. `where` begins the message where it cannot be.
Objective built(const ObjectiveSpec& spec, const Json& given, const Context& context,
                const std::string& where) {
  try {
    return spec.build(Params(spec.params, given), context);
  } catch (const std::invalid_argument& error) {
    const std::string_view why = error.what();
    const std::string of = fmt::format("{}: ", spec.name);
    reject("{}: {}", where, why.starts_with(of) ? why.substr(of.size()) : why);
  }
}

Denoiser denoiser_of(const Json& member, std::size_t index, const Context& context) {
  const double density = member["noise_density"];
  const std::string where = fmt::format("{}: member {}", kName, index);
  Denoiser denoiser{.of_spans = member["kind"] == "span",
                    .mean_span = member["mean_span_length"],
                    .predicted = density,
                    .mode = mode_named(member["mode"].get<std::string>())};
  if (!denoiser.of_spans && density > 0.5)
    reject(
        "{}: noise_density = {:g} is too high for a prefix denoiser, which predicts at most half "
        "of a text; lower it to .5 or less",
        where, density);
  denoiser.objective =
      denoiser.of_spans
          ? built(span_corruption_objective(),
                  {{"noise_density", density}, {"mean_span_length", denoiser.mean_span}}, context,
                  where)
          : built(prefix_lm_objective(), {{"target_fraction", density}}, context, where);
  return denoiser;
}

Shares shares_of_members(const Json& members) {
  std::vector<double> shares;
  shares.reserve(members.size());
  for (const Json& member : members) shares.push_back(member["share"]);
  shares = normalised(std::move(shares));
  if (shares.empty())
    reject("{}: the shares of its {} members sum to 0; set at least one share above 0", kName,
           members.size());
  return {shares, shares};
}

Mixture mixture_of(const Params& params, const Context& context) {
  const Json& members = params.list("members");
  Mixture mixture{.shares = shares_of_members(members),
                  .mode_tokens = params.toggle("mode_tokens")};
  for (const Json& member : members)
    mixture.denoisers.push_back(denoiser_of(member, mixture.denoisers.size(), context));
  if (!params.has("asked_as")) return mixture;
  mixture.asked_as = mode_named(params.text("asked_as"));
  for (std::size_t i = 0; i < mixture.denoisers.size(); ++i)
    if (mixture.shares.has(i) && mixture.denoisers[i].mode == *mixture.asked_as) return mixture;
  reject("{}: asked_as = \"{}\", but no member has that mode; name the mode of a member", kName,
         params.text("asked_as"));
}

/// One part of a text as a text of its own.
Text text_of(const Text& text, const Part& part) {
  Text own = text;
  own.tokens = tokens_of(text, part);
  if (!text.marks.empty()) own.marks = text.marks.subspan(part.first, part.count);
  return own;
}

std::vector<Example> in_mode(const Mixture& mixture, Mode mode, std::vector<Example> examples) {
  if (!mixture.marks(mode)) return examples;
  for (Example& example : examples)
    example.inputs.insert(example.inputs.begin(), kModeTokens[static_cast<std::size_t>(mode)]);
  return examples;
}

/// What its denoiser makes of a part, behind the mode token.
Example denoised(const Mixture& mixture, const Text& text, const Part& part, Rng rng) {
  const std::size_t drawn = mixture.shares.drawn(rng.uniform(), text.progress);
  const Denoiser& denoiser = mixture.denoisers[drawn];
  // Span corruption forks for each part itself.
  const Rng own = denoiser.of_spans ? rng : rng.fork(0);
  Example example = std::move(
      in_mode(mixture, denoiser.mode, denoiser.objective.transform(text_of(text, part), own))
          .front());
  example.member = static_cast<std::int32_t>(drawn);
  for (Hidden& hidden : example.hidden) hidden.position += static_cast<std::int32_t>(part.first);
  example.facts.clear();  // its mode says all
  for (std::size_t i = 0; i < std::size(kFacts); ++i)
    example.facts.push_back({kFacts[i], i == static_cast<std::size_t>(denoiser.mode) ? 1.0 : 0.0});
  return example;
}

/// Whether the example was made from these tokens: the inputs of a prefix LM and its targets are the
/// tokens, with or without a mode token before them.
bool is_of(std::span<const Token> tokens, const Example& example) {
  if (tokens.size() < example.targets.size()) return false;
  const std::size_t prefix = tokens.size() - example.targets.size();
  const auto head = tokens.first(prefix), tail = tokens.subspan(prefix);
  return prefix <= example.inputs.size() && example.inputs.size() <= prefix + 1 &&
         std::equal(head.rbegin(), head.rend(), example.inputs.rbegin()) &&
         std::equal(tail.begin(), tail.end(), example.targets.begin());
}

/// The optimum of the member. A predictor that knows the length of the text can distinguish the members
/// as far as it matters: by whether the inputs end with an end token, and by the numbers of hidden
/// tokens and spans. Members with the same counts have the same distribution of examples, so their
/// probabilities cancel. That holds with and without mode tokens.
Loss optimum(const Mixture& mixture, const Chain& language, const Text& text,
             const Example& example) {
  const Denoiser& maker = mixture.maker_of(example);
  if (maker.of_spans) return maker.objective.optimum(language, text, example);
  for (const Part& part : parts_of(text))
    if (is_of(tokens_of(text, part), example))
      return maker.objective.optimum(language, text_of(text, part), example);
  throw std::logic_error(fmt::format("{}: the example was not made from this text", kName));
}

Lengths lengths(const Mixture& mixture, std::int64_t tokens) {
  Lengths maximum;
  for (std::size_t i = 0; i < mixture.denoisers.size(); ++i) {
    if (!mixture.shares.has(i)) continue;
    const Denoiser& denoiser = mixture.denoisers[i];
    const Lengths own = lengths_of(denoiser.objective, static_cast<std::size_t>(tokens));
    const std::int64_t mark = mixture.marks(denoiser.mode) ? 1 : 0;
    maximum = {std::max(maximum.inputs, own.inputs + mark), std::max(maximum.targets, own.targets),
               std::max(maximum.both, own.both + mark)};
  }
  return maximum;
}

/// What a denoiser intends as the fraction called `name`; 0 where it states none.
double fraction(const Denoiser& denoiser, std::string_view name) {
  const auto found = std::ranges::find(denoiser.objective.intended, name, &Intended::name);
  return found == denoiser.objective.intended.end() ? 0 : found->value;
}

/// The fractions in texts of the full length; shorter texts differ by the rounding of their counts.
std::vector<Intended> intended(const Mixture& mixture) {
  double corruption = 0, prediction = 0, modes[std::size(kFacts)] = {};
  for (std::size_t i = 0; i < mixture.denoisers.size(); ++i) {
    const Denoiser& one = mixture.denoisers[i];
    const double share = mixture.shares.mean(i);
    modes[static_cast<std::size_t>(one.mode)] += share;
    corruption += share * fraction(one, "corruption");
    prediction += share * (one.of_spans ? fraction(one, "prediction") : one.predicted);
  }
  std::vector<Intended> all = {{"corruption", corruption, 0.05}, {"prediction", prediction, 0.05}};
  for (std::size_t i = 0; i < std::size(kFacts); ++i) all.push_back({kFacts[i], modes[i], 0.02});
  return all;
}

std::int64_t sentinels(const Mixture& mixture) {
  std::int64_t maximum = 0;
  for (std::size_t i = 0; i < mixture.denoisers.size(); ++i)
    if (mixture.shares.has(i))
      maximum = std::max(maximum, mixture.denoisers[i].objective.needs.sentinels);
  return maximum;
}

/// The member that is asked, of those with the mode to be asked as: for what follows a text a prefix
/// denoiser, where there is one; else the span denoiser whose mean length is closest to the number
/// of tokens.
const Denoiser& asked(const Mixture& mixture, const Cloze& cloze) {
  const auto length = static_cast<double>(cloze.target.size());
  const auto distance = [&](std::size_t i) {
    const Denoiser& one = mixture.denoisers[i];
    if (!mixture.shares.has(i) || one.mode != mixture.asked_as.value_or(one.mode))
      return std::numeric_limits<double>::infinity();
    if (!one.of_spans) return cloze.right.empty() ? -1 : std::numeric_limits<double>::max();
    return std::abs(one.mean_span - length);
  };
  std::size_t closest = 0;
  for (std::size_t i = 1; i < mixture.denoisers.size(); ++i)
    if (distance(i) < distance(closest)) closest = i;
  return mixture.denoisers[closest];
}

std::vector<Example> cloze_of(const Mixture& mixture, const Cloze& cloze) {
  const Denoiser& denoiser = asked(mixture, cloze);
  return in_mode(mixture, denoiser.mode, denoiser.objective.cloze(cloze));
}

std::vector<Example> stop_of(const Mixture& mixture, const Cloze& cloze) {
  const Denoiser& denoiser = asked(mixture, cloze);
  return in_mode(mixture, denoiser.mode, denoiser.objective.cloze_stop(cloze));
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
                    .sentinels = sentinels(*mixture)},
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
              [mixture](std::span<const double> unigram, const Text& text, const Example& example) {
                return mixture->maker_of(example).objective.context_free(unigram, text, example);
              },
          .lengths = [mixture](std::int64_t tokens) { return lengths(*mixture, tokens); },
          .intended = intended(*mixture),
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

/// Both, whatever the parameters: their numbers are its own.
std::vector<const ObjectiveSpec*> member_specs(const Params&) {
  static const ObjectiveSpec spans = span_corruption_objective(), prefix = prefix_lm_objective();
  return {&spans, &prefix};
}

}  // namespace

ObjectiveSpec mixture_of_denoisers_objective() {
  return {.name = kName,
          .summary = "hide few, many or long spans, or the end of a text, as a mode token says",
          .picture = kPicture,
          .source = "Tay et al. 2022, arXiv:2205.05131, section 3.1.2, table 1",
          .differs = kDiffers,
          .params = parameters(),
          .build = build,
          .optimum_kind = optimum_kind,
          .cloze_format = cloze_format,
          .members = member_specs};
}

}  // namespace ablate::objectives
