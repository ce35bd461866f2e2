// Loops whose turns several threads share.

#pragma once

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>
#include <utility>
#include <vector>

namespace ablate {

/// Threads that wait for loops. Not LibTorch's at::parallel_for: compiled without OpenMP, as here,
/// that is a plain loop. One thread at a time may give loops.
class ThreadPool {
 public:
  /// `threads`: at least 1, that of the caller included.
  explicit ThreadPool(std::size_t threads) {
    for (std::size_t i = 1; i < threads; ++i)
      threads_.emplace_back([this](const std::stop_token& stop) { work(stop); });
  }

  /// Calls `turn(i)` for every i below `count`, in any order and at the same time, and returns when
  /// all have returned. Then throws what the first of those that threw, by i, has thrown.
  void parallel_for(std::size_t count, const std::function<void(std::size_t)>& turn) {
    std::unique_lock lock(mutex_);
    turn_ = &turn;
    next_ = 0;
    count_ = open_ = count;
    failed_ = count;
    begun_.notify_all();
    take_turns(lock);
    ended_.wait(lock, [this] { return open_ == 0; });
    if (const std::exception_ptr failure = std::exchange(failure_, nullptr))
      std::rethrow_exception(failure);
  }

 private:
  void work(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    while (begun_.wait(lock, stop, [this] { return next_ < count_; })) take_turns(lock);
  }

  /// Takes turns while there are any. `lock` is held but for the turns themselves.
  void take_turns(std::unique_lock<std::mutex>& lock) {
    while (next_ < count_) {
      const std::size_t own = next_++;
      lock.unlock();
      std::exception_ptr failure;
      try {
        (*turn_)(own);
      } catch (...) {
        failure = std::current_exception();
      }
      lock.lock();
      if (failure && own < failed_) {
        failed_ = own;
        failure_ = failure;
      }
      if (--open_ == 0) ended_.notify_all();
    }
  }

  std::mutex mutex_;  // guards all that follows but the threads
  std::condition_variable_any begun_;
  std::condition_variable ended_;
  const std::function<void(std::size_t)>* turn_ = nullptr;
  std::size_t next_ = 0, count_ = 0;  // turns taken, and of the loop
  std::size_t open_ = 0;              // turns that have not ended
  std::size_t failed_ = 0;            // the first turn that threw `failure_`
  std::exception_ptr failure_;
  std::vector<std::jthread> threads_;  // last: they end before what they use
};

}  // namespace ablate
