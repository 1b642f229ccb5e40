"""Compare methods on the same splits, and find how many columns are enough."""

# %% Every method on the same splits, each set of columns evaluated by the same predictors.
import slm
from sklearn.datasets import load_breast_cancer

data = load_breast_cancer(as_frame=True).frame
methods = ["slm", "mrmr", "lasso", "rf", "anova"]
compared = slm.compare(data, target="target", k=5, methods=methods, seeds=2)
print(compared.frame.to_string(index=False))

# %% Quality against the number of columns.
path = slm.path(data, target="target", method="mrmr", k_list=[1, 2, 3, 5, 8, 13, 30])
print(path.frame.to_string(index=False))
print(f"{path.k} columns are enough")

# %% How much the choice depends on the rows.
stable = slm.stability(data, target="target", k=5, methods=["mrmr", "lasso"], resamples=10)
print(stable.frame.to_string(index=False))
