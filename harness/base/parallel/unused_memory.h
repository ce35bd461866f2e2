// Memory that a program has freed and still holds.

#pragma once

namespace ablate {

/// Gives memory that was freed back to the system, where the C library can: many threads that have each
/// allocated and freed a little leave pages of which little is used. It takes milliseconds for a gigabyte: for the end
/// of a stage, not for loops.
void give_back_unused_memory();

}  // namespace ablate
