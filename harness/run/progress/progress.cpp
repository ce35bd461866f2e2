#include "harness/run/progress/progress.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <ostream>

#include "harness/base/error.h"
#include "harness/base/number_text.h"
#include "harness/base/utf8.h"
#include "harness/run/progress/text.h"

namespace ablate::run {
namespace {

constexpr double kRedrawSeconds = 0.2;
constexpr double kPlainSeconds = 10;
constexpr std::size_t kIndent = 2;   // of a lane's line
constexpr std::size_t kMinName = 8;  // characters of an arm's name that are always shown

std::string name_of(const std::string& arm, std::int64_t seed) {
  return fmt::format("{} seed {}", printable(arm), seed);
}

double number_or(const Json& event, const char* name, double otherwise) {
  const auto found = event.find(name);
  return found != event.end() && found->is_number() ? found->get<double>() : otherwise;
}

std::int64_t count_in(const Json& event, const char* name) {
  return static_cast<std::int64_t>(std::clamp(number_or(event, name, 0), 0.0, 1e18));
}

std::string text_in(const Json& event, const char* name) {
  const auto found = event.find(name);
  return found != event.end() && found->is_string() ? found->get<std::string>() : std::string();
}

}  // namespace

ProgressMode progress_mode(std::string_view name) {
  if (name == "auto") return ::isatty(STDERR_FILENO) ? ProgressMode::terminal : ProgressMode::plain;
  if (name == "plain") return ProgressMode::plain;
  if (name == "json") return ProgressMode::json;
  if (name == "none") return ProgressMode::none;
  reject("--progress {} is not known; accepted: auto, plain, json, none", name);
}

double LaneProgress::fraction(double training) const {
  const double clean = std::isfinite(stage_fraction) ? std::clamp(stage_fraction, 0.0, 1.0) : 0;
  if (stage == "train") return training * clean;
  if (stage == "probes") return training + (1 - training) * clean;
  return 0;
}

std::string lane_line(const LaneProgress& lane, std::size_t width, std::size_t names) {
  std::string text = fmt::format("  {}", printable(lane.stage));
  if (lane.stage == "train" && lane.steps > 0)
    text += fmt::format("  step {}/{}", lane.step, lane.steps);
  else if (lane.stage == "train")
    text += fmt::format("  step {}", lane.step);
  else
    text += fmt::format("  {} %", std::lround(100 * std::clamp(lane.stage_fraction, 0.0, 1.0)));
  if (std::isfinite(lane.loss))
    text += fmt::format("  loss {:g}", std::round(lane.loss * 1e4) / 1e4);
  if (lane.stage == "train" && lane.tokens_per_second > 0)
    text += fmt::format("  {} tokens/s", short_number(lane.tokens_per_second));
  // Where space is short, the name is abbreviated and the numbers stay.
  const std::string seed = fmt::format(" seed {}", lane.seed);
  const std::size_t taken = kIndent + seed.size() + characters(text);
  const std::size_t room = std::max(kMinName, width > taken ? width - taken : 0);
  std::string name = abbreviated(printable(lane.arm), room, "..") + seed;
  const std::size_t shown = characters(name);
  const std::size_t wanted = std::min(names, room + seed.size());
  if (shown < wanted) name.append(wanted - shown, ' ');
  return clipped(std::string(kIndent, ' ') + name + text, width);
}

Progress::Progress(ProgressMode mode, std::ostream& out, std::function<double()> clock,
                   std::function<std::size_t()> width)
    : mode_(mode), out_(out), clock_(std::move(clock)), width_(std::move(width)) {
  if (mode_ != ProgressMode::terminal) last_drawn_ = clock_();  // nothing is known yet
}

void Progress::expect(const plan::Trial& trial, const plan::TrialTime& time, bool done) {
  const bool known = time.all() > 0;
  work_[trial.id] = {known ? time.all() : 1, known ? time.training / time.all() : 1,
                     done ? 1.0 : 0.0};
  names_ = std::max(names_, characters(name_of(trial.arm, trial.seed)));
  if (done) ++ended_;
}

void Progress::started(const plan::Trial& trial) {
  lanes_[trial.id] = {
      .arm = trial.arm, .seed = trial.seed, .stage = "start", .loss = work_[trial.id].loss};
  time_left_.observe(done_fraction(), clock_());
  if (mode_ == ProgressMode::plain) line(name_of(trial.arm, trial.seed) + ": started");
  json_line({{"event", "started"}, {"trial", trial.id}, {"arm", trial.arm}, {"seed", trial.seed}});
}

void Progress::heard(const Json& event) {
  if (!event.is_object() || text_in(event, "event") != "progress") return;
  const auto lane = lanes_.find(text_in(event, "trial"));
  if (lane == lanes_.end()) return;
  lane->second.stage = text_in(event, "stage");
  lane->second.stage_fraction = number_or(event, "share", 0);
  if (event.contains("loss")) {  // training reports it, probes do not: the last one is kept
    lane->second.step = count_in(event, "step");
    lane->second.steps = count_in(event, "steps");
    if (!event.at("loss").is_null())  // a step that scores nothing has none: that before it is kept
      lane->second.loss = number_or(event, "loss", std::numeric_limits<double>::quiet_NaN());
    lane->second.tokens_per_second = number_or(event, "tokens_per_second", 0);
  }
  Work& work = work_[lane->first];
  work.done = lane->second.fraction(work.training);
  work.loss = lane->second.loss;
  json_line(event);
}

void Progress::trained(const plan::Trial& trial) {
  lanes_.erase(trial.id);
  Work& work = work_[trial.id];
  work.done = work.training;
}

void Progress::finished(const plan::Trial& trial, const std::string& outcome,
                        const std::string& message, double loss) {
  const auto lane = lanes_.find(trial.id);
  if (lane != lanes_.end() && std::isfinite(lane->second.loss)) loss = lane->second.loss;
  lanes_.erase(trial.id);
  work_[trial.id].done = 1;
  ++ended_;
  one_ended_ = true;
  json_line({{"event", "finished"},
             {"trial", trial.id},
             {"arm", trial.arm},
             {"seed", trial.seed},
             {"outcome", outcome},
             {"message", message}});
  const bool well = outcome == "completed";
  if (well && mode_ != ProgressMode::plain) return;
  std::string text = name_of(trial.arm, trial.seed) + ": " + outcome;
  if (well && std::isfinite(loss)) text += fmt::format(", loss {:g}", std::round(loss * 1e4) / 1e4);
  if (!well) text += fmt::format(" (trial {}): {}", trial.id, message);
  if (mode_ != ProgressMode::json && mode_ != ProgressMode::none) line(text);
}

void Progress::dropped(const plan::Trial& trial) {
  lanes_.erase(trial.id);
  work_[trial.id].done = 0;
}

void Progress::note(const std::string& text) {
  json_line({{"event", "note"}, {"text", text}});
  if (mode_ == ProgressMode::terminal || mode_ == ProgressMode::plain) line(text);
}

void Progress::tick() {
  const double now = clock_();
  const double pause = mode_ == ProgressMode::terminal ? kRedrawSeconds : kPlainSeconds;
  if (mode_ == ProgressMode::none || now - last_drawn_ < pause) return;
  last_drawn_ = now;
  time_left_.observe(done_fraction(), now);
  if (mode_ == ProgressMode::terminal) return redraw();
  const double left = seconds_left();
  json_line({{"event", "overall"},
             {"share", done_fraction()},
             {"ended", ended_},
             {"trials", work_.size()},
             {"seconds_left", std::isfinite(left) ? Json(left) : Json()}});
  if (mode_ == ProgressMode::plain) line(overall(100));
}

void Progress::end() {
  erase_drawing();
  out_.flush();
}

/// Writes each line of a message as a line; control characters become blanks.
void Progress::line(const std::string& text) {
  erase_drawing();
  std::size_t start = 0;
  for (std::size_t end; start <= text.size(); start = end + 1) {
    end = std::min(text.find('\n', start), text.size());
    out_ << printable(std::string_view(text).substr(start, end - start)) << '\n';
  }
  if (mode_ == ProgressMode::terminal) redraw();
  out_.flush();
}

void Progress::json_line(const Json& event) {
  if (mode_ == ProgressMode::json) out_ << ascii_text(event) << std::endl;
}

void Progress::redraw() {
  const std::size_t width = std::max<std::size_t>(width_(), 20) - 1;  // a full line would wrap
  std::vector<std::string> lines;
  for (const auto& [id, lane] : lanes_) lines.push_back(lane_line(lane, width, names_));
  lines.push_back(overall(width));
  erase_drawing();
  for (const std::string& text : lines) {
    const std::string clean = printable(text);
    out_ << clean << "\x1b[K\n";
    drawn_.push_back(characters(clean));
  }
  out_ << std::flush;
}

/// Moves to the first line of the drawing and clears everything below it. A terminal that has
/// become narrower has wrapped the lines.
void Progress::erase_drawing() {
  if (drawn_.empty()) return;
  const std::size_t width = std::max<std::size_t>(width_(), 1);
  std::size_t rows = 0;
  for (const std::size_t drawn : drawn_)
    rows += std::max<std::size_t>(1, (drawn + width - 1) / width);
  out_ << "\x1b[" << rows << "A\r\x1b[J";
  drawn_.clear();
}

double Progress::done_fraction() const {
  double all = 0, done = 0;
  for (const auto& [id, work] : work_) {
    all += work.seconds;
    done += work.seconds * work.done;
  }
  return all > 0 ? done / all : 1;
}

double Progress::seconds_left() const {
  return one_ended_ ? time_left_.seconds() : std::numeric_limits<double>::infinity();
}

std::string Progress::overall(std::size_t width) {
  const double now_done = done_fraction();
  std::string text =
      fmt::format(" {} %  {}/{} trials  ", static_cast<int>(100 * now_done), ended_, work_.size());
  const double left = seconds_left();
  text += std::isfinite(left) ? duration_text(left) + " left" : "time left unknown";
  const std::size_t room =
      width > text.size() + 4 ? std::min<std::size_t>(width - text.size(), 40) : 0;
  return clipped(bar_text(now_done, room) + text, width);
}

}  // namespace ablate::run
