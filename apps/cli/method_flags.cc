#include "cli/method_flags.h"

namespace slm {
namespace {

// The method decides which flags exist, so it is looked up before the line is parsed.
std::string MethodOf(Arguments arguments, std::string method) {
  constexpr std::string_view kFlag = "--method";
  for (size_t i = 0; i < arguments.size() && arguments[i] != "--"; ++i) {
    const std::string& argument = arguments[i];
    if (argument == kFlag && i + 1 < arguments.size()) method = arguments[i + 1];
    if (argument.starts_with("--method=")) method = argument.substr(kFlag.size() + 1);
  }
  return method;
}

// Which other methods have the option of that name.
std::string OtherOwners(std::string_view flag) {
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

MethodFlags::MethodFlags(Arguments arguments)
    : entry_(FindMethod(MethodOf(arguments, written_))), selector_(entry_.make()) {
  selector_->DescribeOptions(options_);
}

void MethodFlags::DescribeMethod(OptionList* what) {
  what->Text("method", &written_, "how to choose: the `NAME` of a method, see 'slm methods'");
}

void MethodFlags::DescribeOptions(ArgParser* parser) const {
  parser->Flags("Options of method " + std::string(entry_.name), options_);
  parser->ExplainUnknown(OtherOwners);
}

std::unique_ptr<Selector> MethodFlags::Make() const {
  std::unique_ptr<Selector> copy = entry_.make();
  OptionList options;
  copy->DescribeOptions(options);
  for (const OptionField& field : options_.fields()) options.Set(field.name, field.get());
  return copy;
}

}  // namespace slm
