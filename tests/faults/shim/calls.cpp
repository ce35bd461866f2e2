// The calls of the C library that change files, each with its fault before it.

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <string_view>

#include "tests/faults/shim/fault.h"

namespace ablate::faults {
namespace {

/// Does `go`, a call that changes `path`, unless it is to fail.
template <class Go>
auto change(const char* call, const std::string& path, bool needs_space, const Go& go)
    -> decltype(go()) {
  const Fault fault = fault_of(call, path, needs_space);
  if (fault.error == 0) return go();
  errno = fault.error;
  return -1;
}

/// Writes `size` bytes by `go`, or half of them where the disk is just full.
template <class Go>
ssize_t change_bytes(const char* call, int file, std::size_t size, const Go& go) {
  const Fault fault = fault_of(call, path_of(file), true);
  if (fault.error == 0) return go(size);
  if (fault.error == ENOSPC && fault.first && size > 1) return go(size / 2);
  errno = fault.error;
  return -1;
}

template <class Go>
int change_open(const char* call, int base, const char* path, int flags, const Go& go) {
  const bool changes = (flags & (O_CREAT | O_TRUNC)) != 0 || (flags & O_ACCMODE) != O_RDONLY;
  if (!changes) return go();
  const std::string absolute = path_at(base, path);
  const bool is_new = (flags & O_CREAT) != 0 && ::access(absolute.c_str(), F_OK) != 0;
  return change(call, absolute, is_new, go);
}

template <class Go>
std::FILE* change_stream(const char* call, const char* path, const char* mode, const Go& go) {
  if (std::string_view(mode).find_first_of("wa+") == std::string_view::npos) return go();
  const int fails = change(call, path_at(AT_FDCWD, path), true, [] { return 0; });
  return fails ? nullptr : go();
}

mode_t mode_of(int flags, va_list rest) {
  return (flags & O_CREAT) != 0 ? va_arg(rest, mode_t) : 0;
}

}  // namespace
}  // namespace ablate::faults

using namespace ablate::faults;

