"""Networks for sound: recognition, vocoders, codecs, speech enhancement."""

import torch
from language import pretrained
from registry import Residual, add, conv_norm
from torch import nn
from torch.nn import functional

AUDIO = 'audio'
QDQ, QOPERATOR, DYNAMIC = 'qdq', 'qoperator', 'dynamic'


class Tcn(nn.Module):
    """Dilated 1-D convolutions with residuals."""

    def __init__(self, width=64, count=8):
        super().__init__()
        self.enter = nn.Conv1d(1, width, 7, padding=3)
        self.blocks = nn.Sequential(
            *[
                Residual(
                    nn.Conv1d(width, width, 3, padding=2**i, dilation=2**i),
                    nn.PReLU(),
                    nn.BatchNorm1d(width),
                    nn.Conv1d(width, width, 1),
                )
                for i in range(count)
            ]
        )
        self.leave = nn.Conv1d(width, 1, 1)

    def forward(self, x):
        return self.leave(self.blocks(self.enter(x)))


class ConvTasNet(nn.Module):
    """Separates two voices: a learned filter bank, depthwise dilated convolutions with global norms, masks, overlapping windows."""

    def __init__(self, filters=256, width=96, hidden=192):
        super().__init__()
        self.encode = nn.Conv1d(1, filters, 16, 8, bias=False)
        self.enter = nn.Sequential(nn.GroupNorm(1, filters), nn.Conv1d(filters, width, 1))
        self.blocks = nn.ModuleList(
            [
                nn.Sequential(
                    nn.Conv1d(width, hidden, 1),
                    nn.PReLU(),
                    nn.GroupNorm(1, hidden),
                    nn.Conv1d(hidden, hidden, 3, padding=2 ** (i % 6), dilation=2 ** (i % 6), groups=hidden),
                    nn.PReLU(),
                    nn.GroupNorm(1, hidden),
                )
                for i in range(12)
            ]
        )
        self.residuals, self.skips = (nn.ModuleList([nn.Conv1d(hidden, width, 1) for _ in range(12)]) for _ in range(2))
        self.masks = nn.Sequential(nn.PReLU(), nn.Conv1d(width, 2 * filters, 1), nn.Sigmoid())
        self.decode = nn.ConvTranspose1d(filters, 1, 16, 8, bias=False)

    def forward(self, x):
        waves = functional.relu(self.encode(x))
        x, total = self.enter(waves), 0
        for block, residual, skip in zip(self.blocks, self.residuals, self.skips):
            y = block(x)
            x, total = x + residual(y), total + skip(y)
        masks = self.masks(total).unflatten(1, (2, -1))
        return self.decode((masks * waves[:, None]).flatten(0, 1))


class Demucs(nn.Module):
    """Enhances speech: strided convolutions with gated units down, a recurrent middle, transposed convolutions up."""

    def __init__(self, width=24, depth=4):
        super().__init__()
        widths = [width << level for level in range(depth)]
        self.down = nn.ModuleList(
            [
                nn.Sequential(nn.Conv1d(a, b, 8, 4), nn.ReLU(), nn.Conv1d(b, 2 * b, 1), nn.GLU(1))
                for a, b in zip([1, *widths], widths)
            ]
        )
        self.middle = nn.LSTM(widths[-1], widths[-1], 2, batch_first=True)
        self.up = nn.ModuleList(
            [
                nn.Sequential(nn.Conv1d(b, 2 * b, 1), nn.GLU(1), nn.ConvTranspose1d(b, a, 8, 4))
                for a, b in zip([1, *widths], widths)
            ][::-1]
        )

    def forward(self, x):
        kept = []
        for down in self.down:
            x = down(x)
            kept.append(x)
        x = self.middle(x.transpose(1, 2))[0].transpose(1, 2)
        for index, (up, skip) in enumerate(zip(self.up, reversed(kept))):
            x = up(x + skip)
            x = functional.relu(x) if index + 1 < len(self.up) else x
        return x


