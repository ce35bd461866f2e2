// The heap of a process that trains.

#pragma once

namespace ablate {

/// Keeps freed memory in the process. Fresh tensors of some megabytes are otherwise mapped and
/// faulted anew by each operation, which costs more than many an operation itself. Call it once,
/// first in main.
void keep_heap();

}  // namespace ablate
