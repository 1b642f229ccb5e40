#pragma once

// Distances to nearest neighbours of points in the plane, the distance of two points being the
// larger of those in x and in y.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace slm {

// A k-d tree whose nodes halve their points; O(n log n) to build, O(log n) for a query on average.
class PlaneTree {
 public:
  PlaneTree(std::span<const double> x, std::span<const double> y);

  // The distance of each point to its k-th nearest other one, 1 <= k < points. Points at the same
  // place are 0 apart, however many there are. `stop` is asked now and then; what is left is 0
  // then.
  template <class Stop>
  std::vector<double> KthDistances(size_t k, Stop stop) const {
    std::vector<double> distances(points_.size());
    std::vector<double> nearest(k);
    for (size_t i = 0; i < points_.size(); ++i) {
      if (i % 4096 == 0 && stop()) break;
      distances[points_[i].index] = KthDistance(i, nearest);
    }
    return distances;
  }

 private:
  struct Point {
    double x, y;
    uint32_t index;
  };
  struct Box {
    double low_x, high_x, low_y, high_y;
    double Distance(const Point& p) const {
      return std::max({low_x - p.x, p.x - high_x, low_y - p.y, p.y - high_y, 0.0});
    }
  };
  struct Query;

  void Build(size_t node, size_t begin, size_t end);
  double KthDistance(size_t of, std::span<double> nearest) const;
  void Visit(size_t node, size_t begin, size_t end, Query& query) const;

  std::vector<Point> points_;
  std::vector<Box> boxes_;  // of node i; its halves are nodes 2 i + 1 and 2 i + 2
};

}  // namespace slm
