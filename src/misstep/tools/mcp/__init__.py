"""The parts of the MCP client and server: files, links, processes, transports, results."""
