"""Nouns → text and pictures: the summary, the terminal's tables and the HTML page; the only place that formats."""
