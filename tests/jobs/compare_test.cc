#include "jobs/compare.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>

#include "base/thread_pool.h"
#include "slm/errors.h"
#include "tests/jobs/planted_table.h"

namespace slm {
namespace {

// Chooses k features from a given one on; the first three of a planted table matter.
class FromColumn : public Selector {
 public:
  explicit FromColumn(int first) : first_(first) {}
  Choice Select(const Problem& problem, int k, uint64_t, const Context&) override {
    return ChooseFrom(first_, k, problem);
  }

 private:
  int first_;
};

class Failing : public FromColumn {
 public:
  Failing() : FromColumn(0) {}
  Choice Select(const Problem&, int, uint64_t, const Context&) override {
    throw DataError("it cannot do this; do that");
  }
};

class WaitingForTheEnd : public FromColumn {
 public:
  WaitingForTheEnd() : FromColumn(3) {}
  Choice Select(const Problem& problem, int k, uint64_t seed, const Context& context) override {
    while (!context.ShouldStop()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return FromColumn::Select(problem, k, seed, context);
  }
};

class Greedy : public FromColumn {
 public:
  Greedy() : FromColumn(0) {}
  MemoryNeed Memory(const Problem&, int) const override { return {1e18, "lower --block-size"}; }
};

ComparedMethod Starting(int first) {
  return {"from-" + std::to_string(first), [first] { return std::make_unique<FromColumn>(first); }};
}

CompareSpec Request(std::vector<ComparedMethod> methods) {
  CompareSpec request;
  request.select.target = "y";
  request.select.k = 3;
  request.seeds = 2;
  request.refits = 2;
  request.methods = std::move(methods);
  return request;
}

ComparisonResult Compare(const CompareSpec& request, bool classes = true, int threads = 2,
                         Observer* observer = nullptr) {
  ThreadPool pool(threads);
  const Tables tables{PlantedTable(300, 9, classes, 1), std::nullopt, std::nullopt};
  return CompareMethods(tables, request, {.pool = &pool, .observer = observer});
}

const ComparisonRow& RowOf(const ComparisonResult& result, const std::string& method) {
  for (const ComparisonRow& row : result.rows) {
    if (row.method == method) return row;
  }
  throw std::runtime_error("no row " + method);
}

TEST(CompareMethods, RanksByTestMetricWithALineForAllFeatures) {
  for (bool classes : {true, false}) {
    const ComparisonResult result =
        Compare(Request({Starting(6), Starting(2), Starting(0)}), classes);
    ASSERT_EQ(result.rows.size(), 4u);
    EXPECT_EQ(result.metric, classes ? "accuracy" : "mae");
    EXPECT_EQ(result.rows.back().method, "from-6");
    EXPECT_TRUE(RowOf(result, "all-features").reference);
    const double best = RowOf(result, "from-0").Metric().mean;
    const double worst = RowOf(result, "from-6").Metric().mean;
    EXPECT_TRUE(classes ? best > worst + 0.2 : best < worst - 2) << best << " " << worst;
    for (const ComparisonRow& row : result.rows) {
      ASSERT_EQ(row.runs.size(), 2u);
      EXPECT_EQ(row.runs[0].seed, 0u);
      EXPECT_EQ(row.runs[1].seed, 1u);
      EXPECT_EQ(row.runs[0].selected.size(), row.reference ? 9u : 3u);
    }
  }
}

TEST(CompareMethods, SaysHowManyColumnsTwoMethodsHaveInCommon) {
  const ComparisonResult result = Compare(Request({Starting(0), Starting(2), Starting(6)}));
  auto place = [&](const std::string& method) {
    return static_cast<size_t>(&RowOf(result, method) - result.rows.data());
  };
  EXPECT_DOUBLE_EQ(result.overlap[place("from-0")][place("from-2")], 1.0 / 3);
  EXPECT_DOUBLE_EQ(result.overlap[place("from-0")][place("from-6")], 0);
  EXPECT_DOUBLE_EQ(result.overlap[place("from-6")][place("all-features")], 1);
}

TEST(CompareMethods, AMethodThatFailsIsARowWithItsReason) {
  const ComparisonResult result =
      Compare(Request({{"failing", [] { return std::make_unique<Failing>(); }},
                       {"greedy", [] { return std::make_unique<Greedy>(); }},
                       Starting(0)}));
  EXPECT_EQ(RowOf(result, "failing").Failure(), "it cannot do this; do that");
  EXPECT_EQ(RowOf(result, "failing").Metric().count, 0u);
  EXPECT_NE(RowOf(result, "greedy").Failure().find("lower --block-size"), std::string::npos);
  EXPECT_EQ(RowOf(result, "from-0").Metric().count, 2u);
  EXPECT_EQ(result.rows.size(), 4u);
  const std::string json = result.ToJson().Dump();
  EXPECT_NE(json.find("\"status\":\"failed\""), std::string::npos) << json;
}

TEST(CompareMethods, MarksALateMethodAndKeepsItsBest) {
  CompareSpec request =
      Request({{"waiting", [] { return std::make_unique<WaitingForTheEnd>(); }}, Starting(0)});
  request.selection_limit = 0.05;
  const ComparisonResult result = Compare(request);
  EXPECT_TRUE(RowOf(result, "waiting").Late());
  EXPECT_EQ(RowOf(result, "waiting").Metric().count, 2u);
  EXPECT_FALSE(RowOf(result, "from-0").Late());
  EXPECT_FALSE(result.stopped_early);
}

// Asks to stop after so many finished runs.
class StopAfter : public Observer {
 public:
  explicit StopAfter(int runs) : runs_(runs) {}
  void OnProgress(const Progress& progress) override {
    if (progress.step >= runs_) stop_ = true;
  }
  bool Cancelled() override { return stop_; }

