// Parses --set, --arm, --only and --drop, and checks --set against the experiment.

#include "harness/plan/file/overrides.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "harness/base/names.h"
#include "harness/plan/file/sweep.h"

namespace ablate::plan {
namespace {

constexpr std::string_view kSettable[] = {"corpus", "model",    "train",   "objective", "baseline",
                                          "seeds",  "match",    "probes",  "analysis",  "tuning",
                                          "limits", "question", "launcher"};

Place place_of(const std::string& flag) { return {.flag = flag, .rank = Sources::kMaxFiles}; }

/// The parts of a text between commas, except commas inside brackets or quotes.
std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> parts(1);
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"' && (i == 0 || text[i - 1] != '\\')) quoted = !quoted;
    if (!quoted) depth += c == '[' || c == '{' ? 1 : c == ']' || c == '}' ? -1 : 0;
    if (c == ',' && depth == 0 && !quoted)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

bool read_integer(std::string_view text, std::int64_t& value) {
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  return read.ec == std::errc() && read.ptr == text.data() + text.size();
}

bool read_range(std::string_view text, std::pair<std::int64_t, std::int64_t>& range) {
  const std::size_t dots = text.find("..");
  if (dots == text.npos)
    return read_integer(text, range.first) && (range.second = range.first, true);
  return read_integer(text.substr(0, dots), range.first) &&
         read_integer(text.substr(dots + 2), range.second) && range.first <= range.second;
}

/// The name of an entry of "arms", for messages; entries are checked elsewhere.
std::string name_of(const Json& entry) {
  return entry.is_object() && entry.contains("name") && entry["name"].is_string()
             ? entry["name"].get<std::string>()
             : "?";
}

/// The assignment "path=value" of a flag; nothing after adding a fault if it has another form.
/// `example`: of the flag.
std::optional<Assignment> parse_assignment(const std::string& text, const std::string& flag,
                                           const char* example, Faults& faults) {
  const std::size_t equals = text.find('=');
  const std::string path = text.substr(0, equals);
  if (equals == text.npos || path.empty() || path.front() == '.' || path.back() == '.' ||
      path.find("..") != path.npos) {
    faults.add(place_of(flag), "is not of the form path=value", example);
    return std::nullopt;
  }
  const std::string value = text.substr(equals + 1);
  if (value.size() > JsonSource::kMaxBytes / 16) {
    faults.add(place_of(flag), "the value is too long", "write it into the experiment file");
    return std::nullopt;
  }
  const JsonSource source(flag, value);
  const bool is_json = source.faults().empty() && !source.value().is_null();
  const bool looks_like_json =
      !value.empty() && std::string_view("[{\"").find(value.front()) != std::string_view::npos;
  if (!is_json && looks_like_json)
    faults.add(place_of(flag), "the value is not JSON: " + source.faults().front().message,
               "quote it for the shell");
  return Assignment{path, is_json ? source.value() : Json(value), "", flag};
}

/// A flag and its value, as messages show them.
std::string shown(std::string_view flag, const std::string& value) {
  return fmt::format("{} {}", flag, value.substr(0, 200));
}

}  // namespace

std::vector<Assignment> parse_set(const std::vector<std::string>& set, Faults& faults) {
  std::vector<Assignment> flags;
  for (const std::string& text : set)
    if (auto made = parse_assignment(text, shown("--set", text), "for example --set train.batch=32",
                                     faults))
      flags.push_back(*std::move(made));
  return flags;
}

std::vector<Assignment> parse_arms(const std::vector<std::string>& arms, Faults& faults) {
  constexpr const char* kExample =
      "for example --arm masked:objective.type=masked_lm,objective.rate=0.3";
  std::vector<Assignment> entries;
  for (const std::string& text : arms) {
    const std::string flag = shown("--arm", text);
    const std::size_t colon = text.find(':');
    if (colon == text.npos) {
      faults.add(place_of(flag), "names no settings: an arm is added as NAME:path=value,path=value",
                 fmt::format("{}; --only 'arm=NAME' selects arms of the file", kExample));
      continue;
    }
    Json set = Json::object();
    for (const std::string& part : split(std::string_view(text).substr(colon + 1))) {
      auto made = parse_assignment(part, flag, kExample, faults);
      if (!made) continue;
      if (set.contains(made->path))
        faults.add(place_of(flag), fmt::format("gives {} twice", made->path));
      set[made->path] = std::move(made->value);
    }
    entries.push_back({"", {{"name", text.substr(0, colon)}, {"set", std::move(set)}}, "", flag});
  }
  return entries;
}

bool overlap(std::string_view a, std::string_view b) {
  if (a.size() > b.size()) std::swap(a, b);
  return b.substr(0, a.size()) == a && (a.size() == b.size() || b[a.size()] == '.');
}

std::vector<std::string> check_set(const std::vector<Assignment>& flags, const Json& merged,
                                   Faults& faults) {
  std::vector<std::string> warnings;
  const auto arms = merged.find("arms");
  for (const Assignment& flag : flags) {
    const std::string section = flag.path.substr(0, flag.path.find('.'));
    if (std::find(std::begin(kSettable), std::end(kSettable), section) == std::end(kSettable)) {
      faults.add(place_of(flag.flag),
                 fmt::format("no path that --set can change starts with '{}'", section),
                 suggestion(section, kSettable));
    }
    if (arms == merged.end() || !arms->is_array()) continue;
    for (const Json& entry : *arms) {
      for (const Assignment& swept : swept_paths(entry))
        if (overlap(swept.path, flag.path))
          faults.add(place_of(flag.flag),
                     fmt::format("{} is swept by arm '{}'", swept.path, name_of(entry)),
                     fmt::format("select one of its points with --only 'arm={}[...]', or edit the "
                                 "sweep in the file",
                                 name_of(entry)));
      if (!entry.is_object() || !entry.contains("set") || !entry["set"].is_object()) continue;
      for (const auto& [path, value] : entry["set"].items()) {
        const bool same = path == flag.path ||
                          (overlap(path, flag.path) && path.size() < flag.path.size() &&
                           find_pointer(value, pointer_of(flag.path.substr(path.size() + 1))));
        if (same)
          warnings.push_back(fmt::format("{} does not reach arm '{}', which sets {} itself",
                                         flag.flag, name_of(entry), path));
      }
    }
  }
  return warnings;
}

Selection parse_selection(const Overrides& overrides, Faults& faults) {
  Selection selection;
  for (const std::string& text : overrides.only)
    for (const std::string& part : split(text)) {
      std::pair<std::int64_t, std::int64_t> range;
      if (part.rfind("arm=", 0) == 0)
        selection.arms.push_back(canonical_name(part.substr(4)));
      else if (part.rfind("seed=", 0) == 0 && read_range(part.substr(5), range))
        selection.seeds.push_back(range);
      else
        faults.add(place_of(shown("--only", text)),
                   fmt::format("'{}' selects nothing", part.substr(0, 200)),
                   "accepted: arm=NAME (with * and ?), seed=N, seed=FROM..TO, separated by commas");
    }
  for (const std::string& text : overrides.drop)
    for (const std::string& name : split(text)) selection.dropped.push_back(canonical_name(name));
  return selection;
}

bool names_arm(std::string_view pattern, std::string_view name) {
  return matches(pattern, name) || matches(pattern, name.substr(0, name.find('[')));
}

bool matches(std::string_view pattern, std::string_view name) {
  std::size_t p = 0, n = 0, star = pattern.npos, resume = 0;
  while (n < name.size()) {
    if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == name[n]) && pattern[p] != '*') {
      ++p, ++n;
    } else if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = n;
    } else if (star != pattern.npos) {
      p = star + 1;
      n = ++resume;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == pattern.npos;
}

bool Selection::has_arm(std::string_view name) const {
  const auto is = [&](const std::string& pattern) { return names_arm(pattern, name); };
  return (arms.empty() || std::any_of(arms.begin(), arms.end(), is)) &&
         std::none_of(dropped.begin(), dropped.end(), is);
}

bool Selection::has_seed(std::int64_t seed) const {
  const auto holds = [&](const auto& range) { return range.first <= seed && seed <= range.second; };
  return seeds.empty() || std::any_of(seeds.begin(), seeds.end(), holds);
}

}  // namespace ablate::plan
