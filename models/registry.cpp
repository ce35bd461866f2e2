// The builders, one a backbone, in the order of models/specs.cpp.

#include "models/registry.h"

#include <map>

#include "harness/base/names.h"
#include "models/encoder_decoder.h"
#include "models/transformer.h"

namespace ablate::models {
namespace {

template <class Backbone>
std::unique_ptr<train::Network> build(const train::NetworkSettings& settings) {
  return std::make_unique<Backbone>(settings);
}

const std::map<std::string_view, train::NetworkBuilder>& builders() {
  static const std::map<std::string_view, train::NetworkBuilder> all = {
      {"decoder", build<Transformer>},
      {"encoder", build<Transformer>},
      {"encoder_decoder", build<EncoderDecoder>},
      {"prefix_decoder", build<Transformer>},
      {"transformer", build<Transformer>},
  };
  return all;
}

}  // namespace

const train::NetworkBuilder& network_builder(std::string_view name) {
  const auto found = builders().find(name);
  if (found != builders().end()) return found->second;
  std::vector<std::string_view> names;
  for (const auto& [known, builder] : builders()) names.push_back(known);
  reject("no backbone is named '", name, "'; there are: ", listed(names), "; the nearest is '",
         closest_match(name, names), "'");
}

std::unique_ptr<train::Network> build_network(std::string_view name,
                                              const train::NetworkSettings& settings) {
  return network_builder(name)(settings);
}

}  // namespace ablate::models
