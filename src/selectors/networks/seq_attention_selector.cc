#include "base/options.h"
#include "nn/mlp.h"
#include "selectors/methods.h"
#include "selectors/networks/seq_attention.h"
#include "selectors/search_space.h"

namespace slm {
namespace {

constexpr SearchDimension kSearched[] = {
    SearchDimension::OneOf("batch_size", "32,64,128,256"),
    SearchDimension::Log("learning_rate", 3e-4, 1e-2),
    SearchDimension::OneOf("decay_rate", "0.7,0.9,0.95,0.99,1"),
    SearchDimension::OneOf("decay_steps", "1000,10000"),
    SearchDimension::LogWhole("steps", 2500, 10000),
    SearchDimension::LogWhole("hidden_units", 50, 400),
    SearchDimension::Linear("warm_up", 0, 0.5),
};
constexpr std::string_view kBudget[] = {"steps", "epochs", "decay_steps"};

class SeqAttentionSelector : public Selector {
 public:
  Choice Select(const Problem& problem, int k, uint64_t seed, const Context& context) override {
    const RandomStream random(seed, 0);
    std::unique_ptr<Predictor> predictor =
        MakePredictor(problem.layout.columns(), problem.train.y.outputs(), options_.hidden_layers,
                      options_.hidden_units, random.Substream(0));
    return SelectByAttention(
        problem, k, options_, *predictor,
        Batches::OfAll(problem.train.rows(), static_cast<size_t>(options_.length.batch_size),
                       random.Substream(1)),
        context);
  }

  void DescribeOptions(OptionList& list) override {
    SeqAttentionOptions& o = options_;
    list.Int("hidden_layers", &o.hidden_layers, 0, 4,
             "hidden layers of the predictor; 0 is linear");
    list.Int("hidden_units", &o.hidden_units, 1, 65536, "units in each hidden layer");
    o.length.Describe(", warm-up and all phases", list);
    list.Real("learning_rate", &o.learning_rate, 1e-9, 10,
              "Adam's learning rate for predictor and attention");
    list.Real("decay_rate", &o.decay_rate, 1e-6, 1,
              "the rate falls by this factor every decay_steps");
    list.Int("decay_steps", &o.decay_steps, 1, 100000000,
             "steps for one decay of the learning rate");
    list.Real("warm_up", &o.warm_up, 0, 0.99,
              "share of the steps with every feature, before the first phase");
    list.Int("features_per_phase", &o.features_per_phase, 1, 1000000,
             "features selected at the end of each phase");
    list.Bool("reset_logits", &o.reset_logits, "reset the attention to uniform in each phase");
  }

  void DescribeSearch(SearchSpace& space) const override {
    space = {.dimensions = kSearched, .unchanged = 0.5, .budget = kBudget};
  }

 private:
  SeqAttentionOptions options_;
};

}  // namespace

std::unique_ptr<Selector> MakeSequentialAttention() {
  return std::make_unique<SeqAttentionSelector>();
}

}  // namespace slm
