// A worker process: started with its input at hand, listened to line by line, never waited for
// blindly.

#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace ablate::run {

/// A child in a process group of its own. It is killed when this program dies, however that
/// happens.
class Process {
 public:
  /// Starts `program`: standard input reads `input`, standard output is listened to, standard error
  /// goes to `log`, which is emptied first. Throws std::runtime_error where it cannot be started.
  Process(const std::filesystem::path& program, std::string_view input,
          const std::filesystem::path& log);
  ~Process();  // kills and reaps what still runs
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  /// To be polled for input.
  int output() const { return output_; }

  /// True once it has closed its standard output: nothing more will come.
  bool closed() const { return closed_; }

  /// The whole lines that have come since the last call. Never blocks; lines over 1 MiB are
  /// dropped.
  std::vector<std::string> lines();

  /// True once it has ended; never blocks. Then status() is what waitpid() said.
  bool ended();
  int status() const { return status_; }

  /// Sends a signal to the whole group.
  void signal(int number);

 private:
  pid_t pid_ = -1;
  int output_ = -1;
  int status_ = 0;
  bool ended_ = false;
  bool closed_ = false;
  std::string partial_;
};

/// "exit status 3", "signal 11 (Segmentation fault)".
std::string status_text(int status);

/// The last lines of a file, at most `bytes` of it; empty where it cannot be read.
std::string last_lines(const std::filesystem::path& file, std::size_t bytes = 2000);

}  // namespace ablate::run
