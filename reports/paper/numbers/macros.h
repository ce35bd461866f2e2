// A macro for every number, so that the text of a paper cites what the store holds.

#pragma once

#include <string>
#include <vector>

#include "reports/analysis/analysis.h"

namespace ablate::reports {

/// A macro without arguments.
struct Macro {
  std::string name;     // letters alone, unique within a report
  std::string subject;  // what it is, for a reader: "mlm, held_out.excess, mean"
  std::string source;   // where the number is in report.json, as a JSON pointer
  std::string text;     // LaTeX
};

/// The macros of a report; `report`: its document, as report_json() makes it. Names begin with Ablate
/// and the experiment's name, then have the arm's name and the metric:
/// \AblateQuickstartMlmHeldOutExcess, and with the suffixes N, Mean, Low and High;
/// \AblateQuickstartDiffMlmHeldOutExcess, and with the suffixes P and PEquivalent too. The numbers of
/// other tables follow (section_macros.h). Where two would be equal, both get letters of a hash of
/// what they stand for, so that adding an arm does not change what a macro stands for.
std::vector<Macro> macros_of(const Analysis& analysis, const Json& report);

/// "\NAME{}" for the number at a JSON pointer of report.json. Throws std::logic_error where no macro
/// stands for it.
std::string macro_at(const std::vector<Macro>& macros, const std::string& source);

/// The JSON pointers of report.json to an arm's estimate, and to a difference.
std::string arm_pointer(const Analysis& analysis, const std::string& arm,
                        const std::string& metric);
std::string difference_pointer(const Analysis& analysis, const Difference& difference);

/// A key as a JSON pointer has it, escaped by RFC 6901.
std::string pointer_key(const std::string& key);

/// The file of all macros, each with a comment that says what it is and where it comes from.
std::string numbers_file(const Analysis& analysis, const std::vector<Macro>& macros);

}  // namespace ablate::reports
