#include "numerics/plane_tree.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace slm {
namespace {

constexpr size_t kLeaf = 8;

}  // namespace

struct PlaneTree::Query {
  Point centre;
  std::span<double> nearest;  // ascending

  double farthest() const { return nearest.back(); }
  void Add(double distance) {
    size_t at = nearest.size() - 1;
    for (; at > 0 && nearest[at - 1] > distance; --at) nearest[at] = nearest[at - 1];
    nearest[at] = distance;
  }
};

PlaneTree::PlaneTree(std::span<const double> x, std::span<const double> y) {
  points_.reserve(x.size());
  for (size_t i = 0; i < x.size(); ++i) points_.push_back({x[i], y[i], static_cast<uint32_t>(i)});
  if (!points_.empty()) Build(0, 0, points_.size());
}

void PlaneTree::Build(size_t node, size_t begin, size_t end) {
  Box box = {points_[begin].x, points_[begin].x, points_[begin].y, points_[begin].y};
  for (size_t i = begin; i < end; ++i) {
    box.low_x = std::min(box.low_x, points_[i].x);
    box.high_x = std::max(box.high_x, points_[i].x);
    box.low_y = std::min(box.low_y, points_[i].y);
    box.high_y = std::max(box.high_y, points_[i].y);
  }
  if (boxes_.size() <= node) boxes_.resize(node + 1);
  boxes_[node] = box;
  if (end - begin <= kLeaf) return;
  const size_t middle = begin + (end - begin) / 2;
  double Point::*const across =
      box.high_x - box.low_x >= box.high_y - box.low_y ? &Point::x : &Point::y;
  auto at = [&](size_t i) { return points_.begin() + static_cast<std::ptrdiff_t>(i); };
  std::nth_element(at(begin), at(middle), at(end),
                   [&](const Point& a, const Point& b) { return a.*across < b.*across; });
  Build(2 * node + 1, begin, middle);
  Build(2 * node + 2, middle, end);
}

double PlaneTree::KthDistance(size_t of, std::span<double> nearest) const {
  std::fill(nearest.begin(), nearest.end(), std::numeric_limits<double>::infinity());
  Query query = {points_[of], nearest};
  Visit(0, 0, points_.size(), query);
  return query.farthest();
}

void PlaneTree::Visit(size_t node, size_t begin, size_t end, Query& query) const {
  if (end - begin <= kLeaf) {
    for (size_t i = begin; i < end; ++i) {
      const Point& p = points_[i];
      const double distance =
          std::max(std::abs(p.x - query.centre.x), std::abs(p.y - query.centre.y));
      if (distance < query.farthest() && p.index != query.centre.index) query.Add(distance);
    }
    return;
  }
  const size_t middle = begin + (end - begin) / 2;
  const double to_left = boxes_[2 * node + 1].Distance(query.centre);
  const double to_right = boxes_[2 * node + 2].Distance(query.centre);
  auto left = [&] {
    if (to_left < query.farthest()) Visit(2 * node + 1, begin, middle, query);
  };
  auto right = [&] {
    if (to_right < query.farthest()) Visit(2 * node + 2, middle, end, query);
  };
  if (to_left <= to_right) {
    left();
    right();
  } else {
    right();
    left();
  }
}

}  // namespace slm
