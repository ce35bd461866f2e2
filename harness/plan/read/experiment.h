// Reads an experiment file: every default is filled in and every arm is made, but nothing is
// priced.

#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/plan/file/overrides.h"
#include "harness/plan/file/sections.h"
#include "harness/plan/file/sweep.h"
#include "harness/plan/read/read_tuning.h"
#include "harness/plan/rows/on_the_way.h"
#include "harness/plan/trial/start.h"
#include "harness/store/plan/plan_parts.h"

namespace ablate::plan {

/// An arm with its resolved sections and the assignments that they were made from. The sections are
/// what ids are made from.
struct ResolvedArm {
  std::string name;
  std::string label;  // what reports call it, not a part of ids; empty: its name
  const BackboneSpec* backbone = nullptr;
  const ObjectiveSpec* objective_spec = nullptr;
  Json model;      // {"backbone", ...}
  Json objective;  // {"type", ...}
  Json train;
  std::optional<StartSource> start;  // "train.start"
  std::string entry;                 // JSON pointer to the entry of "arms"
  std::vector<Assignment> assignments;
  double unspent = 0;  // fraction of train.budget that the named phases leave

  bool has_phases() const { return train.contains("phases"); }  // whether it names phases
  std::int64_t context() const { return model.at("context"); }  // tokens in a text
};

/// The section "match": in what arms must agree.
struct Match {
  std::vector<std::string> counts;  // such as "tokens"
  double tolerance = 0;             // maximum difference, as a fraction of the largest count
  Json section = {};                // as resolved
};

/// An entry of "probes".
struct PlannedProbe {
  const ProbeSpec* spec = nullptr;
  Params params;
  Json section;         // {"type", ...}, without "at"
  std::string entry;    // JSON pointer to it
  OnTheWay on_the_way;  // when it measures models that are still being trained
};

/// An experiment as it was read.
struct Experiment {
  std::string name;
  std::string question;
  std::string corpus_kind;  // empty if it is not known
  Json corpus;              // {"kind", ...}; null if it was refused
  std::vector<ResolvedArm> arms;
  std::size_t baseline = 0;  // index of the arm
  std::vector<std::int64_t> seeds;
  Match match;
  std::vector<PlannedProbe> probes;
  store::DeclaredAnalysis analysis;
  std::optional<Tuning> tuning;
  double development = 0;  // fraction to split off, for trials that tune; 0: for a result
  Json limits;
  Json launcher;              // where its jobs go; changes no result
  bool several_arms = false;  // whether the file has two arms or more, refused ones among them
  bool complete = false;      // whether no arm and no probe of the file was refused and left out
  std::vector<std::string> warnings;
  std::shared_ptr<const Sources> sources;  // for the places of faults that are found later
};

/// Reads an experiment file. Adds all faults of its sections to `faults`; arms and probes that have
/// faults are then left out. Throws ExperimentRefused if the file cannot be read or flags cannot be
/// applied to it.
Experiment read_experiment(const Catalog& catalog, const std::filesystem::path& file,
                           const Overrides& overrides, Faults& faults);

/// The same, but throws ExperimentRefused with all faults.
Experiment read_experiment(const Catalog& catalog, const std::filesystem::path& file,
                           const Overrides& overrides);

/// Where a setting of an arm was given: by the arm, or else by the defaults that it starts from.
/// `pointer`: relative to the arm's sections, such as "/objective/rate". `key`: the place of the
/// key instead of the value.
Place place_in_arm(const Sources& sources, const ResolvedArm& arm, const std::string& pointer,
                   bool key = false);

}  // namespace ablate::plan
