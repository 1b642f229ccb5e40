"""Choose 10 of the 30 columns of breast cancer, and see why."""

# %% The data: measurements of cell nuclei, and whether the tumour was benign.
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split

from slm import SLMClassifier

X, y = load_breast_cancer(return_X_y=True, as_frame=True)
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.2, stratify=y, random_state=0)

# %% Exactly 10 columns, and a predictor on them.
classifier = SLMClassifier(10).fit(X_train, y_train)
print(classifier.ranking_frame().head(12).to_string(index=False))
print(f"accuracy on rows that nobody has seen: {classifier.score(X_test, y_test):.3f}")

# %% The chosen columns, as a frame, for any other model.
print(classifier.transform(X_test).head(3).to_string(index=False))
