// Lays the families out as text.

#include "harness/plan/describe/description.h"

#include <fmt/format.h>

#include <algorithm>

#include "harness/base/number_text.h"
#include "harness/plan/describe/families.h"

namespace ablate::plan {
namespace {

constexpr std::string_view kColumns = "Settings: name, default, accepted, description\n";

/// What a parameter accepts, in words; empty if any value of its kind is accepted.
std::string accepted(const Param& param) {
  switch (param.kind) {
    case Kind::number:
    case Kind::integer:
      return fmt::format("[{}, {}]  ", plain_number(param.minimum), plain_number(param.maximum));
    case Kind::choice:
      return fmt::format("{}  ", fmt::join(param.choices, "|"));
    case Kind::list:
      return fmt::format("at most {:g}  ", param.maximum);
    default:
      return "";
  }
}

/// The start of a setting's line: its name and `value`, each in its column.
std::string columns(std::string_view name, std::string_view value, const std::string& indent) {
  std::string text = fmt::format("{}{}", indent, name);
  text.resize(std::max<std::size_t>(text.size() + 1, 24), ' ');
  if (value.empty()) return text;
  text += value;
  text.resize(std::max<std::size_t>(text.size() + 2, 38), ' ');
  return text;
}

/// A parameter with its fields below it.
std::string setting_text(const Param& param, const std::string& indent) {
  std::string value;  // a section has none of its own
  if (!param.default_value.is_null())
    value = canonical(param.default_value);
  else if (param.kind != Kind::section)
    value = is_required(param) ? "required" : "optional";
  std::string text = fmt::format("{}{}{}\n", columns(param.name, value, indent), accepted(param),
                                 param.description);
  if (has_fields(param))
    for (const Param& field : param.fields) text += setting_text(field, indent + "  ");
  return text;
}

std::string text_of(const Entry& entry, Setting setting) {
  if (setting != nullptr) return setting_text(*setting, "  ");
  return columns(entry.name, "optional", "  ") + entry.summary + "\n";
}

std::string text_of(const Entry& entry, const MeasuredMetric& measured) {
  const Metric& metric = measured.metric;
  return fmt::format("  {} [{}; better: {}; comparable across {}]\n      {}\n", entry.name,
                     metric.unit, name_of(metric.better), name_of(metric.comparable_across),
                     metric.description);
}

/// The words in lines of at most kLineWidth columns. The first line already has `first` columns;
/// the others are indented by as many.
std::string wrapped(std::string_view words, std::size_t first) {
  constexpr std::size_t kLineWidth = 100;
  std::string text;
  std::size_t column = first;
  while (!words.empty()) {
    const std::string_view word = words.substr(0, words.find(' '));
    words.remove_prefix(std::min(words.size(), word.size() + 1));
    const bool begins = column == first;
    if (!begins && column + 1 + word.size() > kLineWidth) {
      text += "\n" + std::string(first, ' ');
      column = first;
    } else if (!begins) {
      text += ' ';
      ++column;
    }
    text += word;
    column += word.size();
  }
  return text;
}

std::string text_of(const Entry& entry, const Member& member) {
  std::string text = fmt::format("{}: {}\n", entry.name, entry.summary);
  if (const ObjectiveSpec* const spec = member.objective) {
    text += fmt::format("\n{}\n\nSource: {}\n", spec->picture, spec->source);
    for (const std::string_view line : lines_in(spec->differs))
      text += "Differs: " + wrapped(line, 9) + "\n";
  }
  if (!member.params.empty()) text += fmt::format("\n{}", kColumns);
  for (const Param& param : member.params) text += setting_text(param, "  ");
  return text;
}

std::string text_of(const Entry& entry) {
  return std::visit([&](const auto& details) { return text_of(entry, details); }, entry.details);
}

/// The entries of a family in full. Members are separated by an empty line.
std::string text_of(const std::vector<Entry>& family) {
  std::string text;
  for (const Entry& entry : family) {
    if (!text.empty() && std::holds_alternative<Member>(entry.details)) text += "\n";
    text += text_of(entry);
  }
  return text;
}

/// The entries of a family, one line each: name and summary.
std::string overview(std::string_view family, const std::vector<Entry>& entries) {
  std::size_t widest = 0;
  for (const Entry& entry : entries) widest = std::max(widest, entry.name.size());
  std::string text = fmt::format("{}\n", family);
  for (const Entry& entry : entries) {
    std::string name = "  " + entry.name;
    name.resize(widest + 4, ' ');
    text += name + wrapped(entry.summary, name.size()) + "\n";
  }
  return text;
}

/// The line above a family's settings; empty if the family has members instead.
std::string heading(const std::string& family) {
  if (family == "train") return fmt::format("train: how every arm is trained\n\n{}", kColumns);
  if (family == "at")
    return fmt::format("at: when a probe measures on the way, one of these\n\n{}", kColumns);
  if (family == "phases")
    return fmt::format("phases: consecutive stretches of training, a list under train\n\n{}",
                       kColumns);
  return "";
}

}  // namespace

std::string description(const Catalog& catalog, const std::string& name) {
  const Families families = families_of(catalog);
  if (!name.empty()) {
    const auto [family, entry] = find_named(families, name);
    return family != nullptr ? heading(name) + text_of(*family) : text_of(*entry);
  }
  std::string text;
  for (const std::string_view family : described_families())
    text += overview(family, families.at(family));
  return text + "\n`ablate describe NAME` tells more about one of them.\n";
}

}  // namespace ablate::plan
