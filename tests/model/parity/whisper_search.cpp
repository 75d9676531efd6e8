#include "core/decode/s2s_search.h"
#include "core/decode/suppressing_decoder.h"
#include "core/decode/whisper_decoder.h"
#include "tests/model/parity/runners.h"

#include <torch/utils.h>

namespace earwright::tests {

namespace {

using Tokens = std::vector<int64_t>;

constexpr int64_t kBlank = 26; ///< "Ġ" of the cases' vocabulary
constexpr int64_t kEnd = 50;
constexpr int64_t kStart = 51;
constexpr int64_t kNoTimestamps = 57;

/// Of random weights, for those of a case.
std::shared_ptr<model::Whisper> whisperOf(Json config)
{
    config["model_type"] = "whisper";
    const Result<model::WhisperSizes> sizes = model::parseWhisperConfig(config.dump());
    TORCH_CHECK(sizes, sizes.error().message);
    auto whisper = std::make_shared<model::Whisper>(catalog::WhisperConfig(), *sizes);
    whisper->to(parityDevice());
    whisper->eval();
    return whisper;
}

/// All of the module's, by name.
void takeWeights(torch::nn::Module& module, const std::map<std::string, torch::Tensor>& weights)
{
    const torch::NoGradGuard noGrad;
    for (auto& parameter : module.named_parameters())
        parameter.value().copy_(weights.at(parameter.key()));
}

/// What a text is searched by.
struct Asked {
    Tokens told; ///< before it
    Tokens never, neverFirst;
    decode::S2SBeamOptions options;
    bool isGreedy = true;
};

decode::S2SHypotheses searched(const Asked& asked, const std::shared_ptr<model::Whisper>& whisper,
    const torch::Tensor& encoder_BTD, const torch::Tensor& lengths_B)
{
    decode::WhisperStepDecoder decoder(whisper);
    decoder.setPrompt(
        torch::tensor(Tokens(asked.told.begin(), asked.told.end() - 1), torch::kInt64));
    decode::SuppressingDecoder speaking(decoder, asked.never, asked.neverFirst);
    return asked.isGreedy ? decode::greedyS2S(speaking, asked.options, encoder_BTD, lengths_B)
                          : decode::beamS2S(speaking, asked.options, encoder_BTD, lengths_B);
}

decode::S2SBeamOptions optionsOf(const Tokens& told, int64_t most)
{
    decode::S2SBeamOptions options;
    options.bosIndex = told.back();
    options.eosIndex = kEnd;
    options.maxTokens = most;
    return options;
}

/// Of speechbrain's searches, with what they are told and suppress.
Asked askedOf(const Finding& result)
{
    const Json& arguments = result.at("arguments").whole();
    const auto places = result.at("max_attn_tokens").as<int64_t>();
    Asked asked { .told = result.at("initial_tokens").as<Tokens>(),
        .never = result.at("suppressed").as<Tokens>(),
        .neverFirst = {},
        .options = {},
        .isGreedy = !arguments.contains("beam_size") };
    if (arguments.value("suppress_blank", true))
        asked.neverFirst = { kBlank, kEnd };
    const auto told = std::ssize(asked.told);
    asked.options = optionsOf(asked.told, places - (asked.isGreedy ? 2 * told - 1 : told));
    asked.options.beamSize = arguments.value("beam_size", int64_t(1));
    return asked;
}

void runWhisperSearch(const Case& test, Comparison& compare)
{
    const auto whisper = whisperOf(test.finding("hf_config").whole());
    takeWeights(whisper->model().decoder(), test.under("param"));
    for (const Finding& result : test.finding("results").items()) {
        const std::string& name = result.key();
        const Asked asked = askedOf(result);
        compare.equal(name + ": begins with", asked.told.back(), result.at("bos_index").whole());
        const auto found
            = searched(asked, whisper, test.tensor("in.enc"), test.tensor("in.wav_len"));
        compare.equal(name + ": tokens", found.best(), result.at("hyps").whole());
        compare.tensors(name + ": scores",
            asked.isGreedy ? found.scores_BK : found.scores_BK.select(1, 0),
            test.tensor("out." + name + "_scores"), test.tolerance());
    }
}

/// Of `generate` of transformers: what is said to be its prompt, and what it suppresses.
Asked generatedBy(const Json& arguments, const Json& generation)
{
    const std::string language = arguments.at("language");
    const std::string task = arguments.at("task");
    Asked asked { .told = arguments.value("prompt_ids", Tokens()),
        .never = arguments.value("suppress_tokens", Tokens()),
        .neverFirst = arguments.value("begin_suppress_tokens", Tokens()),
        .options = {},
        .isGreedy = !arguments.contains("num_beams") };
    const auto prompted = std::ssize(asked.told); // counts among what is generated
    for (const int64_t token :
        { kStart, generation.at("lang_to_id").at("<|" + language + "|>").get<int64_t>(),
            generation.at("task_to_id").at(task).get<int64_t>(), kNoTimestamps })
        asked.told.push_back(token);
    asked.options = optionsOf(asked.told, generation.at("max_length").get<int64_t>() - prompted);
    asked.options.beamSize = arguments.value("num_beams", int64_t(1));
    asked.options.usingEosThreshold = false;
    asked.options.lengthNormalization = arguments.value("length_penalty", 1.0) != 0;
    return asked;
}

/// Upstream's lists end with padding. Asked for several, it gives the best of a row several times.
std::vector<Tokens> sequencesOf(const torch::Tensor& tokens_BKL, int64_t times)
{
    std::vector<Tokens> sequences;
    const torch::Tensor best_BL = tokens_BKL.select(1, 0).contiguous();
    for (int64_t row = 0; row < best_BL.size(0); ++row) {
        const auto* first = best_BL[row].const_data_ptr<int64_t>();
        sequences.insert(
            sequences.end(), static_cast<size_t>(times), Tokens(first, first + best_BL.size(1)));
    }
    return sequences;
}

/// The steps by themselves, with the most probable token each.
void compareGenerated(const std::shared_ptr<model::Whisper>& whisper,
    const torch::Tensor& encoder_BTD, const Case& test, Comparison& compare)
{
    const torch::Tensor& ids_BU = test.tensor("out.step_ids");
    const torch::Tensor& expected_BSV = test.tensor("out.step_logits");
    const int64_t told = ids_BU.size(1) - expected_BSV.size(1);
    decode::WhisperStepDecoder decoder(whisper);
    decoder.setPrompt(ids_BU.narrow(1, 0, told - 1));
    decoder.start(encoder_BTD, {}, 1);
    std::vector<torch::Tensor> steps;
    torch::Tensor tokens_B = ids_BU.select(1, told - 1);
    for (int64_t step = 0; step < expected_BSV.size(1); ++step) {
        steps.push_back(decoder.next(tokens_B));
        tokens_B = steps.back().argmax(-1);
        compare.check("token of step " + std::to_string(step),
            torch::equal(tokens_B, ids_BU.select(1, told + step)));
    }
    compare.tensors(
        "step_logits", torch::stack(steps, 1), expected_BSV, test.tolerance("step_logits"));
}

void runWhisperGenerate(const Case& test, Comparison& compare)
{
    const torch::NoGradGuard noGrad;
    const auto whisper = whisperOf(test.json.at("constructor"));
    takeWeights(whisper->model(), test.under("param.model"));
    const torch::Tensor encoder_BTD = whisper->encode(test.tensor("in.mel"));
    compareGenerated(whisper, encoder_BTD, test, compare);
    const Json& generation = test.finding("generation_config").whole();
    for (const Finding& result : test.finding("results").items()) {
        if (result.key() == "min_top1_top2_gap") {
            compare.check("no two tokens are alike", result.number() > 0);
            continue;
        }
        const Json& arguments = result.at("arguments").whole();
        const auto found = searched(generatedBy(arguments, generation), whisper, encoder_BTD,
            torch::ones({ encoder_BTD.size(0) }));
        compare.equal(result.key(),
            sequencesOf(found.tokens_BKL, arguments.value("num_return_sequences", int64_t(1))),
            result.at("sequences").whole());
    }
}

} // namespace

Runners whisperSearchRunners()
{
    return { { "speechbrain.decoders.seq2seq.S2SWhisper{Greedy,Beam}Searcher", runWhisperSearch },
        { "WhisperForConditionalGeneration.generate", runWhisperGenerate } };
}

} // namespace earwright::tests
