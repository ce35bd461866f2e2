// Prompts that every arm answers, side by side in the report.

#include "harness/base/error.h"
#include "harness/probes/cloze/orders_spec.h"
#include "harness/probes/generation/drawing/scheme_spec.h"
#include "harness/probes/members.h"
#include "harness/probes/prompts/asking_spec.h"

namespace ablate::probes {
namespace {

/// None: what is filled in is to be read, not to be averaged.
std::vector<Metric> metrics(const Params&, const ProbedArm&) { return {}; }

std::string refusal(const Params& params, const ProbedArm&) {
  if (params.list("texts").empty() && params.integer("documents") == 0)
    return "it has nothing to ask; give \"texts\", or \"documents\" above 0";
  return "";
}

/// Adds the ids around the blanks of each text, "parts". A space before a blank is in the blank where
/// tokens are pieces of words, as `ablate try` has it.
Json prepare(const Params& settings, const Preparation& preparation) {
  Json prepared = settings.json();
  const Json& texts = settings.list("texts");
  if (texts.empty()) return prepared;
  const data::Corpus corpus = data::Corpus::open(preparation.corpus);
  const Encode encode = encoder_of(corpus, preparation.tokenizer);
  Json all = Json::array();
  for (const Json& text : texts)
    all.push_back(parts_of(as_asked(corpus, text.get<std::string>()), encode));
  prepared["parts"] = std::move(all);
  return prepared;
}

double tokens(const Params& params, const ProbedArm& arm) {
  const auto questions =
      static_cast<std::int64_t>(params.list("texts").size()) + params.integer("documents");
  const auto fillings = static_cast<double>(questions * (1 + params.integer("samples")));
  return fillings * reads_to_fill(arm, static_cast<double>(arm.context),
                                  static_cast<double>(params.integer("tokens"))) +
         tokens_of_orders(arm);
}

}  // namespace

ProbeSpec prompts_spec() {
  return {
      .name = "prompts",
      .summary = "the same prompts put to every arm and shown side by side in the report",
      .params =
          {list("texts", Json::array(),
                {text("", nullptr, "a text with blanks (___), or a text to continue")}, 20,
                "texts put to every arm; on the built-in language, words such as \"w1 w2 ___ w3\""),
           integer("documents", 2, 0, 20,
                   "number of held-out documents to ask about as well, the first that are long "
                   "enough, with a blank after their first third"),
           integer("tokens", 6, 1, 256, "maximum tokens per blank"),
           integer("samples", 1, 0, 10,
                   "number of fillings sampled, besides the most probable one"),
           number("temperature", 1, 0.05, 5, "temperature of the sampled fillings"),
           integer("top", 5, 1, 20, "how many of the most probable first tokens to show")},
      .metrics = metrics,
      .refusal = refusal,
      .tokens = tokens,
      .prepare = prepare,
      .version = 3};
}

}  // namespace ablate::probes
