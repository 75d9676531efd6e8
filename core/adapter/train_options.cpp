#include "core/adapter/train_options.h"

#include "core/recipe/value_at.h"

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

constexpr std::string_view kBookkeeping[] = { "avg_keep_nbest_models_type",
    "effective_save_name_excludes", "keep_nbest_models", "log_interval", "output_dir",
    "reset_gpu_cache", "resume", "save_checkpoint_interval", "use_wandb", "validate_interval",
    "wandb_exp_name", "wandb_project", "wandb_team", "wandb_token" };

} // namespace

bool isBookkeeping(const Entry& setting)
{
    return std::find(std::begin(kBookkeeping), std::end(kBookkeeping), setting.key->text)
        != std::end(kBookkeeping);
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

std::optional<Entry> loaderOptionOf(const recipe::Node& section, const Entry& setting)
{
    const std::string& name = setting.key->text;
    if (name == "shuffle" && recipe::asBool(*setting.value) == false)
        return Entry { recipe::makeScalar("sorting"), recipe::makeScalar("original") };
    const std::string unit = recipe::textAt(section, "batch_type");
    const bool isOfUtterances = unit.empty() || unit == "example";
    if (name == "num_workers" || name == "seaco_id" || (name == "batch_size" && isOfUtterances))
        return Entry { recipe::makeScalar(name), setting.value };
    return std::nullopt;
}

bool isUsual(const Entry& setting)
{
    const std::string& name = setting.key->text;
    return (name == "shuffle" && recipe::asBool(*setting.value) == true)
        || (name == "batch_type" && setting.value->text == "example");
}

} // namespace earwright::adapter
