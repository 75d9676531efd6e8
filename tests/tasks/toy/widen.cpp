#include "core/model/register_layer.h"

namespace earwright::tasks::toy {

namespace {

/// Arguments of toy.Widen.
struct WidenConfig {
    int64_t inputSize = 0;
    int64_t times = 2;

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("input_size", inputSize, { .min = 1, .help = "features", .required = true });
        field("times", times, { .min = 1, .help = "how often the features stand side by side" });
    }
};

/// [batch, time, features] -> [batch, time, features * times], each with a weight of its own.
class Widen final : public model::Layer {
public:
    explicit Widen(const WidenConfig& config)
        : m_times(config.times)
        , m_weight(register_parameter("weight", torch::ones({ config.inputSize * config.times })))
    {
    }
    torch::Tensor forward(torch::Tensor input, torch::Tensor) override
    {
        return input.repeat({ 1, 1, m_times }) * m_weight;
    }

private:
    int64_t m_times;
    torch::Tensor m_weight;
};

const bool kIsRegistered = model::registerLayer<Widen, WidenConfig>("toy.Widen", true,
    [](const recipe::Node& layer, const catalog::FrameShape&) -> catalog::FrameShape {
        std::vector<recipe::Diagnostic> ignored;
        const auto config = catalog::readConfig<WidenConfig>(layer, ignored);
        return { config.inputSize * config.times };
    });

} // namespace

/// Keeps the file in the program.
bool isWidenRegistered()
{
    return kIsRegistered;
}

} // namespace earwright::tasks::toy
