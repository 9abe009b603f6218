"""Writes a checkpoint as an ONNX file: the reader's for names and vectors, and that of what is
stated.

    python -m training.export --run run/last.pt --out reader.onnx
    python -m training.export --stated stated/last.pt --out stated.onnx
    python -m training.export --clauses clauses/last.pt --least .2 --out clauses.onnx

Matrices are integers of 8 or 4 bits, each stretch of a column with a scale of its own, and are
multiplied as such (`MatMulNBits`): the file, and what it takes in memory, is less than a quarter of
the 32-bit network.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import tempfile
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import helper, numpy_helper
from torch import Tensor, nn

from training import clause_model, model, observed, stated_model

LARGEST = 30_000_000
OPSET = 20
INPUTS = ("input_ids", "attention_mask", "shapes")
OUTPUTS = ("last_hidden_state", "tags", "shared")
STATED_INPUTS = ("shared", "attention_mask", "marks")


class Whole(nn.Module):
    """The reader with its outputs, a piece each: the states of which the mean is the vector, tag
    logits, and the states on which what is stated is read.
    """

    def __init__(self, reader: model.Reader) -> None:
        super().__init__()
        self.reader = reader

    def forward(self, ids: Tensor, mask: Tensor, shapes: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        read = self.reader.read(ids)
        tags, shared = self.reader.named(read, mask, shapes)
        return self.reader.states(read, mask), tags, shared


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument("--run", type=Path, help="the reader's checkpoint")
    which.add_argument("--stated", type=Path, help="the checkpoint of what is stated")
    which.add_argument("--clauses", type=Path, help="the checkpoint of the clauses")
    parser.add_argument("--least", type=float, default=0.2, help="chance of a clause that is kept")
    parser.add_argument(
        "--thresholds",
        type=Path,
        help="of the labels of what is stated (training.stated_thresholds)",
    )
    parser.add_argument("--out", type=Path, required=True, help="the file to write")
    asked = parser.parse_args()
    limits = json.loads(asked.thresholds.read_text(encoding="utf-8")) if asked.thresholds else {}
    if asked.run:
        made = reader_graph(asked.run)
    elif asked.clauses:
        made = clause_graph(asked.clauses, asked.least)
    else:
        made = stated_graph(asked.stated, limits)
    narrow(made.graph)
    made.opset_import.append(helper.make_opsetid("com.microsoft", 1))
    onnx.checker.check_model(made)
    data = made.SerializeToString()
    if len(data) > LARGEST:
        raise SystemExit(f"{len(data):,} bytes are more than {LARGEST:,}")
    asked.out.parent.mkdir(parents=True, exist_ok=True)
    asked.out.write_bytes(data)
    print(f"{len(data):,} bytes, sha256 {hashlib.sha256(data).hexdigest()}")


def reader_graph(run: Path) -> onnx.ModelProto:
    """The reader in 32 bits."""
    reader = model.Reader()
    reader.load_state_dict(torch.load(run, weights_only=True)["model"])
    ids, mask, shapes = (
        torch.randint(999, 2000, (2, 9)),
        torch.ones(2, 9, dtype=torch.long),
        torch.zeros(2, 9).long(),
    )
    return _graph(Whole(reader.eval()), (ids, mask, shapes), INPUTS, OUTPUTS)


def stated_graph(run: Path, thresholds: Mapping[str, float]) -> onnx.ModelProto:
    """The network of what is stated in 32 bits; what pairs are judged by is given as outputs of
    their own, which no input changes, and the labels and the thresholds as metadata.
    """
    saved = torch.load(run, weights_only=True)
    net = stated_model.Stated(len(saved["labels"]))
    net.load_state_dict(saved["model"])
    states, mask, marks = (
        torch.randn(2, 9, model.WIDTH),
        torch.ones(2, 9, dtype=torch.long),
        torch.zeros(2, 9).long(),
    )
    made = _graph(net.eval(), (states, mask, marks), STATED_INPUTS, ("parts",))
    for name, value in (
        ("places", net.places.weight),
        ("weights", net.label.weight),
        ("biases", net.label.bias),
    ):
        made.graph.initializer.append(
            numpy_helper.from_array(value.detach().numpy(), name + ".value")
        )
        made.graph.node.append(helper.make_node("Identity", [name + ".value"], [name], name=name))
        made.graph.output.append(
            helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, list(value.shape))
        )
    helper.set_model_props(
        made,
        {
            "labels": json.dumps(saved["labels"]),
            "thresholds": json.dumps(dict(thresholds), sort_keys=True),
        },
    )
    return made


def clause_graph(run: Path, least: float) -> onnx.ModelProto:
    """The network of clauses in 32 bits, with what it chooses from as metadata."""
    saved = torch.load(run, weights_only=True)
    net = clause_model.Clauses(saved["labels"])
    net.load_state_dict(saved["model"])
    states, mask = torch.randn(2, 9, model.WIDTH), torch.ones(2, 9, dtype=torch.long)
    made = _graph(net.eval(), (states, mask), ("shared", "attention_mask"), ("parts",))
    known = {
        "sorts": observed.SORTS,
        "holds": observed.HOLDS,
        "least": least,
        "lemmas": saved["lemmas"],
        **saved["labels"],
    }
    helper.set_model_props(made, {name: json.dumps(value) for name, value in known.items()})
    return made


def _graph(
    module: nn.Module,
    example: tuple[Tensor, ...],
    inputs: tuple[str, ...],
    outputs: tuple[str, ...],
) -> onnx.ModelProto:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "network.onnx"
        torch.onnx.export(
            module,
            example,
            str(path),
            input_names=list(inputs),
            output_names=list(outputs),
            dynamic_axes={name: {0: "batch", 1: "pieces"} for name in (*inputs, *outputs)},
            opset_version=OPSET,
            dynamo=False,
        )
        return onnx.load(path)


def narrow(graph: onnx.GraphProto) -> None:
    """Makes 8-bit integers of the large matrices and of the words' table."""
    tensors = {tensor.name: tensor for tensor in graph.initializer}
    nodes: list[onnx.NodeProto] = []
    for node in graph.node:
        matrix = tensors.get(node.input[1]) if node.op_type == "MatMul" else None
        table = tensors.get(node.input[0]) if node.op_type == "Gather" else None
        if matrix is not None and min(matrix.dims) >= model.WIDTH:
            nodes.append(product(graph, node, numpy_helper.to_array(matrix)))
        elif table is not None and table.dims[0] > 10_000:
            nodes += rows(graph, node, numpy_helper.to_array(table))
        else:
            nodes.append(node)
    read = {name for node in nodes for name in node.input}
    kept = [tensor for tensor in graph.initializer if tensor.name in read]
    del graph.node[:]
    graph.node.extend(nodes)
    del graph.initializer[:]
    graph.initializer.extend(kept)


