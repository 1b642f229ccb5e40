#include "report/path_svg.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/format.h"
#include "report/layout.h"

namespace slm {
namespace {

constexpr double kWidth = 720, kHeight = 400;
constexpr double kLeft = 64, kRight = 700, kTop = 64, kBottom = 346;
constexpr double kTickWidth = 24;  // of a tick on the axis of k

// Colours of two pages; the same classes are used for both.
constexpr const char* kStyle =
    "<style>\n"
    ".page{fill:#ffffff}.ink{fill:#24292f}.grey{fill:#57606a}.grid{stroke:#d0d7de}\n"
    ".method{stroke:#0b6e4f;fill:none;stroke-width:2}.method-band{fill:#0b6e4f;fill-opacity:.18}\n"
    ".method-dot{fill:#0b6e4f}.random{stroke:#b35900;fill:none;stroke-width:1.5;"
    "stroke-dasharray:5 4}\n"
    ".random-band{fill:#b35900;fill-opacity:.13}.random-text{fill:#b35900}.bar{stroke:#57606a;"
    "stroke-dasharray:2 3}\n"
    ".chosen{stroke:#24292f}\n"
    "@media (prefers-color-scheme:dark){\n"
    ".page{fill:#0d1117}.ink{fill:#e6edf3}.grey{fill:#9198a1}.grid{stroke:#30363d}\n"
    ".method{stroke:#3fb68b}.method-band,.method-dot{fill:#3fb68b}.random{stroke:#e3964a}\n"
    ".random-band,.random-text{fill:#e3964a}.bar{stroke:#9198a1}.chosen{stroke:#e6edf3}}\n"
    "</style>\n";

std::string At(double value) { return Format("%.1f", value); }

std::string Escaped(std::string_view text) {
  std::string out;
  for (char c : Printable(text)) {
    if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else if (c == '&') {
      out += "&amp;";
    } else {
      out += c;
    }
  }
  return out;
}

std::string Text(double x, double y, std::string_view css, std::string_view anchor,
                 const std::string& text) {
  return "<text x=\"" + At(x) + "\" y=\"" + At(y) + "\" class=\"" + std::string(css) +
         "\" text-anchor=\"" + std::string(anchor) + "\">" + text + "</text>\n";
}

std::string Line(double x1, double y1, double x2, double y2, std::string_view css) {
  return "<line x1=\"" + At(x1) + "\" y1=\"" + At(y1) + "\" x2=\"" + At(x2) + "\" y2=\"" + At(y2) +
         "\" class=\"" + std::string(css) + "\"/>\n";
}

// From data to the plane of the picture.
class Plane {
 public:
  explicit Plane(const PathResult& result) {
    first_ = std::log(result.points.front().k);
    last_ = std::log(result.points.back().k);
    low_ = high_ = result.points.front().Method().mean;
    for (const PathPoint& point : result.points) {
      for (const Spread& s : {point.Method(), point.Random()}) {
        low_ = std::min(low_, s.mean - s.Error());
        high_ = std::max(high_, s.mean + s.Error());
      }
    }
    if (high_ <= low_) high_ = low_ + 1;
    // The nearest round step that gives about five lines.
    const double rough = (high_ - low_) / 5, power = std::pow(10, std::floor(std::log10(rough)));
    step_ = 10 * power;
    for (double factor : {5.0, 2.0, 1.0}) {
      if (factor * power >= rough) step_ = factor * power;
    }
    low_ = std::floor(low_ / step_) * step_;
    high_ = std::ceil(high_ / step_) * step_;
  }

  double X(int k) const {
    if (last_ <= first_) return (kLeft + kRight) / 2;
    return kLeft + (kRight - kLeft) * (std::log(k) - first_) / (last_ - first_);
  }
  double Y(double value) const {
    return kBottom - (kBottom - kTop) * (value - low_) / (high_ - low_);
  }

