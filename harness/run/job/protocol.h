// The protocol between `ablate` and a worker: one job as JSON on standard input, events as JSON
// lines on standard output. Results go to the journal; events only show progress.

#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "harness/plan/trial/trial.h"
#include "harness/run/job/prompt.h"
#include "harness/run/job/rank_place.h"
#include "harness/store/journal/lease.h"

namespace ablate::run {

/// What a worker does with the trials of its job.
enum class Task {
  all,        // trains them as one model, then measures each
  train,      // trains them, and leaves measuring them to another worker
  measure,    // measures those that are trained
  answer,     // fills the blanks of the job's prompt by each that is trained: "answer" events
  describe,   // tells what the device can do in a "device" event; needs no trials
  calibrate,  // reports the best number of lanes for the device in a "lanes" event
};

// As JSON, their names. job_from_json() refuses any other.
NLOHMANN_JSON_SERIALIZE_ENUM(Task, {{Task::all, "all"},
                                    {Task::train, "train"},
                                    {Task::measure, "measure"},
                                    {Task::answer, "answer"},
                                    {Task::describe, "describe"},
                                    {Task::calibrate, "calibrate"}})

/// A bank of trials for a worker.
struct Job {
  std::filesystem::path results;    // journals and checkpoints are below it
  std::filesystem::path corpus;     // the tokenised corpus
  std::vector<plan::Trial> trials;  // one lane each
  std::string device = "cpu";
  int threads = 1;
  int core = -1;  // that the worker is bound to; -1: any
  double checkpoint_seconds = 60;
  std::vector<std::string> command;  // the arguments of the run that started it, for the record
  Task task = Task::all;
  Prompt prompt;  // of the task `answer`
  std::map<std::string, store::LeaseTicket>
      leases;  // by trial, where other programs share the folder
  std::vector<RankPlace>
      followers;  // of the other ranks that train the trials with this worker; empty: it does alone
  std::filesystem::path meeting;  // of a follower: by which it finds the others
  Json lane_choice;  // how the number of lanes was chosen, for the record; null where it was given
};

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Job, results, corpus, trials, device, threads, core,
                                   checkpoint_seconds, command, task, prompt, leases, followers,
                                   meeting, lane_choice)

/// Reads what Json(job) wrote, with every field. Throws std::invalid_argument for any other JSON.
Job job_from_json(const Json& json);

/// The same from its text.
Job job_from_text(std::string_view text);

/// A fault of the machine or the installation, as a worker tells it: not the outcome of a trial.
struct Fault {
  std::string message;    // what failed, where, and the system's reason
  bool no_space = false;  // whether the disk is full
};

/// The event of a line that a worker has written: an object with a text as "event". Null where the
/// line is anything else, such as what a library prints, or is nested too deep to be one.
Json event_in(std::string_view line);

// Events, by "event":
//   {"event": "versions", "versions"}   the first; plan::versions_of(its catalogue)
//   {"event": "progress", "trial", "arm", "seed", "stage", "share"}
//       share: fraction of the stage that is done, in [0, 1]; during training also "step", "steps",
//       "loss" (null where the step scored no target) and "tokens_per_second"; at most about five per
//       second and lane
//   {"event": "outcome", "trial", "outcome", "message"}
//   {"event": "lanes", "choice"}   for a calibration job, as lane_choice_from_json() reads it
//   {"event": "device", "model", "bfloat16_refusal"}   for a job that describes: as in Machine
//   {"event": "answer", "trial", "format", "greedy", "samples", "top", "exact", "note",
//       "damaged"}   ids of the fillings; pairs of an id and its probability, -1 for the special ones
//       together; "exact": of the built-in language, where it is known; "note": why there is no
//       answer; "damaged": true where its files do not verify
//   {"event": "fault", "message", "no_space"}   the machine failed, and the worker ends; no_space:
//       whether the disk is full
// Exit status: 0 all trials have an outcome, or what the task asks for; 1 the machine failed, and trials without an outcome
// are unfinished; 2 the job was refused; 75 or 130 stopped by a signal with a checkpoint; 6 a
// checkpoint or journal is damaged; 127 the program could not be executed. Anything else is a
// crash, and so is 1 without a fault event after an attempt has begun.

}  // namespace ablate::run
