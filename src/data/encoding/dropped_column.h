#pragma once

// A column that cannot be chosen, and why.

#include <string>
#include <string_view>

namespace slm {

enum class DropKind {
  kConstant,    // as far as the training rows say
  kDuplicate,   // of another column, cell by cell
  kIdentifier,  // its values tell rows apart and nothing else
  kUser,        // dropped by the user
  kSplit,       // it decides which rows train
  kLeak,        // it gives the target away
  kOther,       // of a result that was read, which holds the text alone
};

struct DropReason {
  DropKind kind = DropKind::kOther;
  // The other column of a duplicate, how an identifier shows, the text of another reason.
  std::string detail;

  // "duplicate of area": the only place where a reason becomes text. Nobody reads it back.
  std::string Text() const;
  // What reasons of that kind have in common: "duplicate".
  std::string_view Word() const;
};

struct DroppedColumn {
  std::string name;
  DropReason reason;

  template <class Visitor>
  void VisitFields(Visitor& v) {
    std::string text = reason.Text();
    v("name", name);
    v("reason", text);
    if (v.reading()) reason = {DropKind::kOther, text};
  }
};

}  // namespace slm
