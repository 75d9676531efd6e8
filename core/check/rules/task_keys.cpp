#include "core/check/rules/task_keys.h"

namespace earwright::check::rules {

namespace {

const std::vector<Needed> kNeededByAll = {
    { { "modules" }, "what is trained" },
    { { "opt_class", "model_opt_class", "Adam" }, "the optimizer" },
    { { "epoch_counter", "number_of_epochs" }, "the number of epochs" },
    { { "train_csv", "train_json", "train_annotation" }, "the training manifest" },
    { { "valid_csv", "valid_json", "valid_annotation" }, "the validation manifest" },
};

const std::vector<const char*> kBuiltByAll = { "normalize", "wav_augment", "label_encoder",
    "tokenizer", "modules", "opt_class", "model_opt_class", "Adam", "lr_annealing",
    "noam_annealing", "lr_annealing_model", "epoch_counter" };

template <class Item>
std::vector<Item> joined(std::vector<Item> own, const std::vector<Item>& others)
{
    own.insert(own.end(), others.begin(), others.end());
    return own;
}

TaskKeys ctcKeys()
{
    return { "ctc",
        joined<Needed>(
            { { { "compute_features" }, "the features" }, { { "enc", "model" }, "the encoder" },
                { { "ctc_lin", "output" }, "the output layer" },
                { { "ctc_cost", "compute_cost" }, "the loss", { "ctc_loss" } },
                { { "label_encoder", "tokenizer", "token_type" }, "the text encoder" } },
            kNeededByAll),
        joined<const char*>(
            { "compute_features", "augmentation", "fea_augment", "CNN", "enc", "model", "ctc_lin",
                "output", "log_softmax", "ctc_cost", "compute_cost" },
            kBuiltByAll) };
}

TaskKeys ctcAttentionKeys()
{
    return { "ctc_attention",
        joined<Needed>(
            { { { "compute_features" }, "the features" },
                { { "Transformer" }, "the encoder and the decoder" },
                { { "ctc_lin" }, "the output layer of the encoder" },
                { { "seq_lin" }, "the output layer of the decoder" },
                { { "ctc_cost" }, "the loss of the encoder", { "ctc_loss" } },
                { { "seq_cost" }, "the loss of the decoder", { "kldiv_loss", "nll_loss" } },
                { { "ctc_weight" }, "the share of ctc_cost in the loss" },
                { { "bos_index" }, "the token that begins a text" },
                { { "eos_index" }, "the token that ends a text" },
                { { "label_encoder", "tokenizer", "token_type" }, "the text encoder" } },
            kNeededByAll),
        joined<const char*>(
            { "compute_features", "augmentation", "fea_augment", "CNN", "Transformer", "ctc_lin",
                "seq_lin", "log_softmax", "ctc_cost", "seq_cost" },
            kBuiltByAll) };
}

TaskKeys paraformerKeys()
{
    return { "paraformer",
        joined<Needed>(
            { { { "frontend" }, "the features" }, { { "encoder" }, "the encoder" },
                { { "predictor" }, "the predictor of tokens" }, { { "decoder" }, "the decoder" } },
            kNeededByAll),
        joined<const char*>({ "frontend", "specaug", "augmentation", "fea_augment", "encoder",
                                "predictor", "decoder", "ctc" },
            kBuiltByAll) };
}

TaskKeys seacoParaformerKeys()
{
    const TaskKeys recogniser = paraformerKeys();
    return { "seaco_paraformer",
        joined<Needed>({ { { "bias_encoder" }, "the encoder of hotwords" },
                           { { "seaco_decoder" }, "the decoder of hotwords" },
                           { { "hotword_output_layer" }, "the output layer of hotwords" },
                           { { "seaco_id" }, "the token that stands for no hotword" } },
            recogniser.needed),
        joined<const char*>(
            { "bias_encoder", "lstm_proj", "seaco_decoder", "hotword_output_layer" },
            recogniser.built) };
}

const std::vector<TaskKeys>& tasks()
{
    static const std::vector<TaskKeys> all
        = { ctcKeys(), ctcAttentionKeys(), paraformerKeys(), seacoParaformerKeys() };
    return all;
}

} // namespace

const TaskKeys* findTask(const std::string& name)
{
    for (const TaskKeys& task : tasks())
        if (name == task.name)
            return &task;
    return nullptr;
}

std::vector<std::string> taskNames()
{
    std::vector<std::string> names;
    for (const TaskKeys& task : tasks())
        names.emplace_back(task.name);
    return names;
}

} // namespace earwright::check::rules
