// Checks the keys, name, paths and sweep of an entry of "arms".

#include "harness/plan/read/arm_entry.h"

#include <fmt/core.h>

#include <algorithm>

#include "harness/base/names.h"
#include "harness/base/utf8.h"
#include "harness/plan/file/candidates.h"
#include "harness/plan/file/sections.h"

namespace ablate::plan {
namespace {

constexpr std::string_view kEntryKeys[] = {"name", "label", "set", "grid", "zip", "list"};

/// Checks the form of one entry.
class EntryCheck {
 public:
  EntryCheck(const Sources& sources, std::string pointer, Faults& faults)
      : sources_(sources), at_(std::move(pointer)), faults_(faults) {}

  bool run(const Json& entry) {
    if (!entry.is_object())
      return refuse(at_, "an arm must be an object with a \"name\"",
                    fmt::format("write {{\"name\": {}, \"set\": {{\"objective.type\": ...}}}}",
                                entry.is_string() ? canonical(entry).substr(0, 80) : "\"NAME\"")),
             false;
    for (const auto& [key, value] : entry.items())
      if (std::find(std::begin(kEntryKeys), std::end(kEntryKeys), key) == std::end(kEntryKeys))
        refuse_key(at_ + "/" + key, fmt::format("an arm has no \"{}\"", key),
                   suggestion(key, kEntryKeys, "accepted", '"'));
    check_name(entry);
    if (entry.contains("label")) check_label(entry["label"]);
    if (entry.contains("set") && object(entry["set"], "/set")) check_paths(entry["set"], "/set");
    if (entry.contains("grid") && object(entry["grid"], "/grid")) check_grid(entry["grid"]);
    if (entry.contains("zip") && object(entry["zip"], "/zip")) check_zip(entry["zip"]);
    if (entry.contains("list")) check_list(entry["list"]);
    return good_;
  }

 private:
  void refuse(const std::string& pointer, std::string message, std::string hint = "") {
    faults_.add(sources_.value_at(pointer), std::move(message), std::move(hint));
    good_ = false;
  }

  void refuse_key(const std::string& pointer, std::string message, std::string hint) {
    faults_.add(sources_.key_at(pointer), std::move(message), std::move(hint));
    good_ = false;
  }

  bool object(const Json& value, const std::string& part) {
    if (value.is_object()) return true;
    return refuse(at_ + part,
                  fmt::format("{} must be an object of the form {{path: value}}", part.substr(1))),
           false;
  }

  void check_name(const Json& entry) {
    if (!entry.contains("name")) return refuse(at_, "an arm needs a \"name\"");
    if (!entry["name"].is_string() || !is_name(entry["name"].get_ref<const std::string&>()))
      refuse(at_ + "/name",
             fmt::format("{} is not a name of an arm", canonical(entry["name"]).substr(0, 80)),
             name_rule(entry["name"].is_string() ? entry["name"].get<std::string>() : ""));
  }

  void check_label(const Json& label) {
    const auto control = [](unsigned char c) { return c < 0x20 || c == 0x7f; };
    const std::string text = label.is_string() ? label.get<std::string>() : "";
    if (text.empty() || characters(text) > kMaxLabel ||
        std::any_of(text.begin(), text.end(), control))
      refuse(at_ + "/label",
             fmt::format("{} is not a label of an arm", canonical(label).substr(0, 80)),
             fmt::format("a label is one line of 1 to {} characters", kMaxLabel));
  }

  void check_paths(const Json& object, const std::string& part) {
    for (const auto& [path, value] : object.items()) {
      const std::string section = path.substr(0, path.find('.'));
      if (faults_.full()) return;
      const std::string pointer = at_ + part + "/" + path;
      if (section == "corpus") {
        refuse_key(
            pointer, "an arm cannot set " + path,
            "all arms of an experiment share one corpus, so that differences are paired; write "
            "one experiment per corpus");
      } else if (std::find(std::begin(kArmSections), std::end(kArmSections), section) ==
                 std::end(kArmSections)) {
        refuse_key(pointer, fmt::format("an arm cannot set '{}'", path.substr(0, 80)),
                   suggestion(section, kArmSections, "paths start with one of"));
      } else if (path.back() == '.' || path.find("..") != path.npos) {
        refuse(pointer, fmt::format("'{}' is not a path", path.substr(0, 80)),
               "paths are like objective.rate");
      }
    }
  }

  void check_grid(const Json& grid) {
    check_paths(grid, "/grid");
    for (const auto& [path, given] : grid.items())
      if (std::string wrong = refusal_of_candidates(given); !wrong.empty())
        refuse(at_ + "/grid/" + path, std::move(wrong),
               "put a value that is a list inside another list");
  }

  void check_zip(const Json& zip) {
    check_paths(zip, "/zip");
    for (const auto& [path, values] : zip.items()) {
      const std::string pointer = at_ + "/zip/" + path;
      if (!values.is_array() || values.empty())
        refuse(pointer, "zip needs a list of values for each path");
      else if (zip.begin()->is_array() && values.size() != zip.begin()->size())
        refuse(pointer,
               fmt::format("{} has {} values and {} has {}", path, values.size(), zip.begin().key(),
                           zip.begin()->size()),
               "zipped lists must have the same length");
    }
  }

  void check_list(const Json& rows) {
    if (!rows.is_array() || rows.empty())
      return refuse(at_ + "/list", "list must be a list of objects of the form {path: value}");
    for (std::size_t i = 0; i < rows.size() && !faults_.full(); ++i) {
      const std::string part = fmt::format("/list/{}", i);
      if (!rows[i].is_object() || rows[i].empty())
        refuse(at_ + part, "a row of a list must be an object of the form {path: value}");
      else
        check_paths(rows[i], part);
    }
  }

  const Sources& sources_;
  const std::string at_;
  Faults& faults_;
  bool good_ = true;
};

}  // namespace

bool check_entry(const Sources& sources, const std::string& pointer, const Json& entry,
                 Faults& faults) {
  return EntryCheck(sources, pointer, faults).run(entry);
}

}  // namespace ablate::plan
