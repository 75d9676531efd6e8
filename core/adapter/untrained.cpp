#include "core/adapter/untrained.h"

#include "core/base/names.h"
#include "core/base/text.h"
#include "core/tasks/spec.h"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace earwright::adapter {

namespace {

struct Purpose {
    std::string_view folder; ///< of funasr.models, where the class lies
    const char* what;
};

// clang-format off
/// Some folders have several classes, and some classes several names.
constexpr Purpose kPurposes[] = {
    { "campplus", "a speaker model" },
    { "conformer_rwkv", "a model with an RWKV decoder" },
    { "contextual_paraformer", "the older hotword model" },
    { "ct_transformer", "a model of punctuation" },
    { "ct_transformer_streaming", "a model of punctuation" },
    { "ctc", "a model of CTC alone" },
    { "e_paraformer", "a Paraformer with a predictor of its own" },
    { "emotion2vec", "a model of emotions" },
    { "eres2net", "a speaker model" },
    { "fsmn_kws", "a keyword spotter" },
    { "fsmn_kws_mt", "a keyword spotter" },
    { "fsmn_vad_streaming", "a voice activity detector" },
    { "fun_asr_nano", "a large language model that listens" },
    { "glm_asr", "a large language model that listens" },
    { "lcbnet", "a model that reads slides beside speech" },
    { "llm_asr", "a large language model that listens" },
    { "llm_asr_nar", "a large language model that listens" },
    { "monotonic_aligner", "a model of timestamps" },
    { "paraformer_streaming", "a streaming model" },
    { "paraformer_v2_community", "a Paraformer with a predictor of its own" },
    { "qwen3_asr", "a large language model that listens" },
    { "qwen_audio", "a large language model that listens" },
    { "bat", "a transducer" },
    { "rwkv_bat", "a transducer" },
    { "sanm_kws", "a keyword spotter" },
    { "sanm_kws_streaming", "a keyword spotter" },
    { "scama", "a streaming model" },
    { "silero_vad", "a voice activity detector" },
    { "transducer", "a transducer" },
    { "uniasr", "a streaming model" },
    { "whisper", "a Whisper" },
    { "whisper_lid", "a model of languages" },
};
// clang-format on

/// Newer models than the catalogue's, by their names.
constexpr Purpose kNewer[] = {
    { "ERes2NetV2", "a speaker model" },
    { "SileroVad", "a voice activity detector" },
    { "GLMASR", "a large language model that listens" },
    { "FunASRNano", "a large language model that listens" },
    { "Qwen3ASR", "a large language model that listens" },
};

template <size_t Count>
const char* purposeOf(const Purpose (&all)[Count], std::string_view name)
{
    const auto found = std::find_if(std::begin(all), std::end(all),
        [&](const Purpose& purpose) { return purpose.folder == name; });
    return found == std::end(all) ? nullptr : found->what;
}

/// A Conformer goes by the class of the one with the RWKV decoder, which was registered last.
bool isConformer(const recipe::Node& root, std::string_view folder)
{
    const recipe::NodePtr decoder = recipe::find(root, "decoder");
    const std::string name
        = decoder ? std::string(recipe::nameClass(*decoder)) + decoder->text : "";
    return folder == "conformer_rwkv" && name.find("RWKV") == std::string::npos;
}

/// "campplus" of "funasr.models.campplus.model.CAMPPlus".
std::string folderOf(const std::string& className)
{
    const std::vector<std::string> parts = split(className, '.');
    return parts.size() > 3 && parts[1] == "models" ? parts[2] : "";
}

bool isTrained(const std::string& lastPart)
{
    const auto has
        = [&](const tasks::Spec& spec) { return contains(spec.foreign.funasrClasses, lastPart); };
    return std::any_of(tasks::specs().begin(), tasks::specs().end(), has);
}

std::string trainedModels()
{
    Names all;
    for (const tasks::Spec& spec : tasks::specs())
        all.insert(all.end(), spec.foreign.funasrClasses.begin(), spec.foreign.funasrClasses.end());
    return join(all, ", ");
}

} // namespace

std::string whyUntrained(const recipe::Node& root, Toolkit toolkit)
{
    const recipe::NodePtr model = recipe::find(root, "model");
    if (toolkit != Toolkit::FunAsr || !model)
        return "";
    const std::string className(recipe::nameClass(*model));
    const std::string known = className.substr(className.rfind('.') + 1);
    const std::string name = known.empty() ? model->text : known;
    const std::string folder = folderOf(className);
    const char* what = known.empty() ? purposeOf(kNewer, name)
        : isConformer(root, folder)  ? nullptr
                                     : purposeOf(kPurposes, folder);
    if (!what && isTrained(name))
        return "";
    const std::string said = name.empty() ? "'model' names no class"
        : what ? inQuotes(name) + " is " + what + ", which is not trained here"
               : inQuotes(name) + " is no model of FunASR that is known";
    return said + "; 'earwright convert' writes recipes of " + trainedModels();
}

} // namespace earwright::adapter
