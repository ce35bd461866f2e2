// The lines of a journal: whether they verify, and what they say.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "harness/base/json/json.h"

namespace ablate::store {

/// The event "curve", read without making a JSON value of it: long journals have little else. Its
/// texts are valid while it is taken.
struct CurveEvent {
  std::int64_t attempt = 0;
  std::int64_t step = 0;
  bool spike = false;
  std::string_view time;

  /// As written. Reading them gives finite numbers, none of them negative zero.
  std::string_view text_tokens, loss, learning_rate, gradient_norm;
};

/// Who takes the events of a journal, in order.
struct EventTaker {
  std::function<void(Json event)> event;
  std::function<void(const CurveEvent& event)> curve;  // empty: they come as the others
};

/// What there is besides the events in the bytes of a journal, as far as they verify.
struct JournalEnd {
  std::size_t events = 0;
  std::string last_sum;            // of the last event; before the first, the folder's name
  std::string unterminated;        // a last line, among the events, that lacks only its newline
  std::size_t complete_bytes = 0;  // bytes of the lines that have a newline
  std::string damage;              // what is wrong with the next line; empty where nothing is
};

/// Reads the lines of the journal `file` up to the first that does not verify. A last line is torn
/// where writing it was interrupted: it has no newline. It is kept where only the newline is
/// missing. A complete event followed by another byte is damage: that byte was the newline. Events
/// come without "sum" and "previous".
JournalEnd read_lines(std::string_view bytes, const std::filesystem::path& file,
                      const EventTaker& take);

/// As read_lines(), but throws DamagedFile where a line does not verify.
JournalEnd read_sound_lines(std::string_view bytes, const std::filesystem::path& file,
                            const EventTaker& take);

}  // namespace ablate::store
