"""Searches of SpeechBrain and Earwright over the same numbers or sizes: CPU seconds of one core and their ratio.

Started by decoders.sh in a venv with SpeechBrain: python decoders.py FOLDER_OF_THE_PROGRAMS
"""

import json
import logging
import os
import subprocess
import sys
import tempfile
import time

import torch

torch.set_num_threads(1)
logging.disable(logging.WARNING)
from speechbrain.decoders.ctc import CTCBeamSearcher, CTCPrefixBeamSearcher  # noqa: E402
from speechbrain.decoders.scorer import CoverageScorer, CTCScorer, RNNLMScorer, ScorerBuilder, TransformerLMScorer  # noqa: E402
from speechbrain.decoders.seq2seq import S2STransformerBeamSearcher, S2STransformerGreedySearcher  # noqa: E402
from speechbrain.lobes.models.RNNLM import RNNLM  # noqa: E402
from speechbrain.lobes.models.transformer.TransformerASR import TransformerASR  # noqa: E402
from speechbrain.lobes.models.transformer.TransformerLM import TransformerLM  # noqa: E402
from speechbrain.nnet.linear import Linear  # noqa: E402

LABELS = ["<blank>", " "] + [chr(ord("a") + i) for i in range(26)] + ["'", "-"]
WORDS = ["ab", "cad", "de", "a", "be", "fig", "hot", "so", "the", "on"]
FRAMES = 400  # 16 s of speech at 25 frames a second
SHARPNESS = (3.0, 6.0)  # of the outputs, and how much the blank has more


def log_probs():
    torch.manual_seed(3)
    scores = torch.randn(FRAMES, len(LABELS)) * SHARPNESS[0]
    scores[:, 0] += SHARPNESS[1]
    return torch.log_softmax(scores, -1)


def arpa():
    lines = ["\\data\\", "ngram 1=%d" % (len(WORDS) + 3), "ngram 2=%d" % (len(WORDS) - 1), "", "\\1-grams:", "-1.2\t<unk>\t0", "0\t<s>\t-0.4", "-1\t</s>\t0"]
    lines += ["-%.1f\t%s\t-0.2" % (0.8 + 0.1 * i, word) for i, word in enumerate(WORDS)]
    lines += ["", "\\2-grams:"] + ["-0.5\t%s %s" % pair for pair in zip(WORDS, WORDS[1:])] + ["", "\\end\\", ""]
    return "\n".join(lines)


def upstream(searcher, values, model):
    search = searcher(blank_index=0, vocab_list=LABELS, space_token=" ", beam_size=100, kenlm_model_path=model)
    begin = time.process_time()
    best = search(values[None], torch.ones(1))[0][0]
    return time.process_time() - begin, best.text, float(best.lm_score)


def earwright(program, folder, kind, model):
    words = [program, folder + "/log_probs", str(FRAMES), folder + "/labels", kind, "100", "20"] + ([model] if model else [])
    found = json.loads(subprocess.run(words, capture_output=True, check=True, text=True).stdout)
    return found["seconds"], found["text"], found["score"]


# Rows, frames, width, vocabulary, decoder layers, beams (0: greedy), tokens for each frame.
ATTENTION = (2, 120, 144, 500, 4, 10, 0.25)
GREEDY = (2, 120, 144, 500, 4, 0, 0.25)
EOS = 2
TARGETS = {"beam": 5, "greedy": 1}


def upstream_scorer(name, vocabulary):
    if name == "transformerlm":
        return TransformerLMScorer(language_model=TransformerLM(vocab=vocabulary, d_model=256, nhead=4, num_encoder_layers=6, d_ffn=1024))
    if name == "rnnlm":
        return RNNLMScorer(language_model=RNNLM(output_neurons=vocabulary, rnn_neurons=512, return_hidden=True))
    return CoverageScorer(vocab_size=vocabulary)


def upstream_attention(rows, frames, width, vocabulary, layers, beams, ratio, more=None):
    torch.manual_seed(1)
    net = TransformerASR(vocabulary, 8, width, 4, 1, layers, 4 * width, 0.0, normalize_before=True, causal=False).eval()
    ctc, out = Linear(input_size=width, n_neurons=vocabulary), Linear(input_size=width, n_neurons=vocabulary)
    torch.nn.init.constant_(out.w.bias[EOS:EOS + 1], -1e4)  # no greedy search ends early
    ends = dict(bos_index=1, eos_index=EOS, min_decode_ratio=0.0 if beams == 0 else ratio, max_decode_ratio=ratio)
    if beams == 0:
        search = S2STransformerGreedySearcher(modules=[net, out], **ends)
    else:
        full, weights = [CTCScorer(ctc_fc=ctc, blank_index=0, eos_index=EOS)], {"ctc": 0.4}
        if more:
            full.append(upstream_scorer(more, vocabulary))
            weights[more] = 0.5 if more == "coverage" else 0.6
        scorer = ScorerBuilder(full_scorers=full, weights=weights)
        search = S2STransformerBeamSearcher(modules=[net, out], beam_size=beams, using_eos_threshold=False, scorer=scorer, **ends)
    states = torch.randn(rows, frames, width)
    begin = time.process_time()
    with torch.no_grad():
        search(states, torch.ones(rows))
    return time.process_time() - begin


def row(name, model, kind, theirs, ours):
    target, ratio = TARGETS[kind], theirs / ours
    print("%-11s %-6s %14.3f %12.4f %6.1f %d %s" % (name, "yes" if model else "no", theirs, ours, ratio, target,
                                                 "met" if ratio >= target else "MISSED"), flush=True)


def main(folder_of_programs):
    program = folder_of_programs + "/decode_bench"
    values = log_probs()
    with tempfile.TemporaryDirectory() as folder:
        values.numpy().tofile(folder + "/log_probs")
        for name, text in (("labels", "\n".join(LABELS) + "\n"), ("lm.arpa", arpa())):
            with open(os.path.join(folder, name), "w") as file:
                file.write(text)
        print("search      n-gram  SpeechBrain s  Earwright s  ratio target")
        for kind, searcher in (("beam", CTCBeamSearcher), ("prefix", CTCPrefixBeamSearcher)):
            for model in (None, folder + "/lm.arpa"):
                theirs, ours = upstream(searcher, values, model), earwright(program, folder, kind, model)
                if theirs[1] != ours[1] or abs(theirs[2] - ours[2]) > 1e-2:
                    sys.exit("not the same result: %r and %r" % (theirs[1:], ours[1:]))
                row(kind, model, "beam", theirs[0], ours[0])
    for name, kind, sizes in (("attn+ctc", "beam", ATTENTION), ("+tlm", "beam", ATTENTION + ("transformerlm",)), ("+rnnlm", "beam", ATTENTION + ("rnnlm",)),
                              ("+coverage", "beam", ATTENTION + ("coverage",)), ("attn greedy", "greedy", GREEDY)):
        theirs = upstream_attention(*sizes)
        ours = float(subprocess.run([folder_of_programs + "/s2s_bench"] + [str(size) for size in sizes], capture_output=True, check=True, text=True).stdout)
        row(name, None, kind, theirs, ours)


main(sys.argv[1])
