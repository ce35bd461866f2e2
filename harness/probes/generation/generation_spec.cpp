// What the generation probe measures about text drawn from a model.

#include <fmt/core.h>

#include "harness/probes/generation/drawing/scheme_spec.h"
#include "harness/probes/generation/samplers/chosen.h"
#include "harness/probes/generation/samplers/registry.h"
#include "harness/probes/label_words.h"
#include "harness/probes/members.h"

namespace ablate::probes {
namespace {

constexpr auto kNats = "nats/token";
constexpr double kUntrainedTexts = 64;  // that the model draws with its initial weights at most

void add_likelihoods(std::vector<Metric>& list, bool ancestral) {
  added(list, {"generation.log_probability", "log-probability of samples", kNats, Better::higher,
               Comparable::all_arms,
               "exact log-probability of the samples under the language, impossible ones left "
               "out; above generation.reference the sampler is sharper than the language, not "
               "better"})
      .read_against({Bound::ceiling("reference"), Bound::untrained("untrained")});
  added(list, {"generation.impossible", "share of impossible samples", "fraction", Better::lower,
               Comparable::all_arms,
               "fraction of samples that the language cannot generate: they end where no document "
               "does, or contain ids that stand for no text"})
      .read_against({Bound::untrained("untrained_impossible")});
  list.push_back(
      {"generation.reference", "log-probability of samples, held-out text", kNats, Better::neither,
       Comparable::all_arms,
       "the same for held-out documents truncated to the same length: what a perfect sampler "
       "reaches"});
  list.push_back({"generation.untrained", "log-probability of samples, untrained model", kNats,
                  Better::neither, Comparable::all_arms,
                  "log_probability of texts sampled from the model with its initial weights, the "
                  "first 64: the floor; absent if all of them are impossible"});
  list.push_back({"generation.untrained_impossible", "share of impossible samples, untrained model",
                  "fraction", Better::neither, Comparable::all_arms, "the same of impossible"});
  if (!ancestral) return;
  list.push_back({"generation.entropy", "entropy of samples under the model", kNats,
                  Better::neither, Comparable::all_arms,
                  "minus the model's own log-probability of its samples"});
  added(list, {"generation.divergence", "KL divergence from the language", kNats, Better::lower,
               Comparable::all_arms,
               "Kullback-Leibler divergence of the model from the language, estimated on the "
               "possible samples: E[log q - log p]"})
      .read_against({Bound::untrained("untrained_divergence")});
  list.push_back({"generation.untrained_divergence",
                  "KL divergence from the language, untrained model", kNats, Better::neither,
                  Comparable::all_arms,
                  "the same for the model with its initial weights, if some samples are possible"});
}

void add_varieties(std::vector<Metric>& list, std::string_view suffix = "",
                   std::string_view of = "the samples", std::string_view labelled = "samples") {
  const auto add = [&](std::string_view name, std::string label,
                       const std::string& description) -> Metric& {
    return added(list, {fmt::format("generation.{}{}", name, suffix), std::move(label), "fraction",
                        Better::neither, Comparable::all_arms, description});
  };
  for (int n = 1; n <= 3; ++n)
    add(fmt::format("distinct_{}", n), fmt::format("distinct-{} of {}", n, labelled),
        fmt::format(
            "distinct-{0} of {1}: distinct runs of {0} tokens divided by all such runs, in the "
            "same number of tokens for every arm (distinct_tokens), since it falls with their "
            "number; absent if there are fewer. No direction is better: compare with held-out text",
            n, of))
        .indexed_by(n);
  add("repetition", fmt::format("share of repeated 4-grams in {}", labelled),
      fmt::format(
          "seq-rep-4 of {}: the fraction of runs of four tokens that occurred earlier in the "
          "same text, averaged over texts",
          of));
}

void add_matched(std::vector<Metric>& list, const char* label) {
  added(list,
        {"generation.log_probability_matched", label, kNats, Better::higher, Comparable::all_arms,
         "log-probability under the language at the temperature at which the entropy of the "
         "samples' tokens is that of held-out text, interpolated between the temperatures "
         "that were tried; absent where none comes near. A lower temperature alone does not raise "
         "it. The entropy is that of all samples together: samples that repeat themselves, each "
         "with other tokens, pass, so read it with the repetition"})
      .read_against({Bound::untrained("untrained")});
}

/// Names the sampler in what a metric is called.
void note_sampler(const SamplerSpec& sampler, std::string& name, std::string& label,
                  std::string& description) {
  name += fmt::format("_{}", sampler.name);
  label += fmt::format(" ({})", as_words(std::string(sampler.name)));
  description += fmt::format(" (sampler {}: {})", sampler.name, sampler.summary);
}

/// The same measures of another sampler's texts, with names that end in its own. The divergence of a
/// deterministic one is minus its log-probability: all of its probability is on one text. Their floors
/// are of the untrained model by the usual sampler; what held-out text reaches is the ceiling of that
/// alone.
void add_sampler(std::vector<Metric>& list, const SamplerSpec& sampler, bool language, bool curve) {
  std::vector<Metric> own;
  if (language) add_likelihoods(own, sampler.generation == Generation::ancestral);
  if (language && curve && !sampler.deterministic)
    add_matched(own, "log-probability at matched entropy");
  add_varieties(own);
  for (Metric& metric : own) {
    if (metric.name == "generation.reference" || metric.name.starts_with("generation.untrained"))
      continue;
    if (metric.name == "generation.log_probability" && sampler.deterministic)
      metric.better = Better::neither;
    metric.caveat = sampler.caveat;
    note_sampler(sampler, metric.name, metric.label, metric.description);
    if (auto& index = metric.index)
      note_sampler(sampler, index->name, index->label, index->description);
    std::erase_if(metric.bounds, [](const Bound& bound) { return !bound.is_floor(); });
    list.push_back(std::move(metric));
  }
}

std::vector<Metric> metrics(const Params& params, const ProbedArm& arm) {
  std::vector<Metric> list;
  const Generation generation = generation_by(drawing_scheme(arm));
  if (generation == Generation::none) return list;
  const bool ancestral = generation == Generation::ancestral;
  const bool curve = params.has("temperatures");
  if (arm.language) add_likelihoods(list, ancestral);
  if (arm.language && curve) add_matched(list, "log-probability of samples at matched entropy");
  add_varieties(list);
  add_varieties(list, "_held_out", "held-out text", "held-out text");
  for (const SamplerSpec* sampler : chosen_samplers(params, generation))
    add_sampler(list, *sampler, arm.language, curve);
  note_scheme(list, arm);
  return list;
}

std::string refusal(const Params& params, const ProbedArm& arm) {
  if (params.has("infill") && !params.has("samplers"))
    return "'infill' is set without samplers, which fill the blanks; add \"samplers\": "
           "[\"random_order\"]";
  return samplers_refusal(params, generation_by(drawing_scheme(arm)));
}

std::vector<Param> rows() {
  std::vector<Param> params = {
      integer("samples", 64, 1, 1e5, "number of texts to sample"),
      integer("length", 0, 0, 1e5, "maximum tokens of a text; 0: the model's context"),
      number("temperature", 1, 0.05, 5, "temperature of the model's distribution at each draw"),
      optional(integer("top_k", nullptr, 1, 1e6,
                       "draw only from this many of the most probable tokens")),
      optional(number("top_p", nullptr, 1e-6, 1,
                      "draw only from the most probable tokens whose probabilities together just "
                      "reach this; applied after top_k")),
      integer("prompt", 0, 0, 1e5,
              "tokens of a held-out document that each sample continues; the trial's "
              "seed draws the documents"),
      integer("steps", 32, 0, 1e5,
              "rounds of iterative unmasking; 0: one position per round, the most accurate and the "
              "slowest; not used when text is sampled left to right"),
      integer("distinct_tokens", 0, 0, 1e9,
              "number of tokens, the first of the samples, in which distinct n-grams are counted, "
              "the same for every arm; 0: 8 per sample"),
      optional(list("temperatures", nullptr, {number("", nullptr, 0.05, 5, "")}, 20,
                    "further temperatures for every sampler, for its curve of log-probability "
                    "against entropy")),
      optional(section("infill",
                       {integer("documents", 2, 1, 20,
                                "number of held-out documents, the first that are long enough, to "
                                "show with a blank"),
                        integer("tokens", 6, 1, 256, "tokens per blank")},
                       "blanks that every sampler fills, shown side by side in the report; only "
                       "for arms whose format shows both sides"))};
  for (Param& param : sampler_params()) params.push_back(std::move(param));
  return params;
}

/// Every sampler at every temperature reads a text again for each token, or each round; on the language
/// the untrained model draws some, too.
double tokens(const Params& params, const ProbedArm& arm) {
  const Generation generation = generation_by(drawing_scheme(arm));
  if (generation == Generation::none) return 0;
  const auto rounds = static_cast<double>(params.integer("steps"));
  const std::int64_t asked = params.integer("length");
  const auto length = static_cast<double>(asked > 0 ? asked : arm.context);
  const double times = reads_per_token(generation, length, rounds);
  const double curve = params.has("temperatures")
                           ? 1.0 + static_cast<double>(params.list("temperatures").size())
                           : 1;
  const auto samplers =
      static_cast<double>(std::max<std::size_t>(1, chosen_samplers(params, generation).size()));
  const auto texts = static_cast<double>(params.integer("samples"));
  const double untrained = arm.language ? std::min(texts, kUntrainedTexts) : 0;
  return (texts * curve * samplers + untrained) * length * times;
}

}  // namespace

ProbeSpec generation_spec() {
  return {.name = "generation",
          .summary = "text drawn from the model: its probability under the language, its variety",
          .subject = "Generation",
          .params = rows(),
          .metrics = metrics,
          .refusal = refusal,
          .tokens = tokens,
          .version = 7};
}

}  // namespace ablate::probes
