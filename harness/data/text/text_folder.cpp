#include "harness/data/text/text_folder.h"

#include <fmt/core.h>
#include <fnmatch.h>

#include <algorithm>
#include <set>

#include "harness/base/error.h"

namespace ablate::data {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxFiles = 1'000'000;

bool fits(const std::string& glob, const fs::path& below) {
  const bool by_path = glob.find('/') != std::string::npos;
  const std::string name = by_path ? below.generic_string() : below.filename().string();
  return ::fnmatch(glob.c_str(), name.c_str(), FNM_PERIOD | (by_path ? FNM_PATHNAME : 0)) == 0;
}

bool is_hidden(const fs::path& path) { return path.filename().string().starts_with('.'); }

bool by_bytes(const fs::path& a, const fs::path& b) { return a.native() < b.native(); }

bool contains(const fs::path& folder, const fs::path& path) {
  return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first ==
         folder.end();
}

/// Finds the files of a folder: those that are there first, then those that links lead to, so that a
/// file is read under its own name where it has one here.
class Walk {
 public:
  Walk(const fs::path& root, const std::string& glob, LinksLeftOut& left_out)
      : root_(root), glob_(glob), left_out_(left_out) {}

  std::vector<fs::path> files() {
    add_folder(root_);
    if (!links_.empty()) follow_links();
    std::sort(files_.begin(), files_.end(), by_bytes);
    return std::move(files_);
  }

 private:
  void add_folder(const fs::path& folder) {
    auto entry = fs::recursive_directory_iterator(folder);
    for (; entry != fs::recursive_directory_iterator(); ++entry) {
      const fs::path& path = entry->path();
      if (entry->is_symlink()) {
        links_.push_back(path);
      } else if (entry->is_directory()) {
        if (is_hidden(path) || !is_first_visit(path)) entry.disable_recursion_pending();
      } else if (entry->is_regular_file() && is_wanted(path) && is_first_visit(path)) {
        files_.push_back(path);
      }
      if (files_.size() + links_.size() > kMaxFiles)
        reject("corpus.paths: '{}' has more than {} files; give a narrower glob", root_.string(),
               kMaxFiles);
    }
  }

  /// Whether a file or folder was not read under another name. Before links are followed nothing has
  /// two names.
  bool is_first_visit(const fs::path& path) {
    if (!following_) {
      visited_.push_back(path);
      return true;
    }
    const bool first = known_.insert(fs::canonical(path)).second;
    if (!first && is_wanted(path)) left_out_.add(LinkFault::repeated, path);
    return first;
  }

  bool is_wanted(const fs::path& path) const { return fits(glob_, path.lexically_relative(root_)); }

  void follow_links() {
    following_ = true;
    known_.insert(fs::canonical(root_));
    for (const fs::path& path : visited_) known_.insert(fs::canonical(path));
    while (!links_.empty()) {
      std::vector<fs::path> links = std::move(links_);
      links_.clear();  // followed folders add to it
      std::sort(links.begin(), links.end(), by_bytes);
      for (const fs::path& link : links) follow(link);
    }
  }

  void follow(const fs::path& link) {
    std::error_code error;
    const fs::file_status status = fs::status(link, error);
    if (error == std::errc::too_many_symbolic_link_levels) refuse_loop(link);
    if (status.type() == fs::file_type::directory)
      follow_folder(link);
    else if (is_wanted(link))
      follow_file(link, status);
  }

  void follow_folder(const fs::path& link) {
    if (is_hidden(link)) return;
    const fs::path target = fs::canonical(link);
    if (contains(target, fs::canonical(link.parent_path()))) refuse_loop(link);
    if (is_first_visit(link)) add_folder(link);
  }

  void follow_file(const fs::path& link, const fs::file_status& status) {
    if (status.type() == fs::file_type::not_found)
      left_out_.add(LinkFault::dangling, link);
    else if (status.type() != fs::file_type::regular)
      left_out_.add(LinkFault::special, link);
    else if (is_first_visit(link))
      files_.push_back(link);
  }

  [[noreturn]] static void refuse_loop(const fs::path& link) {
    reject(
        "corpus.paths: '{}' is a link to '{}', which leads back to it; remove the link, or give "
        "the "
        "folders to read one by one",
        link.string(), fs::read_symlink(link).string());
  }

  const fs::path& root_;
  const std::string& glob_;
  LinksLeftOut& left_out_;
  std::vector<fs::path> files_, links_;
  std::vector<fs::path> visited_;  // files and folders that were found before links are followed
  std::set<fs::path> known_;       // what was found, by its own name
  bool following_ = false;
};

}  // namespace

void LinksLeftOut::add(LinkFault fault, const fs::path& link) {
  Group& group = groups_[fault];
  if (group.links++ == 0) group.first = link.string();
}

void LinksLeftOut::add(const LinksLeftOut& other) {
  for (const auto& [fault, added] : other.groups_) {
    Group& group = groups_[fault];
    if (group.links == 0) group.first = added.first;
    group.links += added.links;
  }
}

std::int64_t LinksLeftOut::count() const {
  std::int64_t links = 0;
  for (const auto& [fault, group] : groups_) links += group.links;
  return links;
}

std::vector<std::string> LinksLeftOut::sentences() const {
  static constexpr const char* kReasons[] = {"does not exist", "is read under another name",
                                             "is no file"};
  std::vector<std::string> sentences;
  for (const auto& [fault, group] : groups_) {
    const char* const reason = kReasons[static_cast<std::size_t>(fault)];
    sentences.push_back(
        group.links == 1
            ? fmt::format("the link '{}' is left out, because what it names {}", group.first,
                          reason)
            : fmt::format("{} links are left out, because what they name {}, among them '{}'",
                          group.links, reason, group.first));
  }
  return sentences;
}

std::vector<fs::path> files_below(const fs::path& folder, const std::string& glob,
                                  LinksLeftOut& left_out) {
  return Walk(folder, glob, left_out).files();
}

}  // namespace ablate::data
