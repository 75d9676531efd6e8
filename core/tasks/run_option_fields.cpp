#include "core/tasks/run_option_fields.h"

#include "core/catalog/read_impl.h"
#include "core/catalog/run_options.h"
#include "core/tasks/spec.h"

#include <limits>
#include <map>

namespace earwright::tasks {
namespace {

constexpr double kNoLimit = std::numeric_limits<double>::infinity();

catalog::FieldFacts atLeast(double min, const char* unit, const char* help)
{
    return { .unit = unit, .min = min, .max = kNoLimit, .choices = {}, .help = help };
}

catalog::FieldFacts oneOf(std::vector<std::string> choices, const char* help)
{
    catalog::FieldFacts facts;
    facts.choices = std::move(choices);
    facts.help = help;
    return facts;
}

catalog::FieldFacts saying(const char* help)
{
    catalog::FieldFacts facts;
    facts.help = help;
    return facts;
}

using Facts = std::map<std::string, catalog::FieldFacts, std::less<>>;

void addPrecision(Facts& facts)
{
    const std::vector<std::string> kPrecisions = { "fp32", "tf32", "fp16", "bf16" };
    facts["task"] = oneOf(tasks::names(), "the training procedure the recipe is for");
    facts["precision"] = oneOf(kPrecisions, "of the training steps; weights stay in fp32");
    facts["eval_precision"] = oneOf(kPrecisions, "of validation and test");
    facts["grad_scaler_init_scale"] = atLeast(1, "",
        "what fp16 scales the loss by at first; too large a scale costs the first steps, which are "
        "left out until it has halved often enough");
    facts["enable_cudnn_sdp"]
        = saying("attention on a GPU may be cuDNN's, which plans anew for each "
                 "length of a batch; for batches of few lengths");
    facts["max_grad_norm"] = atLeast(0, "", "gradients are scaled down to this norm; 0 = never");
    facts["skip_nonfinite_grads"]
        = saying("a step whose gradients are inf or NaN is left out instead of stopping the run");
    facts["nonfinite_patience"] = atLeast(0, "steps",
        "as many steps may follow one another with inf or NaN in the loss, or in "
        "gradients that are not left out");
    facts["remove_vector_weight_decay"]
        = saying("parameters of one dimension, such as norms and biases, have no weight decay");
}

void addLength(Facts& facts)
{
    facts["seed"] = { .unit = "",
        .min = 0,
        .max = 4294967295.0,
        .choices = {},
        .help = "of weights, order and augmentation" };
    facts["deterministic"] = saying(
        "a GPU takes operators that add in a fixed order, so that equal runs and a resumed "
        "one end with the same weights; slower; without effect on a CPU");
    facts["number_of_epochs"] = atLeast(0, "epochs", "how often the training set is gone through");
    facts["grad_accumulation_factor"]
        = atLeast(1, "batches", "batches whose gradients make one optimizer step");
    facts["optimizer_step_limit"]
        = atLeast(0, "steps", "training ends after as many optimizer steps; 0 = no limit");
    facts["ckpt_interval_minutes"]
        = atLeast(0, "min", "time between checkpoints within an epoch; 0 = none");
    facts["ckpt_interval_steps"]
        = atLeast(0, "steps", "optimizer steps between checkpoints within an epoch; 0 = none");
    facts["min_key"] = oneOf({ "loss", "WER", "CER" },
        "the best checkpoint has the least of this in the validation; without it and max_key the "
        "least WER, or CER where words are not separated; with acc_computer, or with "
        "valid_search_interval above 1, the most ACC");
    facts["max_key"] = oneOf({ "ACC", "hotword_recall", "hotword_precision", "hotword_F1" },
        "the best checkpoint has the most of this in the validation");
    facts["split_words"] = oneOf({ "white_space", "single_blanks" },
        "the WER counts words between white space, as jiwer does, or at each single blank, as "
        "SpeechBrain's recipes do");
    facts["avg_checkpoints"] = atLeast(1, "checkpoints",
        "so many of the best checkpoints are kept, and the mean of their weights is tested");
    facts["init_param"] = saying(
        "the weights to start from: a run, checkpoint or capsule of Earwright, a safetensors "
        "file, a model.pt of FunASR, or a .ckpt or folder of SpeechBrain, several separated "
        "by commas; what they lack is drawn");
    facts["ignore_init_mismatch"]
        = saying("weights of init_param that have another shape than the recipe's are drawn anew, "
                 "such as an output layer for other labels; else they are an error");
    facts["loss_weighting"] = oneOf({ "reduction", "utterances", "tokens" },
        "what the loss of a batch is the mean over, however it is cut into parts: as the loss's "
        "reduction says, its utterances, or its tokens");
    facts["freeze_param"] = saying(
        "parameters that are not trained: names or their beginnings, separated by commas; * stands "
        "for any letters");
    facts["sorting"] = oneOf({ "ascending", "descending", "random", "original" },
        "order of the training set: by duration, shuffled, or as the manifest has it");
}

void addDistributed(Facts& facts)
{
    facts["distributed_backend"] = oneOf({ "nccl", "gloo" },
        "joins the ranks of GPUs; nccl where none is given. gloo is slower and lets several ranks "
        "share a GPU. CPU ranks always use gloo. A single rank reduces only where one is given");
    facts["find_unused_parameters"]
        = saying("look for parameters without a gradient in every step; slower, and needed only "
                 "where a step leaves out part of the model");
    facts["static_graph"] = saying("every step uses the same parameters in the same order");
    facts["gradient_as_bucket_view"]
        = saying("gradients live in the buckets that are reduced: saves one copy of them");
    facts["bucket_cap_mb"] = atLeast(0.001, "MB", "gradients are reduced in buckets of this size");
    facts["ddp_comm_hook"] = oneOf({ "none", "fp16", "bf16" },
        "gradients are reduced in this type: half the bytes, fewer digits");
    facts["sync_batchnorm"] = saying("BatchNorm takes its statistics from the rows of all ranks");
    facts["cpu_memory_limit_mb"] = atLeast(0, "MB",
        "a batch that takes a CPU rank's tensors beyond it is computed in parts; 0 = no limit");
    facts["threads_per_rank"] = { .unit = "",
        .min = 0,
        .max = 1024,
        .choices = {},
        .help = "CPU threads of one rank; 0 = OMP_NUM_THREADS, and without it the machine's cores "
                "shared among its ranks" };
    facts["sync_gradients"] = saying("average gradients over ranks; False only for experiments");
    facts["replica_check_interval"] = atLeast(
        0, "steps", "optimizer steps between comparisons of the ranks' weights; 0 = none");
}

void addFailure(Facts& facts)
{
    facts["heartbeat_timeout"] = atLeast(1, "s",
        "a rank that does not get on for so long counts as hung; ten times as long while it "
        "computes");
    facts["max_restarts"]
        = atLeast(0, "restarts", "a failed run goes on from its last checkpoint so often");
    facts["min_nproc_per_node"] = atLeast(0, "ranks",
        "a rank that fails twice at the same step is left out as long as so many remain; 0 = "
        "never");
}

const Facts& knownFacts()
{
    static const Facts built = [] {
        Facts facts;
        addPrecision(facts);
        addLength(facts);
        addDistributed(facts);
        addFailure(facts);
        return facts;
    }();
    return built;
}

} // namespace

const std::vector<catalog::Field>& runOptionFields()
{
    static const std::vector<catalog::Field> built = [] {
        std::vector<catalog::Field> fields;
        catalog::RunOptions().visit([&](const char* name, auto& member, const char*) {
            using Member = std::remove_reference_t<decltype(member)>;
            const auto facts = knownFacts().find(name);
            fields.push_back(
                { name, catalog::FieldTypeOf<Member>::kType, false, catalog::defaultText(member),
                    facts == knownFacts().end() ? catalog::FieldFacts {} : facts->second });
        });
        return fields;
    }();
    return built;
}

const catalog::Field* findRunOption(std::string_view name)
{
    for (const catalog::Field& field : runOptionFields())
        if (field.name == name)
            return &field;
    return nullptr;
}

} // namespace earwright::tasks
