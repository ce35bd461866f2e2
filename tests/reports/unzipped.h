// The files of an archive, for tests that read one.

#pragma once

#include <gtest/gtest.h>
#include <zip.h>

#include <map>
#include <string>

namespace ablate::reports {

/// The files of an archive by name, read with libzip's checks of each.
inline std::map<std::string, std::string> unzipped(const std::string& bytes) {
  zip_error_t error;
  zip_error_init(&error);
  zip_source_t* const source = zip_source_buffer_create(bytes.data(), bytes.size(), 0, &error);
  zip_t* const archive = zip_open_from_source(source, ZIP_RDONLY | ZIP_CHECKCONS, &error);
  std::map<std::string, std::string> files;
  if (archive == nullptr) return files;
  for (zip_int64_t i = 0; i < zip_get_num_entries(archive, 0); ++i) {
    zip_stat_t about;
    zip_stat_index(archive, static_cast<zip_uint64_t>(i), 0, &about);
    std::string text(about.size, '\0');
    zip_file_t* const file = zip_fopen_index(archive, static_cast<zip_uint64_t>(i), 0);
    EXPECT_EQ(zip_fread(file, text.data(), text.size()), static_cast<zip_int64_t>(text.size()));
    zip_fclose(file);
    files[about.name] = text;
  }
  zip_discard(archive);
  return files;
}

}  // namespace ablate::reports
