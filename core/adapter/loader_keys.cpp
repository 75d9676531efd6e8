#include "core/adapter/loader_keys.h"

#include "core/adapter/preprocessor_keys.h"
#include "core/base/names.h"
#include "core/base/text.h"
#include "core/recipe/value_at.h"

#include <algorithm>
#include <iterator>

namespace earwright::adapter {

using recipe::Entry;
using recipe::Node;
using recipe::NodePtr;

namespace {

constexpr double kFramesPerSecond = 100;
constexpr int64_t kUsualLongest = 2048; ///< of max_source_length, and of token batches
constexpr int64_t kUsualRows = 200; ///< of a token batch

/// A setting that has one value here; another is refused with `instead`.
struct Fixed {
    std::string_view setting;
    Names values;
    const char* instead;
};

const std::vector<Fixed>& fixedSettings()
{
    // clang-format off
    static const std::vector<Fixed> kFixed {
        { "index_ds", { "IndexDSJsonl", "IndexDSJsonlRankFull", "IndexDSJsonlRankSplit" },
            "lists are JSON Lines: write index_ds=IndexDSJsonl" },
        { "batch_sampler", { "BatchSampler", "CustomDistributedBatchSampler",
            "CustomDistributedDynamicBatchSampler", "DynamicBatchLocalShuffleSampler",
            "RankFullLocalShuffleBatchSampler", "RankFullLocalShuffleDynamicBatchSampler" },
            "batches are made as by BatchSampler; write that" },
        { "dataloader", { "DataloaderMapStyle" }, "write dataloader=DataloaderMapStyle" },
        { "data_split_num", { "1" },
            "a list is read whole: write data_split_num=1, and join several lists into one" },
        { "data_split_i", { "0" }, "a list is read whole: write data_split_i=0" },
        { "max_target_length", { "2048" },
            "texts are not left out by their length: take such lines out of the list" },
        { "min_target_length", { "0" },
            "texts are not left out by their length: take such lines out of the list" },
        { "length_scale_source", { "1", "1.0" }, "write length_scale_source=1" },
        { "int_pad_value", { "-1" }, "write int_pad_value=-1" },
        { "float_pad_value", { "0", "0.0" }, "write float_pad_value=0.0" },
    };
    // clang-format on
    return kFixed;
}

/// Of the lists' reading, or of another loader: they change nothing that is learnt.
const Names kWithoutEffect { "buffer_size", "pin_memory", "persistent_workers", "prefetch_factor",
    "rank_split", "retry" };

/// Read with batch_size and with the lengths.
const Names kOfBatches { "batch_type", "shuffle", "drop_last", "sort_size", "batch_size_sample_max",
    "max_source_length", "min_source_length", "max_token_length" };

const Names kWholeNumbers { "batch_size", "batch_size_sample_max", "sort_size", "max_source_length",
    "min_source_length", "max_token_length" };

const Names kSwitchedOnOrOff { "shuffle", "drop_last" };

/// "must be …" of a setting that cannot be read; "" of all others.
std::string misreadOf(const Entry& setting)
{
    const std::string& name = setting.key->text;
    if (contains(kWholeNumbers, name) && !recipe::asInt(*setting.value))
        return "must be a whole number";
    if (contains(kSwitchedOnOrOff, name) && !recipe::asBool(*setting.value))
        return "must be true or false";
    return "";
}

std::string secondsOf(double frames)
{
    return formatNumber(frames / kFramesPerSecond);
}

void addTo(Node& mapping, const char* key, const std::string& value)
{
    mapping.entries.push_back({ recipe::makeScalar(key), recipe::makeScalar(value) });
}

} // namespace

NodePtr LoaderKeys::write(const tasks::ForeignModels& models)
{
    const NodePtr left = std::make_shared<Node>(m_section);
    std::erase_if(left->entries, [&](const Entry& setting) { return take(setting, models); });
    writeLengths();
    return left;
}

bool LoaderKeys::take(const Entry& setting, const tasks::ForeignModels& models)
{
    const std::string& name = setting.key->text;
    if (const std::string must = misreadOf(setting); !must.empty()) {
        m_recipe.fail(setting, inQuotes(name) + " of 'dataset_conf' " + must);
        return true;
    }
    const auto fixed = std::find_if(fixedSettings().begin(), fixedSettings().end(),
        [&](const Fixed& one) { return one.setting == name; });
    if (fixed != fixedSettings().end()) {
        if (!contains(fixed->values, setting.value->text))
            m_recipe.refuse(setting, inQuotes(name) + " of 'dataset_conf': " + fixed->instead);
        return true;
    }
    if (name == "batch_size") {
        writeBatches(setting);
        return true;
    }
    if (name == "num_workers" || (name == "seaco_id" && models.hasSeacoLayers)) {
        m_recipe.put(name, setting.value, m_recipe.placeOf(setting));
        return true;
    }
    if (writePreprocessor(setting, m_section, m_rateHz, m_recipe))
        return true;
    if (contains(kWithoutEffect, name))
        m_recipe.leaveOut(setting, inQuotes(name) + " of 'dataset_conf' has no effect");
    if (contains(kOfBatches, name))
        tellOfBatches(setting);
    return contains(kWithoutEffect, name) || contains(kOfBatches, name);
}

void LoaderKeys::tellOfBatches(const Entry& setting)
{
    const std::string& name = setting.key->text;
    if (name == "sort_size" && !isTokenBatch())
        m_recipe.leaveOut(setting, "'sort_size' has no effect: 'batch_type' is not token");
    if (name == "max_token_length")
        m_recipe.leaveOut(setting,
            "'max_token_length' limits frames only; FunASR adds the text's tokens to them");
    if (name == "min_source_length" && recipe::asInt(*setting.value) > 0)
        m_recipe.leaveOut(setting,
            "'min_source_length' counts in training only; FunASR leaves out by it in validation "
            "too");
    if (name == "drop_last" && recipe::asBool(*setting.value) == true && isSorted())
        m_recipe.leaveOut(setting, "'drop_last' has no effect beside sort_size");
    if (name == "shuffle" && recipe::asBool(*setting.value) == false && !isTokenBatch())
        put("sorting", "original", m_recipe.placeOf(setting) + ", shuffle");
}

bool LoaderKeys::isTokenBatch() const
{
    const std::string type = recipe::textAt(m_section, "batch_type");
    return !type.empty() && type != "example";
}

bool LoaderKeys::isSorted() const
{
    return isTokenBatch() && recipe::intAt(m_section, "sort_size", 0) > 0;
}

void LoaderKeys::writeBatches(const Entry& batchSize)
{
    const int64_t size = recipe::asInt(*batchSize.value).value_or(0) * m_numRanks;
    const std::string place = m_recipe.placeOf(batchSize)
        + (m_numRanks > 1 ? ", of all " + std::to_string(m_numRanks) + " ranks"
                          : ", of 1 rank (multiply it for more)");
    const bool dropsLast = recipe::boolAt(m_section, "drop_last", false);
    if (!isTokenBatch()) {
        m_recipe.put("batch_size", recipe::makeScalar(std::to_string(size)), place);
        if (!dropsLast)
            return;
        const NodePtr options = emptyMapping();
        addTo(*options, "drop_last", "True");
        return m_recipe.put("train_dataloader_opts", options, commentOf("drop_last", ""));
    }
    const NodePtr sampler = emptyMapping();
    addTo(*sampler, "max_batch_length", secondsOf(static_cast<double>(size)));
    const int64_t sortSize = recipe::intAt(m_section, "sort_size", 0);
    if (isSorted()) // the sampler without a buffer does not count rows
        addTo(*sampler, "max_batch_ex",
            std::to_string(
                m_numRanks * recipe::intAt(m_section, "batch_size_sample_max", kUsualRows)));
    addTo(*sampler, "sort_size", std::to_string(m_numRanks * std::max<int64_t>(0, sortSize)));
    const NodePtr ofValid = recipe::deepCopy(*sampler);
    addTo(*ofValid, "shuffle", "False");
    addTo(*sampler, "shuffle", recipe::boolAt(m_section, "shuffle", true) ? "True" : "False");
    if (dropsLast && !isSorted())
        addTo(*sampler, "drop_last", "True");
    m_recipe.put("dynamic_batch_sampler", sampler, place + ": frames of 10 ms, here seconds");
    m_recipe.put("dynamic_batch_sampler_valid", ofValid, place);
}

/// FunASR leaves out by them in validation too; here min_source_length counts in training only.
void LoaderKeys::writeLengths()
{
    int64_t longest = recipe::intAt(m_section, "max_source_length", kUsualLongest);
    longest = std::min(longest,
        recipe::intAt(m_section, "max_token_length", isTokenBatch() ? kUsualLongest : longest));
    const int64_t shortest = recipe::intAt(m_section, "min_source_length", 0);
    const std::string comment = commentOf("max_source_length", "max_source_length is not given");
    put("avoid_if_longer_than", secondsOf(static_cast<double>(longest)),
        comment + ": frames of 10 ms, here seconds");
    put("avoid_if_longer_than_val_test", secondsOf(static_cast<double>(longest)), "");
    if (shortest > 0)
        put("avoid_if_shorter_than", secondsOf(static_cast<double>(shortest)),
            commentOf("min_source_length", ""));
}

void LoaderKeys::put(const char* key, const std::string& value, const std::string& comment)
{
    m_recipe.put(key, recipe::makeScalar(value), comment);
}

std::string LoaderKeys::commentOf(const char* setting, const std::string& otherwise) const
{
    for (const Entry& entry : m_section.entries)
        if (entry.key->text == setting)
            return m_recipe.placeOf(entry) + ", " + setting;
    return otherwise;
}

} // namespace earwright::adapter
