"""Trains a `task: ctc` or `task: ctc_attention` recipe in SpeechBrain 1.1.2: the peer that Earwright is measured against, on the same
recipe and data.

    python peer_speechbrain.py RECIPE --data_folder=DIR [--key=value ...]
    torchrun --nproc-per-node=2 peer_speechbrain.py RECIPE --data_folder=DIR --distributed_backend=gloo

Venv: pip install torch==2.11.0 torchaudio==2.11.0 speechbrain==1.1.2 soundfile
Environment: DEVICE (cpu | cuda), THREADS (intra-op threads a rank), STEPS (stop after so many optimizer steps, 0 = whole run),
SKIP (steps left out of the timing, default 5), EXPORT (write the initial weights to this safetensors file and stop), NUDGE (1: start
from weights, and hear audio, that are one rounding away). Prints one JSON line: it/s over the timed steps, per-step median, losses, WER, CER.
"""
import json
import os
import statistics
import sys
import time

import safetensors.torch
import soundfile
import speechbrain as sb
import torch
from hyperpyyaml import load_hyperpyyaml
from rounding import nudge, rounded

DEVICE = os.environ.get("DEVICE", "cpu")
STEPS = int(os.environ.get("STEPS", "0"))
SKIP = int(os.environ.get("SKIP", "5"))
NUDGE = bool(os.environ.get("NUDGE"))


class StopTraining(Exception):
    pass


class Ctc(sb.Brain):
    def on_fit_start(self):
        super().on_fit_start()
        self.stamps, self.losses, self.report = [], [], {}

    def compute_forward(self, batch, stage):
        wavs, lens = batch.to(self.device).sig
        feats = self.modules.normalize(self.hparams.compute_features(wavs), lens)
        if hasattr(self.modules, "CNN"):
            feats = self.modules.CNN(feats)
            encoded = self.modules.enc(feats, lens)
        else:
            encoded = self.modules.enc(feats)
        return self.hparams.log_softmax(self.modules.ctc_lin(encoded)), lens

    def compute_objectives(self, predictions, batch, stage):
        log_probs, lens = predictions
        if stage != sb.Stage.TRAIN:
            self.score(log_probs, lens, batch)
        return self.hparams.ctc_cost(log_probs, batch.tokens[0], lens, batch.tokens[1])

    def score(self, log_probs, lens, batch):
        hyps = sb.decoders.ctc_greedy_decode(log_probs, lens, blank_id=self.hparams.blank_index)
        words = ["".join(self.encoder.decode_ndim(h)).split() for h in hyps]
        refs = [w.split() for w in batch.wrd]
        self.wer.append(batch.id, words, refs)
        self.cer.append(batch.id, words, refs)

    def fit_batch(self, batch):
        loss = super().fit_batch(batch)
        if DEVICE == "cuda":
            torch.cuda.synchronize()
        self.stamps.append(time.perf_counter())
        self.losses.append(float(loss))
        if STEPS and len(self.stamps) >= STEPS:
            raise StopTraining
        return loss

    def on_stage_start(self, stage, epoch=None):
        if stage != sb.Stage.TRAIN:
            self.wer, self.cer = self.hparams.error_rate_computer(), self.hparams.cer_computer()

    def on_stage_end(self, stage, stage_loss, epoch=None):
        if stage == sb.Stage.TRAIN:
            return
        scores = {"loss": stage_loss, "WER": self.wer.summarize("error_rate"), "CER": self.cer.summarize("error_rate")}
        self.report[stage.name.lower()] = scores
        if stage == sb.Stage.VALID:
            self.anneal(stage_loss)
            if sb.utils.distributed.if_main_process():
                print(json.dumps({"epoch": epoch, "train_loss": self.avg_train_loss, **scores}), file=sys.stderr, flush=True)


    def anneal(self, valid_loss):
        _, lr = self.hparams.lr_annealing(valid_loss)
        sb.nnet.schedulers.update_learning_rate(self.optimizer, lr)


class Joint(Ctc):
    """As upstream's recipes/LibriSpeech/ASR/transformer/train.py; its texts are those of the CTC output."""

    def compute_forward(self, batch, stage):
        wavs, lens = batch.to(self.device).sig
        feats = self.modules.normalize(self.hparams.compute_features(wavs), lens)
        encoded, decoded = self.modules.Transformer(self.modules.CNN(feats), batch.tokens_bos[0], lens, pad_idx=self.hparams.pad_index)
        ctc = self.hparams.log_softmax(self.modules.ctc_lin(encoded))
        return ctc, self.hparams.log_softmax(self.modules.seq_lin(decoded)), lens

    def compute_objectives(self, predictions, batch, stage):
        ctc, seq, lens = predictions
        tokens_eos, tokens_eos_lens = batch.tokens_eos
        ctc_loss = super().compute_objectives((ctc, lens), batch, stage)
        seq_loss = self.hparams.seq_cost(seq, tokens_eos, length=tokens_eos_lens)
        return self.hparams.ctc_weight * ctc_loss.sum() + (1 - self.hparams.ctc_weight) * seq_loss.sum()

    def on_fit_batch_end(self, batch, outputs, loss, should_step):
        if should_step:
            self.hparams.noam_annealing(self.optimizer)

    def anneal(self, valid_loss):
        pass  # after every step, not every epoch


