#include "harness/store/trial_copies.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>

#include "harness/base/error.h"

namespace ablate::store {
namespace {

namespace fs = std::filesystem;

fs::path partial_of(const fs::path& target) {
  return target.string() + ".tmp." + std::to_string(::getpid());
}

fs::path former_of(const fs::path& target) {
  return target.string() + ".tmp.former." + std::to_string(::getpid());
}

void write_unsynced(const fs::path& file, std::string_view bytes) {
  std::ofstream out(file, std::ios::binary);
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  out.close();
  if (!out) fail(file.string(), ": could not be written: ", std::strerror(errno));
}

/// Calls `sync`, which is syncfs or fsync, on a folder.
void sync_by(int (*sync)(int), const fs::path& folder) {
  const int opened = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const bool done = opened >= 0 && sync(opened) == 0;
  const std::string reason = std::strerror(errno);
  if (opened >= 0) ::close(opened);
  if (!done) fail(folder.string(), ": could not be synced: ", reason);
}

}  // namespace

void TrialCopies::add(const fs::path& source, const fs::path& target, std::string_view journal) {
  const fs::path partial = partial_of(target);
  fs::remove_all(partial);
  fs::create_directories(partial);
  for (const auto& entry : fs::directory_iterator(source)) {
    const std::string name = entry.path().filename().string();
    if (!entry.is_regular_file() || entry.is_symlink() || name.find(".tmp.") != std::string::npos)
      continue;  // links may lead anywhere; half-written files are of no use
    if (name != "journal.jsonl") fs::copy_file(entry.path(), partial / name);
  }
  write_unsynced(partial / "journal.jsonl", journal);
  targets_.push_back(target);
}

void TrialCopies::finish() {
  if (targets_.empty()) return;
  const fs::path folder = targets_[0].parent_path();
  sync_by(::syncfs, folder);  // before any is renamed: a name in place stands for whole contents
  for (const fs::path& target : targets_) {
    const fs::path previous = former_of(target);
    if (fs::exists(target)) fs::rename(target, previous);
    fs::rename(partial_of(target), target);
    fs::remove_all(previous);
  }
  sync_by(::fsync, folder);
  targets_.clear();
}

}  // namespace ablate::store
