// Collects all errors in an experiment, so that users can fix them in one go.

#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/json/json_source.h"

namespace ablate::plan {

/// Thrown for an experiment that is refused. what() is ready to print: all faults, each with its
/// file, line and remedy. The program exits with code 2.
struct ExperimentRefused : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

/// Where a fault is: in a file, on the command line, or a file that cannot be read.
struct Place {
  const JsonSource* source = nullptr;  // the file; null on the command line
  Stretch where;                       // in the file
  std::string flag;                    // the flag or the unreadable file, if `source` is null
  std::size_t rank = 0;                // order of messages: files as they were opened, then flags
};

/// The faults that were found so far.
class Faults {
 public:
  static constexpr std::size_t kMaxShown = 20;

  /// Adds a fault, unless the same one was added before or the list is full. `message` says what
  /// was given, `hint` what is accepted or what to do.
  void add(Place place, std::string message, std::string hint = "");

  bool empty() const { return faults_.empty(); }        // whether there are no faults
  std::size_t count() const { return faults_.size(); }  // how many were added

  /// Whether there are so many that there is no point in looking for more.
  bool full() const { return faults_.size() >= 10 * kMaxShown; }

  /// Throws ExperimentRefused with all faults, ordered by place, unless there are none.
  void throw_if_any();

 private:
  struct Fault {
    Place place;
    std::string message;
    std::string hint;
  };

  std::vector<Fault> faults_;
};

/// An error message in two parts.
struct SplitMessage {
  std::string message;  // what was given
  std::string hint;     // what is accepted; may be empty
};

/// Splits a message before its suggestion or its list of accepted values ("; did you mean",
/// "; the closest is", "; there are:", "; accepted:"). Any other message has no hint.
SplitMessage split_message(std::string_view text);

}  // namespace ablate::plan
