"""Networks for text: encoders, decoders with and without a cache, encoders with decoders."""

import torch
from registry import Call, add

ENCODERS, DECODERS, BOTH = (f'language, {kind}' for kind in ('encoders', 'decoders', 'encoder-decoder'))
DYNAMIC, QDQ, INT4, INT4_QDQ = 'dynamic', 'qdq', 'int4', 'int4_qdq'


def ids(length=64, vocabulary=1000):
    return torch.randint(0, vocabulary, (1, length))


def build(model, config, **options):
    """Returns a model of the package transformers, with random weights and without a cache."""
    import transformers

    attention = options.pop('attention', 'eager')
    settings = getattr(transformers, config)(**options)
    settings._attn_implementation = attention
    if hasattr(settings, 'use_cache'):
        settings.use_cache = False
    return getattr(transformers, model)(settings)


def pretrained(model, config, arguments, results=lambda result: result[0], **options):
    """Describes a network of the package transformers. `arguments` makes the arguments, `results` selects the outputs."""

    def make():
        return Call(build(model, config, **options), lambda m, *given: results(m(*given))), arguments()

    return make


def masked(length=64):
    return lambda: (ids(length), torch.ones(1, length, dtype=torch.long))


add(
    ENCODERS,
    'distilbert',
    pretrained(
        'DistilBertForSequenceClassification',
        'DistilBertConfig',
        masked(),
        n_layers=4,
        dim=384,
        n_heads=6,
        hidden_dim=1536,
        vocab_size=4000,
    ),
    QDQ,
    DYNAMIC,
)
add(
    ENCODERS,
    'deberta',
    pretrained(
        'DebertaV2Model',
        'DebertaV2Config',
        masked(),
        num_hidden_layers=3,
        hidden_size=384,
        num_attention_heads=6,
        intermediate_size=1024,
        relative_attention=True,
        pos_att_type=['p2c', 'c2p'],
        vocab_size=4000,
    ),
)
add(
    ENCODERS,
    'mpnet',
    pretrained(
        'MPNetModel',
        'MPNetConfig',
        masked(),
        num_hidden_layers=4,
        hidden_size=384,
        num_attention_heads=6,
        intermediate_size=1536,
        vocab_size=4000,
    ),
)
add(
    ENCODERS,
    'mobilebert',
    pretrained('MobileBertModel', 'MobileBertConfig', masked(), num_hidden_layers=8, vocab_size=4000),
    DYNAMIC,
)
add(
    ENCODERS,
    'squeezebert',
    pretrained(
        'SqueezeBertModel',
        'SqueezeBertConfig',
        masked(),
        num_hidden_layers=4,
        hidden_size=384,
        embedding_size=384,
        num_attention_heads=6,
        intermediate_size=1536,
        vocab_size=4000,
    ),
)
add(
    ENCODERS,
    'convbert',
    pretrained(
        'ConvBertModel',
        'ConvBertConfig',
        masked(),
        num_hidden_layers=4,
        hidden_size=384,
        embedding_size=128,
        num_attention_heads=6,
        intermediate_size=1024,
        vocab_size=4000,
    ),
)
add(
    ENCODERS,
    't5_encoder',
    pretrained('T5EncoderModel', 'T5Config', lambda: (ids(),), num_layers=4, d_model=384, num_heads=6, d_ff=1024, vocab_size=4000),
    DYNAMIC,
)
add(
    ENCODERS,
    'clip_text',
    pretrained(
        'CLIPTextModel',
        'CLIPTextConfig',
        lambda: (ids(77),),
        num_hidden_layers=4,
        hidden_size=384,
        intermediate_size=1536,
        num_attention_heads=6,
        vocab_size=4000,
    ),
    dynamo=True,
)
add(
    ENCODERS,
    'modernbert',
    pretrained(
        'ModernBertModel',
        'ModernBertConfig',
        masked(),
        num_hidden_layers=6,
        hidden_size=384,
        num_attention_heads=6,
        intermediate_size=576,
        vocab_size=4000,
        pad_token_id=0,
    ),
    dynamo=True,
)

SMALL = {'hidden_size': 384, 'num_hidden_layers': 4, 'num_attention_heads': 6, 'vocab_size': 4000}
GATED = {**SMALL, 'num_key_value_heads': 2, 'intermediate_size': 1024}


def logits(result):
    return result.logits


