// File descriptors that close themselves, and the errors of system calls in words.

#pragma once

#include <filesystem>
#include <string_view>

namespace ablate {

/// Throws MachineFault "PATH: WHAT: REASON" with the reason of `errno`, which must still be that of
/// the call that failed.
[[noreturn]] void fail_errno(const std::filesystem::path& path, std::string_view what);

/// Owns an open file descriptor, or none.
class Descriptor {
 public:
  Descriptor() = default;

  /// Owns `file`; a negative number, as a call that failed returns it, means none.
  explicit Descriptor(int file) : file_(file) {}
  ~Descriptor() { close(); }
  Descriptor(Descriptor&& other) noexcept;             // leaves `other` closed
  Descriptor& operator=(Descriptor&& other) noexcept;  // closes the current one; as above

  /// The descriptor's number; negative where there is none.
  int get() const { return file_; }

  /// Whether it owns a descriptor.
  bool is_open() const { return file_ >= 0; }

  /// Closes the descriptor, if there is one. Does not change `errno`.
  void close();

 private:
  int file_ = -1;
};

/// open(2) with O_CLOEXEC; new files have mode 0644. Throws std::runtime_error "PATH: FAULT:
/// REASON" where the file cannot be opened.
Descriptor open_file(const std::filesystem::path& path, int flags, std::string_view fault);

/// Writes all of `bytes`, in as many calls as needed. Throws std::runtime_error, naming `path`,
/// where that fails.
void write_all(const Descriptor& file, std::string_view bytes, const std::filesystem::path& path);

}  // namespace ablate
