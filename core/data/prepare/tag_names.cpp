#include "core/data/prepare/tag_names.h"

#include <set>
#include <string>

namespace earwright::data {

// GigaSpeech, TED-LIUM, Switchboard, Fisher, Babel, MagicData, AMI, Kaldi, ESPnet, Whisper.
bool isTagName(std::string_view name)
{
    static const std::set<std::string, std::less<>> names { "*", "+", "applause",
        "background_noise", "background_speech", "bang", "beep", "blank", "blank_audio", "bos",
        "breath", "breathing", "brk", "clear_throat", "click", "cls", "comma", "cough", "crosstalk",
        "cry", "dtmf", "eos", "ens", "eps", "exclamationpoint", "foreign", "gap", "hes",
        "hesitation", "inaudible", "inhale", "int", "laugh", "laughing", "laughs", "laughter",
        "lipsmack", "lip_smack", "mask", "music", "no_speech", "noise", "nonspeech", "non_speech",
        "nps", "nsn", "other", "overlap", "pad", "pause", "period", "pii", "prompt", "questionmark",
        "ring", "s", "sep", "sigh", "sil", "silence", "smack", "sneeze", "sniff", "sonant", "sos",
        "speech_noise", "spk", "spn", "spoken_noise", "sta", "static", "system", "throat", "tone",
        "uh", "um", "unintelligible", "unk", "unknown", "v_noise", "vocalized_noise", "vocal_noise",
        "wind", "yawn", "音乐", "音樂", "音楽", "음악" };
    return names.contains(name);
}

bool isNoise(std::string_view name)
{
    static const std::set<std::string, std::less<>> names { "applause", "cough", "inaudible",
        "laughing", "laughs", "laughter", "noise", "silence", "unintelligible", "笑", "笑い",
        "笑声", "笑聲", "大笑", "爆笑", "苦笑", "拍手", "掌声", "掌聲", "鼓掌", "咳", "咳嗽",
        "咳払い", "くしゃみ", "喷嚏", "噴嚏", "ため息", "叹气", "嘆氣", "叹息", "嘆息", "呼吸",
        "雑音", "噪音", "噪声", "噪聲", "杂音", "雜音", "沈黙", "沉默", "静音", "靜音", "無音",
        "听不清", "聽不清", "聞き取れず", "聞き取り不能", "웃음", "박수", "기침", "한숨", "잡음",
        "침묵" };
    return names.contains(name);
}

bool isHesitation(std::string_view name)
{
    static const std::set<std::string, std::less<>> names { "ah", "eh", "er", "hm", "hmm", "mm" };
    return names.contains(name);
}

} // namespace earwright::data
