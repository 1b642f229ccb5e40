#pragma once

// Folded concave penalties: like the lasso's near 0, flat far from it, so that what is large enough
// is not shrunk. For the norm t of the coefficients of a feature and the curvature L of the loss
// along them,
//
//   MCP   (Zhang 2010):       slope max(0, lambda - L t / gamma)
//   SCAD  (Fan and Li 2001):  slope lambda up to t = lambda / L, then falling in a line to 0 at
//                             t = gamma lambda / L
//
// With L = 1, of a standardised column and a squared error, these are the papers' own. For other
// losses gamma is in units of 1 / L, as Breheny and Huang (2011) do, so that one gamma means as
// much for each of them, and a feature alone always has one minimum.

#include <algorithm>

namespace slm {

struct FoldedPenalty {
  enum class Kind { kMcp, kScad };

  Kind kind = Kind::kMcp;
  double gamma = 3;  // above 1 for MCP, above 2 for SCAD

  double Slope(double t, double curvature, double lambda) const {
    const double u = curvature * t;
    if (kind == Kind::kMcp) return std::max(0.0, lambda - u / gamma);
    return u <= lambda ? lambda : std::max(0.0, (gamma * lambda - u) / (gamma - 1));
  }

  double Value(double t, double curvature, double lambda) const {
    const double u = std::min(curvature * t, gamma * lambda);  // flat from there on
    if (kind == Kind::kMcp) return (lambda * u - u * u / (2 * gamma)) / curvature;
    if (u <= lambda) return lambda * u / curvature;
    const double falling = gamma * lambda * (u - lambda) - (u * u - lambda * lambda) / 2;
    return (lambda * lambda + falling / (gamma - 1)) / curvature;
  }

  // argmin over t >= 0 of step (t - z)^2 / 2 + penalty(t) for z >= 0 and a step no less than L
  double Prox(double z, double step, double curvature, double lambda) const {
    const double u = step * z;
    if (u <= lambda) return 0;
    if (curvature * z > gamma * lambda) return z;
    if (kind == Kind::kMcp) return (u - lambda) / (step - curvature / gamma);
    const double near = (u - lambda) / step;
    if (curvature * near <= lambda) return near;
    return ((gamma - 1) * u - gamma * lambda) / ((gamma - 1) * step - curvature);
  }
};

}  // namespace slm
