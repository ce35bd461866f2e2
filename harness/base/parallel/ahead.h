// Work on all processors whose results are wanted in order.

#pragma once

#include <deque>
#include <functional>
#include <future>
#include <utility>

#include "harness/base/posix/cores.h"

namespace ablate {

/// Runs jobs at the same time, as many as this process may use processors and one more, and hands their results
/// on in the order in which they were given. Results are taken by the thread that gives the jobs. A
/// job's exception is thrown there in its turn; the destructor waits for jobs that are under way, and
/// drops their results.
template <class Result>
class Ahead {
 public:
  /// `take` receives the results.
  explicit Ahead(std::function<void(Result)> take) : take_(std::move(take)) {}

  /// Starts a job; before that, where enough are under way, waits for the first of them. A job that
  /// is not worth a thread (`small`) runs when its turn comes.
  void run(std::function<Result()> job, bool small = false) {
    if (jobs_.size() == most_) take_first();
    jobs_.push_back(std::async(small ? std::launch::deferred : std::launch::async, std::move(job)));
  }

  /// Takes the results of all jobs.
  void finish() {
    while (!jobs_.empty()) take_first();
  }

 private:
  void take_first() {
    std::future<Result> first = std::move(jobs_.front());
    jobs_.pop_front();
    take_(first.get());
  }

  std::function<void(Result)> take_;
  std::deque<std::future<Result>> jobs_;
  std::size_t most_ = usable_cores() + 1;
};

}  // namespace ablate
