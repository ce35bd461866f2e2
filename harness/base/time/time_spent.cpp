#include "harness/base/time/time_spent.h"

#include <chrono>
#include <optional>

namespace ablate {
namespace {

/// The account of a thread. Probes spend their time deep inside of what they call, and a name for it is
/// needed only by those who write it down: so it is kept by thread, and not handed through.
struct Account {
  std::array<double, kActivities> activity = {};
  std::optional<Activity> open;
  double opened = 0;    // when that began, by own_seconds()
  double left_out = 0;  // seconds
};

thread_local Account account;

/// A clock that stands still where waiting is left out.
double own_seconds() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double>(now).count() - account.left_out;
}

}  // namespace

TimeSpent operator-(TimeSpent later, const TimeSpent& earlier) {
  later.seconds -= earlier.seconds;
  for (std::size_t i = 0; i < kActivities; ++i) later.activity[i] -= earlier.activity[i];
  return later;
}

TimeSpent time_spent() {
  TimeSpent spent{own_seconds(), account.activity};
  if (account.open)
    spent.activity[static_cast<std::size_t>(*account.open)] += spent.seconds - account.opened;
  return spent;
}

Spending::Spending(Activity on) : outermost_(!account.open) {
  if (!outermost_) return;
  account.open = on;
  account.opened = own_seconds();
}

Spending::~Spending() {
  if (!outermost_) return;
  account.activity[static_cast<std::size_t>(*account.open)] += own_seconds() - account.opened;
  account.open.reset();
}

void leave_out_of_time_spent(double seconds) { account.left_out += seconds; }

}  // namespace ablate
