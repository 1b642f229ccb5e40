"""Digits as pixels: which 16 of the 64 tell them apart, as a picture."""

# %% Images of 8 x 8 pixels, each a column.
import sys

import matplotlib.pyplot as plt
from sklearn.datasets import load_digits

from slm import SLMClassifier

digits = load_digits()
classifier = SLMClassifier(16).fit(digits.data, digits.target)
print(f"accuracy on validation rows: {classifier.selection_['metrics']['valid']:.3f}")

# %% The mask beside the mean image.
figure, (left, right) = plt.subplots(1, 2, figsize=(6, 3))
left.imshow(digits.images.mean(0), cmap="gray_r")
left.set_title("mean image")
right.imshow(classifier.feature_weights_.reshape(8, 8), cmap="viridis")
right.set_title(f"weights of {classifier.support_.sum()} pixels")
for axes in (left, right):
    axes.set_axis_off()
figure.savefig(sys.argv[1] if len(sys.argv) > 1 else "digits.png", dpi=120)