def datasets(hparams):
    sets = {}
    for split in ("train", "valid", "test"):
        path = hparams[f"{split}_csv"]
        if os.path.exists(path):
            data = sb.dataio.dataset.DynamicItemDataset.from_csv(path, replacements={"data_root": hparams["data_folder"]})
            sets[split] = data.filtered_sorted(sort_key="duration")
    encoder = hparams["label_encoder"]

    @sb.utils.data_pipeline.takes("wav")
    @sb.utils.data_pipeline.provides("sig")
    def audio(path):
        wave = torch.from_numpy(soundfile.read(path, dtype="float32")[0])
        return rounded(wave) if NUDGE else wave

    @sb.utils.data_pipeline.takes("wrd")
    @sb.utils.data_pipeline.provides("wrd", "chars", "tokens", "tokens_bos", "tokens_eos")
    def text(words):
        yield words
        chars = list(words)
        yield chars
        tokens = encoder.encode_sequence_torch(chars)
        yield tokens
        yield encoder.prepend_bos_index(tokens).long()
        yield encoder.append_eos_index(tokens).long()

    everything = list(sets.values())
    sb.dataio.dataset.add_dynamic_item(everything, audio)
    sb.dataio.dataset.add_dynamic_item(everything, text)
    sb.dataio.dataset.set_output_keys(everything, ["id", "wrd", "chars"])
    encoder.insert_blank(index=hparams["blank_index"])
    boundaries = []
    if "bos_index" in hparams:
        encoder.insert_bos_eos(bos_label="<bos>", eos_label="<eos>", bos_index=hparams["bos_index"], eos_index=hparams["eos_index"])
        boundaries = ["tokens_bos", "tokens_eos"]
    encoder.update_from_didataset(sets["train"], "chars", sequence_input=True)
    sb.dataio.dataset.set_output_keys(everything, ["id", "sig", "wrd", "tokens", *boundaries])
    return sets


def main():
    torch.set_num_threads(int(os.environ.get("THREADS", "1")))
    recipe, options, overrides = sb.parse_arguments(sys.argv[1:])
    sb.utils.distributed.ddp_init_group(options)
    with open(recipe, encoding="utf-8") as text:
        hparams = load_hyperpyyaml(text, overrides)
    sets = datasets(hparams)
    kind = Joint if hparams["task"] == "ctc_attention" else Ctc
    brain = kind(hparams["modules"], hparams["opt_class"], hparams, {"noprogressbar": True, "device": DEVICE, **options})
    brain.encoder = hparams["label_encoder"]
    if os.environ.get("EXPORT"):
        safetensors.torch.save_file({k: v.contiguous() for k, v in brain.modules.state_dict().items()}, os.environ["EXPORT"])
        return
    if NUDGE:
        nudge(brain.modules)
    start = time.perf_counter()
    try:
        brain.fit(hparams["epoch_counter"], sets["train"], sets.get("valid"),
                  train_loader_kwargs=hparams["train_dataloader_opts"], valid_loader_kwargs=hparams["valid_dataloader_opts"])
    except StopTraining:
        pass
    wall = time.perf_counter() - start
    if not STEPS and "test" in sets:
        brain.evaluate(sets["test"], test_loader_kwargs=hparams["test_dataloader_opts"])
    if torch.distributed.is_initialized():  # the mean over ranks is the loss of the whole batch
        losses = torch.tensor(brain.losses, dtype=torch.float64)
        torch.distributed.all_reduce(losses)
        brain.losses = (losses / torch.distributed.get_world_size()).tolist()
    steps = [b - a for a, b in zip(brain.stamps[SKIP:], brain.stamps[SKIP + 1:])]
    if sb.utils.distributed.if_main_process():
        print(json.dumps({
            "peer": "speechbrain " + sb.__version__, "recipe": os.path.basename(recipe), "precision": brain.precision,
            "world_size": int(os.environ.get("WORLD_SIZE", "1")), "threads": torch.get_num_threads(), "device": DEVICE,
            "parameters": sum(p.numel() for p in brain.modules.parameters()), "steps": len(brain.stamps), "wall_s": round(wall, 2),
            "it_per_s": round(len(steps) / sum(steps), 4) if steps else None,
            "step_ms_median": round(1e3 * statistics.median(steps), 1) if steps else None,
            "losses": brain.losses, **brain.report}))


if __name__ == "__main__":
    main()
