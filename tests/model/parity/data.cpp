#include "tests/model/parity/runners.h"

#include "core/base/file.h"
#include "core/data/batch_reader.h"
#include "core/data/batching.h"
#include "core/decode/ctc_batch.h"
#include "core/model/masks.h"
#include "tests/data/audio_fixture.h"

#include <QTemporaryDir>

namespace earwright::tests {

namespace {

using Whole = std::vector<int64_t>;
using Batches = std::vector<Whole>;

// Padded batches

/// What Earwright's reader makes of utterances of so many samples, "a", "aa", … their texts.
data::Batch readBatch(const std::vector<int64_t>& lengths)
{
    const QTemporaryDir folder;
    auto utterances = std::make_shared<std::vector<data::Utterance>>();
    std::vector<int64_t> rows;
    std::vector<std::string> texts;
    for (const int64_t length : lengths) {
        std::vector<float> samples(static_cast<size_t>(length));
        for (size_t i = 0; i < samples.size(); ++i)
            samples[i] = static_cast<float>(i % 2000);
        const auto number = static_cast<int>(rows.size());
        data::Utterance utterance;
        utterance.id = "u" + std::to_string(number);
        utterance.wav = folder.filePath("%1.wav").arg(number).toStdString();
        utterance.text = std::string(static_cast<size_t>(std::min<int64_t>(length, 50)), 'a');
        if (!writeSound(utterance.wav, samples, { .format = SF_FORMAT_WAV | SF_FORMAT_FLOAT }))
            throw std::runtime_error("cannot write " + utterance.wav);
        rows.push_back(std::ssize(*utterances));
        texts.push_back(utterance.text);
        utterances->push_back(std::move(utterance));
    }
    const data::BatchReader reader(utterances,
        std::make_shared<data::TextEncoder>(data::TextEncoder::fromTexts(texts, 0)), {});
    const std::atomic<bool> isStopped = false;
    Result<data::Batch> batch = reader.read(rows, isStopped);
    if (!batch)
        throw std::runtime_error(batch.error().message);
    return std::move(*batch);
}

torch::Tensor wholeNumbers(const Finding& numbers)
{
    return torch::tensor(numbers.as<Whole>());
}

void comparePadded(const Finding& row, const Case& test, Comparison& compare)
{
    const data::Batch batch = readBatch(row.at("lens").as<Whole>());
    const torch::Tensor rel = batch.wavLens_B;
    const int64_t frames = batch.wavs_BT.size(1);
    const std::string place = "row " + row.key() + " ";
    const auto compareCounts = [&](const char* name, const torch::Tensor& counts) {
        compare.tensors(place + name, counts, wholeNumbers(row.at(name)), {});
    };
    compare.tensors(place + "lengths", rel, test.tensor("out.rel" + row.key()), {});
    compare.equal(place + "rel",
        std::vector<float>(rel.data_ptr<float>(), rel.data_ptr<float>() + rel.numel()),
        row.at("rel").as<std::vector<float>>());
    compareCounts("round(rel*T)", model::frameCounts(rel, frames));
    compareCounts("undo_padding lens", model::frameCounts(rel, frames));
    compareCounts("half frame: round(rel*(T//2))", model::frameCounts(rel, frames / 2));
    compareCounts("trunc(rel*T)", decode::wholeFrames(rel, frames));
}

void runPaddedBatch(const Case& test, Comparison& compare)
{
    for (const Finding& row : test.finding("rows").items())
        comparePadded(row, test, compare);
    for (const Finding& example :
        test.finding("trunc_examples (len, max, trunc(fp32(len/max)*max))").items()) {
        const auto [length, most, cut] = example.as<std::array<int64_t, 3>>();
        const data::Batch batch = readBatch({ length, most });
        compare.equal("cut of " + example.key(),
            decode::wholeFrames(batch.wavLens_B, most)[0].item<int64_t>(), cut);
    }
    const data::Batch samples = readBatch({ 4, 2 });
    compare.tensors("x", samples.wavs_BT, test.tensor("out.batch_x"), {});
    const data::Batch tokens = readBatch({ 3, 1 });
    compare.tensors("t", tokens.tokens_BL.ne(0), test.tensor("out.batch_t").ne(0), {});
    const Finding types = test.finding("types");
    compare.equal("type of x", typeName(samples.wavs_BT), types.at("x").whole());
    compare.equal("type of t", typeName(tokens.tokens_BL), types.at("t").whole());
}

// Dynamic batches

data::Batching batchingOf(const Json& arguments)
{
    data::Batching batching { .sorting = "original", .dynamic = true };
    batching.maxBatchLengthSeconds = arguments.value("max_batch_length", 0.0);
    batching.numBuckets = arguments.value("num_buckets", int64_t(20));
    batching.maxBatchExamples = arguments.value("max_batch_ex", int64_t(0));
    batching.shuffleExamples = arguments.value("shuffle", true);
    batching.batchOrdering = arguments.value("batch_ordering", std::string("random"));
    batching.bucketBoundaries = arguments.value("bucket_boundaries", std::vector<double>());
    batching.dropLast = arguments.value("drop_last", false);
    return batching;
}

std::vector<data::Utterance> utterances(const std::vector<double>& lengths)
{
    std::vector<data::Utterance> result;
    for (const double length : lengths)
        result.emplace_back().durationSeconds = length;
    return result;
}

void compareBoundaries(
    const data::Batching& batching, const Finding& expected, const Case& test, Comparison& compare)
{
    const std::vector<double> boundaries = batching.bucketBoundaries.empty()
        ? data::lognormalBoundaries(batching.maxBatchLengthSeconds, batching.numBuckets)
        : batching.bucketBoundaries;
    const double relative = test.json.at("tolerance").at("bucket_boundaries rtol").get<double>();
    compare.tensors("boundaries", torch::tensor(boundaries),
        torch::tensor(expected.as<std::vector<double>>()), { 0, relative });
}

void compareSampler(const Finding& one, const Case& test, Comparison& compare)
{
    const Json& arguments = one.at("constructor").whole();
    const data::Batching batching = batchingOf(arguments);
    compareBoundaries(batching, one.at("bucket_boundaries"), test, compare);
    const auto set = utterances(test.json.at("lengths").get<std::vector<double>>());
    const auto seed = arguments.value("seed", uint64_t(42));
    for (const Finding& epoch : one.at("batches_per_epoch_with_set_epoch").items()) {
        const Batches batches = data::makeBatches(set, batching, seed, std::stoll(epoch.key()));
        compare.equal("case " + one.key() + " epoch " + epoch.key(), batches, epoch.whole());
        if (epoch.key() == "0")
            compare.equal(
                "case " + one.key() + "'s batches", batches.size(), one.at("len").whole());
    }
}

void runDynamicBatches(const Case& test, Comparison& compare)
{
    for (const Finding& one : test.finding("cases").items())
        compareSampler(one, test, compare);
    for (const Finding& order : test.finding("randperm60_by_seed").items())
        compare.equal("seed " + order.key(), data::randomPermutation(60, std::stoull(order.key())),
            order.whole());
    const std::vector<data::Utterance> dozen(12);
    for (const Finding& epoch :
        test.finding("reproducible_random_sampler_12_seed100_epoch0_2").items())
        compare.equal("random epoch " + epoch.key(),
            data::makeBatches(
                dozen, { .sorting = "random", .batchSize = 12 }, 100, std::stoll(epoch.key()))
                .front(),
            epoch.whole());
}

// Label files

data::TextEncoder loaded(const std::string& text)
{
    const QTemporaryDir folder;
    const std::filesystem::path file = folder.filePath("label_encoder.txt").toStdString();
    const Status written = writeFileAtomically(file, text);
    if (!written)
        throw std::runtime_error(written.error().message);
    auto encoder = data::TextEncoder::load(file);
    if (!encoder)
        throw std::runtime_error(encoder.error().message);
    return std::move(*encoder);
}

Whole encoded(const data::TextEncoder& encoder, const std::string& text)
{
    const Result<Whole> tokens = encoder.encode(text);
    if (!tokens)
        throw std::runtime_error(tokens.error().message);
    return *tokens;
}

/// What upstream did with some of the labels; not all of it with all.
void compareUse(const data::TextEncoder& encoder, const Finding& one, Comparison& compare)
{
    const std::pair<const char*, const char*> kTexts[]
        = { { "encode 'hello'", "hello" }, { "encode with oov", "我不别" } };
    for (const auto& [name, text] : kTexts)
        if (one.contains(name))
            compare.equal(one.key() + " " + name, encoded(encoder, text), one.at(name).whole());
    if (one.contains("decode_ndim [[1,2,3]]")) {
        std::string text;
        for (const Finding& label : one.at("decode_ndim [[1,2,3]]").at(0).items())
            text += label.as<std::string>();
        compare.equal(one.key() + " decoded", encoder.decode({ 1, 2, 3 }), text);
    }
    for (const char* boundary : { "bos", "eos" })
        if (one.contains(boundary))
            compare.equal(one.key() + " " + boundary,
                encoder.labels().at(one.at(boundary).as<size_t>()),
                std::string("<") + boundary + ">");
}

void runTextEncoder(const Case& test, Comparison& compare)
{
    for (const Finding& one : test.finding("cases").items()) {
        if (!one.at("lab2ind").contains("<blank>"))
            continue; // not an encoder for CTC
        const data::TextEncoder encoder = loaded(one.at("file_text").as<std::string>());
        compare.equal(one.key(), encoder.fileText(), one.at("file_text").whole());
        compare.equal(one.key() + " again", loaded(encoder.fileText()).labels() == encoder.labels(),
            one.at("reload_equal").whole());
        compare.equal(one.key() + "'s size", encoder.labels().size(), one.at("lab2ind").size());
        for (const Finding& index : one.at("lab2ind").items())
            compare.equal(one.key() + " " + index.key(), encoder.labels().at(index.as<size_t>()),
                index.key());
        compareUse(encoder, one, compare);
    }
}

} // namespace

Runners dataRunners()
{
    const std::string dataio = "speechbrain.dataio.";
    return { { dataio + "batch.PaddedBatch", runPaddedBatch },
        { dataio
                + "sampler.{DynamicBatchSampler,DistributedSamplerWrapper,"
                  "ReproducibleRandomSampler}",
            runDynamicBatches },
        { dataio + "encoder.{CTCTextEncoder,TextEncoder,CategoricalEncoder}", runTextEncoder } };
}

} // namespace earwright::tests
