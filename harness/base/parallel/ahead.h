// Work on all processors whose results are wanted in order.

#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

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
  ~Ahead() {
    {
      const std::lock_guard lock(mutex_);
      ended_ = true;
    }
    given_.notify_all();
  }
  Ahead(const Ahead&) = delete;
  Ahead& operator=(const Ahead&) = delete;

  /// Starts a job; before that, where enough are under way, waits for the first of them. A job that
  /// is not worth a thread (`small`) runs when its turn comes.
  void run(std::function<Result()> job, bool small = false) {
    if (jobs_.size() == most_) take_first();
    if (small) {
      jobs_.push_back(std::async(std::launch::deferred, std::move(job)));
      return;
    }
    // Each job under way has a thread, so that none waits for another's end.
    if (threads_.size() < most_) threads_.emplace_back([this] { work(); });
    std::packaged_task<Result()> task(std::move(job));
    jobs_.push_back(task.get_future());
    {
      const std::lock_guard lock(mutex_);
      waiting_.push_back(std::move(task));
    }
    given_.notify_one();
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

  /// Runs jobs until there are to be no more.
  void work() {
    while (true) {
      std::unique_lock lock(mutex_);
      given_.wait(lock, [this] { return ended_ || !waiting_.empty(); });
      if (waiting_.empty()) return;
      std::packaged_task<Result()> task = std::move(waiting_.front());
      waiting_.pop_front();
      lock.unlock();
      task();
    }
  }

  std::function<void(Result)> take_;
  std::deque<std::future<Result>> jobs_;  // not taken yet
  std::size_t most_ = usable_cores() + 1;
  std::mutex mutex_;
  std::condition_variable given_;
  std::deque<std::packaged_task<Result()>> waiting_;  // for a thread
  bool ended_ = false;
  std::vector<std::jthread> threads_;  // last: they use all of the above
};

}  // namespace ablate
