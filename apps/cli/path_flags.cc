#include "cli/path_flags.h"

#include "base/text.h"

namespace slm {

void DescribePathOptions(PathRequest* request, const std::string& lead, OptionList* list) {
  list->Int("folds", &request->folds, 2, 100, lead + "parts of the rows, each held out in turn");
  std::optional<double>* tolerance = &request->tolerance;
  list->Add({"tolerance",
             lead + "how far from the best is good enough: `X`, or se, its standard error",
             "a number that is not negative, or se", OptionField::Kind::kText,
             [tolerance] { return *tolerance ? FormatNumber(**tolerance) : std::string("se"); },
             [tolerance](const std::string& text) {
               double value = 0;
               const bool number = ParseNumber(text, &value) && value >= 0;
               if (!number && text != "se") return false;
               *tolerance = number ? std::optional(value) : std::nullopt;
               return true;
             }});
}

}  // namespace slm
