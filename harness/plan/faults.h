// Everything that is wrong with an experiment, collected so that people fix it in one go.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/base/json_source.h"

namespace ablate {

/// Where a fault is: in a file, on the command line, or in the experiment as a whole.
struct Place {
  const JsonSource* source = nullptr;
  Stretch where;
  std::string flag;      // such as "--set model.width=0", where `source` is null
  std::size_t rank = 0;  // files in the order in which they were opened; flags after them
};

class Faults {
 public:
  static constexpr std::size_t kMostShown = 20;

  void add(Place place, std::string message, std::string hint = "");

  bool empty() const { return faults_.empty(); }

  /// Whether enough is known to stop looking for more.
  bool full() const { return faults_.size() >= 10 * kMostShown; }

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

}  // namespace ablate