def product(graph: onnx.GraphProto, node: onnx.NodeProto, matrix: np.ndarray) -> onnx.NodeProto:
    """`MatMulNBits` in place of a product with a matrix of 32-bit numbers."""
    inputs, columns = matrix.shape
    bits = next(size for part, size in model.BITS.items() if f"/{part}" in node.name)
    narrowed, scales = model.narrowed(torch.from_numpy(matrix.T.copy()), bits, model.BLOCK)
    name = node.name.strip("/").replace("/", ".")
    # The middle of the range stands for 0.
    stored = (narrowed.numpy() + 2 ** (bits - 1)).astype(np.uint8)
    if bits == 4:
        stored = stored[..., ::2] | stored[..., 1::2] << 4
    graph.initializer.append(
        numpy_helper.from_array(np.ascontiguousarray(stored), name + ".narrow")
    )
    graph.initializer.append(numpy_helper.from_array(scales.numpy().reshape(-1), name + ".scales"))
    return helper.make_node(
        "MatMulNBits",
        [node.input[0], name + ".narrow", name + ".scales"],
        list(node.output),
        name=name,
        domain="com.microsoft",
        K=inputs,
        N=columns,
        bits=bits,
        block_size=model.BLOCK,
        accuracy_level=4,  # what it is multiplied with becomes 8-bit integers too, a scale a block
    )


def rows(graph: onnx.GraphProto, node: onnx.NodeProto, table: np.ndarray) -> list[onnx.NodeProto]:
    """Takes the rows of a table first and makes 32-bit numbers of these only: the table stays small
    in memory.
    """
    scales = np.maximum(np.abs(table).max(axis=1, keepdims=True), 1e-12) / 127
    graph.initializer.append(
        numpy_helper.from_array(np.rint(table / scales).astype(np.int8), "words.int8")
    )
    graph.initializer.append(numpy_helper.from_array(scales.astype(np.float32), "words.scales"))
    return [
        helper.make_node(
            "Gather", ["words.int8", node.input[1]], ["words.rows"], axis=0, name="words.rows"
        ),
        helper.make_node(
            "Gather", ["words.scales", node.input[1]], ["words.scale"], axis=0, name="words.scale"
        ),
        helper.make_node(
            "Cast", ["words.rows"], ["words.wide"], to=onnx.TensorProto.FLOAT, name="words.wide"
        ),
        helper.make_node(
            "Mul", ["words.wide", "words.scale"], [node.output[0]], name="words.scaled"
        ),
    ]


if __name__ == "__main__":
    main()
