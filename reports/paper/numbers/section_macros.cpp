#include "reports/paper/numbers/section_macros.h"

#include <fmt/core.h>

#include <cmath>

#include "reports/paper/numbers/cells.h"
#include "reports/text/latex.h"
#include "reports/text/number.h"

namespace ablate::reports {
namespace {

/// The members that say what an element of a list is about, in the order in which a name has them.
constexpr const char* kAbout[] = {"family", "parameter",  "arm",  "arms",  "layers", "metric",
                                  "along",  "held_equal", "name", "ahead", "behind"};

std::string words_of(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (!value.is_array()) return value.dump();
  std::string words;
  for (const Json& each : value) words += (words.empty() ? "" : " ") + words_of(each);
  return words;
}

/// What an element of a list is about, in words; empty where nothing says so.
std::string about(const Json& element) {
  std::string words;
  for (const char* key : kAbout)
    if (element.contains(key)) words += (words.empty() ? "" : " ") + words_of(element.at(key));
  return words;
}

bool is_interval(const std::string& key, const Json& value) {
  const bool named = key == "ci" || key.starts_with("ci_") || key.ends_with("_ci");
  return named && value.is_array() && value.size() == 2;
}

std::string number_tex(const std::string& key, const Json& number) {
  if (number.is_number_integer()) return number.dump();
  const auto value = number.get<double>();
  if (key == "p" || key.starts_with("p_")) return p_tex(value);
  constexpr double kInFull = 1e7;  // counts, such as parameters
  const bool whole = std::trunc(value) == value && std::abs(value) < kInFull;
  return fmt::format("${}$", formula(whole ? plain_number(value) : significant(value, 4)));
}

Estimate estimate_in(const Json& object) {
  Estimate estimate;
  estimate.mean = object.at("mean").get<double>();
  const Json& ci = object.at("ci");
  if (ci.is_array() && ci.size() == 2 && ci[0].is_number() && ci[1].is_number())
    estimate.interval = {ci[0].get<double>(), ci[1].get<double>()};
  return estimate;
}

class Sections {
 public:
  explicit Sections(const Json& report) : report_(report) {}

  /// Adds the numbers of the part of the document that is at the place of `base`.
  void add(const Macro& base) {
    const Json::json_pointer place(base.source);
    if (report_.contains(place)) add(base, "", report_.at(place));
  }

  std::vector<Macro> macros;

 private:
  void add(const Macro& base, const std::string& key, const Json& value) {
    if (value.is_number())
      macros.push_back({base.name, base.subject, base.source, number_tex(key, value)});
    else if (is_interval(key, value))
      add_interval(base, value);
    else if (value.is_array())
      add_list(base, value);
    else if (value.is_object())
      add_object(base, value);
  }

  void add_interval(const Macro& base, const Json& ends) {
    add(below(base, "low", "0"), "", ends[0]);
    add(below(base, "high", "1"), "", ends[1]);
  }

  void add_list(const Macro& base, const Json& list) {
    for (std::size_t i = 0; i < list.size(); ++i)
      if (list[i].is_object()) add(below(base, about(list[i]), std::to_string(i)), "", list[i]);
  }

  void add_object(const Macro& base, const Json& object) {
    const bool estimated =
        object.contains("mean") && object.at("mean").is_number() && object.contains("ci");
    if (estimated)
      macros.push_back({base.name, base.subject, base.source, estimate_tex(estimate_in(object))});
    for (const auto& [key, value] : object.items())
      add(below(base, key, pointer_key(key)), key, value);
  }

  static Macro below(const Macro& base, const std::string& words, const std::string& key) {
    return {base.name + macro_part(words), base.subject + ", " + words, base.source + "/" + key,
            ""};
  }

  const Json& report_;
};

}  // namespace

std::vector<Macro> section_macros(const std::string& prefix, const Json& report) {
  Sections sections(report);
  for (const char* name : {"sensitivity", "unpaired", "items", "similarity", "declared_trends",
                           "trends", "tasks", "ledger", "speed", "budgets"})
    sections.add({prefix + macro_part(name), name, fmt::format("/{}", name), ""});
  sections.add({prefix + "Overtaking", "overtaking in training", "/dynamics/overtaking", ""});
  return std::move(sections.macros);
}

}  // namespace ablate::reports
