"""Programs that make their models on the spot: scikit-learn and LightGBM models, and embeddings of a small local model.

Each function returns two functions, as in bundled.py."""

import os
from pathlib import Path

import numpy as np


def numbers(values):
    return np.asarray(values, np.float64).round(7).tolist()


def _table(seed, rows=600, columns=12):
    random = np.random.default_rng(seed)
    x = random.standard_normal((rows, columns)).astype(np.float32)
    return x, (x[:, 0] + x[:, 1] * x[:, 2] > 0.2).astype(np.int64) + (x[:, 3] > 1)


def _cached(name, make):
    """Returns the content of the file `name` in PROGRAM_MODELS. The first process makes it, so that both engines run one model."""
    path = Path(os.environ["PROGRAM_MODELS"], name)
    if not path.exists():
        path.write_bytes(make())
    return path.read_bytes()


def _classifier(name, estimator):
    import onnxruntime

    def make():
        from skl2onnx import to_onnx

        x, y = _table(1)
        return to_onnx(estimator().fit(x, y), x[:1], options={"zipmap": False}, target_opset=17).SerializeToString()

    session = onnxruntime.InferenceSession(_cached(name + ".onnx", make), providers=["CPUExecutionProvider"])
    (first,) = session.get_inputs()

    def predict(rows):
        label, probability = session.run(None, {first.name: rows})
        return {"label": label.tolist(), "probability": numbers(probability)}

    return lambda index: _table(index + 2, 200 + index)[0], predict


def sklearn_forest():
    def estimator():
        from sklearn.ensemble import RandomForestClassifier

        return RandomForestClassifier(60, random_state=0)

    return _classifier("forest", estimator)


def sklearn_pipeline():
    def estimator():
        from sklearn.decomposition import PCA
        from sklearn.neural_network import MLPClassifier
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import StandardScaler

        return make_pipeline(StandardScaler(), PCA(8, random_state=0), MLPClassifier((64, 32), max_iter=60, random_state=0))

    return _classifier("pipeline", estimator)


def sklearn_vectors():
    def estimator():
        from sklearn.svm import SVC

        return SVC(probability=True, random_state=0)

    return _classifier("vectors", estimator)


def sklearn_text():
    import onnxruntime

    texts = ["the harbour is calm tonight", "invoice total due", "pay the invoice now", "calm sea and harbour", "overdue invoice, pay now"]

    def make():
        from skl2onnx import to_onnx
        from skl2onnx.common.data_types import StringTensorType
        from sklearn.feature_extraction.text import TfidfVectorizer
        from sklearn.linear_model import LogisticRegression
        from sklearn.pipeline import make_pipeline

        model = make_pipeline(TfidfVectorizer(lowercase=False), LogisticRegression()).fit(texts, [0, 1, 1, 0, 1])
        return to_onnx(model, initial_types=[("text", StringTensorType([None]))], target_opset=17).SerializeToString()

    session = onnxruntime.InferenceSession(_cached("text.onnx", make))

    def predict(rows):
        label, probability = session.run(None, {"text": rows})
        return {"label": label.tolist(), "probability": [{str(k): float(v) for k, v in row.items()} for row in probability]}

    return lambda index: np.array([*texts[index % 5 :], "calm invoice"], dtype=object), predict


def lightgbm_trees():
    import onnxruntime

    def make():
        import lightgbm
        from onnxmltools import convert_lightgbm
        from onnxmltools.convert.common.data_types import FloatTensorType

        x, y = _table(1)
        model = lightgbm.LGBMClassifier(n_estimators=50, num_leaves=15, verbose=-1, deterministic=True, n_jobs=1).fit(x, y)
        return convert_lightgbm(model, initial_types=[("x", FloatTensorType([None, x.shape[1]]))], target_opset=15).SerializeToString()

    session = onnxruntime.InferenceSession(_cached("lightgbm.onnx", make), providers=["CPUExecutionProvider"])

    def predict(rows):
        label, probability = session.run(None, {"x": rows})
        return {"label": label.tolist(), "probability": [{str(k): float(v) for k, v in row.items()} for row in probability]}

    return lambda index: _table(index + 2, 200 + index)[0], predict
