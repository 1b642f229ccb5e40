#include "cli/split_flags.h"

#include <cmath>
#include <string>
#include <vector>

#include "base/text.h"
#include "cli/args.h"
#include "slm/errors.h"

namespace slm {
namespace {

constexpr int kUsualFolds = 5;
constexpr int kMostFolds = 1000;

// Cuts "group:" or "time:" off the text; false if it begins with neither.
bool TakeRule(std::string* text, SplitRule::Kind* kind) {
  for (const auto& [prefix, value] :
       {std::pair<std::string, SplitRule::Kind>{"group:", SplitRule::Kind::kGroup},
        {"time:", SplitRule::Kind::kTime}}) {
    if (!text->starts_with(prefix)) continue;
    *kind = value;
    text->erase(0, prefix.size());
    return true;
  }
  return false;
}

// Three shares that make a whole; the part for testing may be empty.
bool ParseShares(const std::vector<std::string>& parts, std::array<double, 3>* shares) {
  std::array<double, 3> read{};
  if (parts.size() != read.size()) return false;
  for (size_t i = 0; i < parts.size(); ++i) {
    if (!ParseNumber(parts[i], &read[i]) || !(read[i] >= 0)) return false;
  }
  const bool whole = std::abs(read[0] + read[1] + read[2] - 1) < 1e-6;
  if (!whole || read[0] <= 0 || read[1] <= 0) return false;
  *shares = read;
  return true;
}

// The last `count` parts between commas, and what stands before them.
bool TakeLast(size_t count, std::string* text, std::vector<std::string>* last) {
  std::vector<std::string> parts = SplitList(*text);
  if (parts.size() <= count) return false;
  last->assign(parts.end() - static_cast<ptrdiff_t>(count), parts.end());
  parts.resize(parts.size() - count);
  *text = parts[0];
  for (size_t i = 1; i < parts.size(); ++i) *text += "," + parts[i];
  return true;
}

}  // namespace

OptionField SplitOption(std::array<double, 3>* shares, SplitRule* rule) {
  return {"split",
          "shares `A,B,C` of the rows for training, validation and testing; group:COL keeps equal "
          "COL together, time:COL trains on the past (either may end in ,A,B,C)",
          "three shares from 0 to 1 whose sum is 1, the first two above 0, or group:COL, time:COL",
          OptionField::Kind::kText,
          [shares, rule] {
            const std::string by = rule->Text();
            return (by.empty() ? "" : by + ",") + FormatNumber((*shares)[0]) + "," +
                   FormatNumber((*shares)[1]) + "," + FormatNumber((*shares)[2]);
          },
          [shares, rule](const std::string& text) {
            SplitRule read;
            std::string rest = text;
            if (!TakeRule(&rest, &read.kind)) {
              if (!ParseShares(SplitList(text), shares)) return false;
              *rule = {};
              return true;
            }
            std::string column = rest;
            std::vector<std::string> last;
            if (TakeLast(3, &column, &last) && ParseShares(last, shares)) rest = column;
            read.column = rest;
            *rule = read;
            return !rest.empty();
          }};
}

OptionField CrossValidationOption(int* folds, SplitRule* rule) {
  return {"cv",
          "also select without each of `N` folds and judge on it; group:COL keeps equal COL in one "
          "fold, time:COL learns from the past (either may end in ,N)",
          "a number of folds from 2 to 1000, or group:COL, time:COL",
          OptionField::Kind::kText,
          [folds, rule] {
            if (*folds == 0) return std::string("none");
            const std::string by = rule->Text();
            return (by.empty() ? "" : by + ",") + std::to_string(*folds);
          },
          [folds, rule](const std::string& text) {
            auto count = [](const std::string& written, int* number) {
              return ParseNumber(written, number) && *number >= 2 && *number <= kMostFolds;
            };
            SplitRule read;
            std::string rest = text;
            int number = kUsualFolds;
            if (!TakeRule(&rest, &read.kind)) {
              if (!count(text, &number)) return false;
              *folds = number;
              return true;
            }
            std::string column = rest;
            std::vector<std::string> last;
            if (TakeLast(1, &column, &last) && ParseNumber(last[0], &number)) {
              if (!count(last[0], &number)) return false;
              rest = column;
            }
            read.column = rest;
            *rule = read;
            *folds = number;
            return !rest.empty();
          }};
}

void ValidateCrossValidation(bool auto_k, SelectRequest* request) {
  if (auto_k) {
    throw UsageError(
        "--cv judges one k, and -k auto would choose it by the rows that judge; give -k a number, "
        "such as the one that 'slm path' finds");
  }
  const double rest = request->split[0] + request->split[1];
  request->split = {request->split[0] / rest, request->split[1] / rest, 0};
}

}  // namespace slm
