#include "reports/tables/table.h"

namespace ablate::reports {

std::string_view arrow_of(Better better) {
  switch (better) {
    case Better::lower:
      return "↓";
    case Better::higher:
      return "↑";
    case Better::neither:
      break;
  }
  return "";
}

}  // namespace ablate::reports
