// What the paired values of one results folder say about a claim, before it is judged.

#pragma once

#include <string>

#include "reports/analysis/analysis.h"
#include "reports/claims/claim.h"

namespace ablate::reports {

/// The test of a claim on one experiment's values. Every p is two-sided, and already adjusted for
/// what the test looked at within the claim.
struct Evidence {
  bool measured = false;  // false: the arms, or the metric, were not run; `note` says which
  Estimate seen;          // what was tested, by seed
  double p = 1;           // 1 where nothing could be tested
  bool agrees = false;    // whether `seen` lies on the claim's side
  std::string note;       // where `p` is 1: why; else what a reader must know. May be empty
};

/// Tests a claim on the analysis of its experiment:
///   higher, lower   sign-flip test of arm - baseline, or of arm - amount, or of the arm's metric
///                   - another metric of it
///   equal           for the claim: two one-sided t-tests within the margin; against it: the sign
///                   flip test, where the whole interval is beyond the margin
///   rising, falling sign-flip test of the least-squares slopes over the places of the sweep. A step
///                   that is significant the other way (Holm over the steps) takes the finding back.
///   inner_maximum,  for the claim: a place between the ends differs from both; the larger p of the
///   inner_minimum   two, times the number of such places. Against it: an end differs from all of
///                   them; the largest p, times 2.
/// Sources: Berger 1982, Technometrics 24(4), for "all of several tests"; the others as in
/// harness/statistics. Throws std::invalid_argument where the metric may not be compared between the
/// arms, or two metrics have different units.
Evidence evidence_on(const Claim& claim, const Analysis& analysis);

}  // namespace ablate::reports
