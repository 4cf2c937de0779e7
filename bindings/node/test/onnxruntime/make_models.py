"""Writes small models with random weights, and their configurations and tokenizers, as transformers.js reads them.

usage: make_models.py FOLDER [--size small|base] [--programs]; base has the layers and widths of small published models, for measurements.
"""

import argparse
import json
from pathlib import Path
from typing import Any

import program_models
import tokenizers_of_tests as tokenizers
from layers import Graph, encoder, llama, whisper_decoder, whisper_encoder

SIZES = {
    "small": {"hidden": 64, "layers": 2, "heads": 4, "image": 32, "patch": 8, "llama": 64, "llama_layers": 2},
    "base": {"hidden": 384, "layers": 6, "heads": 6, "image": 224, "patch": 16, "llama": 512, "llama_layers": 8},
}


class Writer:
    def __init__(self, root: Path, size: dict[str, int]) -> None:
        self.root, self.size = root, size

    def json(self, model: str, name: str, content: Any) -> None:
        path = self.root / model / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(content))

    def onnx(self, model: str, graph: Graph, name: str = "model") -> None:
        graph.save(self.root / model / "onnx" / f"{name}.onnx")

    def bert(self, model: str, kind: str, head: int, labels: list[str]) -> None:
        """Writes an encoder of text. `head` is the number of logits of a text or a token; 0: the model has no head."""
        size, vocabulary = self.size, tokenizers.word_pieces(self, model)
        graph = Graph(hash_of(model))
        for name in ("input_ids", "attention_mask", "token_type_ids"):
            graph.input(name, "int64", ["batch_size", "sequence_length"])
        x = graph.add(
            graph.gather(graph.weight(vocabulary, size["hidden"], scale=1), "input_ids"),
            graph.gather(graph.weight(2, size["hidden"]), "token_type_ids"),
        )
        length = graph.op("Gather", graph.op("Shape", "input_ids"), graph.ints(1), axis=0)
        positions = graph.op("Range", graph.ints(0), length, graph.ints(1))
        x = graph.norm(graph.add(x, graph.gather(graph.weight(512, size["hidden"]), positions)), size["hidden"])
        x = encoder(graph, x, size, graph.mask_of("attention_mask"))
        if head and kind == "BertForSequenceClassification":
            x = graph.linear(graph.op("Gather", x, graph.ints(0), axis=1), size["hidden"], head, scale=1)
            graph.output("logits", x, "float32", ["batch_size", head])
        elif head:
            graph.output("logits", graph.linear(x, size["hidden"], head, scale=1), "float32", ["batch_size", "sequence_length", head])
        else:
            graph.output("last_hidden_state", x, "float32", ["batch_size", "sequence_length", size["hidden"]])
        self.onnx(model, graph)
        self.json(model, "config.json", {
            "model_type": "bert", "architectures": [kind], "hidden_size": size["hidden"], "num_hidden_layers": size["layers"],
            "num_attention_heads": size["heads"], "vocab_size": vocabulary, **labelled(labels),
        })

    def image(self, model: str, model_type: str, kind: str, queries: int, labels: list[str]) -> None:
        """Writes an encoder of images: a classifier, or a detector with `queries` boxes."""
        size = self.size
        hidden, pixels, patch = size["hidden"], size["image"], size["patch"]
        graph = Graph(hash_of(model))
        graph.input("pixel_values", "float32", ["batch_size", 3, "height", "width"])
        x = graph.op("Conv", "pixel_values", graph.weight(hidden, 3, patch, patch, scale=4), graph.weight(hidden), strides=[patch, patch])
        x = graph.op("Transpose", graph.op("Reshape", x, graph.ints([0, hidden, -1])), perm=[0, 2, 1])
        batch = graph.op("Slice", graph.op("Shape", "pixel_values"), graph.ints([0]), graph.ints([1]))
        shape = graph.op("Concat", batch, graph.ints([queries or 1, hidden]), axis=0)
        x = graph.op("Concat", graph.op("Expand", graph.floats(2 * graph.random.standard_normal((1, queries or 1, hidden))), shape), x, axis=1)
        x = graph.add(x, graph.weight(1, (pixels // patch) ** 2 + (queries or 1), hidden))
        x = graph.norm(encoder(graph, x, size), hidden)
        tokens = graph.op("Slice", x, graph.ints([0]), graph.ints([queries or 1]), graph.ints([1]))
        if queries:
            classes = len(labels) + 1
            logits = graph.linear(tokens, hidden, classes, scale=4)
            boxes = graph.op("Sigmoid", graph.linear(graph.op("Relu", graph.linear(tokens, hidden, hidden)), hidden, 4, scale=2))
            graph.output("logits", logits, "float32", ["batch_size", "num_queries", classes])
            graph.output("pred_boxes", boxes, "float32", ["batch_size", "num_queries", 4])
        else:
            logits = graph.linear(graph.op("Squeeze", tokens, graph.ints([1])), hidden, len(labels), scale=1)
            graph.output("logits", logits, "float32", ["batch_size", len(labels)])
        self.onnx(model, graph)
        self.json(model, "config.json", {"model_type": model_type, "architectures": [kind], "hidden_size": hidden, **labelled(labels)})
        extractor = "YolosFeatureExtractor" if queries else "ViTFeatureExtractor"
        self.json(model, "preprocessor_config.json", {
            "feature_extractor_type": extractor, "image_processor_type": extractor, "do_resize": True, "do_rescale": True,
            "rescale_factor": 1 / 255, "do_normalize": True, "image_mean": [0.5, 0.5, 0.5], "image_std": [0.5, 0.5, 0.5],
            "size": {"height": pixels, "width": pixels}, "resample": 2, "do_pad": False,
        })

    def whisper(self, model: str) -> None:
        size, (vocabulary, special) = self.size, tokenizers.whisper(self, model)
        encoder_graph, decoder_graph = Graph(hash_of(model)), Graph(hash_of(model) + 1)
        whisper_encoder(encoder_graph, size)
        whisper_decoder(decoder_graph, size, vocabulary)
        self.onnx(model, encoder_graph, "encoder_model")
        self.onnx(model, decoder_graph, "decoder_model_merged")
        self.json(model, "config.json", {
            "model_type": "whisper", "architectures": ["WhisperForConditionalGeneration"], "d_model": size["hidden"],
            "encoder_layers": size["layers"], "decoder_layers": size["layers"], "encoder_attention_heads": size["heads"],
            "decoder_attention_heads": size["heads"], "vocab_size": vocabulary, "is_encoder_decoder": True,
            "max_source_positions": 1500, "max_target_positions": 448, "num_mel_bins": 80,
            "decoder_start_token_id": special["start"], "eos_token_id": special["end"], "pad_token_id": special["end"],
        })
        self.json(model, "generation_config.json", {
            "decoder_start_token_id": special["start"], "eos_token_id": special["end"], "pad_token_id": special["end"],
            "is_multilingual": False, "no_timestamps_token_id": special["no_timestamps"], "max_length": 448,
        })
        self.json(model, "preprocessor_config.json", {
            "feature_extractor_type": "WhisperFeatureExtractor", "processor_class": "WhisperProcessor", "feature_size": 80,
            "chunk_length": 30, "n_fft": 400, "hop_length": 160, "n_samples": 480000, "nb_max_frames": 3000,
            "sampling_rate": 16000, "padding_value": 0.0,
        })

    def llama(self, model: str, *, dtype: str) -> None:
        size, vocabulary = self.size, tokenizers.bytes_with(self, model, ["<s>", "</s>"])
        hidden, heads = size["llama"], size["heads"] if size["llama"] == 64 else 8
        graph = Graph(hash_of("llama"))
        llama(graph, hidden, size["llama_layers"], heads, heads // 2, vocabulary, dtype=dtype)
        self.onnx(model, graph, "model" if dtype == "fp32" else f"model_{dtype}")
        self.json(model, "config.json", {
            "model_type": "llama", "architectures": ["LlamaForCausalLM"], "hidden_size": hidden, "num_hidden_layers": size["llama_layers"],
            "num_attention_heads": heads, "num_key_value_heads": heads // 2, "head_dim": hidden // heads, "vocab_size": vocabulary,
            "bos_token_id": 256, "eos_token_id": 257,
        })
        self.json(model, "generation_config.json", {"bos_token_id": 256, "eos_token_id": 257, "max_length": 512})


def hash_of(name: str) -> int:
    """Returns a seed that is the same in every process."""
    return sum((i + 1) * ord(letter) for i, letter in enumerate(name))


def labelled(labels: list[str]) -> dict[str, Any]:
    return {"id2label": dict(enumerate(labels)), "label2id": {label: i for i, label in enumerate(labels)}} if labels else {}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--size", choices=SIZES, default="small")
    parser.add_argument("--programs", action="store_true", help="write only the models of the directory programs")
    arguments = parser.parse_args()
    writer = Writer(arguments.folder, SIZES[arguments.size])
    program_models.write(arguments.folder / "programs")
    if arguments.programs:
        return
    writer.bert("features", "BertModel", 0, [])
    writer.bert("sentiment", "BertForSequenceClassification", 2, ["NEGATIVE", "POSITIVE"])
    writer.bert("nli", "BertForSequenceClassification", 3, ["contradiction", "neutral", "entailment"])
    writer.bert("names", "BertForTokenClassification", 3, ["O", "B-PER", "I-PER"])
    writer.image("images", "vit", "ViTForImageClassification", 0, ["cat", "dog", "bird", "fish", "horse"])
    writer.image("objects", "yolos", "YolosForObjectDetection", 12, ["cat", "dog", "bird"])
    writer.whisper("speech")
    writer.llama("llama", dtype="fp32")
    writer.llama("llama-q4", dtype="q4")
    writer.llama("llama-bnb4", dtype="bnb4")


if __name__ == "__main__":
    main()
