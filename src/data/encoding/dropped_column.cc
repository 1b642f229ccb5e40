#include "data/encoding/dropped_column.h"

namespace slm {

std::string_view DropReason::Word() const {
  switch (kind) {
    case DropKind::kConstant:
      return "constant";
    case DropKind::kDuplicate:
      return "duplicate";
    case DropKind::kIdentifier:
      return "identifier";
    case DropKind::kUser:
      return "dropped by the user";
    case DropKind::kSplit:
      return "splits the rows";
    case DropKind::kLeak:
      return "gives the target away";
    case DropKind::kOther:
      break;
  }
  return detail;
}

std::string DropReason::Text() const {
  std::string word(Word());
  if (kind == DropKind::kDuplicate) return word + " of " + detail;
  if (kind == DropKind::kIdentifier) return word + ": " + detail;
  return word;
}

}  // namespace slm
