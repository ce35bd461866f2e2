// A small catalogue for tests: two objectives, two backbones and two probes.

#pragma once

#include <string>

#include "harness/contract/catalog.h"
#include "harness/plan/file/faults.h"
#include "harness/plan/make_plan.h"
#include "harness/plan/trial/plan.h"
#include "tests/temporary_folder.h"

namespace ablate::plan::testing_support {

/// Scores every token of the text after the inputs, left to right.
ObjectiveSpec plain_objective();

/// Hides some tokens, with settings of several kinds.
ObjectiveSpec hide_objective();

/// A backbone with this offer whose costs are easy to compute by hand.
BackboneSpec box_backbone(std::string_view name, Offer offer);

/// A probe with one metric for each kind of comparability.
ProbeSpec loss_probe();

/// The catalogue of the two objectives, the backbones "box" and "pipe", which is not bidirectional, that
/// probe, and "words", which is refused on the built-in language.
const Catalog& small_catalog();

/// A temporary folder that also holds the test's cache of corpora.
class PlanFolder : public TemporaryFolder {
 public:
  PlanFolder() { ::setenv("ABLATE_CACHE", (path() / "cache").c_str(), 1); }
};

/// A complete experiment, which tests change.
Json small_experiment();

/// The plan of an experiment, written to a file in `folder`.
Plan plan_of(const PlanFolder& folder, const Json& experiment, const Overrides& overrides = {});

/// The error message of an experiment, without the name of the folder; empty if it is accepted.
std::string refusal_of(const PlanFolder& folder, const std::string& text,
                       const Overrides& overrides = {});

/// The same for an experiment as JSON.
std::string refusal_of(const PlanFolder& folder, const Json& experiment,
                       const Overrides& overrides = {});

}  // namespace ablate::plan::testing_support
