"""Writes tokenizers in the format of tokenizer.json: word pieces, and bytes with special tokens."""

from typing import Any, Protocol

WORDS = "the a i you we love hate this movie film is was very good bad great terrible in sports politics about new york in anna".split()


class Files(Protocol):
    def json(self, model: str, name: str, content: Any) -> None: ...


def added(tokens: list[tuple[int, str]]) -> list[dict[str, Any]]:
    rules = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True}
    return [{"id": index, "content": content, **rules} for index, content in tokens]


def word_pieces(files: Files, model: str) -> int:
    """Writes a tokenizer of words, which splits unknown words into letters. Returns the size of its vocabulary."""
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    letters = [chr(code) for code in range(ord("a"), ord("z") + 1)] + list("0123456789.,!?'-")
    pieces = list(dict.fromkeys([*special, *letters, *("##" + letter for letter in letters), *WORDS]))
    vocabulary = {piece: i for i, piece in enumerate(pieces)}
    ends = {name: {"id": name, "ids": [vocabulary[name]], "tokens": [name]} for name in ("[CLS]", "[SEP]")}

    def row(*sequences: str) -> list[dict[str, Any]]:
        items: list[dict[str, Any]] = [{"SpecialToken": {"id": "[CLS]", "type_id": 0}}]
        for i, sequence in enumerate(sequences):
            items += [{"Sequence": {"id": sequence, "type_id": i}}, {"SpecialToken": {"id": "[SEP]", "type_id": i}}]
        return items

    files.json(model, "tokenizer.json", {
        "version": "1.0", "truncation": None, "padding": None, "added_tokens": added(list(enumerate(special))),
        "normalizer": {"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True, "strip_accents": None, "lowercase": True},
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": {"type": "TemplateProcessing", "single": row("A"), "pair": row("A", "B"), "special_tokens": ends},
        "decoder": {"type": "WordPiece", "prefix": "##", "cleanup": True},
        "model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##", "max_input_chars_per_word": 100,
                  "vocab": vocabulary},
    })
    files.json(model, "tokenizer_config.json", {
        "tokenizer_class": "BertTokenizer", "model_max_length": 512, "do_lower_case": True, "pad_token": "[PAD]", "unk_token": "[UNK]",
        "cls_token": "[CLS]", "sep_token": "[SEP]", "mask_token": "[MASK]",
    })
    return len(vocabulary)


def byte_letters() -> list[str]:
    """Returns a printable letter for each byte: the byte's own character if that is printable, otherwise one from U+0100 on."""
    printable = {*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)}
    others = (code for code in range(0x100, 0x200))
    return [chr(byte) if byte in printable else chr(next(others)) for byte in range(256)]


def bytes_with(files: Files, model: str, special: list[str], tokenizer_class: str = "PreTrainedTokenizerFast", **config: Any) -> int:
    """Writes a tokenizer with a token for each byte, and special tokens from 256 on. Returns the size of its vocabulary."""
    vocabulary = {letter: i for i, letter in enumerate(byte_letters())}
    vocabulary |= {token: 256 + i for i, token in enumerate(special)}
    files.json(model, "tokenizer.json", {
        "version": "1.0", "truncation": None, "padding": None, "added_tokens": added([(vocabulary[token], token) for token in special]),
        "normalizer": None, "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True},
        "post_processor": None, "decoder": {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True, "use_regex": True},
        "model": {"type": "BPE", "dropout": None, "unk_token": None, "continuing_subword_prefix": "", "end_of_word_suffix": "",
                  "fuse_unk": False, "vocab": vocabulary, "merges": []},
    })
    files.json(model, "tokenizer_config.json", {
        "tokenizer_class": tokenizer_class, "model_max_length": 2048, "bos_token": special[0], "eos_token": special[1],
        "pad_token": special[1], **config,
    })
    return len(vocabulary)


def whisper(files: Files, model: str) -> tuple[int, dict[str, int]]:
    """Writes a tokenizer of bytes and Whisper's special tokens. Returns the vocabulary's size and three ids of special tokens."""
    times = [f"<|{i * 0.02:.2f}|>" for i in range(1501)]
    special = ["<|startoftranscript|>", "<|endoftext|>", "<|startofprev|>", "<|nospeech|>", "<|notimestamps|>", *times]
    size = bytes_with(files, model, special, "WhisperTokenizer", unk_token="<|endoftext|>")
    return size, {"start": 256, "end": 257, "no_timestamps": 260}
