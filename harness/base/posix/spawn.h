// Child processes: forked, killed when this program dies, never left unreaped.

#pragma once

#include <sys/types.h>

#include <functional>
#include <string>
#include <string_view>

#include "harness/base/posix/descriptor.h"

namespace ablate {

/// A forked child in a separate process group. The system kills it when the thread that started it
/// ends, for whatever reason.
class ChildProcess {
 public:
  /// Forks. The child runs `body` and exits with its result, or with 1 where it throws; it runs no
  /// destructors of static objects. Requires: `body` calls only what is safe after a fork; in a
  /// program with several threads those are the async-signal-safe functions. Throws
  /// std::runtime_error where the system refuses; `what` names the process in the message.
  ChildProcess(std::string_view what, const std::function<int()>& body);
  ~ChildProcess();  // kills the group and reaps the child where it still runs
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  /// Its process id, which is also that of its group.
  pid_t id() const { return pid_; }

  /// True once it has ended; never blocks.
  bool ended();

  /// Waits for its end and returns its status.
  int wait();

  /// Its status, as waitpid(2) returns it. Requires: it has ended, as ended() or wait() returned.
  int status() const { return status_; }

  /// Seconds of processors that it and the processes it has waited for have taken, in the system, too.
  /// Requires: it has ended.
  double processor_seconds() const { return processor_seconds_; }

  /// Sends a signal to all processes of the group; does nothing once the child has ended.
  void signal(int number);

 private:
  /// Reaps it if it has ended. `options`: of waitpid(2). Returns what that returns.
  pid_t reap(int options);

  pid_t pid_ = -1;
  int status_ = 0;
  double processor_seconds_ = 0;
  bool ended_ = false;
};

/// A status of waitpid(2) in words: "exit status 3", "signal 11 (Segmentation fault)".
std::string status_text(int status);

/// For the body of a child: connects its standard streams, restores every signal to its default,
/// and executes the program `arguments[0]`; a null ends the arguments. Returns only where that
/// fails: the exit status 127, as in shells; the reason is then written to `error`.
int execute(const char* const* arguments, const Descriptor& input, const Descriptor& output,
            const Descriptor& error);

}  // namespace ablate
