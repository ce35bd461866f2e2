// Looks the members up in the registry, and joins what they need.

#include "objectives/common/mixing/members.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <tuple>

#include "harness/base/error.h"
#include "harness/base/names.h"

namespace ablate::objectives {
namespace {

void check(const MixtureMember& member) {
  if (member.spec->name == "mixture")
    reject("mixture: a member is a mixture itself; list its members instead");
  if (member.spec->reversed)
    reject(
        "mixture: the texts of {} are read from their ends; train it alone, or in a phase of its "
        "own",
        member.name);
  const bool further =
      member.spec->further_heads && !member.spec->further_heads(member.params).empty();
  if (further)
    reject(
        "mixture: {} has several heads, and a member of a mixture has one; choose another member, "
        "or "
        "other settings of it",
        member.name);
}

/// The index of the first of the heads that is the same as this one; their number where none is.
std::ptrdiff_t place_among(const std::vector<HeadNeed>& heads, const HeadNeed& own) {
  const auto same = [&](const HeadNeed& other) {
    return other.kind == own.kind && other.params == own.params &&
           other.coefficient == own.coefficient;
  };
  return std::ranges::find_if(heads, same) - heads.begin();
}

/// Whether the member compares places, wherever they stand, so that it has no targets to align.
bool compares_places(const MixtureMember& member, const Objective& objective) {
  return !member.predicts_tokens() && bool(objective.step_context_free);
}

/// The alignment of all members that have one. Refuses members of which one reads the token where another
/// predicts it.
Alignment joined_alignment(const std::vector<MixtureMember>& members,
                           const std::vector<Objective>& objectives) {
  const auto in_place = [&](std::size_t i) {
    return objectives[i].needs.alignment == Alignment::in_place;
  };
  std::size_t first = 0;
  while (!members[first].predicts_tokens()) ++first;
  for (std::size_t i = 0; i < members.size(); ++i)
    if (in_place(i) != in_place(first) && !compares_places(members[i], objectives[i]))
      reject(
          "mixture: {} predicts each token at its own place, and {} at the place before it, but "
          "members share one head; set readout of masked_lm to \"next\"",
          members[in_place(i) ? i : first].name, members[in_place(i) ? first : i].name);
  return objectives[first].needs.alignment;
}

}  // namespace

std::vector<MixtureMember> members_of(const Params& params,
                                      std::span<const ObjectiveSpec> objectives) {
  std::vector<MixtureMember> members;
  for (Json own : params.list("members")) {
    const auto type = own.at("type").get<std::string>();
    const ObjectiveSpec& spec = *std::ranges::find(objectives, type, &ObjectiveSpec::name);
    own.erase("type");
    const auto same = std::ranges::count(members, &spec, &MixtureMember::spec);
    std::string name(spec.name);
    if (same > 0) name += fmt::format("_{}", same + 1);
    members.push_back({std::move(name), &spec, Params(spec.params, own)});
    check(members.back());
  }
  if (members.empty()) reject("mixture: it has no members; list at least one");
  if (std::ranges::none_of(members, &MixtureMember::predicts_tokens))
    reject("mixture: none of its members predicts tokens; add one that does, or train {} alone",
           members.front().name);
  return members;
}

std::vector<HeadNeed> further_heads_of(const std::vector<MixtureMember>& members) {
  std::vector<HeadNeed> heads;
  for (const MixtureMember& member : members) {
    if (member.predicts_tokens()) continue;
    HeadNeed own = member.spec->first_head(member.params);
    if (place_among(heads, own) == std::ssize(heads)) heads.push_back(std::move(own));
  }
  return heads;
}

std::int32_t head_of_labels(const std::vector<MixtureMember>& members, std::size_t member) {
  if (members[member].predicts_tokens()) return 0;
  const HeadNeed own = members[member].spec->first_head(members[member].params);
  return static_cast<std::int32_t>(place_among(further_heads_of(members), own)) + 1;
}

std::size_t asked_member(const Params& params, const std::vector<MixtureMember>& members) {
  if (params.has("asked_as")) {
    const std::string& name = params.text("asked_as");
    const auto found = std::ranges::find(members, name, &MixtureMember::name);
    if (found != members.end() && !found->predicts_tokens())
      reject("mixture: asked_as is \"{}\", which predicts no tokens; name another member", name);
    if (found != members.end()) return static_cast<std::size_t>(found - members.begin());
    std::vector<std::string_view> names;
    names.reserve(members.size());
    for (const MixtureMember& member : members) names.push_back(member.name);
    reject("mixture: no member is named '{}'{} there are: {}", name, did_you_mean(name, names),
           fmt::join(names, ", "));
  }
  const Shares shares = shares_of(params, members.size());
  const auto rank = [&](std::size_t i) {
    const bool asked = cloze_format_of(*members[i].spec, members[i].params) != ClozeFormat::none;
    return std::tuple(members[i].predicts_tokens(), asked, shares.mean(i));
  };
  std::size_t best = 0;
  for (std::size_t i = 1; i < members.size(); ++i)
    if (rank(best) < rank(i)) best = i;
  return best;
}

Json alone(const MixtureMember& member) {
  Json own = member.params.json();
  own["type"] = member.spec->name;
  return {{"members", Json::array({std::move(own)})}};
}

Needs joined_needs(const std::vector<MixtureMember>& members,
                   const std::vector<Objective>& objectives) {
  Needs joined;
  joined.alignment = joined_alignment(members, objectives);
  std::size_t first = 0;
  while (!members[first].predicts_tokens()) ++first;
  joined.heads = objectives[first].needs.heads;
  for (std::size_t i = first + 1; i < members.size(); ++i)
    if (members[i].predicts_tokens() &&
        objectives[i].needs.heads.front().kind != joined.heads.front().kind)
      reject(
          "mixture: {} and {} predict tokens by unlike heads, and members share one; give both the "
          "same "
          "loss",
          members[first].name, members[i].name);
  for (HeadNeed& head : further_heads_of(members)) joined.heads.push_back(std::move(head));
  joined.reads = false;
  for (std::size_t i = 0; i < members.size(); ++i) {
    const Needs& own = objectives[i].needs;
    joined.attention = std::max(joined.attention, own.attention);
    // What is in place alone is refused where less is shown, and must be as a member of a continuation.
    joined.attention_least =
        std::max({joined.attention_least, own.attention_least,
                  compares_places(members[i], objectives[i]) ? own.attention : Attention::causal});
    joined.unit = std::max(joined.unit, own.unit);
    joined.sentinels = std::max(joined.sentinels, own.sentinels);
    joined.reads = joined.reads || own.reads;
    joined.one_stack = joined.one_stack || !own.reads;
    joined.two_intervals = joined.two_intervals || own.two_intervals;
    joined.inner_positions = joined.inner_positions || own.inner_positions;
  }
  for (std::size_t i = 0; i < members.size(); ++i)
    if (objectives[i].needs.reads && objectives[i].needs.attention < joined.attention)
      reject(
          "mixture: the inputs of {} must not see what follows them, and those of another member "
          "do; leave one of them out",
          members[i].name);
  return joined;
}

}  // namespace ablate::objectives
