#include "experiments/worker/reference_model.h"

#include <algorithm>

#include "experiments/catalog.h"
#include "harness/plan/resolve/built_objective.h"
#include "models/registry.h"

namespace ablate::worker {
namespace {

// How likely a text is, is what is asked, and what causal LM is trained to say: its loss is -log p(text)
// itself, with no bound and no order to draw. Every build has a transformer, which hosts it. Neither
// follows the experiment: all arms of all experiments on a corpus are measured by the same model, and
// it is stored under a key that does not name them. Whoever changes one of these raises the version of
// what is stored (kJudgeVersion in harness/probes/text_quality/judge.cpp).
constexpr std::string_view kReferenceObjective = "causal_lm";
constexpr std::string_view kReferenceBackbone = "transformer";
constexpr std::int64_t kReferenceHeadWidth = 32;

}  // namespace

probes::ReferenceModel reference_model(const Vocabulary& vocabulary, std::int64_t width,
                                       std::int64_t depth, std::int64_t context,
                                       const std::string& device) {
  const ObjectiveSpec& objective = catalog().objective(kReferenceObjective);
  const BackboneSpec& backbone = catalog().backbone(kReferenceBackbone);
  probes::ReferenceModel made;
  made.objective = plan::default_objective(objective, {vocabulary, context});
  train::NetworkSettings settings;
  settings.model =
      Params(backbone.params, {{"width", width},
                               {"depth", depth},
                               {"heads", std::max<std::int64_t>(1, width / kReferenceHeadWidth)},
                               {"context", context}});
  settings.hosting = {vocabulary, made.objective.needs, {context, 0}};
  settings.device = device;
  made.network = models::build_network(kReferenceBackbone, settings);
  return made;
}

}  // namespace ablate::worker
