// Child processes: forked, killed when this program dies, never left unreaped.

#pragma once

#include <sys/types.h>

#include <functional>
#include <string_view>

#include "harness/base/posix/descriptor.h"

namespace ablate {

/// A forked child in a process group of its own. The system kills it when the thread that started
/// it ends, however that happens.
class ChildProcess {
 public:
  /// Forks. The child runs `body` and exits with its result, or with 1 where it throws; it runs no
  /// destructors of static objects. Requires: `body` calls only what is safe after a fork; in a
  /// program with several threads those are the async-signal-safe functions. Throws
  /// std::runtime_error where there is no process to be had; `what` names it in the message.
  ChildProcess(std::string_view what, const std::function<int()>& body);
  ~ChildProcess();  // kills the group and reaps the child where it still runs
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  /// True once it has ended; never blocks.
  bool ended();

  /// Waits for its end and returns its status.
  int wait();

  /// How it ended, as waitpid(2) says it. Requires: ended() or wait() said that it did.
  int status() const { return status_; }

  /// Sends a signal to the whole group; does nothing once the child has ended.
  void signal(int number);

 private:
  pid_t pid_ = -1;
  int status_ = 0;
  bool ended_ = false;
};

/// For the body of a child: connects its standard streams, restores every signal to its default,
/// and becomes `program`, without arguments. Returns, with exit status 127 as shells have it, only
/// where that fails; the reason is then on `error`.
int execute(const char* program, const Descriptor& input, const Descriptor& output,
            const Descriptor& error);

}  // namespace ablate
