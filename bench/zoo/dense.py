"""Networks whose result is a picture or boxes: detection, segmentation, super-resolution, depth."""

import torch
from language import pretrained
from registry import Call, Residual, add, conv_norm
from torch import nn
from torch.nn import functional

DETECTION, SEGMENTATION, SUPER_RESOLUTION, DEPTH = 'detection', 'segmentation', 'super-resolution', 'depth'
QDQ, QOPERATOR = 'qdq', 'qoperator'


def features(name, size, **options):
    """Returns timm's network `name`, which computes feature maps of several sizes, and their channels."""
    import timm

    model = timm.create_model(name, pretrained=False, exportable=True, features_only=True, **options)
    return model, model.feature_info.channels()


def ssdlite():
    import torchvision

    model = torchvision.models.detection.ssdlite320_mobilenet_v3_large(weights=None, weights_backbone=None)
    # Without the selection of boxes, which is a loop over classes.
    return Call(model, lambda m, x: tuple(m.head(list(m.backbone(x).values())).values())), (torch.rand(1, 3, 320, 320),)


def ssdlite_whole():
    import torchvision

    return torchvision.models.detection.ssdlite320_mobilenet_v3_large(weights=None, weights_backbone=None), (
        [torch.rand(3, 320, 320)],
    )


class CenterNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk, channels = features('resnet18', 256)
        self.up = nn.Sequential(
            *[
                nn.Sequential(nn.ConvTranspose2d(a, b, 4, 2, 1, bias=False), nn.BatchNorm2d(b), nn.ReLU())
                for a, b in ((channels[-1], 128), (128, 64), (64, 64))
            ]
        )
        self.heads = nn.ModuleList(
            [nn.Sequential(nn.Conv2d(64, 64, 3, padding=1), nn.ReLU(), nn.Conv2d(64, outputs, 1)) for outputs in (80, 2, 2)]
        )

    def forward(self, x):
        x = self.up(self.trunk(x)[-1])
        heat, size, offset = (head(x) for head in self.heads)
        heat = torch.sigmoid(heat)
        return heat, functional.max_pool2d(heat, 3, 1, 1), size, offset


def mix(weights, a, b):
    return weights[0] * a + weights[1] * b


class Pyramid(nn.Module):
    """A feature pyramid as in EfficientDet: weighted sums and depthwise convolutions, from coarse to fine maps and back."""

    def __init__(self, width=64, rounds=3):
        super().__init__()
        self.trunk, channels = features('mobilenetv3_large_100', 320)
        self.enter = nn.ModuleList([conv_norm(count, width, 1, activation=None) for count in channels[-3:]])
        self.weights = nn.Parameter(torch.ones(rounds, 4, 2))
        self.fuse = nn.ModuleList(
            [
                nn.ModuleList(
                    [
                        nn.Sequential(
                            nn.SiLU(),
                            conv_norm(width, width, groups=width, activation=None),
                            conv_norm(width, width, 1, activation=None),
                        )
                        for _ in range(4)
                    ]
                )
                for _ in range(rounds)
            ]
        )
        self.classes, self.boxes = (
            nn.Sequential(conv_norm(width, width, groups=width, activation=nn.SiLU), nn.Conv2d(width, 9 * n, 1)) for n in (80, 4)
        )

    def forward(self, x):
        fine, middle, coarse = (enter(one) for enter, one in zip(self.enter, self.trunk(x)[-3:]))
        for weights, (first, second, third, fourth) in zip(functional.relu(self.weights), self.fuse):
            weights = weights / (weights.sum(-1, keepdim=True) + 1e-4)
            up = first(mix(weights[0], middle, functional.interpolate(coarse, scale_factor=2)))
            fine = second(mix(weights[1], fine, functional.interpolate(up, scale_factor=2)))
            middle = third(mix(weights[2], up, functional.max_pool2d(fine, 3, 2, 1)))
            coarse = fourth(mix(weights[3], coarse, functional.max_pool2d(middle, 3, 2, 1)))
        return tuple(head(one).flatten(2) for one in (fine, middle, coarse) for head in (self.classes, self.boxes))


