#include "cli/method_flags.h"

#include <memory>
#include <utility>

#include "base/options.h"
#include "selectors/catalog.h"
#include "slm/errors.h"

namespace slm {
namespace {

// "it belongs to --method x, y" for an option that other methods have; else empty.
std::string OwnersOf(std::string_view flag) {
  std::string owners;
  for (const MethodEntry& method : Methods()) {
    std::unique_ptr<Selector> selector = method.make();
    OptionList options;
    selector->DescribeOptions(options);
    if (options.Find(flag) == nullptr) continue;
    owners += (owners.empty() ? "" : ", ") + std::string(method.name);
  }
  return owners.empty() ? "" : "it belongs to --method " + owners;
}

// The method that the line names, or the file, or the default.
const MethodEntry& Lookup(const std::string& on_line, const FileSetting* setting) {
  if (!on_line.empty() || setting == nullptr) return FindMethod(on_line.empty() ? "slm" : on_line);
  try {
    return FindMethod(setting->value);
  } catch (const InputError& error) {
    throw UsageError(setting->where + ": " + error.what());
  }
}

}  // namespace

MethodFlags::MethodFlags(Arguments arguments, const FileSetting* setting)
    : written_(setting == nullptr ? "slm" : setting->value),
      entry_(Lookup(FlagValue(arguments, "--method", ""), setting)),
      selector_(entry_.make()) {
  selector_->DescribeOptions(options_);
}

void MethodFlags::DescribeMethod(OptionList* what) {
  std::string names;
  for (const MethodEntry& method : Methods()) {
    names += (names.empty() ? "" : ", ") + std::string(method.name);
  }
  what->Add({"method", "how to choose: the `NAME` of a method, see 'slm methods'", names,
             OptionField::Kind::kText, [this] { return written_; },
             [this](const std::string& text) {
               written_ = text;
               return true;
             }});
}

void MethodFlags::DescribeOptions(ArgParser* parser, std::string_view remark) const {
  parser->Flags("Options of method " + std::string(entry_.name) + std::string(remark), options_);
  parser->ExplainUnknown(OwnersOf);
}

std::unique_ptr<Selector> MethodFlags::Make() const {
  std::unique_ptr<Selector> copy = entry_.make();
  OptionList options;
  copy->DescribeOptions(options);
  for (const OptionField& field : options_.fields()) options.Set(field.name, field.get());
  return copy;
}

}  // namespace slm
