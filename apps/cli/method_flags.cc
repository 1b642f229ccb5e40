#include "cli/method_flags.h"

#include <memory>
#include <utility>

#include "base/options.h"
#include "selectors/catalog.h"

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

}  // namespace

std::string FlagValue(Arguments arguments, std::string_view flag, std::string otherwise) {
  std::string value = std::move(otherwise);
  const std::string with_value = std::string(flag) + "=";
  for (size_t i = 0; i < arguments.size() && arguments[i] != "--"; ++i) {
    const std::string& argument = arguments[i];
    const bool followed = i + 1 < arguments.size() && !arguments[i + 1].starts_with("--");
    if (argument == flag && followed) value = arguments[i + 1];
    if (argument.starts_with(with_value)) value = argument.substr(with_value.size());
  }
  return value;
}

MethodFlags::MethodFlags(Arguments arguments, std::string otherwise)
    : written_(std::move(otherwise)),
      entry_(FindMethod(FlagValue(arguments, "--method", written_))),
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
