"""Changes the random weights of a network so that its values neither overflow nor vanish, whatever its depth.

Weights of products and convolutions are scaled so that their results have a standard deviation of about 1 on the example, in
the order in which the network computes them. Batch normalizations get the mean and the variance of the example. Parameters that
begin as constants (zeros, ones, small scales of layers) become random, because exporters and engines remove operations that a
constant makes trivial.
"""

import torch
from torch import nn

LINEAR = (nn.Linear, nn.Conv1d, nn.Conv2d, nn.Conv3d, nn.ConvTranspose1d, nn.ConvTranspose2d)
NORMS = (nn.BatchNorm1d, nn.BatchNorm2d, nn.BatchNorm3d)


def vary_constants(model):
    for name, parameter in model.named_parameters():
        if not parameter.is_floating_point() or parameter.numel() < 2 or parameter.std() > 1e-8:
            continue
        value = parameter.flatten()[0].item()
        if value == 0 or name.endswith('bias'):
            parameter.add_(torch.randn_like(parameter) * 0.02)
        elif abs(value) < 0.2:  # the scale of a layer, which training would enlarge
            parameter.copy_(0.2 + torch.randn_like(parameter) * 0.05)
        else:
            parameter.mul_(1 + torch.randn_like(parameter) * 0.1)


def scale_output(module, arguments, output):
    deviation = output.float().std()
    if not torch.isfinite(deviation) or deviation < 1e-12 or 0.7 < deviation < 1.4:
        return output
    module.weight.div_(deviation)
    return module.forward(*arguments)


def copy_statistics(module, arguments):
    values = arguments[0].transpose(0, 1).flatten(1)
    if values.shape[1] < 2:
        return
    module.running_mean.copy_(values.mean(1))
    module.running_var.copy_(values.var(1).clamp(min=1e-2))


@torch.no_grad()
def settle(model, arguments):
    vary_constants(model)
    embeddings = {id(module.weight) for module in model.modules() if isinstance(module, nn.Embedding)}
    hooks = []
    for module in model.modules():
        if isinstance(module, NORMS) and module.running_mean is not None:
            hooks.append(module.register_forward_pre_hook(copy_statistics))
        # Weights that a parametrization computes, and weights shared with an embedding, keep their values.
        elif (
            isinstance(module, LINEAR)
            and isinstance(getattr(module, 'weight', None), nn.Parameter)
            and id(module.weight) not in embeddings
        ):
            hooks.append(module.register_forward_hook(scale_output))
    model(*arguments)
    for hook in hooks:
        hook.remove()
