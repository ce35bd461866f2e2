// Expands the entries of "arms" and resolves the sections of each arm.

#include "harness/plan/read/arms.h"

#include <fmt/core.h>

#include <limits>
#include <set>
#include <utility>

#include "harness/plan/read/arm_entry.h"
#include "harness/plan/read/distinct.h"
#include "harness/plan/read/read_phases.h"
#include "harness/plan/read/refusals.h"
#include "harness/plan/rows/train_params.h"
#include "harness/plan/trial/phase.h"
#include "harness/plan/trial/start.h"

namespace ablate::plan {
namespace {

/// Adds the refusals of a section to `faults`, each at the place of its value. Returns whether
/// there were none.
bool report(const Sources& sources, const ResolvedArm& arm, const std::string& section,
            const std::vector<Refusal>& refusals, Faults& faults) {
  const auto place_of = [&](const Refusal& refusal) {
    return place_in_arm(sources, arm, "/" + section + refusal.pointer, refusal.about_key);
  };
  return add_refusals(refusals, section, place_of, faults);
}

/// Refuses a budget of several amounts; read_experiment() refuses an absent one.
void check_budget(const ResolvedArm& arm, std::vector<Refusal>& refusals) {
  const auto budget = arm.train.find("budget");
  if (budget != arm.train.end() && budget->is_object() && budget->size() > 1)
    refusals.push_back({"/budget", fmt::format("a budget must be exactly one of tokens, positions, "
                                               "targets, flops, steps and seconds; {} are given",
                                               budget->size())});
}

/// Refuses a loss of several shapes.
void check_loss(const ResolvedArm& arm, std::vector<Refusal>& refusals) {
  const auto loss = arm.train.find("loss");
  if (loss == arm.train.end() || !loss->is_object()) return;
  const std::size_t shapes = loss->size() - loss->count("z");
  if (shapes > 1)
    refusals.push_back({"/loss",
                        "a loss is shaped by at most one of label_smoothing, focal and "
                        "entropy_weight; give one of them, or several arms"});
}

/// Refuses sizes of a model that do not go together.
bool check_together(const Catalog& catalog, const Sources& sources, const ResolvedArm& arm,
                    Faults& faults) {
  const auto refusal = arm.backbone->refusal;
  const std::string wrong =
      refusal == nullptr ? "" : refusal(params_of(model_section(catalog), arm.model));
  if (wrong.empty()) return true;
  for (const Assignment& made : arm.assignments)
    if (made.path.rfind("model", 0) == 0) {
      faults.add(place_in_arm(sources, arm, pointer_of(made.path)),
                 fmt::format("arm '{}': model: {}", arm.name, wrong));
      return false;
    }
  faults.add(place_in_arm(sources, arm, "/model"), fmt::format("model: {}", wrong));
  return false;
}

/// The JSON pointer to an arm's setting in the files; empty if a flag gave it.
std::string pointer_in_arm(const ResolvedArm& arm, const std::string& pointer) {
  for (auto made = arm.assignments.rbegin(); made != arm.assignments.rend(); ++made) {
    const std::string start = pointer_of(made->path);
    if (!pointer.starts_with(start)) continue;
    const std::string rest = pointer.substr(start.size());
    if (find_pointer(made->value, rest) != nullptr)
      return made->flag.empty() ? made->pointer + rest : std::string();
  }
  return pointer;
}

/// When a setting of an arm was given: later numbers were merged over earlier ones; -1: nowhere.
std::int64_t order_of(const Sources& sources, const ResolvedArm& arm, const std::string& pointer) {
  return pointer_in_arm(arm, pointer) == pointer ? sources.order_of(pointer)
                                                 : std::numeric_limits<std::int64_t>::max();
}

/// A model's section without the parameters that only an earlier choice of backbone has: an arm
/// that names another backbone keeps width, depth and whatever else both have.
Json own_sizes(const Catalog& catalog, const Sources& sources, const ResolvedArm& arm, Json model) {
  const TaggedSection section = model_section(catalog);
  const std::string tag(section.tag);
  if (!model.is_object() || !model.contains(tag) || !model[tag].is_string()) return model;
  std::set<std::string_view> own, others;  // parameters of the chosen backbone, and of the rest
  for (const std::string_view member : section.members)
    for (const Param& row : section.rows(member))
      (model[tag] == std::string(member) ? own : others).insert(row.name);
  const std::int64_t chosen = order_of(sources, arm, "/model/" + tag);
  Json kept = model;
  for (const auto& [key, value] : model.items())
    if (others.contains(key) && !own.contains(key) &&
        order_of(sources, arm, "/model/" + key) < chosen)
      kept.erase(key);
  return kept;
}

/// Resolves the sections "model" and "train", which an arm may leave to the defaults.
bool resolve_defaults(const Catalog& catalog, const Sources& sources, const Json& given,
                      ResolvedArm& arm, Faults& faults) {
  std::vector<Refusal> refusals;
  const Json model = own_sizes(catalog, sources, arm, given.value("model", Json::object()));
  arm.model = resolve(model_section(catalog), model, refusals);
  bool good = report(sources, arm, "model", refusals, faults);
  refusals.clear();
  Json train = given.value("train", Json::object());
  if (train.is_object()) {
    train.erase("phases");
    train.erase("start");
  }
  arm.train = resolve(train_params(), train, refusals);
  check_budget(arm, refusals);
  check_loss(arm, refusals);
  good &= report(sources, arm, "train", refusals, faults);
  return good;
}

/// A section of an arm with its paths made absolute. Paths from a flag stay as they are: relative
/// to the current folder.
Json placed(const Sources& sources, const ResolvedArm& arm, Json section,
            const std::string& pointer) {
  const std::string given = pointer_in_arm(arm, pointer);
  return given.empty() ? section : sources.with_places(std::move(section), given);
}

/// Resolves "train.start", if it is given. Returns whether nothing was refused.
bool add_start(const Sources& sources, const Json& given, ResolvedArm& arm, Faults& faults) {
  arm.start.reset();
  if (!given.is_object() || !given.contains("start")) return true;
  std::vector<Refusal> refusals;
  arm.start = resolve_start(
      given["start"],
      [&](const std::string& pointer) {
        const std::string at = pointer_in_arm(arm, "/train" + pointer);
        return at.empty() ? std::filesystem::current_path() : sources.folder_of(at);
      },
      refusals);
  if (arm.start) arm.train["start"] = *arm.start;
  return report(sources, arm, "train", refusals, faults);
}

/// Resolves "train.phases", if it is given; the phases replace the arm's budget. Returns whether
/// The fraction of a budget that phases leave; 0 where one of them has a budget in another unit.
double unspent_by(const Json& phases, const Budget& total) {
  constexpr double kRounding = 1e-6;
  double spent = 0;
  for (const Json& phase : phases) {
    const Budget budget = budget_of(phase);
    if (budget.unit.empty() || budget.unit != total.unit) return 0;
    spent += budget.amount;
  }
  const double left = 1 - spent / total.amount;
  return left > kRounding ? left : 0;
}

/// nothing was refused.
bool add_phases(const Catalog& catalog, const Sources& sources, const Json& given, ResolvedArm& arm,
                Faults& faults) {
  if (!given.is_object() || !given.contains("phases")) return true;
  std::vector<Refusal> refusals;
  Json corpus = sources.merged().value("corpus", Json::object());
  resolve(corpus_section(), corpus, refusals);
  if (!refusals.empty()) return false;  // reported where the corpus itself is read
  const PhaseReading reading{catalog, arm, sources.with_places(std::move(corpus), "/corpus"),
                             [&](Json section, const std::string& pointer) {
                               return placed(sources, arm, std::move(section), "/train" + pointer);
                             }};
  Json phases = resolve_phases(reading, given["phases"], refusals);
  if (refusals.empty()) arm.unspent = unspent_by(phases, budget_of(arm.train));
  arm.train["phases"] = std::move(phases);
  arm.train.erase("budget");
  return report(sources, arm, "train", refusals, faults);
}

/// Checks the defaults if no arm is well formed.
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
    if (!made->flag.empty()) return {.flag = made->flag, .rank = Sources::kMaxFiles};
    // Of candidates.
    const bool in_list = made->pointer.substr(made->pointer.rfind('/') + 1) != made->path;
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
  for (const std::string_view section : kArmSections)
    if (const Json* const defaults = find_pointer(sources.merged(), fmt::format("/{}", section)))
      given[std::string(section)] = *defaults;
  assign(given, arm.assignments);
  bool good = resolve_defaults(catalog, sources, given, arm, faults);
  if (!given.contains("objective")) {
    faults.add(sources.value_at(arm.entry + "/name"),
               fmt::format("arm '{}' has no objective", arm.name),
               "give it one: \"set\": {\"objective\": {\"type\": ...}}");
    return false;
  }
  std::vector<Refusal> refusals;
  arm.objective = resolve(objective_section(catalog), given["objective"], refusals);
  good &= report(sources, arm, "objective", refusals, faults);
  const Json train = given.value("train", Json::object());
  good = good && add_phases(catalog, sources, train, arm, faults);
  good = good && add_start(sources, train, arm, faults);
  if (!good) return false;
  arm.backbone = &catalog.backbone(arm.model["backbone"].get<std::string>());
  arm.objective_spec = &catalog.objective(arm.objective["type"].get<std::string>());
  if (!check_together(catalog, sources, arm, faults)) return false;
  if (arm.backbone->canonical != nullptr) arm.model = arm.backbone->canonical(std::move(arm.model));
  return true;
}

std::vector<ResolvedArm> read_arms(const Catalog& catalog, const Sources& sources,
                                   std::size_t seeds, std::int64_t maximum, Faults& faults) {
  std::vector<ResolvedArm> arms;
  const Json* const entries = find_pointer(sources.merged(), "/arms");
  if (entries == nullptr || !entries->is_array() || entries->empty()) {
    faults.add(sources.value_at("/arms"), "\"arms\" must be a list of at least one arm",
               "for example [{\"name\": \"clm\", \"set\": {\"objective\": {\"type\": ...}}}]");
    return arms;
  }
  if (std::cmp_greater(seeds, maximum)) {
    faults.add(sources.value_at("/seeds"),
               fmt::format("every arm has {} trials, one for each seed; limits.trials is {}", seeds,
                           maximum),
               "give fewer seeds, or raise limits.trials");
    return arms;
  }
  double trials = 0;
  std::vector<std::string> good;
  for (std::size_t i = 0; i < entries->size() && !faults.full(); ++i) {
    const std::string pointer = fmt::format("/arms/{}", i);
    if (!check_entry(sources, pointer, (*entries)[i], faults)) continue;
    good.push_back(pointer);
    trials += count_points((*entries)[i]) * static_cast<double>(seeds);
    if (trials > static_cast<double>(maximum)) {
      faults.add(sources.value_at(pointer + "/name"),
                 fmt::format("with this arm the experiment has {:g} trials, one for each point and "
                             "each of {} seeds; limits.trials is {}",
                             trials, seeds, maximum),
                 "sweep less, give fewer seeds, or raise limits.trials");
      return arms;
    }
  }
  if (good.empty()) check_defaults(catalog, sources, faults);
  for (const std::string& pointer : good)
    for (SweepPoint& point : expand(sources, pointer, faults)) {
      ResolvedArm arm{.name = std::move(point.name),
                      .label = std::move(point.label),
                      .entry = pointer,
                      .assignments = std::move(point.assignments)};
      if (resolve_arm(catalog, sources, arm, faults)) arms.push_back(std::move(arm));
      if (faults.full()) return arms;
    }
  check_distinct(sources, arms, faults);
  return arms;
}

}  // namespace ablate::plan
