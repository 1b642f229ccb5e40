#include "jobs/search_space.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "base/text.h"

namespace slm {
namespace {

using Dimension = SearchDimension;
using Text = std::string_view;

constexpr Dimension Linear(Text option, double low, double high) {
  return {option, Dimension::Scale::kLinear, low, high};
}
constexpr Dimension Log(Text option, double low, double high) {
  return {option, Dimension::Scale::kLog, low, high};
}
constexpr Dimension Whole(Text option, double low, double high) {
  return {option, Dimension::Scale::kWhole, low, high};
}
constexpr Dimension LogWhole(Text option, double low, double high) {
  return {option, Dimension::Scale::kLogWhole, low, high};
}
constexpr Dimension OneOf(Text option, Text choices) {
  return {option, Dimension::Scale::kChoices, 0, 0, choices};
}

// Around the defaults of SLM, whose batches are smaller than the paper's and whose steps fewer.
// Deep predictors cost up to ten times the time of a shallow one and seldom win, so they are drawn
// less.
constexpr Dimension kSlm[] = {
    OneOf("batch_size", "32,64,128,256"),
    Log("learning_rate", 5e-4, 1e-2),
    OneOf("decay_rate", "0.7,0.9,0.95,0.99"),
    OneOf("decay_steps", "300,1000,10000"),
    LogWhole("steps", 1000, 4000),
    LogWhole("hidden_units", 50, 256),
    OneOf("hidden_layers", "1,1,1,2,3,4"),
    OneOf("alpha", "0,0.1,0.3,3,10"),
    OneOf("schedule", "geometric,linear"),
    LogWhole("drops", 5, 100),
    Linear("tempering", 0.4, 0.9),
    OneOf("l2", "0.00001,0.0001,0.001,0.01"),
    OneOf("input_dropout", "0.1,0.2,0.4"),
};
// The paper's own table (its section on experimental details) around its own setting.
constexpr Dimension kSlmPaper[] = {
    OneOf("batch_size", "512,1024,2048,4096"),
    OneOf("learning_rate", "0.001,0.003,0.01"),
    OneOf("decay_steps", "1000,10000"),
    OneOf("decay_rate", "0.7,0.9,0.95,0.99"),
    OneOf("epochs", "30,100,200"),
    OneOf("hidden_units", "50,100,200"),
    OneOf("hidden_layers", "1,2,3,4"),
};
constexpr std::pair<Text, Text> kSlmUnjudged[] = {{"final_predictors", "1"}, {"final_steps", "1"}};

constexpr Dimension kAdversarial[] = {Linear("max_auc", 0.52, 0.9), Log("drop_share", 0.02, 0.5)};
constexpr Dimension kBestSubset[] = {Log("l2", 0.1, 100), Whole("exchange", 1, 10)};
constexpr Dimension kBins[] = {LogWhole("bins", 3, 64)};
constexpr Dimension kConcrete[] = {
    OneOf("hidden_layers", "0,1,2"),  OneOf("dropout", "0,0.1,0.2"),
    LogWhole("steps", 2000, 10000),   OneOf("batch_size", "32,64,128,256"),
    Log("learning_rate", 3e-4, 1e-2), Log("selector_rate", 1e-3, 0.1),
    Log("start_temperature", 3, 30),  Log("end_temperature", 0.01, 0.5),
};
constexpr Dimension kDisMi[] = {LogWhole("bins", 3, 64), Linear("diversity", 0, 1)};
constexpr Dimension kForest[] = {
    LogWhole("trees", 50, 500),
    OneOf("max_depth", "0,5,10,20"),
    OneOf("max_features", "0,0.05,0.1,0.3,1"),
    OneOf("min_samples_leaf", "1,2,5,10"),
};
constexpr Dimension kFsNet[] = {
    LogWhole("bins", 20, 200),         LogWhole("hidden_units", 8, 64),
    OneOf("dropout", "0,0.2,0.4"),     LogWhole("steps", 1000, 5000),
    OneOf("batch_size", "16,32,64"),   Log("learning_rate", 5e-4, 1e-2),
    Log("reconstruction", 0.01, 10),   Log("start_temperature", 3, 30),
    Log("end_temperature", 0.01, 0.5),
};
constexpr Dimension kGroupLasso[] = {
    LogWhole("hidden_units", 50, 400),     OneOf("hidden_layers", "1,1,2"),
    OneOf("batch_size", "64,128,256,512"), Log("learning_rate", 5e-4, 1e-2),
    OneOf("l2", "0,0.0001,0.001,0.01"),    OneOf("alpha", "0.5,0.9,1"),
};
constexpr Dimension kHsicLasso[] = {OneOf("block_size", "10,20,50"),
                                    OneOf("permutations", "1,3,10")};
// Which features enter first depends on how far apart the penalties of the path lie.
constexpr Dimension kLasso[] = {Linear("path_ratio", 0.7, 0.97)};
constexpr Dimension kLassoNet[] = {
    LogWhole("hidden_units", 50, 400),  OneOf("batch_size", "64,128,256,512"),
    Log("learning_rate", 5e-4, 1e-2),   Log("hierarchy", 1, 100),
    OneOf("l2", "0,0.0001,0.001,0.01"), OneOf("l2_skip", "0,0.0001,0.001,0.01"),
    Linear("momentum", 0.5, 0.95),
};
constexpr Dimension kLinear[] = {Log("l2", 1e-4, 1e4)};
constexpr Dimension kMi[] = {Whole("neighbors", 1, 20)};
constexpr Dimension kMrmr[] = {LogWhole("bins", 3, 64), OneOf("form", "difference,quotient")};
constexpr Dimension kPfa[] = {Linear("variability", 0.5, 0.99)};
constexpr Dimension kSequential[] = {
    OneOf("batch_size", "32,64,128,256"),
    Log("learning_rate", 3e-4, 1e-2),
    OneOf("decay_rate", "0.7,0.9,0.95,0.99,1"),
    OneOf("decay_steps", "1000,10000"),
    LogWhole("steps", 2500, 10000),
    LogWhole("hidden_units", 50, 400),
    Linear("warm_up", 0, 0.5),
};
constexpr Dimension kStg[] = {
    OneOf("batch_size", "32,64,128,256"),
    Log("learning_rate", 3e-4, 1e-2),
    LogWhole("steps", 1500, 6000),
    LogWhole("hidden_units", 50, 400),
    Linear("sigma", 0.25, 1),
    OneOf("weight_decay", "0,0.0001,0.001,0.01"),
};
constexpr Dimension kXgboost[] = {
    OneOf("importance", "gain,total_gain"),
    LogWhole("rounds", 30, 500),
    Whole("max_depth", 2, 10),
    Log("learning_rate", 0.03, 0.5),
    Linear("subsample", 0.5, 1),
    Linear("colsample", 0.3, 1),
};

constexpr Text kSteps[] = {"steps", "epochs"};
constexpr Text kDecayingSteps[] = {"steps", "epochs", "decay_steps"};
constexpr Text kPathEpochs[] = {"epochs", "patience", "path_epochs", "path_patience"};
constexpr Text kTrees[] = {"trees"};
constexpr Text kRounds[] = {"rounds"};

// A preset's space stands before that of the method in general.
constexpr SearchSpace kSpaces[] = {
    {"adversarial", "", 0, kAdversarial},
    {"best-subset", "", 0, kBestSubset},
    {"cmim", "", 0, kBins},
    {"concrete-ae", "", 0.5, kConcrete, kSteps},
    {"dismi", "", 0, kDisMi},
    {"fsnet", "", 0.5, kFsNet, kSteps},
    {"group-lasso-nn", "", 0.5, kGroupLasso, kPathEpochs},
    {"hsic-lasso", "", 0, kHsicLasso},
    {"jmim", "", 0, kBins},
    {"lasso", "", 0, kLasso},
    {"lassonet", "", 0.5, kLassoNet, kPathEpochs},
    {"linear", "", 0, kLinear},
    {"mi", "", 0, kMi},
    {"mrmr", "", 0, kMrmr},
    {"pfa", "", 0, kPfa},
    {"rf", "", 0, kForest, kTrees},
    {"seq-attention", "", 0.5, kSequential, kDecayingSteps},
    {"slm", "paper", 0, kSlmPaper, kDecayingSteps, kSlmUnjudged},
    {"slm", "", 0.5, kSlm, kDecayingSteps, kSlmUnjudged},
    {"slm-hsic", "paper", 0, kSlmPaper, kDecayingSteps, kSlmUnjudged},
    {"slm-hsic", "", 0.5, kSlm, kDecayingSteps, kSlmUnjudged},
    {"softmax-topk", "paper", 0, kSlmPaper, kDecayingSteps, kSlmUnjudged},
    {"softmax-topk", "", 0.5, kSlm, kDecayingSteps, kSlmUnjudged},
    {"sparsemax-free", "paper", 0, kSlmPaper, kDecayingSteps, kSlmUnjudged},
    {"sparsemax-free", "", 0.5, kSlm, kDecayingSteps, kSlmUnjudged},
    {"stg", "", 0.5, kStg, kSteps},
    {"xgboost", "", 0, kXgboost, kRounds},
};

// Three digits: no result hangs on the fourth, and people read these.
std::string ThreeDigits(double value) {
  char text[40];
  auto [end, error] =
      std::to_chars(text, text + sizeof(text), value, std::chars_format::general, 3);
  std::from_chars(text, end, value);
  return FormatNumber(value);
}

std::string Draw(const Dimension& dimension, RandomStream& random) {
  const double low = dimension.low, high = dimension.high;
  auto logarithmic = [&](double a, double b) {
    return std::exp(random.Uniform(std::log(a), std::log(b)));
  };
  auto whole = [&](double value) {
    return FormatNumber(static_cast<int>(std::clamp(std::floor(value), low, high)));
  };
  switch (dimension.scale) {
    case Dimension::Scale::kLinear:
      return ThreeDigits(random.Uniform(low, high));
    case Dimension::Scale::kLog:
      return ThreeDigits(logarithmic(low, high));
    case Dimension::Scale::kWhole:
      return whole(random.Uniform(low, high + 1));
    case Dimension::Scale::kLogWhole:
      return whole(logarithmic(low, high + 1));
    case Dimension::Scale::kChoices:
      break;
  }
  const Text choices = dimension.choices;
  uint64_t skip =
      random.Below(static_cast<uint64_t>(std::count(choices.begin(), choices.end(), ',')) + 1);
  size_t begin = 0;
  for (; skip > 0; --skip) begin = choices.find(',', begin) + 1;
  return std::string(choices.substr(begin, choices.find(',', begin) - begin));
}

bool IsFixed(Text option, std::span<const OptionSetting> fixed) {
  return std::any_of(fixed.begin(), fixed.end(),
                     [&](const OptionSetting& setting) { return setting.name == option; });
}

}  // namespace

std::span<const SearchSpace> SearchSpaces() { return kSpaces; }

SearchSpace FindSpace(std::string_view method, std::string_view preset) {
  for (const SearchSpace& space : kSpaces) {
    if (space.method == method && (space.preset.empty() || space.preset == preset)) return space;
  }
  return {.method = method, .preset = {}};
}

std::vector<OptionSetting> DefaultSettings(const SearchSpace& space, const OptionList& defaults,
                                           std::span<const OptionSetting> fixed) {
  std::vector<OptionSetting> settings;
  for (const Dimension& dimension : space.dimensions) {
    if (IsFixed(dimension.option, fixed)) continue;
    settings.push_back({std::string(dimension.option), defaults.Find(dimension.option)->get()});
  }
  return settings;
}

std::vector<OptionSetting> DrawSettings(const SearchSpace& space, const OptionList& defaults,
                                        std::span<const OptionSetting> fixed,
                                        const RandomStream& random) {
  std::vector<OptionSetting> settings = DefaultSettings(space, defaults, fixed);
  for (OptionSetting& setting : settings) {
    // A stream for each option: fixing one of them leaves the draws of the others alone.
    const auto at =
        std::find_if(space.dimensions.begin(), space.dimensions.end(),
                     [&](const Dimension& dimension) { return dimension.option == setting.name; });
    RandomStream own = random.Substream(static_cast<uint64_t>(at - space.dimensions.begin()));
    if (own.Uniform() >= space.keep) setting.value = Draw(*at, own);
  }
  return settings;
}

void ScaleBudget(const SearchSpace& space, double fraction, OptionList& options) {
  if (fraction == 1) return;
  for (Text name : space.budget) {
    const double full = std::stod(options.Find(name)->get());
    if (full <= 0) continue;  // 0 stands for "not in use"
    options.Set(name, FormatNumber(std::max(1, static_cast<int>(std::lround(full * fraction)))));
  }
}

}  // namespace slm
