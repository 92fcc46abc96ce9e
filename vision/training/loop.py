"""The training loop that all networks share: one thread, bfloat16, averaged weights, checkpoints, a progress bar.

One thread a process: on shared cores a second one spends its time waiting.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from tqdm import tqdm

Axes = Mapping[int, str]
"""Names of axes whose length may change, by their number."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How long and how fast to train; ``checkpoint`` is where the state is kept and taken up again."""

    steps: int
    rate: float
    checkpoint: Path
    decay: float = 0.02
    warmup: int = 200
    every: int = 200


def averaged(net: nn.Module, mean: nn.Module, step: int) -> None:
    """Move the averaged weights towards the present ones."""
    keep = min(0.998, (1 + step) / (10 + step))
    with torch.no_grad():
        for ours, theirs in zip(mean.state_dict().values(), net.state_dict().values(), strict=True):
            if ours.dtype.is_floating_point:
                ours.mul_(keep).add_(theirs, alpha=1 - keep)
            else:
                ours.copy_(theirs)


def train(
    net: nn.Module, batches: Iterator[Any], loss_of: Callable[[nn.Module, Any], tuple[Tensor, str]], plan: Plan
) -> nn.Module:
    """Train ``net`` and return its averaged weights; goes on from the checkpoint where there is one."""
    net = net.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    mean = copy.deepcopy(net)
    optimiser = torch.optim.AdamW(net.parameters(), plan.rate, weight_decay=plan.decay)
    start = 0
    if plan.checkpoint.exists():
        state = torch.load(plan.checkpoint)
        net.load_state_dict(state["net"])
        mean.load_state_dict(state["mean"])
        optimiser.load_state_dict(state["optimiser"])
        start = state["step"]
    net.train()
    bar = tqdm(range(start, plan.steps), initial=start, total=plan.steps, unit="step", mininterval=5)
    shown = 0.0
    for step in bar:
        share = min(1.0, (step + 1) / plan.warmup) * 0.5 * (1 + math.cos(math.pi * step / plan.steps))
        for group in optimiser.param_groups:
            group["lr"] = plan.rate * max(share, 0.01)
        loss, note = loss_of(net, next(batches))
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optimiser.step()
        averaged(net, mean, step)
        shown = loss.item() if step == start else 0.98 * shown + 0.02 * loss.item()
        bar.set_postfix_str(f"loss {shown:.4f} {note}", refresh=False)
        if (step + 1) % plan.every == 0 or step + 1 == plan.steps:
            _save(plan.checkpoint, net, mean, optimiser, step + 1)
    mean.eval()
    return mean


def _save(path: Path, net: nn.Module, mean: nn.Module, optimiser: torch.optim.Optimizer, step: int) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    rough = path.with_suffix(".part")
    torch.save(
        {"net": net.state_dict(), "mean": mean.state_dict(), "optimiser": optimiser.state_dict(), "step": step}, rough
    )
    rough.replace(path)


def export(net: nn.Module, example: Tensor, path: Path, *, inputs: str, outputs: Sequence[str], moving: Axes) -> None:
    """Write the network as ONNX; ``moving`` names the axes whose length may change, of the input and of each output."""
    net = copy.deepcopy(net).eval().float()
    path.parent.mkdir(parents=True, exist_ok=True)
    torch.onnx.export(
        net,
        (example,),
        str(path),
        input_names=[inputs],
        output_names=list(outputs),
        dynamic_axes={inputs: moving, **dict.fromkeys(outputs, moving)},
        opset_version=17,
        dynamo=False,
    )
