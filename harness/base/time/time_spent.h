// What a thread spends its time on.

#pragma once

#include <array>
#include <cstddef>

namespace ablate {

/// What is told apart of the time of a thread; everything else is the rest.
enum class Activity {
  passes,  // of a model over texts, forward
  fits,    // of models that measure others, with the passes that they take
  text,    // written by a model, with the passes that it takes
};

inline constexpr std::size_t kActivities = 3;

/// Seconds on the wall clock, without those in which the thread waited for its turn.
struct TimeSpent {
  double seconds = 0;                             // in all
  std::array<double, kActivities> activity = {};  // of that, by Activity

  /// The seconds of an activity.
  double on(Activity of) const { return activity[static_cast<std::size_t>(of)]; }
};

/// What was spent between two times.
TimeSpent operator-(TimeSpent later, const TimeSpent& earlier);

/// What the calling thread has spent so far, from a beginning of its own: only differences tell.
TimeSpent time_spent();

/// Counts what the calling thread spends until the end of this object as spent on an activity. Within
/// another one it counts as that: what is inside a fit belongs to the fit.
class Spending {
 public:
  explicit Spending(Activity on);
  ~Spending();
  Spending(const Spending&) = delete;
  Spending& operator=(const Spending&) = delete;

 private:
  bool outermost_;
};

/// Takes seconds in which the calling thread only waited out of what it has spent.
void leave_out_of_time_spent(double seconds);

}  // namespace ablate
