// Tasks that take turns, so that what several of them wait for can be done at once. Without LibTorch.

#pragma once

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

namespace ablate::probes {

/// Runs tasks one at a time, each on a thread of its own. A task that asks for something stops until
/// all the others have ended or ask, too; then everything that was asked for is served together.
/// Since never more than one thread runs, tasks may share what is not safe for threads, and what is
/// asked for together depends on the tasks alone.
template <class Request>
class Turns {
 public:
  /// Answers requests, in the order of their tasks. Must not throw.
  using Serve = std::function<void(std::span<Request* const> requests)>;

  explicit Turns(Serve serve) : serve_(std::move(serve)) {}

  /// Runs the tasks to their ends, and serves on the calling thread. If tasks throw, the others run
  /// on; then the exception of the first of them is thrown.
  void run(std::span<const std::function<void()>> tasks) {
    if (tasks.empty()) return;
    tasks_.assign(tasks.size(), {});
    turn_ = 0;
    std::vector<std::thread> threads;
    threads.reserve(tasks.size());
    for (std::size_t i = 0; i < tasks.size(); ++i)
      threads.emplace_back([this, i, &task = tasks[i]] { run_one(i, task); });
    while (serve_waiting()) {
    }
    for (std::thread& thread : threads) thread.join();
    for (const Task& task : tasks_)
      if (task.error) std::rethrow_exception(task.error);
  }

  /// Stops the task that calls this until its request is served.
  void ask(Request& request) {
    std::unique_lock lock(mutex_);
    const std::size_t mine = turn_;
    tasks_[mine].request = &request;
    pass();
    changed_.wait(lock, [&] { return turn_ == mine; });
  }

 private:
  struct Task {
    Request* request = nullptr;  // that it waits for
    bool over = false;
    std::exception_ptr error;
  };

  static constexpr std::size_t kServing = SIZE_MAX;

  void run_one(std::size_t i, const std::function<void()>& task) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return turn_ == i; });
    lock.unlock();
    std::exception_ptr error;
    try {
      task();
    } catch (...) {
      error = std::current_exception();
    }
    lock.lock();
    tasks_[i].error = error;
    tasks_[i].over = true;
    pass();
  }

  /// Gives the turn to the first task that can run, or else to the thread that serves.
  void pass() {
    turn_ = kServing;
    for (std::size_t i = 0; i < tasks_.size() && turn_ == kServing; ++i)
      if (!tasks_[i].over && tasks_[i].request == nullptr) turn_ = i;
    changed_.notify_all();
  }

  /// Waits until no task can run, and serves their requests. Returns whether there were any.
  bool serve_waiting() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return turn_ == kServing; });
    std::vector<Request*> requests;
    for (const Task& task : tasks_)
      if (task.request != nullptr) requests.push_back(task.request);
    if (requests.empty()) return false;
    serve_(requests);
    for (Task& task : tasks_) task.request = nullptr;
    pass();
    return true;
  }

  Serve serve_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Task> tasks_;
  std::size_t turn_ = 0;  // the task that runs, or kServing
};

}  // namespace ablate::probes
