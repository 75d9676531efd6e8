#include "core/language/known_keys.h"

#include <algorithm>

namespace kymo::language {
namespace {

constexpr KnownKey kKnownKeys[] = {
    { "device", "where to train", "cpu, cpu:N for N processes, cuda, cuda:N or a list of GPUs" },
    { "data_folder", "a folder", "where the corpus is" },
    { "output_folder", "a folder", "where results go" },
    { "save_folder", "a folder", "where checkpoints go" },
    { "train_csv", "a manifest", "what is trained on: CSV with ID, duration, wav and transcript" },
    { "valid_csv", "a manifest", "what is validated on after each epoch" },
    { "test_csv", "a manifest", "what the trained model is tested on" },
    { "train_json", "a manifest", "what is trained on: JSON of utterances by their id" },
    { "valid_json", "a manifest", "what is validated on after each epoch" },
    { "test_json", "a manifest", "what the trained model is tested on" },
    { "compute_features", "an object, such as Fbank", "from waveforms to features" },
    { "normalize", "an object, such as InputNormalization", "brings features to mean 0" },
    { "wav_augment", "an object, such as Augmenter", "changes waveforms while training" },
    { "fea_augment", "an object, such as SpectrogramDrop", "changes features while training" },
    { "CNN", "an object, such as ConvolutionFrontEnd", "before the encoder" },
    { "enc", "an object, such as CRDNN", "the encoder" },
    { "ctc_lin", "an object, such as Linear", "from the encoder to the tokens" },
    { "log_softmax", "an object, such as LogSoftmax", "makes log probabilities of them" },
    { "ctc_cost", "a !name: of ctc_loss", "the loss" },
    { "blank_index", "a whole number", "the token that stands for none; usually 0" },
    { "label_encoder", "an object, such as CTCTextEncoder", "from transcripts to tokens" },
    { "modules", "a mapping of objects", "what is moved to the device and trained" },
    { "model", "a ModuleList", "what the checkpointer saves as one" },
    { "opt_class", "a !name: of an optimizer", "the optimizer, without its parameters" },
    { "lr_annealing", "an object, such as NewBobScheduler", "changes the learning rate" },
    { "epoch_counter", "an object, such as EpochCounter", "counts epochs across a resume" },
    { "checkpointer", "an object, Checkpointer", "what is saved, and where" },
    { "train_logger", "an object, such as FileTrainLogger", "writes each epoch's figures" },
    { "train_dataloader_opts", "a mapping", "batch_size, num_workers and so on" },
    { "valid_dataloader_opts", "a mapping", "the same for validation" },
    { "test_dataloader_opts", "a mapping", "the same for the test" },
    { "dynamic_batch_sampler", "a mapping", "batches of equal length in seconds" },
    { "train_conf", "a mapping of run options", "run options together, as FunASR has them" },
};

} // namespace

std::span<const KnownKey> knownKeys()
{
    return kKnownKeys;
}

const KnownKey* findKnownKey(std::string_view name)
{
    const auto* const found = std::find_if(std::begin(kKnownKeys), std::end(kKnownKeys),
        [&](const KnownKey& key) { return name == key.name; });
    return found == std::end(kKnownKeys) ? nullptr : found;
}

std::vector<std::string> deviceNames(const check::Machine& machine)
{
    std::vector<std::string> names { "cpu" };
    if (!machine.gpus.empty())
        names.emplace_back("cuda");
    for (size_t i = 0; i < machine.gpus.size(); ++i)
        names.push_back("cuda:" + std::to_string(i));
    return names;
}

} // namespace kymo::language