class RecurrentEnhancer(nn.Module):
    """Masks a spectrogram: convolutions over frequencies, a GRU over time, transposed convolutions."""

    def __init__(self):
        super().__init__()
        widths = (1, 16, 32, 64)
        self.down = nn.ModuleList([conv_norm(a, b, (2, 3), (1, 2), nn.ELU, padding=(1, 1)) for a, b in zip(widths, widths[1:])])
        self.gru = nn.GRU(64 * 33, 256, batch_first=True)
        self.back = nn.Linear(256, 64 * 33)
        self.up = nn.ModuleList([nn.ConvTranspose2d(2 * b, a, (2, 3), (1, 2), (1, 1)) for a, b in zip(widths, widths[1:])][::-1])

    def forward(self, x):
        kept, spectrum = [], x
        for down in self.down:
            x = down(x)[:, :, :-1]
            kept.append(x)
        batch, channels, frames, bands = x.shape
        x = (
            self.back(self.gru(x.transpose(1, 2).reshape(batch, frames, -1))[0])
            .reshape(batch, frames, channels, bands)
            .transpose(1, 2)
        )
        for up, skip in zip(self.up, reversed(kept)):
            x = functional.elu(functional.pad(up(torch.cat([x, skip], 1)), (0, 0, 0, 1)))
        return torch.sigmoid(x) * spectrum


