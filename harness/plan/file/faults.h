// Everything that is wrong with an experiment, collected so that people fix it in one go.

#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/json/json_source.h"

namespace ablate::plan {

/// What is wrong with an experiment file: every fault of it, each with file, line and remedy.
/// what() is the whole text, ready to print; the program ends with exit code 2.
struct ExperimentRefused : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

/// Where a fault is: in a file, on the command line, or in the experiment as a whole.
struct Place {
  const JsonSource* source = nullptr;
  Stretch where;
  std::string flag;      // such as "--set model.width=0", where `source` is null
  std::size_t rank = 0;  // files in the order in which they were opened; flags after them
};

class Faults {
 public:
  static constexpr std::size_t kMaxShown = 20;

  void add(Place place, std::string message, std::string hint = "");

  bool empty() const { return faults_.empty(); }

  /// Whether enough is known to stop looking for more.
  bool full() const { return faults_.size() >= 10 * kMaxShown; }

  /// Throws ExperimentRefused with all faults in the order of their places.
  void throw_if_any();

 private:
  struct Fault {
    Place place;
    std::string message;
    std::string hint;
  };

  std::vector<Fault> faults_;
};

/// A refusal's message in two: what is wrong, and what would be right.
struct SplitMessage {
  std::string message;
  std::string hint;
};
SplitMessage split_message(std::string_view text);

}  // namespace ablate::plan
