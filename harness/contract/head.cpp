// Finds the kinds of the heads that an objective asks for.

#include "harness/contract/head.h"

#include <fmt/core.h>

#include <stdexcept>

#include "harness/base/find_named.h"

namespace ablate {

Params HeadNeed::settings() const {
  if (spec == nullptr)
    throw std::logic_error(fmt::format("the kind of head '{}' was not looked up", kind));
  return Params(spec->params, params);
}

std::string HeadNeed::metric(std::string_view what) const {
  const Params of_kind = settings();
  if (spec->metric == nullptr)
    throw std::logic_error(fmt::format("a head '{}' after the first has no metrics", kind));
  return spec->metric(of_kind, what);
}

std::string HeadNeed::which() const {
  const Params of_kind = settings();
  if (spec->which == nullptr)
    throw std::logic_error(fmt::format("a head '{}' after the first has no name", kind));
  return spec->which(of_kind);
}

std::vector<HeadNeed> known_heads(std::vector<HeadNeed> needs, std::span<const HeadSpec> heads) {
  for (HeadNeed& need : needs) {
    need.spec = &find_named(heads, "head", need.kind);
    need.traits = need.spec->traits(need.settings());
  }
  return needs;
}

}  // namespace ablate
