#pragma once

// Commands whose flags depend on the method.

#include <memory>
#include <string>
#include <string_view>

#include "base/options.h"
#include "cli/args.h"
#include "cli/commands.h"
#include "selectors/catalog.h"
#include "slm/selector.h"

namespace slm {

// What follows `flag` ("--method") on the line, also as --method=NAME, the last one if it is there
// twice; `otherwise` if it is not. For flags that decide which others exist, and so have to be
// known before the line is parsed.
std::string FlagValue(Arguments arguments, std::string_view flag, std::string otherwise);

// --method, and the options of the method it names.
class MethodFlags {
 public:
  // The method decides which flags exist, so it is looked up before the line is parsed. Throws a
  // UsageError if there is none of that name.
  explicit MethodFlags(Arguments arguments, std::string otherwise = "slm");
  MethodFlags(const MethodFlags&) = delete;

  // Adds --method to the flags on what to choose.
  void DescribeMethod(OptionList* what);
  // Adds the method's own flags under a heading that ends in `remark`, and says of an unknown one
  // whose it is.
  void DescribeOptions(ArgParser* parser, std::string_view remark = "") const;

  const MethodEntry& entry() const { return entry_; }
  std::string_view name() const { return entry_.name; }
  Selector& selector() { return *selector_; }
  const OptionList& options() const { return options_; }
  // Another one with the same options.
  std::unique_ptr<Selector> Make() const;

 private:
  std::string written_;
  const MethodEntry& entry_;
  std::unique_ptr<Selector> selector_;
  OptionList options_;
};

}  // namespace slm
