#include "selectors/catalog.h"

#include <string>
#include <vector>

#include "base/options.h"
#include "selectors/methods.h"
#include "slm/errors.h"

namespace slm {
namespace {

// Sorted by name.
constexpr MethodEntry kMethods[] = {
    {"adversarial",
     "adversarial validation: drops features that separate training from test rows, then ranks",
     "Pan, Pham, Dorairaj, Chen, Lee: Adversarial Validation Approach to Concept Drift Problem in "
     "User Targeting Automation Systems at Uber, AdKDD 2020",
     MethodKind::kSupervised, MakeAdversarial},
    {"anova", "F statistic over the classes, or of the correlation with the value",
     "Fisher: Statistical Methods for Research Workers, 1925", MethodKind::kSupervised, MakeAnova},
    {"auto", "SLM beside methods unlike it: the set that unlike predictors find best, or a vote",
     "", MethodKind::kSupervised, MakeAuto},
    {"best-subset", "the k features of a linear or logistic model with the least loss, by splicing",
     "Zhu, Wen, Zhu, Zhang, Wang: A Polynomial Algorithm for Best-Subset Selection Problem, PNAS "
     "2020",
     MethodKind::kSupervised, MakeBestSubset},
    {"boruta", "features whose importance in a forest is above that of shuffled copies",
     "Kursa, Rudnicki: Feature Selection with the Boruta Package, Journal of Statistical Software "
     "2010",
     MethodKind::kSupervised, MakeBoruta},
    {"cmim", "greedy: most information about the label given any one feature already selected",
     "Fleuret: Fast Binary Feature Selection with Conditional Mutual Information, JMLR 2004",
     MethodKind::kSupervised, MakeCmim},
    {"concrete-ae",
     "concrete autoencoder: the features from which all others are reconstructed best",
     "Balin, Abid, Zou: Concrete Autoencoders: Differentiable Feature Selection and "
     "Reconstruction, ICML 2019",
     MethodKind::kUnsupervised, MakeConcreteAutoencoder},
    {"dismi", "greedy: distance between features, by variation of information, plus relevance",
     "Abbasi Zadeh, Ghadiri, Mirrokni, Zadimoghaddam: Scalable Feature Selection via Distributed "
     "Diversity Maximization, AAAI 2017",
     MethodKind::kSupervised, MakeDisMi},
    {"extra-trees", "extremely randomized trees, mean decrease in impurity",
     "Geurts, Ernst, Wehenkel: Extremely Randomized Trees, Machine Learning 2006",
     MethodKind::kSupervised, MakeExtraTrees},
    {"fisher", "Fisher score: variance between classes over variance within them; classes only",
     "Duda, Hart, Stork: Pattern Classification, Wiley 2001", MethodKind::kSupervised, MakeFisher},
    {"fsnet", "concrete selector with predicted weights, for few rows and very many columns",
     "Singh, Climente-Gonzalez, Petrovich, Kawakami, Yamada: FsNet: Feature Selection Network on "
     "High-dimensional Biological Data, arXiv 2001.08322, 2020",
     MethodKind::kSupervised, MakeFsNet},
    {"group-lasso-nn", "network with a group lasso on the input weights of each feature",
     "Feng, Simon: Sparse-Input Neural Networks for High-dimensional Nonparametric Regression and "
     "Classification, 2017",
     MethodKind::kSupervised, MakeGroupLassoNetwork},
    {"hsic-lasso", "block HSIC Lasso: non-negative lasso on kernels of features and label",
     "Climente-Gonzalez, Azencott, Kaski, Yamada: Block HSIC Lasso: Model-Free Biomarker Detection "
     "for Ultra-High Dimensional Data, Bioinformatics 2019",
     MethodKind::kSupervised, MakeHsicLasso},
    {"jmim", "greedy: most information about the label together with any one feature selected",
     "Bennasar, Hicks, Setchi: Feature selection using Joint Mutual Information Maximisation, "
     "Expert Systems with Applications 2015",
     MethodKind::kSupervised, MakeJmim},
    {"lasso", "L1 penalty, lowered until k features are active",
     "Tibshirani: Regression Shrinkage and Selection via the Lasso, JRSS B 1996",
     MethodKind::kSupervised, MakeLasso},
    {"lassonet", "network with a skip connection; features drop out as its penalty grows",
     "Lemhadri, Ruan, Abraham, Tibshirani: LassoNet: A Neural Network with Feature Sparsity, JMLR "
     "2021",
     MethodKind::kSupervised, MakeLassoNet},
    {"linear", "absolute coefficients of logistic or ridge regression",
     "Hoerl, Kennard: Ridge Regression: Biased Estimation for Nonorthogonal Problems, "
     "Technometrics 1970; le Cessie, van Houwelingen: Ridge Estimators in Logistic Regression, "
     "Applied Statistics 1992",
     MethodKind::kSupervised, MakeLinear},
    {"mcp",
     "minimax concave penalty, lowered until k features are active: the lasso without its bias",
     "Zhang: Nearly Unbiased Variable Selection under Minimax Concave Penalty, Annals of "
     "Statistics "
     "2010; Breheny, Huang: Coordinate Descent Algorithms for Nonconvex Penalized Regression, "
     "Annals of Applied Statistics 2011",
     MethodKind::kSupervised, MakeMcp},
    {"mi", "mutual information with the label, from distances to nearest neighbours",
     "Kraskov, Stoegbauer, Grassberger: Estimating mutual information, Phys. Rev. E 2004; Ross: "
     "Mutual Information between Discrete and Continuous Data Sets, PLoS ONE 2014",
     MethodKind::kSupervised, MakeMi},
    {"mrmr", "greedy: information about the label, less that shared with features selected",
     "Peng, Long, Ding: Feature Selection Based on Mutual Information: Criteria of "
     "Max-Dependency, Max-Relevance, and Min-Redundancy, TPAMI 2005",
     MethodKind::kSupervised, MakeMrmr},
    {"omp", "orthogonal matching pursuit: adds the feature that explains most of the residual",
     "Pati, Rezaiifar, Krishnaprasad: Orthogonal Matching Pursuit, Asilomar 1993; Tropp, Gilbert, "
     "Strauss: Algorithms for Simultaneous Sparse Approximation, Signal Processing 2006",
     MethodKind::kSupervised, MakeOmp},
    {"permutation", "rise of a network's loss on rows held out when a column's cells change places",
     "Breiman: Random Forests, Machine Learning 2001; Fisher, Rudin, Dominici: All Models are "
     "Wrong, but Many are Useful, JMLR 2019",
     MethodKind::kSupervised, MakePermutation},
    {"pfa", "principal feature analysis: one feature of each cluster of similar loadings",
     "Lu, Cohen, Zhou, Tian: Feature Selection Using Principal Feature Analysis, ACM Multimedia "
     "2007",
     MethodKind::kUnsupervised, MakePfa},
    {"random", "random features: the baseline that every method has to beat", "",
     MethodKind::kReference, MakeRandom},
    {"relieff", "ReliefF: what tells neighbours of other classes or values apart",
     "Kononenko: Estimating Attributes: Analysis and Extensions of RELIEF, ECML 1994; "
     "Robnik-Sikonja, Kononenko: Theoretical and Empirical Analysis of ReliefF and RReliefF, "
     "Machine Learning 2003",
     MethodKind::kSupervised, MakeReliefF},
    {"rf", "random forest, mean decrease in impurity",
     "Breiman: Random Forests, Machine Learning 2001", MethodKind::kSupervised, MakeRandomForest},
    {"rfe", "recursive elimination: the least coefficients of a logistic or ridge model go first",
     "Guyon, Weston, Barnhill, Vapnik: Gene Selection for Cancer Classification using Support "
     "Vector "
     "Machines, Machine Learning 2002",
     MethodKind::kSupervised, MakeRfe},
    {"scad", "smoothly clipped absolute deviation penalty, lowered until k features are active",
     "Fan, Li: Variable Selection via Nonconcave Penalized Likelihood and its Oracle Properties, "
     "JASA 2001; Breheny, Huang: Coordinate Descent Algorithms for Nonconvex Penalized Regression, "
     "Annals of Applied Statistics 2011",
     MethodKind::kSupervised, MakeScad},
    {"seq-attention",
     "sequential attention: one feature after another within a single training run",
     "Yasuda, Bateni, Chen, Fahrbach, Fu, Mirrokni: Sequential Attention for Feature Selection, "
     "ICLR 2023",
     MethodKind::kSupervised, MakeSequentialAttention},
    {"sfs", "sequential forward or floating selection by a linear model on rows held out",
     "Whitney: A Direct Method of Nonparametric Measurement Selection, IEEE Trans. Computers 1971; "
     "Pudil, Novovicova, Kittler: Floating Search Methods in Feature Selection, Pattern "
     "Recognition Letters 1994",
     MethodKind::kSupervised, MakeSfs},
    {"slm", "sparse learnable masks, trained end to end with the predictor",
     "SLM: End-to-end Feature Selection via Sparse Learnable Masks", MethodKind::kSupervised,
     MakeSlm},
    {"slm-hsic", "sparse learnable masks with the HSIC objective instead of mutual information",
     "SLM: End-to-end Feature Selection via Sparse Learnable Masks, section A.8",
     MethodKind::kSupervised, MakeSlmHsic},
    {"softmax-topk", "SLM with the softmax of the k largest in place of the exact sparse mask",
     "SLM: End-to-end Feature Selection via Sparse Learnable Masks, section A.5",
     MethodKind::kSupervised, MakeSoftmaxTopK},
    {"sparsemax-free", "SLM with plain sparsemax, whose number of features is free until the end",
     "SLM: End-to-end Feature Selection via Sparse Learnable Masks, section A.5",
     MethodKind::kSupervised, MakeSparsemaxFree},
    {"stg", "network behind stochastic gates, one for each feature, that a penalty closes",
     "Yamada, Lindenbaum, Negahban, Kluger: Feature Selection using Stochastic Gates, ICML 2020",
     MethodKind::kSupervised, MakeStg},
    {"svm-rfe", "recursive elimination with linear support vector machines",
     "Guyon, Weston, Barnhill, Vapnik: Gene Selection for Cancer Classification using Support "
     "Vector "
     "Machines, Machine Learning 2002",
     MethodKind::kSupervised, MakeSvmRfe},
    {"variance", "variance of each feature relative to its range, in any unit", "",
     MethodKind::kUnsupervised, MakeVariance},
    {"xgboost", "gradient boosted trees, gain of the splits; needs libxgboost",
     "Chen, Guestrin: XGBoost: A Scalable Tree Boosting System, KDD 2016", MethodKind::kSupervised,
     MakeXgboost},
};

}  // namespace

std::span<const MethodEntry> Methods() { return kMethods; }

const MethodEntry& FindMethod(std::string_view name) {
  std::vector<std::string> names;
  for (const MethodEntry& entry : kMethods) {
    if (entry.name == name) return entry;
    names.emplace_back(entry.name);
  }
  std::string near = NearestName(name, names);
  throw UsageError("there is no method '" + std::string(name) + "'; " +
                   (near.empty() ? "'slm methods' lists them" : "did you mean '" + near + "'?"));
}

}  // namespace slm
