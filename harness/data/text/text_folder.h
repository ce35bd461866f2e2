// The files of a folder of text, links among them.

#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace ablate::data {

/// Why a link in a folder is left out.
enum class LinkFault {
  dangling,  // what it names does not exist
  repeated,  // what it names is read under another name
  special,   // it names a device, a pipe or a socket
};

/// Links that are left out, by the reason.
class LinksLeftOut {
 public:
  void add(LinkFault fault, const std::filesystem::path& link);

  void add(const LinksLeftOut& other);

  std::int64_t count() const;

  /// A sentence for each reason, such as "2 links are left out, because what they name does not exist,
  /// among them 'a/b.txt'".
  std::vector<std::string> sentences() const;

 private:
  struct Group {
    std::int64_t links = 0;
    std::string first;
  };
  std::map<LinkFault, Group> groups_;
};

/// The regular files below `folder` whose names match `glob`, sorted bytewise by path. Where `glob`
/// contains a '/', it is matched against the path below the folder. Names that start with a dot match
/// only a glob that does. Links to files and folders are followed, wherever these are; a link that
/// names what is read anyway is left out, as are those that name no file, and added to `left_out`.
/// Throws std::invalid_argument where a link leads to a folder that contains it, or there are too many
/// files; std::filesystem::filesystem_error where the disk refuses.
std::vector<std::filesystem::path> files_below(const std::filesystem::path& folder,
                                               const std::string& glob, LinksLeftOut& left_out);

}  // namespace ablate::data
