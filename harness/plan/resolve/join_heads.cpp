// Joins the heads of objectives that train one network.

#include "harness/plan/resolve/join_heads.h"

#include <fmt/core.h>

namespace ablate::plan {
namespace {

/// Whether one head can serve both.
bool same_head(const HeadNeed& a, const HeadNeed& b) {
  return a.kind == b.kind && a.settings().json() == b.settings().json();
}

/// Adds a head to those of a network unless it is among those that no other head of its objective has
/// taken; returns its number.
std::size_t join(const HeadNeed& need, std::vector<HeadNeed>& all, std::vector<bool>& taken) {
  for (std::size_t part = 0; part < taken.size(); ++part)
    if (!taken[part] && same_head(all[part], need)) {
      taken[part] = true;
      return part;
    }
  all.push_back(need);
  taken.push_back(true);
  return all.size() - 1;
}

}  // namespace

std::string join_heads(std::span<Needs* const> needs) {
  std::vector<HeadNeed> all;
  for (Needs* each : needs) {
    if (!all.empty() && !same_head(all.front(), each->heads.front()))
      return fmt::format(
          "their first heads differ ({} with {}, {} with {}), and all phases of an arm train one "
          "network; choose objectives with the same first head",
          all.front().kind, canonical(all.front().params), each->heads.front().kind,
          canonical(each->heads.front().params));
    std::vector<bool> taken(all.size());
    each->parts.clear();
    for (const HeadNeed& need : each->heads) each->parts.push_back(join(need, all, taken));
  }
  for (Needs* each : needs) {
    std::vector<HeadNeed> heads = all;
    for (HeadNeed& head : heads) head.scored = false;
    for (std::size_t own = 0; own < each->parts.size(); ++own)
      heads[each->parts[own]] = each->heads[own];
    each->heads = std::move(heads);
  }
  return "";
}

}  // namespace ablate::plan
