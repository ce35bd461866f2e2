#include "objectives/common/replacing/replacing.h"

#include <string>

#include "harness/base/error.h"
#include "objectives/common/masks/masking.h"

namespace ablate::objectives {
namespace {

constexpr std::int32_t kGenerator = 1;  // index among the heads of the needs
constexpr double kGeneratorWidth = 0.25;

}  // namespace

std::vector<Param> replacing_params() {
  return {
      number("rate", 0.15, 0.001, 0.999,
             "fraction of the tokens that are replaced; special ones never are"),
      optional(choice("generator", nullptr, {"uniform", "learned"},
                      "what draws the replacements. uniform: every ordinary token is equally "
                      "likely; learned: a small masked language model that is trained with the "
                      "backbone; absent: uniform"),
               "uniform"),
      optional(
          number(
              "generator_width", nullptr, 0.001, 1,
              "learned: width of the generator, as a fraction of the backbone's; it gets the same "
              "fraction of the attention heads, which must be a whole number; absent: 0.25"),
          kGeneratorWidth),
      optional(
          choice(
              "generator_embeddings", nullptr, {"tied", "own"},
              "learned: whether the generator shares the backbone's token embeddings (tied) or has "
              "its own; absent: tied"),
          "tied")};
}

bool has_learned_generator(const Params& params) { return params.has("generator"); }

std::vector<HeadNeed> generator_heads(const Params& params) {
  if (!has_learned_generator(params)) return {};
  Json own = Json::object();
  if (params.has("generator_width")) own["width"] = params.number("generator_width");
  if (params.has("generator_embeddings")) own["embeddings"] = params.text("generator_embeddings");
  return {{.kind = "generator", .params = std::move(own)}};
}

void check_generator(const Params& params, std::string_view objective,
                     std::span<const std::string_view> further) {
  if (has_learned_generator(params)) return;
  std::vector<std::string_view> names = {"generator_width", "generator_embeddings"};
  names.insert(names.end(), further.begin(), further.end());
  for (const std::string_view name : names)
    if (params.has(std::string(name)))
      reject(
          "{}: {} is a setting of a learned generator, and this one is uniform; set generator to "
          "learned, or leave {} out",
          objective, name, name);
}

TokenChannel replacing_channel(const Params& params, const Context& context) {
  const double mask = has_learned_generator(params) ? 1 : 0;
  return {.rate = params.number("rate"),
          .mask = mask,
          .random = 1 - mask,
          .ordinary = context.vocabulary.ordinary};
}

Example with_replacements(const TokenChannel& channel, const Text& text, Rng rng) {
  const bool masks = channel.mask > 0;
  Example example;
  example.inputs.assign(text.tokens.begin(), text.tokens.end());
  const Rng which = rng.fork(1);
  for (const std::int32_t position : hide_each(text, channel.rate, rng.fork(0))) {
    Rng own = which.fork(static_cast<std::uint64_t>(position));
    example.inputs[static_cast<std::size_t>(position)] =
        masks ? Token{mask_token} : special_count + static_cast<Token>(own.below(channel.ordinary));
    example.hidden.push_back({position, masks ? HiddenAs::mask : HiddenAs::random});
  }
  return example;
}

void add_generator_labels(const Text& text, Example& example) {
  for (const Hidden& hidden : example.hidden)
    example.labels.push_back({.head = kGenerator,
                              .at = hidden.position,
                              .target = text.tokens[static_cast<std::size_t>(hidden.position)]});
}

std::vector<Loss> generator_optimum(const TokenChannel& channel, const Chain& language,
                                    const Text& text, const Example& example) {
  Example masked{.inputs = example.inputs};
  masked.targets.assign(text.tokens.begin(), text.tokens.end());
  masked.weights.assign(text.tokens.size(), 0.0f);
  for (const Label& label : example.labels)
    if (label.head == kGenerator) masked.weights[static_cast<std::size_t>(label.at)] = label.weight;
  return {optimum_through(channel, language, text, masked)};
}

std::vector<ShownPlace> shown_places(const TokenChannel& channel, const Chain& language,
                                     const Text& text, std::span<const Token> inputs) {
  const auto states = static_cast<std::size_t>(language.composite_states()),
             of_topic = static_cast<std::size_t>(language.states);
  std::vector<ShownPlace> places(text.tokens.size());
  for (const Segment& segment : segments(text.tokens)) {
    const auto shown = inputs.subspan(segment.first, segment.count);
    const std::vector<double> weights = leave_one_out_smoothing(
        language, static_cast<std::int64_t>(segment.count),
        evidence_through(channel, language, shown), segment.starts_document);
    const Evidence of_shown = emission_likelihood(language, shown),
                   of_text = emission_likelihood(language,
                                                 text.tokens.subspan(segment.first, segment.count));
    for (std::size_t at = 0; at < segment.count; ++at) {
      if (text.is_special(segment.first + at)) continue;
      ShownPlace& place = places[segment.first + at];
      for (std::size_t z = at * states; z < (at + 1) * states; ++z) {
        if (z % of_topic + 1 == of_topic) continue;  // a document's end
        place.any += weights[z];
        place.as_shown += weights[z] * of_shown[z];
        place.of_text += weights[z] * of_text[z];
      }
    }
  }
  return places;
}

}  // namespace ablate::objectives
