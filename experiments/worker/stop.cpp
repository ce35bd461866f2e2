// One handler, which only remembers.

#include "experiments/worker/stop.h"

#include <signal.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/prctl.h>
#endif

#include <initializer_list>

#include "harness/base/exit_code.h"

namespace ablate::worker {
namespace {

volatile sig_atomic_t came = 0;

void remember(int number) {
  if (number == SIGINT && came == SIGINT) ::_exit(exit_interrupted);
  came = number;
}

}  // namespace

void listen_to_signals() {
  struct sigaction action {};
  action.sa_handler = remember;
  action.sa_flags = SA_RESTART;
  sigset_t ours;
  ::sigemptyset(&ours);
  for (const int number : {SIGINT, SIGTERM, SIGUSR1, SIGUSR2}) {
    ::sigaction(number, &action, nullptr);
    ::sigaddset(&ours, number);
  }
  ::sigprocmask(SIG_UNBLOCK, &ours, nullptr);  // a parent may have blocked them
  ::signal(SIGPIPE, SIG_IGN);                  // nobody may be listening; the journal is the truth
#ifdef __linux__
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
#endif
}

int stop_signal() { return came; }

int stop_exit_code() { return came == SIGINT ? exit_interrupted : exit_preempted; }

}  // namespace ablate::worker
