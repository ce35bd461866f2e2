#include "harness/probes/fine_tuning/shared_floor.h"

#include <ATen/Version.h>
#include <ATen/core/Tensor.h>
#include <fmt/core.h>

#include "harness/base/files.h"
#include "harness/base/json/kept_json.h"
#include "harness/base/sha256.h"
#include "harness/plan/resolve/pair.h"

namespace ablate::probes {
namespace {

/// A hash of the program, of LibTorch and of the instructions that it uses here: others may round
/// differently.
const std::string& program_of_floor() {
  static const std::string hash = sha256(read_file("/proc/self/exe") + at::show_config());
  return hash;
}

std::string hash_of_weights(train::Network& network) {
  std::string bytes;
  for (const train::Parameter& parameter : network.parameters()) {
    const at::Tensor values = parameter.value.detach().cpu().contiguous();
    bytes += parameter.name + '\0';
    bytes.append(static_cast<const char*>(values.data_ptr()), values.nbytes());
  }
  return sha256(bytes);
}

Json identity_of(const LabelledDocuments& split) {
  std::string bytes;
  for (const std::vector<Token>& document : split.documents)
    bytes.append(reinterpret_cast<const char*>(document.data()), document.size() * sizeof(Token));
  bytes.append(reinterpret_cast<const char*>(split.labels.data()), split.labels.size_bytes());
  return {sha256(bytes), split.documents.size()};
}

Json identity_of(const Recipe& recipe) {
  const FineTuneSettings& settings = recipe.settings;
  Json lanes = Json::array();
  for (const TuningLane& lane : settings.lanes) lanes.push_back({lane.learning_rate, lane.seed});
  return {{"rates", recipe.rates},
          {"seeds", recipe.seeds},
          {"lanes", std::move(lanes)},
          {"classes", settings.classes},
          {"epochs", settings.epochs},
          {"batch", settings.batch},
          {"mean", settings.mean},
          {"attention", static_cast<int>(settings.reading.attention)},
          {"reversed", settings.reading.reversed}};
}

/// Everything that the result depends on.
Json identity_of(const Subject& subject, train::Network& initial, const Recipe& recipe,
                 const ReadSplit& read) {
  const Needs& needs = subject.phase.objective.needs;
  return {{"program", program_of_floor()},
          {"device", subject.device},
          {"backbone", subject.model.backbone->name},
          {"model", subject.model.params.json()},
          {"needs", plan::built_for(needs)},
          {"weights", hash_of_weights(initial)},
          {"recipe", identity_of(recipe)},
          {"documents",
           {identity_of(read(Split::training)), identity_of(read(Split::development)),
            identity_of(read(Split::test))}}};
}

Json json_of(const FineTuned& result) {
  return {{"accuracy", result.accuracy},   {"macro_f1", result.macro_f1},
          {"deviation", result.deviation}, {"rate", result.rate},
          {"by_rate", result.by_rate},     {"right", result.right}};
}

FineTuned result_in(const Json& kept) {
  return {.accuracy = kept.at("accuracy"),
          .macro_f1 = kept.at("macro_f1"),
          .deviation = kept.at("deviation"),
          .rate = kept.at("rate"),
          .by_rate = kept.at("by_rate"),
          .right = kept.at("right")};
}

}  // namespace

FineTuned shared_floor(const Subject& subject, train::Network& initial, const Recipe& recipe,
                       const ReadSplit& read, const std::function<FineTuned()>& make) {
  if (subject.cache.empty()) return make();
  const Json identity = identity_of(subject, initial, recipe, read);
  const std::filesystem::path file =
      subject.cache / fmt::format("floor-{}.json", sha256(identity.dump()).substr(0, 32));
  const Json kept = kept_json(file, identity);
  if (!kept.is_null()) return result_in(kept);
  FineTuned made = make();
  keep_json(file, identity, json_of(made));
  return made;
}

}  // namespace ablate::probes