class Detr(nn.Module):
    """A convolutional trunk, then a transformer with queries for objects."""

    def __init__(self, width=192):
        super().__init__()
        self.trunk, channels = features('resnet18', 256)
        self.enter = nn.Conv2d(channels[-1], width, 1)
        self.transformer = nn.Transformer(width, 6, 3, 3, 768, batch_first=True)
        self.queries = nn.Parameter(torch.randn(1, 100, width))
        self.positions = nn.Parameter(torch.randn(1, 64, width))
        self.classes, self.boxes = (
            nn.Linear(width, 92),
            nn.Sequential(nn.Linear(width, width), nn.ReLU(), nn.Linear(width, 4), nn.Sigmoid()),
        )

    def forward(self, x):
        x = self.enter(self.trunk(x)[-1]).flatten(2).transpose(1, 2) + self.positions
        x = self.transformer(x, self.queries)
        return self.classes(x), self.boxes(x)


class DeformableAttention(nn.Module):
    """Deformable attention: each query attends to a few points of the feature map, sampled bilinearly."""

    def __init__(self, width=128, heads=4, points=4):
        super().__init__()
        self.heads, self.points = heads, points
        self.enter = nn.Sequential(conv_norm(3, 64, 7, 4), conv_norm(64, width, 3, 2))
        self.offsets, self.scores = nn.Linear(width, heads * points * 2), nn.Linear(width, heads * points)
        self.value, self.leave = nn.Conv2d(width, width, 1), nn.Linear(width, width)
        self.queries, self.places = nn.Parameter(torch.randn(1, 300, width)), nn.Parameter(torch.rand(1, 300, 1, 1, 2) * 2 - 1)

    def forward(self, x):
        x, query = self.value(self.enter(x)), self.queries
        value = x.reshape(self.heads, -1, *x.shape[2:])
        for _ in range(3):
            places = self.places + torch.tanh(self.offsets(query).reshape(1, 300, self.heads, self.points, 2)) * 0.3
            sampled = functional.grid_sample(value, places[0].permute(1, 0, 2, 3), align_corners=False)
            scores = torch.softmax(self.scores(query).reshape(300, self.heads, 1, self.points), -1).permute(1, 2, 0, 3)
            mixed = (sampled * scores).sum(-1).flatten(0, 1).t()[None]
            query = functional.layer_norm(query + self.leave(mixed), query.shape[-1:])
        return query


add(DETECTION, 'ssdlite_heads', ssdlite, QDQ)
add(DETECTION, 'ssdlite_whole', ssdlite_whole)
add(DETECTION, 'centernet', lambda: (CenterNet(), (torch.rand(1, 3, 256, 256),)), QDQ, QOPERATOR)
add(DETECTION, 'efficientdet_like', lambda: (Pyramid(), (torch.rand(1, 3, 320, 320),)), dynamo=True)
add(DETECTION, 'detr_small', lambda: (Detr(), (torch.rand(1, 3, 256, 256),)))
add(DETECTION, 'deformable_attention', lambda: (DeformableAttention(), (torch.rand(1, 3, 256, 256),)))
add(
    DETECTION,
    'yolos',
    pretrained(
        'YolosForObjectDetection',
        'YolosConfig',
        lambda: (torch.rand(1, 3, 256, 256),),
        lambda r: (r.logits, r.pred_boxes),
        num_hidden_layers=4,
        hidden_size=192,
        num_attention_heads=3,
        intermediate_size=768,
        image_size=[256, 256],
    ),
)


def deeplab(name):
    def make():
        import torchvision

        model = torchvision.models.get_model(name, weights=None, weights_backbone=None)
        return Call(model, lambda m, x: m(x)['out']), (torch.rand(1, 3, 256, 256),)

    return make


class UNet(nn.Module):
    def __init__(self, width=24, levels=4):
        super().__init__()
        widths = [width << level for level in range(levels)]

        def block(channels, filters):
            return nn.Sequential(conv_norm(channels, filters), conv_norm(filters, filters))

        self.down = nn.ModuleList([block(a, b) for a, b in zip([3, *widths], widths)])
        self.up = nn.ModuleList([nn.ConvTranspose2d(2 * one, one, 2, 2) for one in widths[-2::-1]])
        self.join = nn.ModuleList([block(2 * one, one) for one in widths[-2::-1]])
        self.head = nn.Conv2d(width, 21, 1)

    def forward(self, x):
        kept = []
        for index, down in enumerate(self.down):
            x = down(x if index == 0 else functional.max_pool2d(x, 2))
            kept.append(x)
        for up, join, skip in zip(self.up, self.join, kept[-2::-1]):
            x = join(torch.cat([up(x), skip], 1))
        return self.head(x)