class HifiGan(nn.Module):
    """A vocoder: transposed convolutions, and sums of dilated convolutions of several widths."""

    def __init__(self, width=192):
        super().__init__()
        self.enter = nn.Conv1d(80, width, 7, padding=3)
        self.up, self.blocks = nn.ModuleList(), nn.ModuleList()
        for rate, kernel in ((8, 16), (8, 16), (2, 4), (2, 4)):
            self.up.append(nn.ConvTranspose1d(width, width // 2, kernel, rate, (kernel - rate) // 2))
            width //= 2
            self.blocks.append(
                nn.ModuleList(
                    [
                        nn.ModuleList([nn.Conv1d(width, width, size, padding=size // 2 * d, dilation=d) for d in (1, 3, 5)])
                        for size in (3, 7)
                    ]
                )
            )
        self.leave = nn.Conv1d(width, 1, 7, padding=3)

    def forward(self, x):
        x = self.enter(x)
        for up, blocks in zip(self.up, self.blocks):
            x, total = up(functional.leaky_relu(x, 0.1)), 0
            for convs in blocks:
                y = x
                for conv in convs:
                    y = y + conv(functional.leaky_relu(y, 0.1))
                total = total + y
            x = total / len(blocks)
        return torch.tanh(self.leave(functional.leaky_relu(x)))


class WaveNet(nn.Module):
    def __init__(self, width=48, count=16):
        super().__init__()
        self.enter = nn.Conv1d(1, width, 1)
        self.gates = nn.ModuleList([nn.Conv1d(width, 2 * width, 2, dilation=2 ** (i % 8)) for i in range(count)])
        self.residuals, self.skips = (nn.ModuleList([nn.Conv1d(width, width, 1) for _ in range(count)]) for _ in range(2))
        self.leave = nn.Sequential(nn.ReLU(), nn.Conv1d(width, width, 1), nn.ReLU(), nn.Conv1d(width, 256, 1))

    def forward(self, x):
        x, total = self.enter(x), 0
        for gate, residual, skip in zip(self.gates, self.residuals, self.skips):
            filtered, opened = gate(functional.pad(x, (gate.dilation[0], 0))).chunk(2, 1)
            y = torch.tanh(filtered) * torch.sigmoid(opened)
            x, total = x + residual(y), total + skip(y)
        return self.leave(total)


class VocosLike(nn.Module):
    """A vocoder of ConvNeXt blocks on frames, with magnitude and phase as results."""

    def __init__(self, width=256, count=6):
        super().__init__()
        self.enter = nn.Conv1d(80, width, 7, padding=3)
        self.depthwise = nn.ModuleList([nn.Conv1d(width, width, 7, padding=3, groups=width) for _ in range(count)])
        self.wide = nn.ModuleList(
            [
                nn.Sequential(nn.LayerNorm(width), nn.Linear(width, 3 * width), nn.GELU(), nn.Linear(3 * width, width))
                for _ in range(count)
            ]
        )
        self.leave = nn.Linear(width, 1026)

    def forward(self, x):
        x = self.enter(x)
        for depthwise, wide in zip(self.depthwise, self.wide):
            x = x + wide(depthwise(x).transpose(1, 2)).transpose(1, 2)
        magnitude, phase = self.leave(x.transpose(1, 2)).chunk(2, -1)
        magnitude = torch.exp(magnitude.clamp(max=5))
        return magnitude * torch.cos(phase), magnitude * torch.sin(phase)


class BilstmAttention(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(128, 192, 2, bidirectional=True, batch_first=True)
        self.attention, self.head = nn.MultiheadAttention(384, 6, batch_first=True), nn.Linear(384, 40)

    def forward(self, x):
        x = self.lstm(x)[0]
        return torch.log_softmax(self.head(x + self.attention(x, x, x)[0]), -1)


class DeepSpeech(nn.Module):
    """Convolutions over a spectrogram, then bidirectional recurrent layers."""

    def __init__(self):
        super().__init__()
        self.convs = nn.Sequential(
            conv_norm(1, 32, (41, 11), (2, 2), nn.Hardtanh, padding=(20, 5)),
            conv_norm(32, 32, (21, 11), (2, 1), nn.Hardtanh, padding=(10, 5)),
        )
        self.gru, self.head = nn.GRU(32 * 41, 256, 3, bidirectional=True, batch_first=True), nn.Linear(512, 29)

    def forward(self, x):
        return torch.log_softmax(self.head(self.gru(self.convs(x).flatten(1, 2).transpose(1, 2))[0]), -1)


class Conformer(nn.Module):
    """Blocks of feed-forward layers, attention and depthwise 1-D convolutions with gated units."""

    def __init__(self, width=144, count=6, kernel=31):
        super().__init__()
        self.enter = nn.Sequential(
            nn.Conv2d(1, width, 3, 2), nn.ReLU(), nn.Conv2d(width, width, 3, 2, groups=width), nn.Conv2d(width, width, 1), nn.ReLU()
        )
        self.project = nn.Linear(width * 19, width)

        def forward():
            return nn.Sequential(nn.LayerNorm(width), nn.Linear(width, 4 * width), nn.SiLU(), nn.Linear(4 * width, width))

        self.first, self.last = (nn.ModuleList([forward() for _ in range(count)]) for _ in range(2))
        self.norms, self.ends = (nn.ModuleList([nn.LayerNorm(width) for _ in range(count)]) for _ in range(2))
        self.attention = nn.ModuleList([nn.MultiheadAttention(width, 4, batch_first=True) for _ in range(count)])
        self.convs = nn.ModuleList(
            [
                nn.Sequential(
                    nn.Conv1d(width, 2 * width, 1),
                    nn.GLU(1),
                    nn.Conv1d(width, width, kernel, padding=kernel // 2, groups=width),
                    nn.BatchNorm1d(width),
                    nn.SiLU(),
                    nn.Conv1d(width, width, 1),
                )
                for _ in range(count)
            ]
        )

    def forward(self, x):
        x = self.project(self.enter(x).transpose(1, 2).flatten(2))
        for first, last, norm, end, attention, conv in zip(
            self.first, self.last, self.norms, self.ends, self.attention, self.convs
        ):
            x = x + 0.5 * first(x)
            y = norm(x)
            x = x + attention(y, y, y, need_weights=False)[0]
            x = x + conv(x.transpose(1, 2)).transpose(1, 2)
            x = end(x + 0.5 * last(x))
        return x


class Speaker(nn.Module):
    """Recognizes speakers, as ECAPA-TDNN: chains of dilated convolutions, squeeze and excitation, attentive statistics."""

    class Block(nn.Module):
        def __init__(self, width, dilation, parts=4):
            super().__init__()
            self.parts = parts
            self.enter, self.leave = (conv_norm(width, width, 1, rank=1) for _ in range(2))
            self.chain = nn.ModuleList(
                [conv_norm(width // parts, width // parts, 3, rank=1, dilation=dilation) for _ in range(parts - 1)]
            )
            self.squeeze = nn.Sequential(
                nn.AdaptiveAvgPool1d(1), nn.Conv1d(width, 64, 1), nn.ReLU(), nn.Conv1d(64, width, 1), nn.Sigmoid()
            )

        def forward(self, x):
            parts = list(self.enter(x).chunk(self.parts, 1))
            for index, conv in enumerate(self.chain):
                parts[index + 1] = conv(parts[index + 1] + parts[index] if index else parts[index + 1])
            y = self.leave(torch.cat(parts, 1))
            return x + y * self.squeeze(y)

    def __init__(self, width=256):
        super().__init__()
        self.enter = conv_norm(80, width, 5, rank=1)
        self.blocks = nn.ModuleList([Speaker.Block(width, dilation) for dilation in (2, 3, 4)])
        self.join = nn.Conv1d(3 * width, 768, 1)
        self.scores = nn.Sequential(nn.Conv1d(768, 128, 1), nn.Tanh(), nn.Conv1d(128, 768, 1))
        self.head = nn.Linear(1536, 192)

    def forward(self, x):
        x, kept = self.enter(x), []
        for block in self.blocks:
            x = block(x)
            kept.append(x)
        x = functional.relu(self.join(torch.cat(kept, 1)))
        weights = torch.softmax(self.scores(x), -1)
        mean = (x * weights).sum(-1)
        deviation = ((x * x * weights).sum(-1) - mean * mean).clamp(min=1e-4).sqrt()
        return self.head(torch.cat([mean, deviation], 1))


def keyword_spotting():
    layers = [conv_norm(1, 64, (10, 4), (2, 2), padding=(5, 1))]
    for _ in range(4):
        layers += [conv_norm(64, 64, groups=64), conv_norm(64, 64, 1)]
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(64, 12)), (torch.rand(1, 1, 49, 10),)


add(AUDIO, 'tcn', lambda: (Tcn(), (torch.rand(1, 1, 16000),)), QDQ)
add(AUDIO, 'conv_tasnet', lambda: (ConvTasNet(), (torch.rand(1, 1, 8000),)))
add(AUDIO, 'demucs', lambda: (Demucs(), (torch.rand(1, 1, 21844),)))
add(AUDIO, 'recurrent_enhancer', lambda: (RecurrentEnhancer(), (torch.rand(1, 1, 100, 257),)))
add(AUDIO, 'hifigan', lambda: (HifiGan(), (torch.rand(1, 80, 48),)), QDQ)
add(AUDIO, 'wavenet', lambda: (WaveNet(), (torch.rand(1, 1, 8000),)), dynamo=True)
add(AUDIO, 'vocos_like', lambda: (VocosLike(), (torch.rand(1, 80, 100),)), dynamo=True)
add(AUDIO, 'bilstm_attention', lambda: (BilstmAttention(), (torch.rand(1, 120, 128),)), DYNAMIC)
add(AUDIO, 'deepspeech', lambda: (DeepSpeech(), (torch.rand(1, 1, 161, 100),)))
add(AUDIO, 'conformer', lambda: (Conformer(), (torch.rand(1, 1, 200, 80),)), QDQ, DYNAMIC)
add(AUDIO, 'speaker', lambda: (Speaker(), (torch.rand(1, 80, 300),)), dynamo=True)
add(AUDIO, 'keyword_spotting', keyword_spotting, QDQ, QOPERATOR)
add(
    AUDIO,
    'wav2vec2',
    pretrained(
        'Wav2Vec2ForCTC',
        'Wav2Vec2Config',
        lambda: (torch.rand(1, 8000),),
        hidden_size=384,
        num_hidden_layers=4,
        num_attention_heads=6,
        intermediate_size=1536,
        conv_dim=[256] * 7,
    ),
    DYNAMIC,
)
add(
    AUDIO,
    'audio_spectrogram_transformer',
    pretrained(
        'ASTForAudioClassification',
        'ASTConfig',
        lambda: (torch.rand(1, 256, 128),),
        lambda r: r.logits,
        hidden_size=192,
        num_hidden_layers=6,
        num_attention_heads=3,
        intermediate_size=768,
        max_length=256,
        num_labels=527,
    ),
)
add(
    AUDIO,
    'encodec',
    pretrained(
        'EncodecModel',
        'EncodecConfig',
        lambda: (torch.rand(1, 1, 8000),),
        lambda r: r.audio_values,
        num_filters=16,
        hidden_size=64,
        codebook_size=256,
        codebook_dim=64,
    ),
)
