"""Graph networks, state space models, diffusion, point clouds and time series."""

import torch
from language import ids, pretrained
from registry import Residual, add, conv_norm
from torch import nn
from torch.nn import functional

GRAPHS, STATE_SPACES, DIFFUSION, POINTS, TIME_SERIES = 'graphs', 'state spaces', 'diffusion', 'points', 'time series'
QDQ, QOPERATOR, DYNAMIC = 'qdq', 'qoperator', 'dynamic'


class MessagePassing(nn.Module):
    """Sends messages along edges, which are inputs, and adds them at their targets."""

    def __init__(self, width=128):
        super().__init__()
        self.enter = nn.Linear(16, width)
        self.layers = nn.ModuleList([nn.Linear(2 * width, width) for _ in range(4)])

    def forward(self, x, sources, targets):
        x = self.enter(x)
        for layer in self.layers:
            messages = functional.relu(layer(torch.cat([x[sources], x[targets]], -1)))
            x = x + torch.zeros_like(x).scatter_add(0, targets[:, None].expand_as(messages), messages)
            x = functional.layer_norm(x, x.shape[-1:])
        return x.mean(0)


class GraphAttention(nn.Module):
    """Attention among neighbours, with a dense adjacency matrix."""

    def __init__(self, width=64, heads=4):
        super().__init__()
        self.heads = heads
        self.layers = nn.ModuleList([nn.Linear(a, width * heads, bias=False) for a in (128, width * heads, width * heads)])
        self.sources, self.targets = (nn.ParameterList([torch.randn(heads, width, 1) * 0.2 for _ in range(3)]) for _ in range(2))

    def forward(self, x, adjacency):
        for layer, source, target in zip(self.layers, self.sources, self.targets):
            y = layer(x).unflatten(-1, (self.heads, -1)).transpose(0, 1)
            scores = functional.leaky_relu(y @ source + (y @ target).transpose(1, 2), 0.2)
            scores = torch.softmax(scores.masked_fill(adjacency < 0.9, -1e9), -1)
            x = functional.elu((scores @ y).transpose(0, 1).flatten(1))
        return x


class GraphConvolutions(nn.Module):
    """Products with a normalized adjacency matrix."""

    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(a, b) for a, b in ((256, 128), (128, 128), (128, 16))])

    def forward(self, x, adjacency):
        adjacency = adjacency / adjacency.sum(-1, keepdim=True)
        for index, layer in enumerate(self.layers):
            x = adjacency @ layer(functional.relu(x) if index else x)
        return torch.log_softmax(x, -1)


class SelectiveScan(nn.Module):
    """A state space model with an input-dependent decay, computed as a product with a masked matrix, as in Mamba 2 and RetNet."""

    def __init__(self, width=256, heads=4, count=4):
        super().__init__()
        self.heads = heads
        self.project = nn.ModuleList([nn.Linear(width, 3 * width + heads) for _ in range(count)])
        self.convs = nn.ModuleList([nn.Conv1d(3 * width, 3 * width, 4, padding=3, groups=3 * width) for _ in range(count)])
        self.leave = nn.ModuleList([nn.Linear(width, width) for _ in range(count)])

    def forward(self, x):
        length = x.shape[1]
        for project, conv, leave in zip(self.project, self.convs, self.leave):
            y = project(functional.layer_norm(x, x.shape[-1:]))
            y, decay = y[..., : -self.heads], functional.logsigmoid(y[..., -self.heads :] + 2)
            y = functional.silu(conv(y.transpose(1, 2))[..., :length].transpose(1, 2))
            query, key, value = (one.unflatten(-1, (self.heads, -1)).transpose(1, 2) for one in y.chunk(3, -1))
            sums = decay.cumsum(1).transpose(1, 2)
            mask = torch.exp((sums[..., None] - sums[..., None, :]).tril()).tril()
            y = (query @ key.transpose(2, 3) * mask * query.shape[-1] ** -0.5) @ value
            x = x + leave(y.transpose(1, 2).flatten(2))
        return x


class LinearAttention(nn.Module):
    """A recurrence over 24 steps without a loop operator, as RWKV: the exporter repeats the step."""

    def __init__(self, width=192, count=3):
        super().__init__()
        self.decay = nn.Parameter(torch.rand(count, width))
        self.bonus = nn.Parameter(torch.rand(count, width))
        self.mix = nn.ModuleList([nn.ModuleList([nn.Linear(width, width, bias=False) for _ in range(4)]) for _ in range(count)])
        self.wide = nn.ModuleList(
            [
                nn.ModuleList([nn.Linear(width, 4 * width, bias=False), nn.Linear(4 * width, width, bias=False)])
                for _ in range(count)
            ]
        )

    def forward(self, x):
        for decay, bonus, (receive, make_key, make_value, leave), (grow, shrink) in zip(
            self.decay, self.bonus, self.mix, self.wide
        ):
            y = functional.layer_norm(x, x.shape[-1:])
            key, value = make_key(y).clamp(max=4).exp(), make_value(y)
            total, weight, results = torch.zeros_like(value[:, 0]), torch.full_like(value[:, 0], 1e-3), []
            for index in range(x.shape[1]):
                k, v = key[:, index], value[:, index]
                results.append((total + bonus.exp() * k * v) / (weight + bonus.exp() * k))
                total, weight = torch.exp(-decay) * total + k * v, torch.exp(-decay) * weight + k
            x = x + leave(torch.sigmoid(receive(y)) * torch.stack(results, 1))
            x = x + shrink(functional.relu(grow(functional.layer_norm(x, x.shape[-1:]))) ** 2)
        return x


