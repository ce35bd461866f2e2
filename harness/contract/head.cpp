// Finds the kinds of the heads that an objective asks for.

#include "harness/contract/head.h"

#include <fmt/core.h>

#include <stdexcept>

#include "harness/base/find_named.h"

namespace ablate {

namespace {

/// The kind of a head after the first.
const HeadSpec& further_kind(const HeadNeed& need) {
  if (need.spec == nullptr || need.spec->metric == nullptr || need.spec->which == nullptr)
    throw std::logic_error(fmt::format(
        "the kind of head '{}' was not looked up, or is none after the first", need.kind));
  return *need.spec;
}

}  // namespace

std::string HeadNeed::metric(std::string_view what) const {
  const HeadSpec& of = further_kind(*this);
  return of.metric(Params(of.params, params), what);
}

std::string HeadNeed::which() const {
  const HeadSpec& of = further_kind(*this);
  return of.which(Params(of.params, params));
}

std::vector<HeadNeed> known_heads(std::vector<HeadNeed> needs, std::span<const HeadSpec> heads) {
  for (HeadNeed& need : needs) {
    need.spec = &find_named(heads, "head", need.kind);
    need.traits = need.spec->traits(Params(need.spec->params, need.params));
  }
  return needs;
}

}  // namespace ablate
