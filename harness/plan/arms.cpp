#include "harness/plan/arms.h"

#include <algorithm>
#include <map>

#include "harness/base/error.h"
#include "harness/base/names.h"
#include "harness/plan/candidates.h"
#include "harness/plan/train_params.h"

namespace ablate {
namespace {

constexpr std::string_view kEntryKeys[] = {"name", "set", "grid", "zip", "list"};
constexpr std::string_view kSections[] = {"model", "train", "objective"};

/// What is wrong with one entry's own form; its values are judged where they are resolved.
class EntryCheck {
 public:
  EntryCheck(const Sources& sources, std::string pointer, Faults& faults)
      : sources_(sources), at_(std::move(pointer)), faults_(faults) {}

  bool run(const Json& entry) {
    if (!entry.is_object()) return refuse(at_, "an arm is an object with a \"name\""), false;
    for (const auto& [key, value] : entry.items())
      if (std::find(std::begin(kEntryKeys), std::end(kEntryKeys), key) == std::end(kEntryKeys))
        refuse_key(at_ + "/" + key, join("an arm has no \"", key, "\""), nearest(key, kEntryKeys));
    check_name(entry);
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

  void refuse_key(const std::string& pointer, std::string message, std::string_view near) {
    faults_.add(sources_.key_at(pointer), std::move(message),
                near.empty() ? join("accepted: ", listed(kEntryKeys))
                             : join("did you mean \"", near, "\"?"));
    good_ = false;
  }

  bool object(const Json& value, const std::string& part) {
    if (value.is_object()) return true;
    return refuse(at_ + part, join(part.substr(1), " is an object of path: value")), false;
  }

  void check_name(const Json& entry) {
    if (!entry.contains("name")) return refuse(at_, "an arm needs a \"name\"");
    if (!entry["name"].is_string() || !is_name(entry["name"].get_ref<const std::string&>()))
      refuse(at_ + "/name",
             join(canonical(entry["name"]).substr(0, 80), " is not a name of an arm"),
             join("names match ", kNamePattern));
  }

  void check_paths(const Json& object, const std::string& part) {
    for (const auto& [path, value] : object.items()) {
      const std::string section = path.substr(0, path.find('.'));
      if (faults_.full()) return;
      const std::string pointer = at_ + part + "/" + path;
      if (section == "corpus") {
        faults_.add(
            sources_.key_at(pointer), "an arm cannot set " + path,
            "all arms of an experiment share one corpus, so that differences are paired; write "
            "one experiment a corpus");
        good_ = false;
      } else if (std::find(std::begin(kSections), std::end(kSections), section) ==
                 std::end(kSections)) {
        const std::string_view near = nearest(section, kSections);
        faults_.add(sources_.key_at(pointer), join("an arm cannot set '", path.substr(0, 80), "'"),
                    near.empty() ? join("paths start with one of: ", listed(kSections))
                                 : join("did you mean '", near, "'?"));
        good_ = false;
      } else if (path.back() == '.' || path.find("..") != path.npos) {
        refuse(pointer, join("'", path.substr(0, 80), "' is not a path"),
               "paths are like objective.rate");
      }
    }
  }

  void check_grid(const Json& grid) {
    check_paths(grid, "/grid");
    for (const auto& [path, given] : grid.items())
      if (std::string wrong = refusal_of_candidates(given); !wrong.empty())
        refuse(at_ + "/grid/" + path, std::move(wrong),
               "a value that is a list stands in a list of its own");
  }

  void check_zip(const Json& zip) {
    check_paths(zip, "/zip");
    for (const auto& [path, values] : zip.items()) {
      const std::string pointer = at_ + "/zip/" + path;
      if (!values.is_array() || values.empty())
        refuse(pointer, "zip wants a list of values for each path");
      else if (zip.begin()->is_array() && values.size() != zip.begin()->size())
        refuse(pointer,
               join(path, " has ", values.size(), " values and ", zip.begin().key(), " has ",
                    zip.begin()->size()),
               "zipped lists are of one length");
    }
  }

  void check_list(const Json& rows) {
    if (!rows.is_array() || rows.empty())
      return refuse(at_ + "/list", "list is a list of objects of path: value");
    for (std::size_t i = 0; i < rows.size() && !faults_.full(); ++i) {
      const std::string part = join("/list/", i);
      if (!rows[i].is_object() || rows[i].empty())
        refuse(at_ + part, "a row of a list is an object of path: value");
      else
        check_paths(rows[i], part);
    }
  }

  const Sources& sources_;
  const std::string at_;
  Faults& faults_;
  bool good_ = true;
};

/// Adds the refusals of a section, each where its value was given.
bool report(const Sources& sources, const ResolvedArm& arm, const std::string& section,
            const std::vector<Refusal>& refusals, Faults& faults) {
  for (const Refusal& refusal : refusals) {
    if (faults.full()) break;
    auto [message, hint] = split_message(refusal.message);
    faults.add(place_in_arm(sources, arm, "/" + section + refusal.pointer, refusal.about_key),
               section + ": " + message, hint);
  }
  return refusals.empty();
}

void check_budget(const ResolvedArm& arm, std::vector<Refusal>& refusals) {
  const auto budget = arm.train.find("budget");
  if (budget != arm.train.end() && budget->is_object() && budget->size() != 1)
    refusals.push_back(
        {"/budget", join("a budget is exactly one of tokens, targets, flops, steps and seconds; ",
                         budget->size(), " are given")});
}

/// What no single value is to blame for: sizes that do not go together, objectives that no model
/// hosts.
bool check_together(const Catalog& catalog, const Sources& sources, const ResolvedArm& arm,
                    Faults& faults) {
  const BackboneSpec& backbone = catalog.backbone(arm.model["backbone"].get<std::string>());
  Json sizes = arm.model;
  sizes.erase("backbone");
  const std::string wrong =
      backbone.refusal == nullptr ? "" : backbone.refusal(Params(backbone.params, sizes));
  if (wrong.empty()) return true;
  for (const Assignment& made : arm.assignments)
    if (made.path.rfind("model", 0) == 0) {
      faults.add(place_in_arm(sources, arm, pointer_of(made.path)),
                 join("arm '", arm.name, "': model: ", wrong));
      return false;
    }
  faults.add(place_in_arm(sources, arm, "/model"), join("model: ", wrong));
  return false;
}

void refuse_duplicates(const Sources& sources, const std::vector<ResolvedArm>& arms,
                       Faults& faults) {
  std::map<std::string, const ResolvedArm*> names, configs;
  for (const ResolvedArm& arm : arms) {
    const Place place = sources.value_at(arm.entry + "/name");
    const auto [named, is_new] = names.emplace(arm.name, &arm);
    if (!is_new) {
      faults.add(place, join("two arms are named '", arm.name, "'"),
                 "give each arm a name of its own");
      continue;
    }
    const auto [same, is_other] =
        configs.emplace(canonical({arm.model, arm.objective, arm.train}), &arm);
    if (!is_other)
      faults.add(place,
                 join("arms '", same->second->name, "' and '", arm.name,
                      "' are the same in every setting"),
                 "keep one of the two");
  }
}

/// Resolves the sections that an arm need not say anything about.
bool resolve_defaults(const Catalog& catalog, const Sources& sources, const Json& given,
                      ResolvedArm& arm, Faults& faults) {
  std::vector<Refusal> refusals;
  arm.model = resolve(model_section(catalog), given.value("model", Json::object()), refusals);
  bool good = report(sources, arm, "model", refusals, faults);
  refusals.clear();
  arm.train = resolve(train_params(), given.value("train", Json::object()), refusals);
  check_budget(arm, refusals);
  good &= report(sources, arm, "train", refusals, faults);
  return good;
}

/// Where no arm is well formed, its defaults are still worth a look.
void check_defaults(const Catalog& catalog, const Sources& sources, Faults& faults) {
  ResolvedArm none{.entry = "/arms"};
  resolve_defaults(catalog, sources, sources.merged(), none, faults);
}

}  // namespace

Place place_in_arm(const Sources& sources, const ResolvedArm& arm, const std::string& pointer,
                   bool key) {
  for (auto made = arm.assignments.rbegin(); made != arm.assignments.rend(); ++made) {
    const std::string start = pointer_of(made->path);
    if (pointer.rfind(start, 0) != 0) continue;
    const std::string rest = pointer.substr(start.size());
    if ((!rest.empty() && rest.front() != '/') || find_pointer(made->value, rest) == nullptr)
      continue;
    if (!made->flag.empty()) return {.flag = made->flag, .rank = Sources::kMostFiles};
    const bool in_list =
        made->pointer.substr(made->pointer.rfind('/') + 1) != made->path;  // of candidates
    return key && !in_list ? sources.key_at(made->pointer + rest)
                           : sources.value_at(made->pointer + rest);
  }
  if (find_pointer(sources.merged(), pointer) != nullptr)
    return key ? sources.key_at(pointer) : sources.value_at(pointer);
  if (pointer.rfind('/') != 0)
    return place_in_arm(sources, arm, pointer.substr(0, pointer.rfind('/')), true);
  return sources.value_at(arm.entry + "/name");
}

bool resolve_arm(const Catalog& catalog, const Sources& sources, ResolvedArm& arm, Faults& faults) {
  Json given = Json::object();
  for (const std::string_view section : kSections)
    if (const Json* const defaults = find_pointer(sources.merged(), join("/", section)))
      given[std::string(section)] = *defaults;
  assign(given, arm.assignments);
  bool good = resolve_defaults(catalog, sources, given, arm, faults);
  if (!given.contains("objective")) {
    faults.add(sources.value_at(arm.entry + "/name"), join("arm '", arm.name, "' has no objective"),
               "give it one: \"set\": {\"objective\": {\"type\": ...}}");
    return false;
  }
  std::vector<Refusal> refusals;
  arm.objective = resolve(objective_section(catalog), given["objective"], refusals);
  good &= report(sources, arm, "objective", refusals, faults);
  return good && check_together(catalog, sources, arm, faults);
}

std::vector<ResolvedArm> read_arms(const Catalog& catalog, const Sources& sources,
                                   std::size_t seeds, std::int64_t most, Faults& faults) {
  std::vector<ResolvedArm> arms;
  const Json* const entries = find_pointer(sources.merged(), "/arms");
  if (entries == nullptr || !entries->is_array() || entries->empty()) {
    faults.add(sources.value_at("/arms"), "\"arms\" is a list of at least one arm",
               "for example [{\"name\": \"clm\", \"set\": {\"objective\": {\"type\": ...}}}]");
    return arms;
  }
  double trials = 0;
  std::vector<std::string> good;
  for (std::size_t i = 0; i < entries->size() && !faults.full(); ++i) {
    const std::string pointer = join("/arms/", i);
    if (!EntryCheck(sources, pointer, faults).run((*entries)[i])) continue;
    good.push_back(pointer);
    trials += count_cells((*entries)[i]) * static_cast<double>(seeds);
    if (trials > static_cast<double>(most)) {
      faults.add(
          sources.value_at(pointer + "/name"),
          join("with this arm the experiment has ", trials, " trials; limits.trials is ", most),
          "sweep less, or raise limits.trials");
      return arms;
    }
  }
  if (good.empty()) check_defaults(catalog, sources, faults);
  for (const std::string& pointer : good)
    for (Cell& cell : expand(sources, pointer, faults)) {
      ResolvedArm arm{.name = std::move(cell.name),
                      .entry = pointer,
                      .assignments = std::move(cell.assignments)};
      if (resolve_arm(catalog, sources, arm, faults)) arms.push_back(std::move(arm));
      if (faults.full()) return arms;
    }
  refuse_duplicates(sources, arms, faults);
  return arms;
}

}  // namespace ablate