// The function that the program would have called.
#define NEXT(name) \
  static auto* const next = reinterpret_cast<decltype(&::name)>(::dlsym(RTLD_NEXT, #name))

// Both names of a function: with 64-bit offsets, some headers rename it.
#define OPEN(name)                                                                             \
  int name(const char* path, int flags, ...) {                                                 \
    NEXT(name);                                                                                \
    va_list rest;                                                                              \
    va_start(rest, flags);                                                                     \
    const mode_t mode = mode_of(flags, rest);                                                  \
    va_end(rest);                                                                              \
    return change_open(#name, AT_FDCWD, path, flags, [&] { return next(path, flags, mode); }); \
  }
#define OPENAT(name)                                                                             \
  int name(int base, const char* path, int flags, ...) {                                         \
    NEXT(name);                                                                                  \
    va_list rest;                                                                                \
    va_start(rest, flags);                                                                       \
    const mode_t mode = mode_of(flags, rest);                                                    \
    va_end(rest);                                                                                \
    return change_open(#name, base, path, flags, [&] { return next(base, path, flags, mode); }); \
  }
#define FOPEN(name)                                                            \
  std::FILE* name(const char* path, const char* mode) {                        \
    NEXT(name);                                                                \
    return change_stream(#name, path, mode, [&] { return next(path, mode); }); \
  }
#define PWRITE(name, Offset)                                                                \
  ssize_t name(int file, const void* bytes, std::size_t size, Offset offset) {              \
    NEXT(name);                                                                             \
    return change_bytes(#name, file, size,                                                  \
                        [&](std::size_t some) { return next(file, bytes, some, offset); }); \
  }
#define SENDFILE(name, Offset)                                                           \
  ssize_t name(int to, int from, Offset* offset, std::size_t size) {                     \
    NEXT(name);                                                                          \
    return change_bytes(#name, to, size,                                                 \
                        [&](std::size_t some) { return next(to, from, offset, some); }); \
  }
#define FTRUNCATE(name, Offset)                                                   \
  int name(int file, Offset size) noexcept {                                      \
    NEXT(name);                                                                   \
    struct stat about {};                                                         \
    const bool grows = ::fstat(file, &about) == 0 && size > about.st_size;        \
    return change(#name, path_of(file), grows, [&] { return next(file, size); }); \
  }
#define TRUNCATE(name, Offset)                                                              \
  int name(const char* path, Offset size) noexcept {                                        \
    NEXT(name);                                                                             \
    return change(#name, path_at(AT_FDCWD, path), false, [&] { return next(path, size); }); \
  }
#define ALLOCATE(name, Offset)                                              \
  int name(int file, Offset offset, Offset size) {                          \
    NEXT(name);                                                             \
    const int fails = change(#name, path_of(file), true, [] { return 0; }); \
    return fails ? errno : next(file, offset, size);                        \
  }
#define SYNC(name, ...)                                                     \
  int name(int file) __VA_ARGS__ {                                          \
    NEXT(name);                                                             \
    return change(#name, path_of(file), false, [&] { return next(file); }); \
  }
#define PATH(name)                                                                    \
  int name(const char* path) noexcept {                                               \
    NEXT(name);                                                                       \
    return change(#name, path_at(AT_FDCWD, path), false, [&] { return next(path); }); \
  }
#define TWO_PATHS(name)                                                                \
  int name(const char* from, const char* to) noexcept {                                \
    NEXT(name);                                                                        \
    return change(#name, path_at(AT_FDCWD, to), true, [&] { return next(from, to); }); \
  }

extern "C" {

OPEN(open)
OPEN(open64)
OPENAT(openat)
OPENAT(openat64)
FOPEN(fopen)
FOPEN(fopen64)

ssize_t write(int file, const void* bytes, std::size_t size) {
  NEXT(write);
  return change_bytes("write", file, size,
                      [&](std::size_t some) { return next(file, bytes, some); });
}

// Of several pieces none is written where not all of them are.
ssize_t writev(int file, const iovec* pieces, int count) {
  NEXT(writev);
  return change("writev", path_of(file), true, [&] { return next(file, pieces, count); });
}

PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)
SENDFILE(sendfile, off_t)
SENDFILE(sendfile64, off64_t)

ssize_t copy_file_range(int from, off64_t* from_offset, int to, off64_t* to_offset,
                        std::size_t size, unsigned flags) {
  NEXT(copy_file_range);
  return change_bytes("copy_file_range", to, size, [&](std::size_t some) {
    return next(from, from_offset, to, to_offset, some, flags);
  });
}

FTRUNCATE(ftruncate, off_t)
FTRUNCATE(ftruncate64, off64_t)
TRUNCATE(truncate, off_t)
TRUNCATE(truncate64, off64_t)
ALLOCATE(posix_fallocate, off_t)
ALLOCATE(posix_fallocate64, off64_t)
SYNC(fsync)
SYNC(fdatasync)
SYNC(syncfs, noexcept)
PATH(unlink)
PATH(rmdir)
PATH(remove)
TWO_PATHS(rename)
TWO_PATHS(link)

int renameat(int from_base, const char* from, int to_base, const char* to) noexcept {
  NEXT(renameat);
  return change("renameat", path_at(to_base, to), true,
                [&] { return next(from_base, from, to_base, to); });
}

int unlinkat(int base, const char* path, int flags) noexcept {
  NEXT(unlinkat);
  return change("unlinkat", path_at(base, path), false, [&] { return next(base, path, flags); });
}

int mkdir(const char* path, mode_t mode) noexcept {
  NEXT(mkdir);
  return change("mkdir", path_at(AT_FDCWD, path), true, [&] { return next(path, mode); });
}

// Not a change of a file, but what a clock that is set shows to those who ask it.
int clock_gettime(clockid_t clock, timespec* time) noexcept {
  NEXT(clock_gettime);
  const int result = next(clock, time);
  if (result == 0 && clock == CLOCK_REALTIME) time->tv_sec += clock_error();
  return result;
}

}  // extern "C"
