// Lays the JSON of describe() out as text.

#include "harness/plan/describe/description.h"

#include <fmt/core.h>

#include <algorithm>

#include "harness/plan/describe/describe.h"

namespace ablate::plan {
namespace {

std::string setting(const Json& row, const std::string& indent) {
  std::string text = fmt::format("{}{}", indent, row["name"].get<std::string>());
  text.resize(std::max<std::size_t>(text.size() + 1, 24), ' ');
  if (row["kind"] == "section") {
    text += row["meaning"].get<std::string>() + "\n";
    for (const Json& field : row["params"]) text += setting(field, indent + "  ");
    return text;
  }
  if (row.contains("default"))
    text += canonical(row["default"]);
  else
    text += row["required"] ? "required" : "optional";
  text.resize(std::max<std::size_t>(text.size() + 2, 38), ' ');
  if (row.contains("range"))
    text +=
        fmt::format("[{:g}, {:g}]  ", row["range"][0].get<double>(), row["range"][1].get<double>());
  if (row.contains("choices"))
    for (const Json& choice : row["choices"])
      text += (choice == row["choices"][0] ? "" : "|") + choice.get<std::string>();
  if (row.contains("choices")) text += "  ";
  if (row.contains("most")) text += fmt::format("at most {:g}  ", row["most"].get<double>());
  text += row["meaning"].get<std::string>() + "\n";
  if (row["kind"] == "list" && row.contains("params"))
    for (const Json& field : row["params"]) text += setting(field, indent + "  ");
  return text;
}

std::string metric_text(const Json& metric) {
  return fmt::format(
      "  {} [{}; better: {}; comparable across {}]\n      {}\n", metric["name"].get<std::string>(),
      metric["unit"].get<std::string>(), metric["better"].get<std::string>(),
      metric["comparable_across"].get<std::string>(), metric["meaning"].get<std::string>());
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

std::string member_text(const Json& member) {
  if (member.contains("unit")) return metric_text(member);
  std::string text = fmt::format("{}: {}\n", member["name"].get<std::string>(),
                                 member["summary"].get<std::string>());
  if (member.contains("picture")) text += "\n" + member["picture"].get<std::string>() + "\n";
  if (member.contains("source")) text += "\nSource: " + member["source"].get<std::string>() + "\n";
  if (member.contains("differs"))
    for (const Json& line : member["differs"])
      text += "Differs: " + wrapped(line.get_ref<const std::string&>(), 9) + "\n";
  if (!member["params"].empty()) text += "\nSettings: name, default, accepted, description\n";
  for (const Json& row : member["params"]) text += setting(row, "  ");
  return text;
}

/// The members of a family, one line each: name and summary.
std::string family_text(std::string_view family, const Json& families) {
  const Json& members = families[std::string(family)];
  std::size_t widest = 0;
  for (const Json& member : members)
    widest = std::max(widest, member["name"].get_ref<const std::string&>().size());
  std::string text = fmt::format("{}\n", family);
  for (const Json& member : members) {
    std::string name = "  " + member["name"].get<std::string>();
    name.resize(widest + 4, ' ');
    text +=
        name + wrapped(member.value("summary", member.value("meaning", "")), name.size()) + "\n";
  }
  return text;
}

}  // namespace

std::string description(const Catalog& catalog, const std::string& name) {
  const Json found = describe(catalog, name);
  if (name == "train" || name == "phases") {
    std::string text = fmt::format("{}\n\nSettings: name, default, accepted, description\n",
                                   name == "train" ? "train: how every arm is trained"
                                                   : "phases: consecutive stretches of training, "
                                                     "a list under train");
    for (const Json& row : found) text += setting(row, "  ");
    return text;
  }
  if (found.contains("name")) return member_text(found);
  if (found.is_array()) {
    std::string text;
    for (const Json& member : found)
      text += (text.empty() || member.contains("unit") ? "" : "\n") + member_text(member);
    return text;
  }
  std::string text;
  for (const std::string_view family : described_families()) text += family_text(family, found);
  return text + "\n`ablate describe NAME` tells more about one of them.\n";
}

}  // namespace ablate::plan
