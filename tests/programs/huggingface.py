"""Programs of optimum, sentence-transformers, fastembed and silero-vad. make_models.py makes the models from random weights;
silero-vad ships its own.

Each function returns two functions, as in bundled.py."""

import os
from pathlib import Path

import inputs
import numpy as np
from made import numbers

SENTENCES = [
    "the harbour is calm tonight",
    "invoice total due now, pay the invoice",
    "a zebra runs over the summer field and the quick brown fox jumps",
    "north wind brings rain",
    "read me first",
    "the kettle stands by the window, lamps are lit one after the other along the pier",
]


def model(name):
    return str(Path(os.environ["PROGRAM_MODELS"], name))


def sentence(index):
    """Returns one to five sentences, joined. The index selects their number and the first one."""
    return " ".join(SENTENCES[(index + place) % 6] for place in range(1 + index % 5))


def rounded(value):
    """Turns arrays and numbers of a pipeline's answer into lists and floats."""
    if isinstance(value, dict):
        return {name: rounded(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [rounded(each) for each in value]
    if isinstance(value, str | int) or value is None:
        return value
    return numbers(value)


def _pipeline(class_name, task, folder, **options):
    import optimum.onnxruntime
    from transformers import AutoTokenizer, pipeline

    loaded = getattr(optimum.onnxruntime, class_name).from_pretrained(model(folder))
    return pipeline(task, model=loaded, tokenizer=AutoTokenizer.from_pretrained(model(folder)), **options)


def optimum_features():
    use = _pipeline("ORTModelForFeatureExtraction", "feature-extraction", "feature-extraction")
    return sentence, lambda text: rounded(np.asarray(use(text))[0, :, :8])


def optimum_text_classes():
    use = _pipeline("ORTModelForSequenceClassification", "text-classification", "text-classification", top_k=None)
    return lambda index: [sentence(index), sentence(index + 1)], lambda texts: rounded(use(texts))


def optimum_token_classes():
    use = _pipeline("ORTModelForTokenClassification", "token-classification", "token-classification")
    return sentence, lambda text: rounded(use(text))


def optimum_answers():
    use = _pipeline("ORTModelForQuestionAnswering", "question-answering", "question-answering")
    return sentence, lambda text: rounded(use(question="is the harbour calm ?", context=text))


def optimum_masks():
    use = _pipeline("ORTModelForMaskedLM", "fill-mask", "fill-mask")
    return lambda index: sentence(index).replace("the", "[MASK]", 1) + " [MASK]", lambda text: rounded(use(text))


def optimum_pictures():
    from optimum.onnxruntime import ORTModelForImageClassification
    from PIL import Image
    from transformers import AutoImageProcessor, pipeline

    processor = AutoImageProcessor.from_pretrained(model("image-classification"))
    loaded = ORTModelForImageClassification.from_pretrained(model("image-classification"))
    use = pipeline("image-classification", model=loaded, image_processor=processor)
    return lambda index: Image.fromarray(inputs.scene(index, 200, 220)), lambda picture: rounded(use(picture))


def _generate(class_name, folder):
    import optimum.onnxruntime
    from transformers import AutoTokenizer

    loaded = getattr(optimum.onnxruntime, class_name).from_pretrained(model(folder))
    tokenizer = AutoTokenizer.from_pretrained(model(folder))

    def generate(text):
        feed = tokenizer(text, return_tensors="pt", return_token_type_ids=False)
        tokens = loaded.generate(**feed, max_new_tokens=24, min_new_tokens=24, no_repeat_ngram_size=1, do_sample=False)
        return {"tokens": tokens[0].tolist()}

    return sentence, generate


def optimum_text():
    return _generate("ORTModelForCausalLM", "text-generation-with-past")


def optimum_translation():
    return _generate("ORTModelForSeq2SeqLM", "text2text-generation-with-past")


def optimum_speech():
    from optimum.onnxruntime import ORTModelForSpeechSeq2Seq
    from transformers import AutoFeatureExtractor

    loaded = ORTModelForSpeechSeq2Seq.from_pretrained(model("automatic-speech-recognition-with-past"))
    extractor = AutoFeatureExtractor.from_pretrained(model("automatic-speech-recognition-with-past"))
    samples = inputs.speech()

    def recognize(part):
        feed = extractor(part, sampling_rate=16000, return_tensors="pt")
        tokens = loaded.generate(feed.input_features, max_new_tokens=16, min_new_tokens=16, no_repeat_ngram_size=1, do_sample=False)
        return {"tokens": tokens[0].tolist()}

    return lambda index: samples[index * 4000 :], recognize


def sentence_transformers():
    from sentence_transformers import SentenceTransformer

    encoder = SentenceTransformer(model("feature-extraction"), backend="onnx", device="cpu")
    return lambda index: [sentence(index + place) for place in range(4)], lambda texts: {"vectors": numbers(encoder.encode(texts))}


def fastembed():
    from fastembed import TextEmbedding
    from fastembed.common.model_description import ModelSource, PoolingType

    TextEmbedding.add_custom_model(
        model="local/small", pooling=PoolingType.MEAN, normalization=True, sources=ModelSource(hf="local/small"), dim=192,
        model_file="model.onnx")  # fmt: skip
    encoder = TextEmbedding("local/small", specific_model_path=model("feature-extraction"))
    return lambda index: [sentence(index + place) for place in range(4)], lambda texts: {"vectors": numbers(list(encoder.embed(texts)))}


def silero_vad():
    import torch
    from silero_vad import get_speech_timestamps, load_silero_vad

    detector = load_silero_vad(onnx=True)
    samples = inputs.speech()
    return lambda index: torch.from_numpy(samples[index * 800 :].copy()), lambda part: get_speech_timestamps(part, detector)


def silero_vad_sequence():
    from silero_vad import load_silero_vad

    detector = load_silero_vad(sequence=True)
    samples = inputs.speech()
    return lambda index: samples[index * 800 :].copy(), lambda part: {"probability": numbers(detector.audio_forward(part))}
