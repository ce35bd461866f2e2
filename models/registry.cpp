// The builders, one for each line of models/specs/backbones.inc.

#include "models/registry.h"

#include <fmt/ranges.h>

#include <map>
#include <vector>

#include "harness/base/error.h"
#include "harness/base/names.h"
#include "models/specs/backbones.inc"

namespace ablate::models {

#define ABLATE_DECLARE(name, network) \
  std::unique_ptr<train::Network> build_##network(const train::NetworkSettings& settings);
ABLATE_BACKBONES(ABLATE_DECLARE)
#undef ABLATE_DECLARE

namespace {

const std::map<std::string_view, train::NetworkBuilder>& builders() {
#define ABLATE_ROW(name, network) {#name, build_##network},
  static const std::map<std::string_view, train::NetworkBuilder> all = {
      ABLATE_BACKBONES(ABLATE_ROW)};
#undef ABLATE_ROW
  return all;
}

}  // namespace

const train::NetworkBuilder& network_builder(std::string_view name) {
  const auto found = builders().find(name);
  if (found != builders().end()) return found->second;
  std::vector<std::string_view> names;
  for (const auto& [known, builder] : builders()) names.push_back(known);
  reject("no backbone is named '{}'; {}there are: {}", name, the_closest(name, names),
         fmt::join(names, ", "));
}

std::unique_ptr<train::Network> build_network(std::string_view name,
                                              const train::NetworkSettings& settings) {
  return network_builder(name)(settings);
}

}  // namespace ablate::models
