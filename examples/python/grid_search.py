"""A pipeline whose number of columns, and whose method, a grid search chooses."""

# %% Selection is a step of the pipeline, so that each fold selects on its own training rows.
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from slm import FeatureSelector

X, y = load_breast_cancer(return_X_y=True, as_frame=True)
pipeline = Pipeline([("select", FeatureSelector()), ("scale", StandardScaler()), ("predict", SVC())])

# %% Three methods, four numbers of columns.
grid = {
    "select__method": ["mrmr", "lasso", "anova"],
    "select__n_features_to_select": [2, 5, 10, 20],
}
search = GridSearchCV(pipeline, grid, cv=3).fit(X, y)
print(f"best: {search.best_params_}, accuracy {search.best_score_:.3f}")
print("columns:", ", ".join(search.best_estimator_["select"].get_feature_names_out()))
