"""Makes the models of an environment's programs in the directory PROGRAM_MODELS, if they are not there.

usage: make_models.py ENVIRONMENT
huggingface: small transformers with random weights, and a tokenizer of a few words. bundled: the models of made.py. older: none."""

import json
import os
import sys
from pathlib import Path

FOLDER = Path(os.environ["PROGRAM_MODELS"])
WORDS = (
    "the harbour is calm tonight and lamps along pier are lit one after other a kettle stands by window north wind "
    "brings rain invoice total due now pay zebra runs over summer field read me first quick brown fox jumps lazy dog . , ?"
).split()


def make_tokenizer(folder):
    from tokenizers import Tokenizer, models, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast

    vocabulary = {word: index for index, word in enumerate(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *WORDS])}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    fast = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, unk_token="[UNK]", pad_token="[PAD]", cls_token="[CLS]", sep_token="[SEP]",
        mask_token="[MASK]", model_max_length=128)  # fmt: skip
    fast.save_pretrained(folder)
    return len(vocabulary)


def bert(size, **more):
    from transformers import BertConfig

    return BertConfig(vocab_size=size, hidden_size=192, num_hidden_layers=4, num_attention_heads=6, intermediate_size=768,
                      max_position_embeddings=128, pad_token_id=0, **more)  # fmt: skip


def configurations(size):
    from transformers import GPT2Config, T5Config, ViTConfig, WhisperConfig

    return {
        "feature-extraction": bert(size),
        "text-classification": bert(size, num_labels=3, id2label={0: "calm", 1: "urgent", 2: "other"}),
        "token-classification": bert(size, num_labels=4),
        "question-answering": bert(size),
        "fill-mask": bert(size),
        "image-classification": ViTConfig(hidden_size=192, num_hidden_layers=4, num_attention_heads=3, intermediate_size=768,
                                          image_size=96, patch_size=16, num_labels=5),  # fmt: skip
        "text-generation-with-past": GPT2Config(vocab_size=size, n_embd=192, n_layer=3, n_head=6, n_positions=128,
                                                bos_token_id=2, eos_token_id=3, pad_token_id=0),  # fmt: skip
        "text2text-generation-with-past": T5Config(vocab_size=size, d_model=192, d_ff=512, num_layers=3, num_heads=6, d_kv=32,
                                                   decoder_start_token_id=0, eos_token_id=3, pad_token_id=0),  # fmt: skip
        "automatic-speech-recognition-with-past": WhisperConfig(
            vocab_size=size, d_model=128, encoder_layers=2, decoder_layers=2, encoder_attention_heads=4, decoder_attention_heads=4,
            encoder_ffn_dim=256, decoder_ffn_dim=256, max_target_positions=64, pad_token_id=0, bos_token_id=2, eos_token_id=3,
            decoder_start_token_id=2, begin_suppress_tokens=None, suppress_tokens=None),  # fmt: skip
    }


CLASSES = {
    "feature-extraction": "AutoModel",
    "text-classification": "AutoModelForSequenceClassification",
    "token-classification": "AutoModelForTokenClassification",
    "question-answering": "AutoModelForQuestionAnswering",
    "fill-mask": "AutoModelForMaskedLM",
    "image-classification": "AutoModelForImageClassification",
    "text-generation-with-past": "AutoModelForCausalLM",
    "text2text-generation-with-past": "AutoModelForSeq2SeqLM",
    "automatic-speech-recognition-with-past": "AutoModelForSpeechSeq2Seq",
}


def make_transformers():
    import torch
    import transformers
    from optimum.exporters.onnx import main_export

    source = FOLDER / "source"
    size = make_tokenizer(source)
    for task, configuration in configurations(size).items():
        target = FOLDER / task
        if (target / "done").exists():
            continue
        torch.manual_seed(1)
        folder = source / task
        getattr(transformers, CLASSES[task]).from_config(configuration).eval().save_pretrained(folder)
        if task == "image-classification":
            transformers.ViTImageProcessor(size={"height": 96, "width": 96}).save_pretrained(folder)
        elif task.startswith("automatic"):
            make_tokenizer(folder)
            transformers.WhisperFeatureExtractor(feature_size=80).save_pretrained(folder)
        else:
            make_tokenizer(folder)
        main_export(str(folder), output=target, task=task, do_validation=False)
        make_sentence_model(target) if task == "feature-extraction" else None
        (target / "done").touch()


def make_sentence_model(folder):
    """Adds the files that tell sentence-transformers how to pool the tokens' states into one embedding."""
    modules = [
        {"idx": 0, "name": "0", "path": "", "type": "sentence_transformers.models.Transformer"},
        {"idx": 1, "name": "1", "path": "1_Pooling", "type": "sentence_transformers.models.Pooling"},
    ]
    (folder / "modules.json").write_text(json.dumps(modules))
    (folder / "1_Pooling").mkdir(exist_ok=True)
    (folder / "1_Pooling/config.json").write_text(json.dumps({"word_embedding_dimension": 192, "pooling_mode_mean_tokens": True}))
    (folder / "sentence_bert_config.json").write_text(json.dumps({"max_seq_length": 128}))


if __name__ == "__main__":
    if sys.argv[1] == "huggingface":
        make_transformers()
    elif sys.argv[1] == "bundled":
        import made

        for function in (made.sklearn_forest, made.sklearn_pipeline, made.sklearn_vectors, made.sklearn_text, made.lightgbm_trees):
            function()
