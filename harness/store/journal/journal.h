// The journal: the record of one trial, one line per event, each on the disk before training goes
// on, except for the points of the curve: they are there with the next event of another kind, and
// training that resumes draws them again. The SQLite index is built from journals.
//
// A line is a JSON object {"event", "attempt", "time", ..., "previous", "sum"}; "sum" is the first 16
// digits of the SHA-256 of the canonical text of the object without it. "previous" is the "sum" of
// the line before; in the first line it is the trial's id, which is the name of the journal's
// folder. So a line that was removed or moved shows, and so does a journal in the wrong folder.
// Lines without "previous" are of an older version, and none of them follows one that has it.
//
// Events, in the order they come:
//
//   attempt      "trial": the trial's own JSON, "provenance": machine, code, library, command line;
//                its "task" is "train" or "measure" where one worker trains and another measures
//   checkpoint   "step", "file", "sha256"
//   curve        "step", "text_tokens", "loss", "learning_rate", "gradient_norm", "spike",
//                "seconds"; of an arm with phases also "phase", counted from 0. The loss is null
//                where no step since the previous point scored a target: there is none
//   phase        "phase", "step", "file", "sha256": the weights at the end of a phase but the last
//   snapshot     "step", "text_tokens", "targets", "flops", "seconds": what training had used so far;
//                "file", "sha256": the weights, which are removed when all probes that are planned
//                for this step have measured them
//   stage        "stage": data | model | train | probes, "seconds", "lanes": the number of trials
//                of the bank, which took these seconds together. Trials that are measured together
//                take turns, and each writes the seconds of its own
//   ledger       what the trial used, counted in every unit; realised rates next to intended ones
//   measurement  "id", "probe", "metrics": {name: value}, "details",
//                "samples": [{"text", "about"}]; of a snapshot also "at": {"step", "text_tokens",
//                "targets", "flops", "seconds"}; "spent": {"seconds": what measuring took, and of
//                that "passes", "fits", "text": see Activity}; older versions wrote none
//   failure      "id", "probe", "message": a measurement that was tried and failed, and why; "groups":
//                what the names of its metrics begin with; on the way also "step". The trial goes on
//   outcome      "outcome": completed | failed | diverged | stopped, "message". A trial whose probes
//                failed, but not its training, is completed
//   note         "message": for readers; no number depends on it; for example that a bank failed
//                and is trained again in two halves; may come anywhere in an attempt
//
// Resuming appends a new attempt; readers take the last attempt of each step. A number that JSON
// cannot hold is written as the string "nan", "inf" or "-inf".

#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "harness/base/files.h"
#include "harness/base/json/json.h"
#include "harness/store/journal/lease.h"

namespace ablate::store {

/// The journal of a trial, open for appending.
class Journal {
 public:
  /// Opens the journal of a trial, or begins it in the trial's folder, and cuts off a torn last
  /// line. Holds a lock until closed. Throws DamagedFile where a line before the last does not
  /// verify, MachineFault where the folder is absent or the file cannot be opened.
  /// `ticket`: of the trial's lease, where its folder is shared.
  explicit Journal(const std::filesystem::path& file, LeaseTicket ticket = {});

  /// Appends one event. Throws MachineFault where the lease is no longer held: another program writes the
  /// journal now. "event", "attempt", "time", "previous" and "sum" are added here.
  void write(std::string_view event, Json fields, Durable durable = Durable::now);

  /// The events so far, those of previous attempts first.
  const std::vector<Json>& events() const { return events_; }

  /// The number of this attempt, counted from 1. Raised by each "attempt" event that is written.
  std::int64_t attempt() const { return attempt_; }

 private:
  /// Reads the events and cuts off a torn last line.
  void read_and_repair();
  void check_lease() const;
  std::filesystem::path path_;
  LeaseTicket ticket_;
  AppendFile file_;  // locked before the events are read, so that no other process appends
  std::vector<Json> events_;
  std::string last_sum_;  // what the next line says is before it
  std::int64_t attempt_ = 0;
};

/// The events of a journal, without a torn last line, which stays in the file.
/// Throws DamagedFile, naming file and line, where a line before the last does not verify.
std::vector<Json> read_journal(const std::filesystem::path& file);

/// The same, given the bytes of the journal; `file` is its name in error messages.
std::vector<Json> journal_events(std::string_view bytes, const std::filesystem::path& file);

/// Throws DamagedFile where `trial`, as its "attempt" event has it, is not the one in whose folder the
/// journal `file` is. The chain of lines shows that, too, but journals of older versions have none.
void check_owner(const Json& trial, const std::filesystem::path& file);

/// Sets a damaged journal aside, under the name that is returned, and keeps the lines before the
/// damage: the trial goes on from there. Does nothing, and returns an empty name, where the journal
/// is not damaged or its first line is. Requires: no other process writes it.
std::filesystem::path salvage_journal(const std::filesystem::path& file);

/// A number as journals store it: a JSON number, or "nan", "inf" or "-inf".
Json number_to_json(double value);

/// The number that number_to_json() stored. Throws DamagedFile for any other value.
double number_from_json(const Json& value);

}  // namespace ablate::store
