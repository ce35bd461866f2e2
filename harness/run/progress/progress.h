// Showing long work while it goes on: lines for a person, or events for a program.

#pragma once

#include <functional>
#include <iosfwd>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "harness/plan/trial/trial.h"
#include "harness/run/progress/time_left.h"

namespace ablate::run {

enum class ProgressMode {
  terminal,  // a line for each lane and a bar, redrawn in place
  plain,     // lines: starts, ends, and now and then the whole
  json,      // one JSON object a line
  none,
};

/// The mode of a --progress flag: "auto" is terminal where standard error is one, and plain
/// elsewhere. Throws std::invalid_argument for any other name.
ProgressMode progress_mode(std::string_view name);

/// What a trial that is being worked on was last heard to do.
struct LaneProgress {
  std::string arm;
  std::int64_t seed = 0;
  std::string stage;  // data, model, train, probes
  std::int64_t step = 0;
  std::int64_t steps = 0;
  double share = 0;  // of the stage
  double loss = 0;   // nats per target; NaN before the first
  double tokens_per_second = 0;

  /// Of the whole trial, 0 to 1: training counts for most of it.
  double fraction() const;
};

class Progress {
 public:
  /// `clock` gives seconds that only grow, `width` the columns of the terminal.
  Progress(ProgressMode mode, std::ostream& out, std::function<double()> clock,
           std::function<std::size_t()> width);

  /// A trial of the plan; `done` where it was complete before this run.
  void expect(const plan::Trial& trial, bool done);

  void started(const plan::Trial& trial);
  void heard(const Json& event);  // a worker's "progress"; anything else is ignored
  void finished(const plan::Trial& trial, const std::string& outcome, const std::string& message);
  void dropped(const plan::Trial& trial);  // stopped, or to be tried again
  void note(const std::string& text);

  /// Redraws where it is time to. Called at least once a second.
  void tick();

  /// Leaves the terminal clean.
  void end();

 private:
  struct Work {
    double size = 1;  // FLOPs, or 1 where they are not known
    double done = 0;  // share
  };

  void line(const std::string& text);
  void json_line(Json event);
  void redraw();
  void erase_drawing();
  double share() const;
  std::string overall(std::size_t width);

  ProgressMode mode_;
  std::ostream& out_;
  std::function<double()> clock_;
  std::function<std::size_t()> width_;
  std::map<std::string, Work> work_;
  std::map<std::string, LaneProgress> lanes_;  // by trial
  TimeLeft time_left_;
  std::vector<std::size_t> drawn_;  // characters of each line that stands on the terminal
  std::size_t names_ = 0;           // characters of the longest name of a trial
  std::size_t ended_ = 0;
  double last_drawn_ = -1e9;
};

/// The line of a lane, at most `width` characters: arm, seed, stage, step, loss, tokens per second.
/// `names`: characters that the names of all lanes are filled up to, so that columns stand still.
std::string lane_line(const LaneProgress& lane, std::size_t width, std::size_t names = 0);

}  // namespace ablate::run
