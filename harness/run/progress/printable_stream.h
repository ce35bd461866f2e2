// Streams whose text a terminal shows and never obeys.

#pragma once

#include <ostream>
#include <streambuf>
#include <string>

namespace ablate::run {

/// Passes on what is written to it as printable_lines() has it, characters that are written in several
/// pieces included.
class PrintableBuffer final : public std::streambuf {
 public:
  /// `target` must outlive it.
  explicit PrintableBuffer(std::streambuf& target) : target_(target) {}
  ~PrintableBuffer() override { pass_on(true); }
  PrintableBuffer(const PrintableBuffer&) = delete;
  PrintableBuffer& operator=(const PrintableBuffer&) = delete;

  std::streambuf& target() const { return target_; }

 protected:
  int_type overflow(int_type character) override;
  std::streamsize xsputn(const char* text, std::streamsize count) override;
  int sync() override;

 private:
  /// Passes on the complete characters that wait; all that waits where it is the `end`. Whether the
  /// target took them.
  bool pass_on(bool end);

  std::streambuf& target_;
  std::string waiting_;  // the beginning of a character
};

/// Makes a stream printable while it lives.
class PrintableStream {
 public:
  explicit PrintableStream(std::ostream& stream)
      : stream_(stream), before_(stream.rdbuf()), buffer_(*before_) {
    stream_.rdbuf(&buffer_);
  }
  ~PrintableStream() {
    stream_.flush();
    stream_.rdbuf(before_);
  }
  PrintableStream(const PrintableStream&) = delete;
  PrintableStream& operator=(const PrintableStream&) = delete;

 private:
  std::ostream& stream_;
  std::streambuf* before_;
  PrintableBuffer buffer_;
};

/// The same stream for text that commands the terminal itself: colours, a drawing that is drawn again.
/// Whoever writes there makes printable what is not its own.
std::ostream for_drawing(std::ostream& stream);

}  // namespace ablate::run
