// A worker process. It reads its input from memory, its output is read line by line, and it never
// blocks the program that started it.

#pragma once

#include <sys/types.h>

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/posix/descriptor.h"
#include "harness/base/posix/spawn.h"

namespace ablate::run {

/// A child in a separate process group. It is killed when this object or this program ends.
class Process {
 public:
  /// Starts a program with its arguments. Its standard input is `input`, its standard output is read by lines(), and
  /// its standard error is appended to `log`, which is emptied first. Throws MachineFault where the
  /// log, the pipe or the process cannot be created. A program that cannot be executed ends with
  /// exit status 127, with the reason in its log.
  Process(const std::vector<std::string>& command, std::string_view input,
          const std::filesystem::path& log);

  /// The same, without arguments.
  Process(const std::filesystem::path& program, std::string_view input,
          const std::filesystem::path& log)
      : Process(std::vector{program.string()}, input, log) {}

  /// Its process id.
  pid_t id() const { return child_->id(); }

  /// The descriptor of its standard output, to poll for input.
  int output() const { return output_.get(); }

  /// True once it has closed its standard output: no more lines will come.
  bool closed() const { return closed_; }

  /// The complete lines since the last call. Never blocks; lines over 1 MiB are dropped.
  std::vector<std::string> lines();

  /// The same, after a wait of at most a tenth of a second for one.
  std::vector<std::string> awaited_lines();

  /// True once it has ended; never blocks.
  bool ended() { return child_->ended(); }

  /// True once it has ended and no more lines will come; never blocks.
  bool over() { return ended() && closed(); }

  /// Its status, as waitpid(2) returns it. Requires: ended().
  int status() const { return child_->status(); }

  /// Seconds of processors that it has taken. Requires: ended().
  double processor_seconds() const { return child_->processor_seconds(); }

  /// Sends a signal to all processes of its group; does nothing once it has ended.
  void signal(int number) { child_->signal(number); }

 private:
  Descriptor output_;
  std::unique_ptr<ChildProcess> child_;  // ended before its output is closed
  bool closed_ = false;
  std::string partial_;  // the start of a line that is not complete yet
};

/// The last lines of a file, at most `bytes` of it; empty where it cannot be read.
std::string last_lines(const std::filesystem::path& file, std::size_t bytes = 2000);

/// Cuts a log that has more than twice `bytes` down to its last lines, at most `bytes` of it. What
/// the worker writes in that instant may be lost. A log that cannot be cut stays as it is.
void shorten_log(const std::filesystem::path& file, std::size_t bytes = std::size_t{1} << 20);

}  // namespace ablate::run
