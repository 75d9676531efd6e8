"""Makes tests/cases/engine/edits: what SpeechBrain's parameter counts and first 20 losses become when a recipe is edited.

    build/peer/bin/python tests/bench/make_edit_cases.py build/prompts    (build/peer: against_speechbrain.sh makes it)

Each case is a small CRDNN on the telephone prompts, with its initial weights in NAME.safetensors.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
OUT = HERE.parent / "cases" / "engine" / "edits"
BASE = {"sample_rate": 8000, "n_mels": 40, "rnn_neurons": 32, "dnn_neurons": 32, "enc": "{dropout: 0.0, cnn_channels: [8, 8], rnn_layers: 1}"}
EDITS = {"base": {}, "layers": {"enc": "{dropout: 0.0, cnn_channels: [8, 8], rnn_layers: 2}"}, "n_mels": {"n_mels": 23}, "lr": {"lr": 0.004}}


def peer(data, overrides, **environment):
    with tempfile.TemporaryDirectory() as scratch:
        command = [sys.executable, HERE / "peer_speechbrain.py", HERE / "recipes" / "ctc_crdnn.yaml", f"--data_folder={data}",
                   f"--output_folder={scratch}", *overrides]
        done = subprocess.run(command, env={**os.environ, **environment}, check=True, capture_output=True, text=True)
        return done.stdout


def main():
    OUT.mkdir(parents=True, exist_ok=True)
    cases = {}
    for name, edit in EDITS.items():
        overrides = [f"--{key}={value}" for key, value in {**BASE, **edit}.items()]
        weights = "base" if name == "lr" else name  # the same network
        if weights == name:
            peer(sys.argv[1], overrides, EXPORT=str(OUT / f"{name}.safetensors"))
        report = json.loads(peer(sys.argv[1], overrides, STEPS="20", SKIP="1").splitlines()[-1])
        cases[name] = {"overrides": overrides, "weights": f"{weights}.safetensors", "parameters": report["parameters"],
                       "losses": report["losses"]}
    (OUT / "expected.json").write_text(json.dumps(cases, indent=1) + "\n")


if __name__ == "__main__":
    main()