add(
    DECODERS,
    'gpt2',
    pretrained('GPT2LMHeadModel', 'GPT2Config', lambda: (ids(),), logits, n_layer=4, n_embd=384, n_head=6, vocab_size=4000),
    DYNAMIC,
    dynamo=True,
)
add(
    DECODERS,
    'llama',
    pretrained('LlamaForCausalLM', 'LlamaConfig', lambda: (ids(),), logits, attention='sdpa', **GATED),
    DYNAMIC,
    INT4,
    dynamo=True,
)
add(
    DECODERS,
    'qwen3',
    pretrained('Qwen3ForCausalLM', 'Qwen3Config', lambda: (ids(),), logits, head_dim=64, **GATED),
    INT4_QDQ,
    dynamo=True,
)
add(
    DECODERS,
    'gemma2',
    pretrained('Gemma2ForCausalLM', 'Gemma2Config', lambda: (ids(),), logits, head_dim=64, sliding_window=32, **GATED),
    dynamo=True,
)
add(
    DECODERS,
    'bloom',
    pretrained('BloomForCausalLM', 'BloomConfig', lambda: (ids(),), logits, hidden_size=384, n_layer=4, n_head=6, vocab_size=4000),
    dynamo=True,
)
add(
    DECODERS,
    'gpt_neox',
    pretrained('GPTNeoXForCausalLM', 'GPTNeoXConfig', masked(), logits, intermediate_size=1536, **SMALL),
    dynamo=True,
)
add(
    DECODERS,
    'opt',
    pretrained(
        'OPTForCausalLM',
        'OPTConfig',
        masked(),
        logits,
        hidden_size=384,
        num_hidden_layers=4,
        num_attention_heads=6,
        ffn_dim=1536,
        word_embed_proj_dim=384,
        vocab_size=4000,
    ),
    dynamo=True,
)


def step(model, config, layers=4, past=256, heads=2, size=64, **options):
    """Describes one step of a decoder: a token, its position, and for each layer the keys and values of `past` tokens."""

    def call(decoder, token, position, *cached):
        from transformers import DynamicCache

        cache = DynamicCache()
        for layer in range(layers):
            cache.update(cached[2 * layer], cached[2 * layer + 1], layer)
        result = decoder(input_ids=token, position_ids=position, past_key_values=cache, use_cache=True)
        return result.logits, *[one for layer in cache.layers for one in (layer.keys, layer.values)]

    def make():
        cached = [torch.rand(1, heads, past, size) for _ in range(2 * layers)]
        return Call(build(model, config, **options), call), (ids(1), torch.full((1, 1), past), *cached)

    return make


add(
    DECODERS,
    'llama_step',
    step('LlamaForCausalLM', 'LlamaConfig', **{**GATED, 'hidden_size': 512, 'num_attention_heads': 8}),
    INT4,
    INT4_QDQ,
    DYNAMIC,
    dynamo=True,
)
add(
    DECODERS,
    'gpt2_step',
    step('GPT2LMHeadModel', 'GPT2Config', heads=6, n_layer=4, n_embd=384, n_head=6, vocab_size=4000),
    DYNAMIC,
    dynamo=True,
)


def whisper_decoder():
    model = build(
        'WhisperModel',
        'WhisperConfig',
        encoder_layers=1,
        decoder_layers=4,
        d_model=256,
        encoder_attention_heads=4,
        decoder_attention_heads=4,
        encoder_ffn_dim=1024,
        decoder_ffn_dim=1024,
        vocab_size=4000,
        pad_token_id=0,
        bos_token_id=1,
        eos_token_id=2,
        decoder_start_token_id=1,
    )
    return (
        Call(model.decoder, lambda m, tokens, audio: m(input_ids=tokens, encoder_hidden_states=audio)[0]),
        (ids(16), torch.rand(1, 1500, 256)),
    )


def translation(model, config, **options):
    def make():
        call = Call(build(model, config, **options), lambda m, source, target: m(input_ids=source, decoder_input_ids=target).logits)
        return call, (ids(48), ids(16))

    return make


TWO_SIDES = {
    'encoder_layers': 3,
    'decoder_layers': 3,
    'd_model': 384,
    'encoder_attention_heads': 6,
    'decoder_attention_heads': 6,
    'encoder_ffn_dim': 1024,
    'decoder_ffn_dim': 1024,
    'vocab_size': 4000,
}
add(BOTH, 'whisper_decoder', whisper_decoder, DYNAMIC, dynamo=True)
add(
    BOTH,
    't5',
    translation(
        'T5ForConditionalGeneration',
        'T5Config',
        num_layers=3,
        d_model=384,
        num_heads=6,
        d_ff=1024,
        vocab_size=4000,
        decoder_start_token_id=0,
    ),
    dynamo=True,
)
add(BOTH, 'bart', translation('BartForConditionalGeneration', 'BartConfig', **TWO_SIDES), dynamo=True)
