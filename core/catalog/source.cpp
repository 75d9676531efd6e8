#include "core/catalog/source.h"

#include "core/base/text.h"

#include <cctype>
#include <vector>

namespace earwright::catalog {

namespace {

struct Paper {
    std::string_view className;
    const char* text;
};

constexpr Paper kPapers[] = {
    { "speechbrain.augment.freq_domain.SpectrogramDrop", "Park et al. 2019 (SpecAugment)" },
    { "speechbrain.augment.freq_domain.Warping", "Park et al. 2019 (SpecAugment)" },
    { "speechbrain.augment.time_domain.SpeedPerturb", "Ko et al. 2015" },
    { "speechbrain.lobes.models.transformer.TransformerASR.TransformerASR",
        "Vaswani et al. 2017, Gulati et al. 2020 (Conformer), Peng et al. 2022 (Branchformer)" },
    { "speechbrain.nnet.RNN.LiGRU", "Ravanelli et al. 2018" },
    { "speechbrain.nnet.losses.ctc_loss", "Graves et al. 2006" },
    { "speechbrain.nnet.schedulers.NoamScheduler", "Vaswani et al. 2017, section 5.3" },
    { "torch.nn.GELU", "Hendrycks and Gimpel 2016" },
    { "torch.optim.AdamW", "Loshchilov and Hutter 2019" },
    { "torch.optim.Adam", "Kingma and Ba 2015" },
    { "torch.optim.Adadelta", "Zeiler 2012" },
    { "funasr.models.paraformer.model.Paraformer", "Gao et al. 2022" },
    { "funasr.models.seaco_paraformer.model.SeacoParaformer", "Shi et al. 2024" },
    { "funasr.models.sanm.encoder.SANMEncoder", "Gao et al. 2020" },
    { "funasr.models.sense_voice.model.SenseVoiceEncoderSmall", "An et al. 2024 (FunAudioLLM)" },
};

struct Package {
    std::string_view prefix;
    const char* version;
};

constexpr Package kPackages[] = {
    { "speechbrain.", "SpeechBrain 1.1.2" },
    { "torch.", "PyTorch 2.11" },
    { "torchaudio.", "torchaudio 2.11" },
    { "funasr.", "FunASR 1.2.7" },
    { "wenet.", "WeNet 3.1" },
    { "sentencepiece.", "SentencePiece 0.1.97" },
    { "transformers.", "transformers 5.17.0" },
    { "earwright.", "Earwright" },
};

bool isClass(const std::string& part)
{
    return !part.empty() && std::isupper(static_cast<unsigned char>(part.front())) != 0;
}

/// "speechbrain/nnet/linear.py" of "speechbrain.nnet.linear.Linear": modules begin with a small
/// letter more often than not, but "RNN.LSTM" is a class in a module.
std::string fileOf(const std::string& className)
{
    std::vector<std::string> parts = split(className, '.');
    const bool isMember = parts.size() > 3 && !isClass(parts.back()) && isClass(parts.end()[-2]);
    parts.resize(parts.size() - (isMember ? 2 : 1));
    return join(parts, "/") + ".py";
}

} // namespace

std::string sourceOf(std::string_view className)
{
    std::string source;
    for (const Package& package : kPackages)
        if (className.starts_with(package.prefix))
            source = package.version;
    const std::string name(className);
    if (className.starts_with("speechbrain.") || className.starts_with("funasr.")
        || className.starts_with("wenet."))
        source += ", " + fileOf(name);
    for (const Paper& paper : kPapers)
        if (className == paper.className)
            source += std::string("; ") + paper.text;
    return source;
}

} // namespace earwright::catalog
