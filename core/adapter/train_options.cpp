#include "core/adapter/train_options.h"

#include "core/base/text.h"

#include <algorithm>
#include <string_view>

namespace earwright::adapter {

using recipe::Entry;

namespace {

struct Renamed {
    std::string_view setting;
    const char* option;
};

constexpr Renamed kRenamed[] = {
    { "accum_grad", "grad_accumulation_factor" },
    { "avg_nbest_model", "avg_checkpoints" },
    { "find_unused_parameters", "find_unused_parameters" },
    { "freeze_param", "freeze_param" },
    { "grad_clip", "max_grad_norm" },
    { "ignore_init_mismatch", "ignore_init_mismatch" },
    { "init_param", "init_param" },
    { "max_epoch", "number_of_epochs" },
    { "save_checkpoint_interval", "ckpt_interval_steps" },
    { "seed", "seed" },
};

struct Switch {
    std::string_view setting;
    const char* precision;
};

constexpr Switch kSwitches[] = { { "use_fp16", "fp16" }, { "use_bf16", "bf16" },
    { "use_amp", "fp16" }, { "fp16", "fp16" }, { "bf16", "bf16" } };

const Switch* switchOf(const Entry& setting)
{
    const auto found = std::find_if(std::begin(kSwitches), std::end(kSwitches),
        [&](const Switch& entry) { return entry.setting == setting.key->text; });
    return found == std::end(kSwitches) ? nullptr : found;
}

struct Instead {
    std::string_view setting;
    const char* words;
};

constexpr Instead kBookkeeping[] = {
    { "avg_keep_nbest_models_type",
        "the best have the least validation error, or as min_key says" },
    { "deepspeed_config", "DeepSpeed is not used" },
    { "effective_save_name_excludes", "all weights are kept" },
    { "keep_nbest_models", "avg_nbest_model says how many are kept" },
    { "log_interval", "every step is logged" },
    { "output_dir", "--run-dir names the run's folder" },
    { "reset_gpu_cache", "the cache is emptied where memory runs short" },
    { "resume", "'earwright resume RUN' goes on with a run" },
    { "use_wandb", "a run's metrics.csv has its figures" },
    { "validate_interval", "validation comes after each epoch" },
    { "wandb_exp_name", "a run's metrics.csv has its figures" },
    { "wandb_project", "a run's metrics.csv has its figures" },
    { "wandb_team", "a run's metrics.csv has its figures" },
    { "wandb_token", "a run's metrics.csv has its figures" },
};

constexpr Instead kInstead[] = {
    { "use_deepspeed", "write use_deepspeed=false: ranks add their gradients as DDP does" },
    { "use_fsdp", "write use_fsdp=false: ranks add their gradients as DDP does" },
    { "grad_clip_type", "gradients are clipped by their 2-norm: write grad_clip_type=2.0" },
    { "early_stopping_patience", "write early_stopping_patience=0, and stop the run by hand" },
};

struct Usual {
    std::string_view setting;
    std::string_view value;
};

/// Settings with a value that changes nothing.
constexpr Usual kUsual[] = { { "use_deepspeed", "false" }, { "use_fsdp", "false" },
    { "use_ddp", "true" }, { "use_ddp", "false" }, { "grad_clip_type", "2.0" },
    { "grad_clip_type", "2" }, { "early_stopping_patience", "0" } };

template <size_t Count>
std::string wordsOf(const Instead (&all)[Count], const Entry& setting)
{
    const auto found = std::find_if(std::begin(all), std::end(all),
        [&](const Instead& one) { return one.setting == setting.key->text; });
    return found == std::end(all) ? "" : found->words;
}

} // namespace

std::string inPlaceOf(const Entry& setting)
{
    return wordsOf(kBookkeeping, setting);
}

std::string insteadOf(const Entry& setting)
{
    return wordsOf(kInstead, setting);
}

std::optional<Entry> runOptionOf(const Entry& setting)
{
    for (const Renamed& renamed : kRenamed)
        if (setting.key->text == renamed.setting && setting.value->kind == recipe::Kind::Scalar)
            return Entry { recipe::makeScalar(renamed.option), setting.value };
    const Switch* precision = switchOf(setting);
    if (precision && recipe::asBool(*setting.value).value_or(false))
        return Entry { recipe::makeScalar("precision"), recipe::makeScalar(precision->precision) };
    return std::nullopt;
}

bool isSwitchedOff(const Entry& setting)
{
    return switchOf(setting) && recipe::asBool(*setting.value) == false;
}

bool isUsual(const Entry& setting)
{
    const auto isSame = [&](const Usual& one) {
        return one.setting == setting.key->text && toLower(setting.value->text) == one.value;
    };
    return isSwitchedOff(setting) || std::any_of(std::begin(kUsual), std::end(kUsual), isSame);
}

} // namespace earwright::adapter