class TimeEmbedding(nn.Module):
    def __init__(self, width, outputs):
        super().__init__()
        self.width = width
        self.layers = nn.Sequential(nn.Linear(width, outputs), nn.SiLU(), nn.Linear(outputs, outputs))

    def forward(self, time):
        angles = time[:, None] * torch.exp(torch.arange(self.width // 2) * (-9.2 / (self.width // 2)))
        return self.layers(torch.cat([angles.sin(), angles.cos()], -1))


class ResidualBlock(nn.Module):
    def __init__(self, channels, filters, times):
        super().__init__()
        self.first = nn.Sequential(nn.GroupNorm(16, channels), nn.SiLU(), nn.Conv2d(channels, filters, 3, padding=1))
        self.second = nn.Sequential(nn.GroupNorm(16, filters), nn.SiLU(), nn.Conv2d(filters, filters, 3, padding=1))
        self.time = nn.Linear(times, filters)
        self.skip = nn.Conv2d(channels, filters, 1) if channels != filters else nn.Identity()

    def forward(self, x, time):
        return self.skip(x) + self.second(self.first(x) + self.time(functional.silu(time))[:, :, None, None])


class ImageAttention(nn.Module):
    """Attention of a picture's positions to one another and to a text."""

    def __init__(self, width, text=256):
        super().__init__()
        self.norm = nn.GroupNorm(16, width)
        self.norms = nn.ModuleList([nn.LayerNorm(width) for _ in range(3)])
        self.itself = nn.MultiheadAttention(width, 4, batch_first=True, bias=False)
        self.text = nn.MultiheadAttention(width, 4, batch_first=True, bias=False, kdim=text, vdim=text)
        self.gate, self.leave = nn.Linear(width, 8 * width), nn.Linear(4 * width, width)

    def forward(self, x, text):
        y = self.norm(x).flatten(2).transpose(1, 2)
        z = self.norms[0](y)
        y = y + self.itself(z, z, z, need_weights=False)[0]
        y = y + self.text(self.norms[1](y), text, text, need_weights=False)[0]
        wide, gate = self.gate(self.norms[2](y)).chunk(2, -1)
        y = y + self.leave(wide * functional.gelu(gate))
        return x + y.transpose(1, 2).unflatten(2, x.shape[2:])


class DiffusionUNet(nn.Module):
    def __init__(self, width=64, text=256):
        super().__init__()
        self.time, self.enter = TimeEmbedding(width, 4 * width), nn.Conv2d(4, width, 3, padding=1)
        widths = (width, 2 * width, 3 * width)
        self.down = nn.ModuleList([ResidualBlock(a, b, 4 * width) for a, b in zip((width, *widths), widths)])
        self.attend = nn.ModuleList([ImageAttention(one, text) for one in widths[1:]])
        self.middle = ResidualBlock(widths[-1], widths[-1], 4 * width)
        self.up = nn.ModuleList(
            [ResidualBlock(a + b, b, 4 * width) for a, b in zip((widths[-1], *widths[:0:-1]), reversed(widths))]
        )
        self.leave = nn.Sequential(nn.GroupNorm(16, width), nn.SiLU(), nn.Conv2d(width, 4, 3, padding=1))

    def forward(self, x, time, text):
        time, x, kept = self.time(time), self.enter(x), []
        for index, down in enumerate(self.down):
            x = down(functional.avg_pool2d(x, 2) if index else x, time)
            x = self.attend[index - 1](x, text) if index else x
            kept.append(x)
        x = self.middle(x, time)
        for index, (up, skip) in enumerate(zip(self.up, reversed(kept))):
            x = up(torch.cat([functional.interpolate(x, scale_factor=2) if index else x, skip], 1), time)
        return self.leave(x)


class DiffusionTransformer(nn.Module):
    """Blocks of a transformer whose norms are scaled and shifted by the time, as DiT."""

    def __init__(self, width=256, heads=4, count=4):
        super().__init__()
        self.enter, self.time = nn.Conv2d(4, width, 2, 2), TimeEmbedding(64, width)
        self.places = nn.Parameter(torch.randn(1, 256, width))
        self.heads = heads
        self.shifts = nn.ModuleList([nn.Linear(width, 6 * width) for _ in range(count)])
        self.project, self.leave = (nn.ModuleList([nn.Linear(width, one * width) for _ in range(count)]) for one in (3, 1))
        self.wide = nn.ModuleList(
            [nn.Sequential(nn.Linear(width, 4 * width), nn.GELU('tanh'), nn.Linear(4 * width, width)) for _ in range(count)]
        )
        self.head = nn.Linear(width, 32)

    def forward(self, x, time):
        x = self.enter(x).flatten(2).transpose(1, 2) + self.places
        time = functional.silu(self.time(time))
        for shifts, project, leave, wide in zip(self.shifts, self.project, self.leave, self.wide):
            shift, scale, gate, shift2, scale2, gate2 = shifts(time)[:, None].chunk(6, -1)
            y = functional.layer_norm(x, x.shape[-1:]) * (1 + scale) + shift
            query, key, value = project(y).unflatten(-1, (3, self.heads, -1)).permute(2, 0, 3, 1, 4)
            y = functional.scaled_dot_product_attention(query, key, value).transpose(1, 2).flatten(2)
            x = x + gate * leave(y)
            x = x + gate2 * wide(functional.layer_norm(x, x.shape[-1:]) * (1 + scale2) + shift2)
        x = self.head(functional.layer_norm(x, x.shape[-1:])).unflatten(1, (16, 16)).unflatten(-1, (2, 2, 8))
        return x.permute(0, 5, 1, 3, 2, 4).flatten(4).flatten(2, 3)


class ImageDecoder(nn.Module):
    """The decoder of an autoencoder for latent diffusion."""

    def __init__(self, widths=(128, 64, 32)):
        super().__init__()
        layers = [nn.Conv2d(4, widths[0], 3, padding=1)]
        for channels, filters in zip((widths[0], *widths), widths):
            layers += [nn.Conv2d(channels, filters, 3, padding=1)]
            layers += [Residual(nn.GroupNorm(16, filters), nn.SiLU(), nn.Conv2d(filters, filters, 3, padding=1)) for _ in range(2)]
            layers += [nn.Upsample(scale_factor=2)]
        self.layers = nn.Sequential(*layers, nn.GroupNorm(16, widths[-1]), nn.SiLU(), nn.Conv2d(widths[-1], 3, 3, padding=1))

    def forward(self, x):
        return self.layers(x)


class PointNet(nn.Module):
    """1-D convolutions of points, a learned rotation, and the maximum over the points."""

    def __init__(self):
        super().__init__()

        def chain(*widths):
            return nn.Sequential(*[conv_norm(a, b, 1, rank=1) for a, b in zip(widths, widths[1:])])

        self.turn, self.angles = chain(3, 64, 128, 512), nn.Sequential(nn.Linear(512, 128), nn.ReLU(), nn.Linear(128, 9))
        self.first, self.second = chain(3, 64, 64), chain(64, 128, 1024)
        self.head = nn.Sequential(nn.Linear(1024, 256), nn.ReLU(), nn.Linear(256, 40))

    def forward(self, x):
        turn = self.angles(self.turn(x).amax(-1)).unflatten(-1, (3, 3)) + torch.eye(3)
        return self.head(self.second(self.first(turn @ x)).amax(-1))


class EdgeConvolutions(nn.Module):
    """Convolutions of each point with its 16 nearest neighbours, as DGCNN."""

    def __init__(self):
        super().__init__()
        self.convs = nn.ModuleList(
            [conv_norm(2 * a, b, 1, activation=lambda: nn.LeakyReLU(0.2)) for a, b in ((3, 32), (32, 64), (64, 64))]
        )
        self.join, self.head = conv_norm(160, 256, 1, rank=1), nn.Linear(256, 40)

    def forward(self, x):
        kept = []
        for conv in self.convs:
            squares = (x * x).sum(1, keepdim=True)
            nearest = (2 * x.transpose(1, 2) @ x - squares - squares.transpose(1, 2)).topk(16, -1).indices
            near = x[0].t()[nearest[0]].permute(2, 0, 1)[None]
            centre = x[..., None].expand_as(near)
            x = conv(torch.cat([near - centre, centre], 1)).amax(-1)
            kept.append(x)
        return self.head(self.join(torch.cat(kept, 1)).amax(-1))


class NBeats(nn.Module):
    def __init__(self, past=168, future=24, width=256, count=6):
        super().__init__()
        self.blocks = nn.ModuleList(
            [
                nn.Sequential(
                    nn.Linear(past, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU(), nn.Linear(width, past + future)
                )
                for _ in range(count)
            ]
        )
        self.past = past

    def forward(self, x):
        forecast = 0
        for block in self.blocks:
            y = block(x)
            x, forecast = x - y[:, : self.past], forecast + y[:, self.past :]
        return forecast


class InceptionTime(nn.Module):
    """Parallel 1-D convolutions with kernels of 9, 19 and 39, and pooling."""

    def __init__(self, width=32, count=4):
        super().__init__()
        self.narrow = nn.ModuleList([nn.Conv1d(4 * width if i else 12, width, 1, bias=False) for i in range(count)])
        self.wide = nn.ModuleList(
            [
                nn.ModuleList([nn.Conv1d(width, width, size, padding=size // 2, bias=False) for size in (9, 19, 39)])
                for _ in range(count)
            ]
        )
        self.pooled = nn.ModuleList([nn.Conv1d(4 * width if i else 12, width, 1, bias=False) for i in range(count)])
        self.norms, self.head = nn.ModuleList([nn.BatchNorm1d(4 * width) for _ in range(count)]), nn.Linear(4 * width, 6)

    def forward(self, x):
        for narrow, wide, pooled, norm in zip(self.narrow, self.wide, self.pooled, self.norms):
            y = narrow(x)
            x = functional.relu(norm(torch.cat([*[conv(y) for conv in wide], pooled(functional.max_pool1d(x, 3, 1, 1))], 1)))
        return self.head(x.mean(-1))


class Forecaster(nn.Module):
    """An encoder and a decoder of LSTM layers, with attention."""

    def __init__(self, width=128):
        super().__init__()
        self.encode, self.decode = nn.LSTM(8, width, 2, batch_first=True), nn.LSTM(4, width, 2, batch_first=True)
        self.attention, self.head = nn.MultiheadAttention(width, 4, batch_first=True), nn.Linear(width, 3)

    def forward(self, past, known):
        past, state = self.encode(past)
        x = self.decode(known, state)[0]
        return self.head(x + self.attention(x, past, past, need_weights=False)[0])


def edges(count=4000, nodes=500):
    return torch.rand(nodes, 16), torch.randint(0, 8, (count,)), torch.randint(0, 8, (count,))


add(GRAPHS, 'message_passing', lambda: (MessagePassing(), edges()))
add(GRAPHS, 'graph_attention', lambda: (GraphAttention(), (torch.rand(300, 128), torch.rand(300, 300))))
add(GRAPHS, 'graph_convolutions', lambda: (GraphConvolutions(), (torch.rand(600, 256), torch.rand(600, 600))), dynamo=True)
add(
    STATE_SPACES,
    'mamba',
    pretrained(
        'MambaForCausalLM',
        'MambaConfig',
        lambda: (ids(32),),
        lambda r: r.logits,
        hidden_size=256,
        num_hidden_layers=2,
        vocab_size=2000,
    ),
)
add(STATE_SPACES, 'selective_scan', lambda: (SelectiveScan(), (torch.rand(1, 128, 256),)), DYNAMIC, dynamo=True)
add(STATE_SPACES, 'linear_attention', lambda: (LinearAttention(), (torch.rand(1, 24, 192),)))
add(DIFFUSION, 'diffusion_unet', lambda: (DiffusionUNet(), (torch.rand(1, 4, 32, 32), torch.rand(1), torch.rand(1, 77, 256))), QDQ)
add(
    DIFFUSION,
    'diffusion_transformer',
    lambda: (DiffusionTransformer(), (torch.rand(1, 4, 32, 32), torch.rand(1))),
    DYNAMIC,
    dynamo=True,
)
add(DIFFUSION, 'image_decoder', lambda: (ImageDecoder(), (torch.rand(1, 4, 24, 24),)))
add(POINTS, 'pointnet', lambda: (PointNet(), (torch.rand(1, 3, 1024),)), QDQ)
add(POINTS, 'edge_convolutions', lambda: (EdgeConvolutions(), (torch.rand(1, 3, 256),)))
add(TIME_SERIES, 'nbeats', lambda: (NBeats(), (torch.rand(1, 168),)), DYNAMIC)
add(TIME_SERIES, 'inception_time', lambda: (InceptionTime(), (torch.rand(1, 12, 512),)), QDQ, QOPERATOR, dynamo=True)
add(TIME_SERIES, 'forecaster', lambda: (Forecaster(), (torch.rand(1, 96, 8), torch.rand(1, 24, 4))))
add(
    TIME_SERIES,
    'patchtst',
    pretrained(
        'PatchTSTForPrediction',
        'PatchTSTConfig',
        lambda: (torch.rand(1, 336, 7),),
        lambda r: r.prediction_outputs,
        num_input_channels=7,
        context_length=336,
        patch_length=16,
        patch_stride=8,
        prediction_length=96,
        d_model=128,
        num_attention_heads=8,
        num_hidden_layers=3,
        ffn_dim=256,
    ),
    dynamo=True,
)
