// Workers that stand still before each line of a journal: what a test does then comes before that
// line, on a slow machine and on a fast one.

#pragma once

#include <cstdint>

#include "harness/base/posix/pipe.h"

namespace ablate::testing_support {

/// The pauses of all workers of one program.
class Pauses {
 public:
  /// In the child that becomes the program: its workers will stand still.
  void begin() const;

  /// In the parent, once there is the child: closes the end of a pipe that is the child's alone.
  void let_go() { said_.writer.close(); }

  /// Lets workers write so many lines without standing still.
  void allow(std::int64_t lines);

  /// Waits until a worker stands still. Returns false where none ever will: the program and all
  /// its workers have ended.
  bool wait();

  /// One worker that stands still writes its line.
  void go_on() const;

  /// Those that stand still go on, and none stands still from now on.
  void end() { heard_.writer.close(); }

 private:
  Pipe said_ = open_pipe("the pauses of workers");   // a byte for each pause
  Pipe heard_ = open_pipe("the pauses of workers");  // a byte for each line that may be written
  std::int64_t allowed_ = 0;                         // lines that were not said yet
};

}  // namespace ablate::testing_support
