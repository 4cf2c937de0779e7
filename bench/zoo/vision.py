"""Networks that classify pictures and videos."""

import torch
from registry import add, conv_norm
from torch import nn


def torchvision(name, size=224, **options):
    def make():
        import torchvision as package

        return package.models.get_model(name, weights=None, **options), (torch.rand(1, 3, size, size),)

    return make


def timm(name, size=224, **options):
    def make():
        import timm as package

        return package.create_model(name, pretrained=False, exportable=True, **options), (torch.rand(1, 3, size, size),)

    return make


CLASSIC, MOBILE, TRANSFORMERS, HYBRIDS, VIDEO = (
    f'vision, {kind}' for kind in ('classic', 'mobile', 'transformers', 'hybrids', 'video')
)
QDQ, QOPERATOR, DYNAMIC = 'qdq', 'qoperator', 'dynamic'

add(CLASSIC, 'densenet121', torchvision('densenet121'), QDQ)
add(CLASSIC, 'googlenet', torchvision('googlenet', aux_logits=False, init_weights=False), QDQ, QOPERATOR)
add(CLASSIC, 'inception_v3', torchvision('inception_v3', 299, aux_logits=False, init_weights=False))
add(CLASSIC, 'resnet18', torchvision('resnet18'), QDQ, QOPERATOR, dynamo=True)
add(CLASSIC, 'regnet_y_400mf', torchvision('regnet_y_400mf'))
add(CLASSIC, 'resnext26ts', timm('resnext26ts'))
add(CLASSIC, 'res2net38', timm('res2net50_14w_8s', layers=(2, 3, 4, 2)), dynamo=True)
add(CLASSIC, 'hrnet_w18_small', timm('hrnet_w18_small'))
add(CLASSIC, 'dla34', timm('dla34'), dynamo=True)
add(CLASSIC, 'dpn48b', timm('dpn48b'))
add(CLASSIC, 'repvgg_a0', timm('repvgg_a0'))
add(CLASSIC, 'nf_regnet_b0', timm('nf_regnet_b0'))
add(CLASSIC, 'vovnet19', timm('ese_vovnet19b_dw'), QDQ)
add(MOBILE, 'mobilenet_v3_small', torchvision('mobilenet_v3_small'), QDQ, QOPERATOR, dynamo=True)
add(MOBILE, 'mnasnet1_0', torchvision('mnasnet1_0'), QOPERATOR)
add(MOBILE, 'shufflenet_v2_x1_0', torchvision('shufflenet_v2_x1_0'), QDQ)
add(MOBILE, 'efficientnet_b0', torchvision('efficientnet_b0'), QDQ)
add(MOBILE, 'efficientnet_lite0', timm('efficientnet_lite0'), QDQ, QOPERATOR)
add(MOBILE, 'ghostnet_100', timm('ghostnet_100'))
add(MOBILE, 'mobilenetv4_conv_small', timm('mobilenetv4_conv_small'), QDQ, dynamo=True)
add(MOBILE, 'mobileone_s0', timm('mobileone_s0'))
add(MOBILE, 'mixnet_s', timm('mixnet_s'))
add(MOBILE, 'lcnet_075', timm('lcnet_075'))
add(TRANSFORMERS, 'deit_tiny', timm('deit_tiny_patch16_224'), QDQ, DYNAMIC, dynamo=True)
add(
    TRANSFORMERS, 'swin_nano', timm('swin_tiny_patch4_window7_224', embed_dim=64, depths=(2, 2, 4, 2), num_heads=(2, 4, 8, 16)), QDQ
)
add(TRANSFORMERS, 'mixer_s32', timm('mixer_s32_224'), DYNAMIC)
add(TRANSFORMERS, 'cait_xxs24', timm('cait_xxs24_224'))
add(TRANSFORMERS, 'xcit_nano', timm('xcit_nano_12_p16_224'))
add(TRANSFORMERS, 'pvt_v2_b0', timm('pvt_v2_b0'), dynamo=True)
add(TRANSFORMERS, 'poolformer_s12', timm('poolformer_s12'))
add(TRANSFORMERS, 'eva02_tiny', timm('eva02_tiny_patch14_224'), dynamo=True)
add(TRANSFORMERS, 'crossvit_tiny', timm('crossvit_tiny_240', 240))
add(HYBRIDS, 'mobilevit_s', timm('mobilevit_s', 256), QDQ)
add(HYBRIDS, 'mobilevitv2_050', timm('mobilevitv2_050', 256), dynamo=True)
add(HYBRIDS, 'edgenext_small', timm('edgenext_x_small'))
add(HYBRIDS, 'efficientformer_l1', timm('efficientformer_l1'))
add(HYBRIDS, 'fastvit_t8', timm('fastvit_t8'))
add(HYBRIDS, 'convnext_atto', timm('convnext_atto'), dynamo=True)
add(HYBRIDS, 'levit_128s', timm('levit_128s'))
add(HYBRIDS, 'coatnet_pico', timm('coatnet_pico_rw_224'), dynamo=True)
add(HYBRIDS, 'repvit_m0_9', timm('repvit_m0_9'))


class Convolutions3d(nn.Module):
    """3-D convolutions on 8 frames, with whole kernels, and with a kernel over space followed by a kernel over time."""

    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(
            conv_norm(3, 24, rank=3),
            nn.MaxPool3d((1, 2, 2)),
            conv_norm(24, 48, rank=3),
            nn.MaxPool3d(2),
            conv_norm(48, 96, (1, 3, 3), rank=3, padding=(0, 1, 1)),
            conv_norm(96, 96, (3, 1, 1), rank=3, padding=(1, 0, 0)),
            nn.AvgPool3d(2),
            conv_norm(96, 192, rank=3),
            conv_norm(192, 192, rank=3, groups=192),
            conv_norm(192, 192, 1, rank=3),
        )
        self.head = nn.Linear(192, 400)

    def forward(self, x):
        return self.head(self.layers(x).mean((2, 3, 4)))


add(VIDEO, 'convolutions3d', lambda: (Convolutions3d(), (torch.rand(1, 3, 8, 64, 64),)))
add(VIDEO, 's3d', lambda: (torchvision('s3d')()[0], (torch.rand(1, 3, 16, 224, 224),)), dynamo=True)
