// Pairing objectives with backbones.

#include "tests/bench/hosted.h"

#include "harness/plan/resolve/pair.h"
#include "models/specs/head_specs.h"

namespace ablate::bench {
namespace {

Params model_of(const BackboneSpec& backbone) {
  return Params(backbone.params, {{"depth", kHostedDepth},
                                  {"width", kHostedWidth},
                                  {"heads", 4},
                                  {"context", kHostedContext}});
}

Objective adapted(Objective objective, const BackboneSpec& backbone) {
  objective.needs = plan::hosted(objective.needs, backbone.offer, models::head_specs());
  return objective;
}

}  // namespace

const World& world() {
  static const World made;
  return made;
}

Objective with_defaults(const ObjectiveSpec& spec, Token ordinary, std::int64_t length) {
  const Params params(spec.params, Json::object());
  Context context{{.ordinary = ordinary}, length};
  context.vocabulary.sentinels = static_cast<Token>(spec.build(params, context).needs.sentinels);
  return spec.build(params, context);
}

std::string hosting_refusal(const ObjectiveSpec& spec, const BackboneSpec& backbone) {
  const Objective objective = with_defaults(spec, 64, kHostedContext);
  std::string refusal = plan::mismatch(objective.needs, backbone.offer, models::head_specs());
  if (refusal.empty() && backbone.cannot_host != nullptr)
    refusal = backbone.cannot_host(model_of(backbone), objective.needs);
  return refusal;
}

Hosted::Hosted(const ObjectiveSpec& spec, const BackboneSpec& on, data::Packing packing)
    : backbone(on),
      vocabulary{.ordinary = world().content.ordinary},
      objective(adapted(with_defaults(spec, vocabulary.ordinary, kHostedContext), on)),
      batches(world().held_out, objective,
              {.packing = packing, .rows = kHostedRows, .context = kHostedContext}) {
  vocabulary.sentinels = static_cast<Token>(objective.needs.sentinels);
}

std::unique_ptr<train::Network> Hosted::network(std::int64_t lanes, bool bfloat16) const {
  train::NetworkSettings settings;
  settings.model = model_of(backbone);
  settings.hosting = {vocabulary, objective.needs, batches.shape()};
  settings.lanes = lanes;
  settings.bfloat16 = bfloat16;
  auto network = models::build_network(backbone.name, settings);
  train::initialise(*network, std::vector<std::uint64_t>(static_cast<std::size_t>(lanes), 1));
  return network;
}

}  // namespace ablate::bench
