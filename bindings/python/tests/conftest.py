"""Fixtures and settings for all tests."""

import pytest

import webnn


@pytest.fixture(scope="session")
def context() -> webnn.MLContext:
    return webnn.ML().create_context()


@pytest.fixture
def builder(context: webnn.MLContext) -> webnn.MLGraphBuilder:
    return webnn.MLGraphBuilder(context)
