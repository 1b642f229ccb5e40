#include "nn/mean_fit.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

#include "base/thread_pool.h"
#include "nn/mlp.h"
#include "nn/model_archive.h"

namespace slm {
namespace {

using Members = std::vector<FitResult>;

FitResult MeanOf(const Members& members, const Dataset& valid, const LossKind& loss) {
  std::vector<const Predictor*> parts;
  for (const FitResult& member : members) parts.push_back(member.model.predictor.get());
  const Model& first = members[0].model;
  FitResult mean{{AverageOf(parts), first.columns, first.inputs, first.scale}, {}};
  mean.valid = Evaluate(mean.model, valid, loss);
  return mean;
}

}  // namespace

FitResult FitMean(const std::string& name, const Problem& problem, std::span<const int32_t> columns,
                  const MeanFitOptions& options, uint64_t seed, StreamOf purpose,
                  const Context& context, const std::function<void(const FitResult&)>& on_member) {
  const Dataset& valid = problem.valid;
  auto fit_one = [&](size_t member, bool noisy) {
    FitOptions fit = options.fit;
    if (noisy) fit.input_noise = options.noise;
    FitResult result = FitOrFind(name + " " + std::to_string(member) + (noisy ? " with noise" : ""),
                                 problem, columns, fit, StreamFor(seed, purpose, member), context);
    if (on_member) on_member(result);
    return result;
  };
  const LossKind& loss = options.fit.LossFor(problem.train.y);
  const size_t count = static_cast<size_t>(options.members);
  const bool try_noise = options.TriesNoise(problem.train.y);
  const size_t tried = try_noise ? static_cast<size_t>(options.TriedMembers()) : count;
  Members plain(tried), noisy(try_noise ? tried : 0);
  context.pool->ParallelFor(plain.size() + noisy.size(), [&](size_t i) {
    if (i > 0 && context.ShouldStop()) return;  // one is enough to predict
    (i < tried ? plain[i] : noisy[i - tried]) = fit_one(i % tried, i >= tried);
  });
  // Of members that were cut short, and of predictors that cannot be merged, the best one stays.
  if (options.fit.make_predictor || context.ShouldStop()) {
    std::move(noisy.begin(), noisy.end(), std::back_inserter(plain));
    std::erase_if(plain, [](const FitResult& member) { return !member.model.predictor; });
    auto worse = [](const FitResult& a, const FitResult& b) { return b.valid.BetterThan(a.valid); };
    return std::move(*std::max_element(plain.begin(), plain.end(), worse));
  }
  FitResult mean = MeanOf(plain, valid, loss);
  if (!try_noise) return mean;
  FitResult noisy_mean = MeanOf(noisy, valid, loss);
  const bool noise_helps = noisy_mean.valid.BetterThan(mean.valid);
  if (noise_helps) mean = std::move(noisy_mean);
  Members& members = noise_helps ? noisy : plain;
  members.resize(count);
  context.pool->ParallelFor(count - tried, [&](size_t i) {
    if (!context.ShouldStop()) members[tried + i] = fit_one(tried + i, noise_helps);
  });
  return context.ShouldStop() ? std::move(mean) : MeanOf(members, valid, loss);
}

}  // namespace slm
