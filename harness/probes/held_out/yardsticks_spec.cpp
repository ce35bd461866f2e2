#include "harness/probes/held_out/yardsticks_spec.h"

#include <fmt/core.h>

#include <utility>

#include "harness/probes/label_words.h"

namespace ablate::probes {
namespace {

/// What follows the quantity in labels; a setting without words of its own has the name of a
/// mixture's member, and is read as by that.
std::string label_of(const std::string& setting) {
  constexpr std::pair<std::string_view, std::string_view> kSettings[] = {
      {"at_15", " at a masking rate of 15 %"},
      {"in_any_order", " in any order"},
      {"in_text_order", " in text order"},
      {"left_to_right", " from left to right"},
      {"nsp", " for NSP"},
      {"sop", " for SOP"}};
  for (const auto& [name, label] : kSettings)
    if (setting == name) return std::string(label);
  std::string member = as_words(setting);
  if (const std::size_t lm = member.find(" lm"); lm != std::string::npos)
    member.replace(lm, 3, " LM");
  return " of " + member;
}

}  // namespace

std::vector<Yardstick> yardsticks(const ObjectiveSpec& objective, const Params& params) {
  std::vector<Yardstick> all;
  for (const CommonSetting& setting : common_settings_of(objective, params))
    all.push_back({.name = setting.name,
                   .label = label_of(setting.name),
                   .where = fmt::format(", with the objective at {}, whatever the arm was trained "
                                        "with",
                                        canonical(setting.params)),
                   .params = Params(objective.params, setting.params),
                   .of_heads = setting.of_heads});
  if (held_out_params(objective, params).json() != params.json())
    all.push_back({"as_trained", " (read as in training)",
                   ", where held-out text is read as in training", params, true});
  return all;
}

}  // namespace ablate::probes