  std::string Grid(const PathResult& result) const {
    const int decimals = std::max(0, static_cast<int>(std::ceil(-std::log10(step_) - 1e-9)));
    const std::string format = "%." + std::to_string(decimals) + "f";
    std::string out;
    for (int i = 0; low_ + i * step_ <= high_ + step_ / 2; ++i) {
      const double value = low_ + i * step_, y = Y(value);
      out += Line(kLeft, y, kRight, y, "grid") +
             Text(kLeft - 8, y + 4, "grey", "end", Format(format, value));
    }
    double free = -1e9;  // where the next label may begin
    for (const PathPoint& point : result.points) {
      const double x = X(point.k);
      if (x - kTickWidth / 2 < free) continue;
      out += Text(x, kBottom + 18, "grey", "middle", std::to_string(point.k));
      free = x + kTickWidth / 2;
    }
    return out + Text((kLeft + kRight) / 2, kBottom + 40, "grey", "middle", "number of columns");
  }

 private:
  double first_, last_;       // logarithms of k
  double low_, high_, step_;  // of the metric
};

template <class Value>
std::string Curve(const PathResult& result, const Plane& plane, const std::string& css,
                  Value value) {
  std::string line, upper, lower;
  for (const PathPoint& point : result.points) {
    const Spread s = value(point);
    const std::string x = At(plane.X(point.k)) + ",";
    line += x + At(plane.Y(s.mean)) + " ";
    upper += x + At(plane.Y(s.mean + s.Error())) + " ";
    lower = x + At(plane.Y(s.mean - s.Error())) + " " + lower;
  }
  return "<polygon class=\"" + css + "-band\" points=\"" + upper + lower + "\"/>\n" +
         "<polyline class=\"" + css + "\" points=\"" + line + "\"/>\n";
}

}  // namespace

std::string PathToSvg(const PathResult& result) {
  const Plane plane(result);
  std::string out = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " +
                    Format("%g", kWidth) + " " + Format("%g", kHeight) +
                    "\" font-family=\"system-ui, sans-serif\" font-size=\"12\">\n";
  out += kStyle;
  out += "<rect class=\"page\" width=\"100%\" height=\"100%\"/>\n";
  out += "<text x=\"16\" y=\"24\" class=\"ink\" font-size=\"15\">" +
         std::to_string(result.chosen_k) + " of " + std::to_string(result.data.features) +
         " columns are enough for " + Escaped(result.request.select.target) + "</text>\n";
  out += "<text x=\"16\" y=\"44\" class=\"grey\">" + Escaped(result.metric) + " on " +
         std::to_string(result.folds) +
         " held-out folds, with one standard error: " + "<tspan class=\"method-dot\">" +
         Escaped(result.request.method) +
         "</tspan>, <tspan class=\"random-text\">random columns</tspan></text>\n";
  out += plane.Grid(result);
  out += Curve(result, plane, "random", [](const PathPoint& p) { return p.Random(); });
  out += Curve(result, plane, "method", [](const PathPoint& p) { return p.Method(); });
  const double bar = plane.Y(result.Bar()), chosen = plane.X(result.chosen_k);
  out += Line(kLeft, bar, kRight, bar, "bar") + Line(chosen, kTop, chosen, kBottom, "chosen");
  for (const PathPoint& point : result.points) {
    const Spread s = point.Method();
    out += "<circle class=\"method-dot\" cx=\"" + At(plane.X(point.k)) + "\" cy=\"" +
           At(plane.Y(s.mean)) + "\" r=\"" + (point.k == result.chosen_k ? "5" : "3") +
           "\"><title>k = " + std::to_string(point.k) + ": " + Format("%.4f", s.mean) + " +- " +
           Format("%.4f", s.Error()) + "</title></circle>\n";
  }
  const bool right_half = chosen > (kLeft + kRight) / 2;
  out += Text(chosen + (right_half ? -8 : 8), result.larger_is_better ? kBottom - 8 : kTop + 14,
              "ink", right_half ? "end" : "start", "k = " + std::to_string(result.chosen_k));
  return out + "</svg>\n";
}

}  // namespace slm
