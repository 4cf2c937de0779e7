"""A Ray cluster of several nodes on this machine, for examples and tests."""

import contextlib
import os
from collections.abc import Iterator
from typing import Any

# Set before Ray is imported: no token, because only this machine reaches the cluster, and no usage statistics.
os.environ.setdefault("RAY_AUTH_MODE", "disabled")
os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")

import numpy as np
import pyarrow as pa
import ray
from ray.cluster_utils import Cluster
from ray.data.extensions import ArrowTensorArray


def dataset(rows: int, **columns: np.ndarray) -> "ray.data.Dataset":
    """Returns a dataset of columns in memory, in blocks of `rows` rows."""

    def block(begin: int) -> pa.Table:
        part = {name: column[begin : begin + rows] for name, column in columns.items()}
        return pa.table({name: array if array.ndim == 1 else ArrowTensorArray.from_numpy(array) for name, array in part.items()})

    return ray.data.from_arrow([block(begin) for begin in range(0, len(next(iter(columns.values()))), rows)])


@contextlib.contextmanager
def local_cluster(nodes: int = 2, cpus: int = 1, store: int = 200 * 2**20) -> Iterator[tuple[Cluster, list[Any]]]:
    """Starts a cluster; yields it and its nodes except the head. Each node has `cpus` CPUs and an object store of `store` bytes."""
    # Declares a node dead after some 5 seconds without an answer (Ray's default is some 15).
    quick = {"health_check_period_ms": 1000, "health_check_timeout_ms": 2000, "health_check_failure_threshold": 3}
    head = {"num_cpus": cpus, "object_store_memory": store, "include_dashboard": False, "_system_config": quick}
    cluster = Cluster(initialize_head=True, head_node_args=head)
    try:
        others = [cluster.add_node(num_cpus=cpus, object_store_memory=store) for _ in range(nodes - 1)]
        ray.init(address=cluster.address, log_to_driver=False, logging_level="ERROR")
        ray.data.DataContext.get_current().enable_progress_bars = False
        cluster.wait_for_nodes()
        yield cluster, others
    finally:
        ray.shutdown()
        cluster.shutdown()
