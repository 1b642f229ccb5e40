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

// --method, and the options of the method it names.
class MethodFlags {
 public:
  // The method decides which flags exist, so it is looked up before the line is parsed. Where the
  // line names none it is that of `setting`, of a file, or slm if that is null. Throws a UsageError
  // if there is none of that name.
  explicit MethodFlags(Arguments arguments, const FileSetting* setting = nullptr);
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
