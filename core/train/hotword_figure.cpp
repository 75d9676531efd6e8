#include "core/train/hotword_figure.h"

#include "core/decode/hotword_rate.h"

namespace earwright::train {

std::string whyNoFigure(const std::string& maxKey, const std::vector<std::string>& hotwords,
    const std::vector<std::string>& validTexts)
{
    if (!maxKey.starts_with("hotword"))
        return "";
    if (hotwords.empty())
        return "max_key: " + maxKey
            + " is counted of the phrases that 'hotword' lists, and it lists none";
    decode::HotwordCounter counter(hotwords, {});
    for (const std::string& text : validTexts)
        counter.add(text, "");
    if (counter.all().spoken > 0)
        return "";
    return "max_key: " + maxKey
        + " has no figure, since no phrase of 'hotword' is spoken in the validation; list phrases "
          "that are, or choose by min_key: WER";
}

} // namespace earwright::train
