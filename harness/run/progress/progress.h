// Shows the progress of long work: lines for a person, or events for a program.

#pragma once

#include <functional>
#include <iosfwd>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "harness/plan/price/time/plan_time.h"
#include "harness/plan/trial/trial.h"
#include "harness/run/progress/time_left.h"

namespace ablate::run {

/// How progress is shown.
enum class ProgressMode {
  terminal,  // a line for each lane and a bar, redrawn in place
  plain,     // lines: starts, ends, and the overall progress at intervals
  json,      // one JSON object per line
  none,      // not at all
};

/// The mode of a --progress flag. "auto" is terminal where standard error is a terminal, otherwise
/// plain. Throws std::invalid_argument for any other name.
ProgressMode progress_mode(std::string_view name);

/// The last reported progress of a running trial.
struct LaneProgress {
  std::string arm;
  std::int64_t seed = 0;
  std::string stage;  // data, model, train, probes
  std::int64_t step = 0;
  std::int64_t steps = 0;
  double stage_fraction = 0;  // of the stage that is done, in [0, 1]
  // Nats per target, of the last step that scored any; NaN before it.
  double loss = std::numeric_limits<double>::quiet_NaN();
  double tokens_per_second = 0;

  /// The fraction of the trial's time that is behind it, in [0, 1]. `training`: the fraction that
  /// training takes.
  double fraction(double training) const;
};

/// Collects the progress of all trials of a plan and shows it.
class Progress {
 public:
  /// `clock` returns seconds and never goes back; `width` returns the columns of the terminal.
  Progress(ProgressMode mode, std::ostream& out, std::function<double()> clock,
           std::function<std::size_t()> width);

  /// Adds a trial of the plan, and how long it is taken to need beside the others. `done`: it was
  /// finished before this run.
  void expect(const plan::Trial& trial, const plan::TrialTime& time, bool done);

  /// A worker has started on the trial; again, where another one has trained it.
  void started(const plan::Trial& trial);

  /// Takes a worker's "progress" event; other events are ignored.
  void heard(const Json& event);

  /// The trial is trained, and waits for a worker that measures it.
  void trained(const plan::Trial& trial);

  /// The trial has an outcome. `message`: why it did not complete. `loss`: the last one on record,
  /// for a trial that was trained by an earlier run, so that none was heard of.
  void finished(const plan::Trial& trial, const std::string& outcome, const std::string& message,
                double loss = std::numeric_limits<double>::quiet_NaN());

  /// The trial was stopped, or will be tried again.
  void dropped(const plan::Trial& trial);

  /// Shows a message.
  void note(const std::string& text);

  /// Redraws when it is due. Call it at least once a second.
  void tick();

  /// Removes the drawing from the terminal.
  void end();

 private:
  struct Work {
    double seconds = 1;                                      // expected
    double training = 1;                                     // fraction of them
    double done = 0;                                         // fraction of them
    double loss = std::numeric_limits<double>::quiet_NaN();  // of the last step heard of
  };

  /// Writes the lines of a text, above the drawing.
  void line(const std::string& text);

  /// Writes an event; does nothing in other modes than json.
  void json_line(const Json& event);

  /// Draws the lines of all lanes and the bar again.
  void redraw();

  /// Erases the drawing from the terminal.
  void erase_drawing();

  /// The fraction of all expected time that is behind, in [0, 1].
  double done_fraction() const;

  /// The seconds left; infinite before a trial has ended, because what was expected of them is not
  /// known to hold on this machine as it is now.
  double seconds_left() const;

  /// The line of overall progress: a bar, trials and time left, at most `width` characters.
  std::string overall(std::size_t width);

  ProgressMode mode_;
  std::ostream& out_;
  std::function<double()> clock_;
  std::function<std::size_t()> width_;
  std::map<std::string, Work> work_;
  std::map<std::string, LaneProgress> lanes_;  // by trial
  TimeLeft time_left_;
  std::vector<std::size_t> drawn_;  // characters of each line on the terminal
  std::size_t names_ = 0;           // characters of the longest name of a trial
  std::size_t ended_ = 0;
  bool one_ended_ = false;  // in this run
  double last_drawn_ = -1e9;
};

/// The line of a lane, at most `width` characters: arm, seed, stage, step, loss, tokens per second.
/// `names`: the number of characters that all lanes' names are padded to, so that columns align.
std::string lane_line(const LaneProgress& lane, std::size_t width, std::size_t names = 0);

}  // namespace ablate::run
