#include "base/options.h"
#include "selectors/methods.h"
#include "slm/describe.h"
#include "slm/options.h"
#include "slm/search.h"

namespace slm {
namespace {

class SlmSelector : public Selector {
 public:
  Choice Select(const Problem& problem, int k, uint64_t seed, const Context& context) override {
    return SearchMask(problem, k, options_, seed, context);
  }

  void DescribeOptions(OptionList& list) override {
    // Described first: setting it replaces every other option, so it gives way to those after it.
    list.Add({"preset", "all options at once: auto, or the setting of the paper", "auto, paper",
              OptionField::Kind::kText, [this] { return preset_; },
              [this](const std::string& text) {
                if (text != "auto" && text != "paper") return false;
                preset_ = text;
                options_ = text == "paper" ? PaperOptions() : SlmOptions();
                return true;
              }});
    slm::DescribeOptions(options_, list);
  }

 private:
  std::string preset_ = "auto";
  SlmOptions options_;
};

}  // namespace

std::unique_ptr<Selector> MakeSlm() { return std::make_unique<SlmSelector>(); }

}  // namespace slm
