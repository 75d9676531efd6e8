"""Writes beside it what transformers (5.17.0) makes of time stamps: rules.json, what its processor of logits leaves of drawn ones, and
segments.json, how it reads windows. With the folders of whisper-tiny.en and of so762 also long.json, what it hears in utterances of
test.csv put behind each other: numbers of rows, texts and times.

    python write_timestamps.py [MODEL_FOLDER DATA_FOLDER]
"""

import csv
import json
import sys
from pathlib import Path
from types import SimpleNamespace

import torch
from transformers.generation.logits_process import WhisperTimeStampLogitsProcessor
from transformers.models.whisper.generation_whisper import WhisperGenerationMixin

FOLDER = Path(__file__).parent
END, NO_TIMESTAMPS, STAMPS = 20, 26, 60
FIRST = NO_TIMESTAMPS + 1
LATEST_BEGINNING = 50
ROWS, STEPS = 5, 12
# Tokens, the first frame of the window and its frames.
WINDOWS = [
    ([27, 1, 2, 40, 40, 3, 57, 57], 0, 3000),
    ([27, 1, 2, 40, 40, 3, 57], 0, 3000),
    ([27, 1, 2, 40, 41, 3, 57, 57, 4, 5], 700, 3000),
    ([28, 1, 2, 40, 40, 3, 4], 0, 2500),
    ([27, 1, 2, 40], 1000, 1200),
    ([30, 1, 2], 1000, 1201),
    ([27, 1, 2], 1000, 1201),
    ([27], 64, 31),
    ([27, 1, 2, 40, 40], 10, 100),
]
# The first row of test.csv and how many: of two windows, of three, of one with many segments and with one.
SOUNDS = [[21, 14], [61, 21], [30, 9], [40, 1]]


def rules():
    torch.manual_seed(4)
    config = SimpleNamespace(no_timestamps_token_id=NO_TIMESTAMPS, eos_token_id=END, bos_token_id=END + 1, max_initial_timestamp_index=LATEST_BEGINNING)
    processor = WhisperTimeStampLogitsProcessor(config, begin_index=1)
    told, steps = torch.full((ROWS, 1), END + 1), []
    for _ in range(STEPS):
        logits = torch.randn(ROWS, FIRST + STAMPS) * 2
        logits[:, FIRST:] += torch.tensor([-2.0, 0.0, 1.0, 2.0, -1.0]).unsqueeze(1) - 1.5
        logits[:, END] -= 4
        logits = (logits * 100).round() / 100
        left = processor(told, logits)
        tokens = left.argmax(-1)
        steps.append({
            "logits": [[round(value, 2) for value in row] for row in logits.tolist()],
            "left": ["".join("01"[value > -float("inf")] for value in row) for row in left.tolist()],
            "tokens": tokens.tolist(),
        })
        told = torch.cat([told, tokens.unsqueeze(1)], 1)
    return {"end": END, "no_timestamps": NO_TIMESTAMPS, "steps": steps}


def segments():
    cases = []
    for tokens, first, frames in WINDOWS:
        found, moved = WhisperGenerationMixin._retrieve_segment(
            seek_sequence=torch.tensor(tokens), seek_outputs=[None], time_offset=torch.tensor([first * 0.01], dtype=torch.float64), timestamp_begin=FIRST,
            seek_num_frames=torch.tensor([frames]), time_precision=0.02, time_precision_features=0.01, input_stride=2, prev_idx=0, idx=0,
            return_token_timestamps=False, decoder_input_ids=torch.zeros(1, 1))
        parts = [[round(100 * float(one["start"])), round(100 * float(one["end"])), one["tokens"].tolist()] for one in found]
        cases.append({"tokens": tokens, "first": first, "frames": frames, "segments": parts, "moved": int(moved)})
    return {"first_timestamp": FIRST, "windows": cases}


def long_sounds(model_folder, data_folder):
    import soundfile
    from transformers import PreTrainedTokenizerFast, WhisperFeatureExtractor, WhisperForConditionalGeneration

    torch.set_num_threads(1)
    model = WhisperForConditionalGeneration.from_pretrained(model_folder, dtype=torch.float32)
    model.generation_config.no_timestamps_token_id = 50362
    model.generation_config.max_initial_timestamp_index = LATEST_BEGINNING
    extract = WhisperFeatureExtractor.from_pretrained(model_folder)
    tokenizer = PreTrainedTokenizerFast(tokenizer_file=f"{model_folder}/tokenizer.json")

    def text_of(tokens):
        return tokenizer.decode([token for token in tokens if token < 50256]).strip()

    with open(f"{data_folder}/test.csv", encoding="utf-8") as file:
        rows = [row["wav"].replace("$data_root", data_folder) for row in csv.DictReader(file)]
    heard = []
    for first, count in SOUNDS:
        samples = [soundfile.read(rows[i], dtype="float32")[0] for i in range(first, first + count)]
        sound = torch.cat([torch.tensor(one) for one in samples]).numpy()
        is_long = len(sound) > 30 * 16000
        features = extract(sound, sampling_rate=16000, return_tensors="pt", **({"truncation": False, "padding": "longest"} if is_long else {}))
        moves = []
        found = model.generate(features.input_features, return_timestamps=True, return_segments=True,
                               monitor_progress=lambda progress: moves.append(int(progress[0, 0])))
        parts = [[round(float(one["start"]), 2), round(float(one["end"]), 2), text_of(one["tokens"].tolist())] for one in found["segments"][0]]
        heard.append({"first": first, "count": count, "seconds": round(len(sound) / 16000, 3), "windows": moves,
                      "text": text_of(found["sequences"][0].tolist()), "segments": [part for part in parts if part[2]]})
    return heard


def write(name, value):
    (FOLDER / name).write_text(json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n", encoding="utf-8")


write("rules.json", rules())
write("segments.json", segments())
if len(sys.argv) == 3:
    write("long.json", long_sounds(*sys.argv[1:]))
