"""Writes x.resolved beside each x.yaml here: what HyperPyYAML itself makes of it.

Run in a venv with: pip install hyperpyyaml==1.2.3 "ruamel.yaml==0.18.17"
"""
import pathlib

from hyperpyyaml import resolve_references

for source in sorted(pathlib.Path(__file__).parent.glob("*.yaml")):
    with open(source, encoding="utf-8") as text:
        source.with_suffix(".resolved").write_text(resolve_references(text).getvalue(), encoding="utf-8")