class FastSegmentation(nn.Module):
    """A fine and a coarse branch (as in Fast-SCNN), pooling at several scales, and bilinear resizing."""

    def __init__(self):
        super().__init__()
        self.fine = nn.Sequential(conv_norm(3, 32, 3, 2), conv_norm(32, 32, 3, 2, groups=32), conv_norm(32, 64, 1))
        blocks = []
        for channels, filters, stride in ((64, 64, 2), (64, 96, 2), (96, 128, 1)):
            blocks += [
                conv_norm(channels, 6 * channels, 1),
                conv_norm(6 * channels, 6 * channels, 3, stride, groups=6 * channels),
                conv_norm(6 * channels, filters, 1, activation=None),
            ]
        self.coarse = nn.Sequential(*blocks)
        self.scales = nn.ModuleList([conv_norm(128, 32, 1) for _ in range(4)])
        self.join = conv_norm(256, 128, 1)
        self.dilated = conv_norm(128, 128, dilation=4, groups=128)
        self.narrow, self.head = conv_norm(64, 128, 1), nn.Conv2d(128, 19, 1)

    def forward(self, x):
        size, fine = x.shape[2:], self.fine(x)
        coarse = self.coarse(fine)
        pooled = [
            functional.interpolate(
                scale(functional.avg_pool2d(coarse, 16 // count)), size=coarse.shape[2:], mode='bilinear', align_corners=True
            )
            for scale, count in zip(self.scales, (1, 2, 4, 8))
        ]
        x = functional.interpolate(
            self.dilated(self.join(torch.cat([coarse, *pooled], 1))), scale_factor=4, mode='bilinear', align_corners=True
        )
        return functional.interpolate(
            self.head(functional.relu(x + self.narrow(fine))), size=size, mode='bilinear', align_corners=True
        )


add(SEGMENTATION, 'deeplabv3_mobilenet_v3', deeplab('deeplabv3_mobilenet_v3_large'), QDQ)
add(SEGMENTATION, 'lraspp_mobilenet_v3', deeplab('lraspp_mobilenet_v3_large'), QDQ, dynamo=True)
add(SEGMENTATION, 'unet_small', lambda: (UNet(), (torch.rand(1, 3, 192, 192),)), QDQ, QOPERATOR)
add(SEGMENTATION, 'fast_segmentation', lambda: (FastSegmentation(), (torch.rand(1, 3, 512, 512),)))
add(
    SEGMENTATION,
    'segformer',
    pretrained('SegformerForSemanticSegmentation', 'SegformerConfig', lambda: (torch.rand(1, 3, 256, 256),), lambda r: r.logits),
)


class SuperResolution(nn.Module):
    """Residual blocks of convolutions, then sub-pixel convolutions."""

    def __init__(self, activation, norm, width=48, count=6):
        super().__init__()

        def conv(filters=width):
            return nn.Conv2d(width, filters, 3, padding=1)

        self.head = nn.Conv2d(3, width, 9 if norm else 3, padding=4 if norm else 1)
        self.body = nn.Sequential(
            *[Residual(conv(), *([nn.BatchNorm2d(width)] if norm else []), activation(), conv()) for _ in range(count)], conv()
        )
        self.up = nn.Sequential(conv(4 * width), nn.PixelShuffle(2), activation(), nn.Conv2d(width, 3, 3, padding=1))

    def forward(self, x):
        x = self.head(x)
        return self.up(x + self.body(x))


class DenseSuperResolution(nn.Module):
    """Dense blocks in residual blocks, as in ESRGAN; sizes grow by nearest neighbours."""

    def __init__(self, width=32, growth=16, count=3):
        super().__init__()
        self.head = nn.Conv2d(3, width, 3, padding=1)
        self.blocks = nn.ModuleList(
            [
                nn.ModuleList([nn.Conv2d(width + growth * i, growth if i < 4 else width, 3, padding=1) for i in range(5)])
                for _ in range(count)
            ]
        )
        self.up, self.tail = nn.Conv2d(width, width, 3, padding=1), nn.Conv2d(width, 3, 3, padding=1)

    def forward(self, x):
        x = self.head(x)
        for block in self.blocks:
            parts = [x]
            for conv in block[:-1]:
                parts.append(functional.leaky_relu(conv(torch.cat(parts, 1)), 0.2))
            x = x + 0.2 * block[-1](torch.cat(parts, 1))
        return self.tail(functional.leaky_relu(self.up(functional.interpolate(x, scale_factor=2)), 0.2))


def fsrcnn():
    layers = [nn.Conv2d(1, 56, 5, padding=2), nn.PReLU(56), nn.Conv2d(56, 12, 1), nn.PReLU(12)]
    for _ in range(4):
        layers += [nn.Conv2d(12, 12, 3, padding=1), nn.PReLU(12)]
    layers += [nn.Conv2d(12, 56, 1), nn.PReLU(56), nn.ConvTranspose2d(56, 1, 9, 3, 4, output_padding=2)]
    return nn.Sequential(*layers), (torch.rand(1, 1, 160, 160),)


add(SUPER_RESOLUTION, 'edsr', lambda: (SuperResolution(nn.ReLU, False), (torch.rand(1, 3, 96, 96),)), QDQ)
add(SUPER_RESOLUTION, 'srresnet', lambda: (SuperResolution(nn.PReLU, True), (torch.rand(1, 3, 96, 96),)), dynamo=True)
add(SUPER_RESOLUTION, 'dense_super_resolution', lambda: (DenseSuperResolution(), (torch.rand(1, 3, 96, 96),)))
add(SUPER_RESOLUTION, 'fsrcnn', fsrcnn)
add(
    SUPER_RESOLUTION,
    'swin2sr',
    pretrained(
        'Swin2SRForImageSuperResolution',
        'Swin2SRConfig',
        lambda: (torch.rand(1, 3, 48, 48),),
        lambda r: r.reconstruction,
        image_size=48,
        embed_dim=60,
        depths=[2, 2],
        num_heads=[6, 6],
        window_size=8,
        upscale=2,
    ),
)


class Depth(nn.Module):
    """A mobile trunk, then fusion of its feature maps by bilinear resizing with aligned corners, as in MiDaS."""

    def __init__(self, width=64):
        super().__init__()
        self.trunk, channels = features('efficientnet_lite0', 256)
        self.enter = nn.ModuleList([nn.Conv2d(count, width, 3, padding=1, bias=False) for count in channels[-4:]])
        self.fuse = nn.ModuleList(
            [
                nn.Sequential(
                    *[
                        Residual(nn.ReLU(), nn.Conv2d(width, width, 3, padding=1), nn.ReLU(), nn.Conv2d(width, width, 3, padding=1))
                        for _ in range(2)
                    ]
                )
                for _ in range(4)
            ]
        )
        self.head = nn.Sequential(nn.Conv2d(width, 32, 3, padding=1), nn.ReLU(), nn.Conv2d(32, 1, 1), nn.ReLU())

    def forward(self, x):
        maps, x = self.trunk(x)[-4:], 0
        for enter, fuse, one in zip(reversed(self.enter), self.fuse, reversed(maps)):
            x = functional.interpolate(fuse(enter(one) + x), scale_factor=2, mode='bilinear', align_corners=True)
        return functional.interpolate(self.head(x), scale_factor=2, mode='bilinear', align_corners=True)


def depth_anything():
    import transformers

    trunk = transformers.Dinov2Config(
        hidden_size=192,
        num_hidden_layers=4,
        num_attention_heads=3,
        image_size=168,
        reshape_hidden_states=False,
        out_indices=[1, 2, 3, 4],
        apply_layernorm=True,
    )
    config = transformers.DepthAnythingConfig(
        backbone_config=trunk, reassemble_hidden_size=192, neck_hidden_sizes=[24, 48, 96, 192], fusion_hidden_size=48
    )
    config._attn_implementation = trunk._attn_implementation = 'eager'
    model = transformers.DepthAnythingForDepthEstimation(config)
    return Call(model, lambda m, x: m(x).predicted_depth), (torch.rand(1, 3, 168, 168),)


add(DEPTH, 'midas_like', lambda: (Depth(), (torch.rand(1, 3, 256, 256),)), QDQ)
add(DEPTH, 'depth_anything', depth_anything, dynamo=True)
