// A portfolio: SLM beside a few methods that are unlike it, and whatever of their sets is best.
//
//   few rows   Every method ranks, and the features with the most votes are taken
//              (selectors/portfolio/vote.h). Rows that could tell one set from another are not
//              there: what several methods agree on is less likely to be luck.
//   else       The set of each method, and what they vote for, is judged by unlike predictors on
//              rows held out (selectors/portfolio/set_judge.h). SLM's stays unless another one is
//              ahead of it by more than the standard error of that.

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/options.h"
#include "search/recipe.h"
#include "search/search.h"
#include "selectors/catalog.h"
#include "selectors/choose.h"
#include "selectors/methods.h"
#include "selectors/portfolio/set_judge.h"
#include "selectors/portfolio/vote.h"
#include "slm/errors.h"
#include "slm/options.h"
#include "targets/losses.h"

namespace slm {
namespace {

constexpr std::string_view kVoters[] = {"slm", "rfe", "mrmr"};
constexpr std::string_view kRivals[] = {"slm", "rfe", "mrmr", "rf"};
constexpr size_t kListed = 50;  // features on a list that votes, or k if that is more

struct Member {
  std::string name;
  std::unique_ptr<Selector> selector;
  Choice choice;
};

std::string VoteName(std::span<const Member> members) {
  std::string name = "vote of ";
  for (size_t i = 0; i < members.size(); ++i) {
    name += (i == 0 ? "" : i + 1 == members.size() ? " and " : ", ") + members[i].name;
  }
  return name;
}

Choice VoteOf(const Problem& problem, std::span<const Member> members, int k) {
  std::vector<std::vector<int>> lists;
  for (const Member& member : members) lists.push_back(member.choice.features);
  return ChooseTop(VotesFor(lists, problem.layout.features()), k);
}

class AutoSelector : public Selector {
 public:
  Choice Select(const Problem& problem, int k, uint64_t seed, const Context& context) override {
    if (IsFewRows(problem)) return ByVote(problem, k, seed, context);
    return ByJudgement(problem, k, seed, context);
  }

  Model FitOn(const Problem& problem, std::span<const int> features, uint64_t seed,
              const Context& context) override {
    return FitFinal(problem, features, SlmOptions{}, seed, context);
  }

  MemoryNeed Memory(const Problem& problem, int k) const override {
    MemoryNeed most;
    for (const Member& member : Members(problem)) {
      MemoryNeed own = member.selector->Memory(problem, k);
      if (own.bytes > most.bytes) most = std::move(own);
    }
    return most;
  }

 private:
  static bool IsFewRows(const Problem& problem) {
    return MakeRecipe(ShapeOf(problem), DefaultLoss(problem.train.y), SlmOptions{}).few_rows;
  }

  static std::vector<Member> Members(const Problem& problem) {
    std::vector<Member> members;
    const auto add = [&](std::span<const std::string_view> names) {
      for (std::string_view name : names) {
        members.push_back({std::string(name), FindMethod(name).make(), {}});
      }
    };
    if (IsFewRows(problem)) {
      add(kVoters);
    } else {
      add(std::span(kRivals).first(SetJudge::HasRows(problem) ? std::size(kRivals) : 1));
    }
    return members;
  }

  // The choices of the members, each of so many features; of those there was time for.
  static std::vector<Member> Chosen(const Problem& problem, int k, uint64_t seed,
                                    const Context& context) {
    std::vector<Member> members = Members(problem);
    for (size_t i = 0; i < members.size(); ++i) {
      if (i > 0 && context.ShouldStop()) {
        members.resize(i);
        break;
      }
      members[i].choice =
          members[i].selector->Select(problem, k, seed, context.Inside(members[i].name));
    }
    return members;
  }

  static Choice ByVote(const Problem& problem, int k, uint64_t seed, const Context& context) {
    const int listed = static_cast<int>(
        std::min(problem.layout.features(), std::max(static_cast<size_t>(k), kListed)));
    const std::vector<Member> members = Chosen(problem, listed, seed, context);
    Choice choice = VoteOf(problem, members, k);
    choice.tried.push_back({.name = VoteName(members), .taken = true});
    return choice;
  }

  static Choice ByJudgement(const Problem& problem, int k, uint64_t seed, const Context& context) {
    std::vector<Member> sets = Chosen(problem, k, seed, context);
    if (sets.size() == 1) return std::move(sets[0].choice);
    if (!context.ShouldStop()) {
      sets.push_back({VoteName(sets), nullptr, VoteOf(problem, sets, k)});
    }
    std::vector<int> features;
    for (Member& set : sets) {
      // The caller would force them in later; what is judged is what would come of that.
      HoldKept(problem.keep, &set.choice);
      features.insert(features.end(), set.choice.features.begin(), set.choice.features.end());
    }
    std::sort(features.begin(), features.end());
    features.erase(std::unique(features.begin(), features.end()), features.end());
    const SetJudge judge(problem, std::move(features), seed);
    std::vector<TriedSet> tried;
    std::map<std::set<int>, FoldQualities> known;
    FoldQualities first;
    size_t best = 0;
    for (size_t i = 0; i < sets.size(); ++i) {
      tried.push_back({.name = sets[i].name});
      const std::vector<int>& chosen = sets[i].choice.features;
      FoldQualities& found = known[{chosen.begin(), chosen.end()}];
      if (found.empty()) found = judge.Judge(sets[i].name, chosen, context);
      if (found.empty()) continue;
      if (i == 0) first = found;
      if (first.empty()) continue;
      const Lead lead = LeadOf(found, first);
      tried[i].judged = MeanOf(found);
      if (i == 0) continue;
      tried[i].lead = lead.mean;
      tried[i].lead_sd = lead.error;
      if (lead.mean > lead.error && lead.mean > tried[best].lead.value_or(0)) best = i;
    }
    tried[best].taken = true;
    Choice choice = std::move(sets[best].choice);
    choice.tried = std::move(tried);
    return choice;
  }

  static double MeanOf(const FoldQualities& qualities) {
    double sum = 0;
    for (double one : qualities) sum += one;
    return sum / static_cast<double>(qualities.size());
  }
};

}  // namespace

std::unique_ptr<Selector> MakeAuto() { return std::make_unique<AutoSelector>(); }

}  // namespace slm
