// Joins the heads of objectives that train one network.

#include "harness/plan/resolve/join_heads.h"

#include <fmt/core.h>

#include <algorithm>

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

/// The head that takes the targets of all of them, if one has such a head: what a network predicts
/// tokens by, and so the first of its heads. Returns why they do not agree on it; empty if they do.
std::string add_target_head(std::span<Needs* const> needs, std::vector<HeadNeed>& all) {
  for (const Needs* each : needs) {
    const std::optional<std::size_t> part = each->target_part();
    if (!part) continue;
    const HeadNeed& head = each->heads[*part];
    if (all.empty()) all.push_back(head);
    if (!same_head(all.front(), head))
      return fmt::format(
          "their heads of tokens differ ({} with {}, {} with {}), and all phases of an arm train "
          "one network; choose objectives with the same head",
          all.front().kind, canonical(all.front().params), head.kind, canonical(head.params));
  }
  return "";
}

}  // namespace

std::string join_heads(std::span<Needs* const> needs) {
  std::vector<HeadNeed> all;
  if (std::string differ = add_target_head(needs, all); !differ.empty()) return differ;
  for (Needs* each : needs) {
    std::vector<bool> taken(all.size());
    each->parts.clear();
    for (const HeadNeed& need : each->heads) each->parts.push_back(join(need, all, taken));
  }
  const auto fills = [](const HeadNeed& head) { return head.traits.fills; };
  if (std::ranges::count_if(all, fills) > 1)
    return "their generators differ, and all phases of an arm train one network, which has one "
           "generator; choose the same settings of it";
  const bool inner = std::ranges::any_of(needs, &Needs::inner_positions);
  for (Needs* each : needs) {
    each->inner_positions = inner;
    std::vector<HeadNeed> heads = all;
    for (HeadNeed& head : heads) head.scored = false;
    for (std::size_t own = 0; own < each->parts.size(); ++own)
      heads[each->parts[own]] = each->heads[own];
    each->heads = std::move(heads);
  }
  return "";
}

}  // namespace ablate::plan
