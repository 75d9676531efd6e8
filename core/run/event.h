#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace earwright::run {

/// One point of one curve. Tags: train/loss, it_per_s, lr, lr_wav2vec (of a pretrained encoder with
/// an optimizer of its own), grad_norm, loss_scale, data_wait and reduce_wait (share of the step,
/// 0..1, spent waiting for data and, on a CPU, for the all-reduce of the gradients); valid/loss,
/// valid/WER, valid/CER, valid/ACC, valid/hotword_recall, hotword_precision, hotword_F1 (percent;
/// unseen_hotword_…: of those in no training text), test/…; of rank 0's allocator on a GPU
/// memory/allocated_bytes, reserved_bytes, peak_bytes (most that was allocated since the step
/// before) and fragmentation (share of the reserved, 0..1, in no tensor). The supervisor logs the
/// machine's every few seconds: system/cpu_percent (of all cores), available_bytes (memory),
/// disk_free_bytes; of the ranks together ranks_cpu_percent (100 = one core), ranks_resident_bytes,
/// ranks_written_bytes_per_s; of cuda:N gpuN_percent, gpuN_memory_bytes (in use, by all programs),
/// gpuN_watts and gpuN_celsius.
struct Scalar {
    std::string tag;
    int64_t step = 0; ///< optimizer steps done, from 1
    double value = 0; ///< as it was, NaN and Inf too
};

/// Everything else: kinds are only ever appended; a reader skips kinds it does not know.
struct RunStarted {
    std::string name {};
    std::string task {};
    std::string precision {};
    std::string evalPrecision {};
    std::vector<std::string> devices {};
    int64_t numberOfEpochs = 0;
    int64_t stepsPerEpoch = 0;
    int64_t parameterCount = 0; ///< of the modules, frozen ones too
    int64_t trainedCount = 0; ///< of them; 0 in older logs, whose parameterCount it is
    int64_t attempt = 0; ///< 0 = first start, then counts resumes
    int64_t resumedStep = 0; ///< optimizer steps done at the start of this attempt
};
/// phase: prepare | train | validate | test | checkpoint | pause; the supervisor alone logs
/// "starting", before there are ranks, and "stopping".
struct PhaseChanged {
    std::string phase;
    int64_t epoch = 0; ///< from 1
    int64_t step = 0;
};
/// Log line of one rank. level: debug | info | warning | error.
struct Message {
    std::string level;
    std::string text;
};
struct CheckpointSaved {
    std::string path; ///< relative to the run folder
    int64_t epoch = 0;
    int64_t step = 0;
    bool best = false;
};
struct Evaluated {
    std::string split; ///< valid | test; of several tests the name of each, as in "test-clean"
    int64_t epoch = 0;
    int64_t step = 0;
    double loss = 0;
    double wer = 0; ///< percent
    double cer = 0; ///< percent
    std::string alignmentsFile; ///< relative to the run folder
    std::string rate = "WER"; ///< the one that counts: CER for texts of ideographs without blanks
    std::vector<std::string> checkpoints {}; ///< of a test: names of those whose weights, or whose
                                             ///< mean, it is of

    double percent() const { return rate == "CER" ? cer : wer; }
};
/// A step whose loss or gradients were not finite; `skipped` where the optimizer did not move.
struct NonFinite {
    int64_t step = 0;
    std::string what; ///< loss | gradient
    std::vector<std::string> utterances;
    bool skipped = false;
};
struct LossScaleChanged {
    int64_t step = 0;
    double scale = 0;
    bool overflow = false;
};
/// Share of matrix-multiply work per dtype over one step, 0..1, and over one evaluation batch: a
/// requested precision is proved to have run.
struct DtypeCensus {
    std::string stage; ///< train | valid
    std::map<std::string, double> shareByDtype; ///< "float32", "tf32", "float16", "bfloat16"
};
/// state: done | stopped | failed.
struct Finished {
    std::string state;
    std::string error; ///< what, rank, host, step, phase; "" unless failed
    int64_t rank = -1; ///< that failed first
};
/// The supervisor starts the ranks anew after a failure, from the last checkpoint.
struct Restarting {
    int64_t restart = 0; ///< from 1
    int64_t maxRestarts = 0; ///< of the plan
    std::string error; ///< what ended the ranks before, as in Finished
    int64_t rank = -1; ///< that failed first
    std::vector<std::string> devices; ///< of the ranks from now on
};
/// A training batch did not fit into a rank's memory: it is computed in parts, and so are from now
/// on all that are as many and as long.
struct BatchSplit {
    int64_t step = 0; ///< optimizer steps done by then
    std::vector<std::string> utterances;
    double seconds = 0; ///< of the longest of them
    int64_t parts = 0;
    std::string cause; ///< forward or backward, and the allocator's words
    std::string recipe; ///< absolute path of the file that was started
    std::vector<std::string> overrides; ///< "batch_size=4": with them no batch is larger than a
                                        ///< part, and a step takes as many utterances
};

/// A part of an event file that no reader understands. Readers make it up; no file holds it.
struct LogDamage {
    std::string file; ///< "events/rank0/events.out.tfevents.0000"
    int64_t begin = 0; ///< byte of the file
    int64_t end = -1; ///< where the next sound record begins; -1 = there is none
    bool isCut = false; ///< the file ends within a record
};

using Payload = std::variant<Scalar, RunStarted, PhaseChanged, Message, CheckpointSaved, Evaluated,
    NonFinite, LossScaleChanged, DtypeCensus, Finished, Restarting, BatchSplit, LogDamage>;

struct Event {
    double wallTime = 0; ///< seconds since the epoch (1970), UTC
    Payload payload;
};

/// "scalar", "run_started", "phase_changed", …: the struct's name in snake_case.
std::string payloadKind(const Payload& payload);
bool isKnownKind(std::string_view kind);
/// Optimizer steps done where the payload says so, else 0.
int64_t payloadStep(const Payload& payload);

/// What is lost, and where.
std::string damageText(const LogDamage& damage);

/// {"kind": "run_started", …}; the member names in snake_case, NaN and Inf as the strings "nan",
/// "inf", "-inf". Broken UTF-8 is replaced by U+FFFD.
std::string payloadToJson(const Payload& payload);
/// Members that are missing keep their default, unknown ones are skipped. Error for malformed JSON,
/// a member of the wrong type or an unknown kind.
Result<Payload> payloadFromJson(const std::string& json);

} // namespace earwright::run