 private:
  const int runs_;
  std::atomic<bool> stop_ = false;
};

TEST(CompareMethods, AStopKeepsTheRunsThatWereFinished) {
  StopAfter observer(4);
  const ComparisonResult result =
      Compare(Request({Starting(0), Starting(2), Starting(6)}), true, 1, &observer);
  EXPECT_TRUE(result.stopped_early);
  size_t finished = 0;
  for (const ComparisonRow& row : result.rows) finished += row.Metric().count;
  EXPECT_EQ(finished, 4u);
}

TEST(CompareMethods, ThreadsChangeNoBit) {
  const CompareSpec request = Request({Starting(0), Starting(1), Starting(2), Starting(6)});
  const ComparisonResult one = Compare(request, true, 1);
  for (int threads : {2, 8}) {
    const ComparisonResult other = Compare(request, true, threads);
    ASSERT_EQ(other.rows.size(), one.rows.size());
    for (size_t i = 0; i < one.rows.size(); ++i) {
      EXPECT_EQ(other.rows[i].method, one.rows[i].method);
      for (size_t s = 0; s < one.rows[i].runs.size(); ++s) {
        EXPECT_EQ(other.rows[i].runs[s].test_metric, one.rows[i].runs[s].test_metric);
        EXPECT_EQ(other.rows[i].runs[s].valid_metric, one.rows[i].runs[s].valid_metric);
      }
    }
  }
}

TEST(CompareMethods, BadDataEndTheWholeComparison) {
  CompareSpec request = Request({Starting(0)});
  request.select.k = 100;
  EXPECT_THROW(Compare(request), InputError);
}

TEST(SpreadOf, IsTheMeanAndTheDeviationOfASample) {
  const Spread spread = SpreadOf({1, 2, 3});
  EXPECT_DOUBLE_EQ(spread.mean, 2);
  EXPECT_DOUBLE_EQ(spread.sd, 1);
  EXPECT_EQ(SpreadOf({5}).sd, 0);
  EXPECT_EQ(SpreadOf({}).count, 0u);
}

}  // namespace
}  // namespace slm
