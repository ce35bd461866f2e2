// A signal handler that only stores the signal.

#include "experiments/worker/process/stop.h"

#include <signal.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/prctl.h>
#endif

#include <initializer_list>

#include "harness/base/exit_code.h"

namespace ablate::worker {
namespace {

volatile sig_atomic_t received = 0;

void on_signal(int number) {
  if (number == SIGINT && received == SIGINT) ::_exit(exit_interrupted);
  received = number;
}

}  // namespace

void listen_to_signals() {
  struct sigaction action {};
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART;
  sigset_t ours;
  ::sigemptyset(&ours);
  for (const int number : {SIGINT, SIGTERM, SIGUSR1, SIGUSR2}) {
    ::sigaction(number, &action, nullptr);
    ::sigaddset(&ours, number);
  }
  ::sigprocmask(SIG_UNBLOCK, &ours, nullptr);  // a parent may have blocked them
  ::signal(SIGPIPE, SIG_IGN);  // a missing reader is no error: the journal has everything
#ifdef __linux__
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
#endif
}

void leave_signals_to_the_first_rank() {
  for (const int number : {SIGINT, SIGTERM, SIGUSR1, SIGUSR2, SIGPIPE}) ::signal(number, SIG_IGN);
}

int stop_signal() { return received; }

int stop_exit_code() { return received == SIGINT ? exit_interrupted : exit_preempted; }

}  // namespace ablate::worker
