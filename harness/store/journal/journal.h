// The journal: what one trial leaves behind, one durable line per event. It is the truth; SQLite is
// made from it.
//
// A line is a JSON object {"event", "attempt", "time", ..., "sum"}; "sum" is the first 16 digits of
// the SHA-256 of the canonical text of the object without it. Events, in the order they come:
//
//   attempt      "trial": the trial's own JSON, "provenance": machine, code, library, command line
//   checkpoint   "step", "file", "sha256"
//   curve        "step", "text_tokens", "loss", "learning_rate", "gradient_norm", "spike",
//                "seconds"; of an arm with phases also "phase", counted from 0
//   phase        "phase", "step", "file", "sha256": the weights at the end of a phase but the last
//   stage        "stage": data | model | train | probes, "seconds", "lanes": trials that shared
//   them ledger       what was spent, by every way of counting; realised rates beside the intended
//   measurement  "id", "probe", "metrics": {name: value}, "details",
//                "samples": [{"text", "about"}]
//   outcome      "outcome": completed | failed | diverged | stopped, "message"
//   note         "message": for a reader, no number depends on it; for instance that a bank failed
//                and its trials are trained again alone; anywhere in an attempt
//
// Resuming appends a new attempt; readers take the last attempt of each step. A number that JSON
// cannot hold is written as the string "nan", "inf" or "-inf".

#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "harness/base/files.h"
#include "harness/base/json/json.h"

namespace ablate::store {

class Journal {
 public:
  /// Opens (or begins) the journal of a trial and cuts off a torn last line. Holds a lock until
  /// closed. Throws DamagedFile where a line before the last does not verify.
  explicit Journal(const std::filesystem::path& file);

  /// Appends one event, durable on return. "event", "attempt", "time" and "sum" are added here.
  void write(std::string_view event, Json fields);

  /// The events so far, those of former attempts first.
  const std::vector<Json>& events() const { return events_; }

  /// The number of this attempt, counted from 1. Raised by each "attempt" event that is written.
  std::int64_t attempt() const { return attempt_; }

 private:
  void read_and_repair();
  std::filesystem::path path_;
  AppendFile file_;  // locked before the events are read, so that nobody appends in between
  std::vector<Json> events_;
  std::int64_t attempt_ = 0;
};

/// The events of a journal; a torn last line is left out (and left alone).
/// Throws DamagedFile, naming file and line, where a line before the last does not verify.
std::vector<Json> read_journal(const std::filesystem::path& file);

/// The same from bytes that were read already; `file` names them in what is thrown.
std::vector<Json> journal_events(std::string_view bytes, const std::filesystem::path& file);

/// A number as JSON holds it: itself, or "nan", "inf", "-inf"; and back.
Json number_to_json(double value);
double number_from_json(const Json& value);

}  // namespace ablate::store
