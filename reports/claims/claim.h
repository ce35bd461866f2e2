// Published directional results, and how each is tested on a results folder.

#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ablate::reports {

/// What a claim says about a metric.
enum class Expectation {
  higher,         // of an arm, compared with a baseline, an amount or another metric of the arm
  lower,          // the same
  equal,          // the same: within a margin
  rising,         // along a swept number
  falling,        // the same
  inner_maximum,  // along a swept number, some value between the ends is above both of them
  inner_minimum,  // the same, below
};

/// All expectations, in the order of the enumeration.
inline constexpr std::array kExpectations = {Expectation::higher,       Expectation::lower,
                                             Expectation::equal,        Expectation::rising,
                                             Expectation::falling,      Expectation::inner_maximum,
                                             Expectation::inner_minimum};

/// The name in files of claims: that of the enumerator.
std::string_view name_of(Expectation expectation);

/// Whether the claim is about an arm and what it is compared with, not about a swept number.
inline bool compares_arms(Expectation expectation) { return expectation <= Expectation::equal; }

/// A published result that a shipped experiment can test. Where it repeats another one on text, only
/// stores on text can speak of it; the other claims about its experiment are then about those that are
/// not.
struct Claim {
  std::string id;                       // a-z, 0-9 and hyphens
  std::string sentence;                 // the result in words
  std::string source;                   // paper with section or table
  std::string experiment;               // the name of the experiment that tests it
  std::vector<std::string> flags = {};  // what its command line needs besides the file
  std::string on_text_of = {};          // the id of the claim that it repeats on text, if any
  std::string metric;
  Expectation expected = Expectation::higher;
  std::string arm, baseline;     // names; of two arms
  std::optional<double> amount;  // in place of a baseline, in the metric's unit
  std::string other_metric;      // in place of a baseline: of the arm, too, in the same unit
  double margin = 0;             // of `equal`, in the metric's unit
  std::optional<double> effect;  // the size that was published, above 0, in the metric's unit
  std::string family;            // of a sweep: the name of its arms before the bracket
  std::string minus;             // of a sweep: a family that is subtracted; may be empty
  std::string along;             // of a sweep: the path of the swept number
  std::string scale;             // how far the published scale is from the experiment's
};

/// A published result that no shipped experiment can test.
struct UntestableClaim {
  std::string id;
  std::string sentence;
  std::string source;
  std::string reason;  // why it cannot be tested here
};

/// The content of a file of claims.
struct ClaimSet {
  std::vector<Claim> claims;
  std::vector<UntestableClaim> untestable;
};

/// The comparison as tables show it: "held_out.loss_at_15: mlm[rate=0.8] above mlm[rate=0.15]".
std::string comparison_text(const Claim& claim);

}  // namespace ablate::reports
