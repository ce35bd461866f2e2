#include "harness/base/posix/network_folder.h"

#include <sys/vfs.h>

#include <cstdint>

namespace ablate {

bool is_on_network(const std::filesystem::path& folder) {
  struct statfs about {};
  if (::statfs(folder.c_str(), &about) != 0) return true;
  switch (static_cast<std::uint32_t>(about.f_type)) {
    case 0x6969:      // NFS
    case 0x517B:      // SMB
    case 0xFE534D42:  // SMB2
    case 0xFF534D42:  // CIFS
    case 0x65735546:  // FUSE (such as sshfs)
    case 0x0BD00BD0:  // Lustre
    case 0x47504653:  // GPFS
    case 0x00C36400:  // Ceph
    case 0x19830326:  // BeeGFS
      return true;
    default:
      return false;
  }
}

}  // namespace ablate
