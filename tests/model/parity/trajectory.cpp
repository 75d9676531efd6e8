#include "tests/model/parity/runners.h"

#include "core/model/crdnn.h"
#include "core/model/ctc_loss.h"
#include "core/model/input_normalization.h"
#include "core/precision/precision.h"
#include "core/train/optimizer.h"
#include "core/train/schedule.h"

namespace kymo::test {

namespace {

constexpr uint64_t kNudges = 8;
constexpr double kSpreads = 3;

/// What a training is held to.
struct Quantity {
    std::string name;
    torch::Tensor actual;
    torch::Tensor expected;
    Tolerance tolerance;
};

torch::Tensor number(double value)
{
    return torch::tensor(value, at::kDouble);
}

/// A whole training, as upstream's Brain.fit ran it: shuffling off, batches of 4 padded to their
/// longest, CTC with mean reduction.
class Training final {
public:
    /// `nudge`: 0 = from upstream's initial parameters, else from those one rounding away, drawn by
    /// this seed as upstream draws them.
    explicit Training(const Case& test, uint64_t nudge = 0)
        : m_test(test)
        , m_data(readCase("sb_traj_data"))
        , m_options(test.json.at("run_opts"))
        , m_precision(type(), precision::Type::Fp32, at::kCPU)
    {
        const Json& constructor = test.json.at("constructor");
        m_fbank = build("speechbrain.lobes.features.Fbank", constructor.at("Fbank"));
        m_normalize = std::dynamic_pointer_cast<model::InputNormalization>(
            build("speechbrain.processing.features.InputNormalization",
                constructor.at("InputNormalization")));
        m_model.crdnn = m_model.register_module(
            "crdnn", build("speechbrain.lobes.models.CRDNN.CRDNN", constructor.at("CRDNN")));
        m_model.linear = m_model.register_module(
            "ctc_lin", build("speechbrain.nnet.linear.Linear", constructor.at("Linear (ctc_lin)")));
        m_softmax = build("speechbrain.nnet.activations.Softmax", constructor.at("Softmax"));
        loadState(m_model, test);
        if (nudge != 0)
            nudgeParameters(nudge);
        makeOptimizer();
        makeSchedule();
    }

    std::vector<Quantity> run()
    {
        size_t batch = 0;
        for (const Json& epoch : m_test.json.at("epochs")) {
            m_epoch = epoch.at("epoch").get<int64_t>();
            m_model.train();
            m_normalize->train();
            const Json& batches = m_test.json.at("batches");
            for (; batch < batches.size() && batches[batch].at("epoch") == m_epoch; ++batch)
                trainOn(batches[batch], batch);
            m_optimizer->zero_grad();
            validate(epoch);
        }
        noteFinalState();
        return m_found;
    }

private:
    struct Model final : torch::nn::Module {
        std::shared_ptr<model::Layer> crdnn;
        std::shared_ptr<model::Layer> linear;
    };

    void note(const std::string& name, const torch::Tensor& actual, const torch::Tensor& expected,
        Tolerance allowed)
    {
        m_found.push_back({ name, actual.detach().clone(), expected, allowed });
    }

    void nudgeParameters(uint64_t seed)
    {
        const torch::NoGradGuard noGrad;
        torch::manual_seed(seed);
        for (torch::Tensor& parameter : m_model.parameters())
            parameter.mul_(1 + 1e-7 * torch::randn_like(parameter));
    }

    precision::Type type() const
    {
        return precision::parseType(m_options.at("precision").get<std::string>()).value();
    }
    Tolerance tolerance(const std::string& kind) const { return m_test.tolerance(kind); }

    static std::shared_ptr<model::Layer> build(const std::string& className, const Json& arguments)
    {
        std::vector<recipe::Diagnostic> diagnostics;
        const recipe::NodePtr node = constructorNode(className, arguments);
        std::shared_ptr<model::Layer> layer = model::makeLayer(*node, diagnostics);
        TORCH_CHECK(layer != nullptr, className, ": ",
            diagnostics.empty() ? "" : diagnostics.front().message);
        return layer;
    }

    void makeOptimizer()
    {
        Json arguments = m_test.json.at("optimizer");
        const std::string className = arguments.at("class").get<std::string>();
        arguments.erase("class");
        const recipe::NodePtr node = constructorNode(className, arguments);
        node->tag = "!name:" + className;
        std::vector<recipe::Diagnostic> diagnostics;
        m_vectorsApart = m_options.value("remove_vector_weight_decay", false);
        m_optimizer
            = train::makeOptimizer(*node, m_model.parameters(), diagnostics, m_vectorsApart);
        TORCH_CHECK(m_optimizer != nullptr, className, ": ",
            diagnostics.empty() ? "" : diagnostics.front().message);
    }

    void makeSchedule()
    {
        const Json& newbob = m_test.json.at("newbob");
        const recipe::NodePtr node = newbob.is_null()
            ? nullptr
            : constructorNode("speechbrain.nnet.schedulers.NewBobScheduler", newbob);
        std::vector<recipe::Diagnostic> diagnostics;
        m_schedule = train::makeSchedule(node.get(), diagnostics);
        TORCH_CHECK(m_schedule != nullptr,
            diagnostics.empty() ? "no schedule" : diagnostics.front().message);
    }

    /// Rows of the shared data by the ids "u07", cut to the longest of them.
    torch::Tensor loss(const std::vector<int64_t>& ids)
    {
        const torch::Tensor rows = torch::tensor(ids);
        const torch::Tensor samples = m_data.tensor("wav_samples").index_select(0, rows);
        const torch::Tensor labels = m_data.tensor("token_lens").index_select(0, rows);
        const int64_t longest = samples.max().item<int64_t>();
        const int64_t most = labels.max().item<int64_t>();
        const torch::Tensor wav = m_data.tensor("wav").index_select(0, rows).narrow(1, 0, longest);
        const torch::Tensor tokens
            = m_data.tensor("tokens").index_select(0, rows).narrow(1, 0, most);
        const torch::Tensor lengths = samples.to(at::kFloat) / static_cast<float>(longest);
        m_normalize->setEpoch(m_epoch);
        const torch::Tensor features = m_normalize->forward(m_fbank->forward(wav), lengths);
        const torch::Tensor logProbs
            = m_softmax->forward(m_model.linear->forward(m_model.crdnn->forward(features)));
        return model::ctcLoss(logProbs, tokens, lengths,
            labels.to(at::kFloat) / static_cast<float>(most), catalog::CtcLossConfig {});
    }

    void trainOn(const Json& batch, size_t index)
    {
        std::vector<int64_t> ids;
        for (const Json& id : batch.at("ids"))
            ids.push_back(std::stoll(id.get<std::string>().substr(1)));
        torch::Tensor value;
        {
            const auto cast = m_precision.autocast();
            value = loss(ids);
        }
        const std::string name = "step_loss " + std::to_string(index);
        note(name, value, number(batch.at("loss").get<double>()), tolerance("loss"));
        m_precision.backward(value / m_options.value("grad_accumulation_factor", 1));
        if (batch.at("should_step").get<bool>())
            step();
    }

    void step()
    {
        if (m_step == 0)
            noteFirstGradients();
        const double maxNorm = m_options.at("max_grad_norm").get<double>();
        double norm = 0;
        if (m_vectorsApart) {
            // Upstream then clips the first group alone, which is the 1-d parameters.
            norm = torch::nn::utils::clip_grad_norm_(
                m_optimizer->param_groups()[0].params(), maxNorm);
            m_optimizer->step();
        } else {
            norm = m_precision.step(*m_optimizer, maxNorm, false).gradNorm.item<double>();
        }
        note("step_grad_norm " + std::to_string(m_step), number(norm),
            m_test.tensor("out.step_grad_norm")[m_step], tolerance("grad_norm"));
        ++m_step;
        m_optimizer->zero_grad();
    }

    void noteFirstGradients()
    {
        // The norm's tolerance, over the parameters it is made of.
        for (const auto& parameter : m_model.named_parameters())
            note("grad.step1." + parameter.key(), parameter.value().grad(),
                m_test.tensor("grad.step1." + parameter.key()), tolerance("grad_norm"));
    }

    void validate(const Json& epoch)
    {
        const torch::NoGradGuard noGrad;
        m_model.eval();
        m_normalize->eval();
        const double value = loss({ 0, 1, 2, 3 }).item<double>();
        const bool stated = m_test.json.at("tolerance_fp32").contains("valid_loss");
        note("valid_loss " + std::to_string(m_epoch), number(value),
            number(epoch.at("valid_loss").get<double>()),
            tolerance(stated ? "valid_loss" : "loss"));
        const double rate = m_schedule->afterEpoch(train::learningRate(*m_optimizer), value);
        if (epoch.contains("lr_new"))
            note("learning rate " + std::to_string(m_epoch), number(rate),
                number(epoch.at("lr_new").get<double>()), { 1e-12, 0 });
        train::setLearningRate(*m_optimizer, rate);
    }

    void noteFinalState()
    {
        for (const auto& parameter : m_model.named_parameters())
            // Its exact gradient is zero, for a BatchNorm follows: what an optimizer makes of the
            // rounding is no result.
            if (!parameter.key().ends_with("DNN.block_0.linear.w.bias"))
                note("final." + parameter.key(), parameter.value(),
                    m_test.tensor("final.param." + parameter.key()), tolerance("final_params"));
        const auto state = m_normalize->state();
        note("normalize.count", state.at("count"),
            number(m_test.json.at("normalize_count").get<double>()), {});
        note("normalize.mean", state.at("glob_mean"), m_test.tensor("final.normalize.glob_mean"),
            { 1e-3, 1e-5 });
        note("normalize.std", state.at("glob_std"), m_test.tensor("final.normalize.glob_std"),
            { 1e-3, 1e-5 });
    }

    const Case& m_test;
    Case m_data;
    Json m_options;
    precision::Precision m_precision;
    Model m_model;
    std::shared_ptr<model::Layer> m_fbank;
    std::shared_ptr<model::InputNormalization> m_normalize;
    std::shared_ptr<model::Layer> m_softmax;
    std::unique_ptr<torch::optim::Optimizer> m_optimizer;
    std::unique_ptr<train::Schedule> m_schedule;
    bool m_vectorsApart = false;
    int64_t m_epoch = 0;
    int64_t m_step = 0;
    std::vector<Quantity> m_found;
};

/// No implementation can be held to less than what one rounding of the initial parameters changes:
/// where a value lies at a kink of the model (a pool's tie, an activation's zero) it changes a lot.
void compareTraining(const Case& test, Comparison& compare)
{
    const std::vector<Quantity> found = Training(test).run();
    std::vector<double> spreads(found.size());
    for (uint64_t nudge = 1; nudge <= kNudges; ++nudge) {
        const std::vector<Quantity> nudged = Training(test, nudge).run();
        for (size_t i = 0; i < found.size(); ++i)
            spreads[i] = std::max(
                spreads[i], (nudged[i].actual - found[i].actual).abs().max().item<double>());
    }
    for (size_t i = 0; i < found.size(); ++i) {
        const auto& [name, actual, expected, tolerance] = found[i];
        compare.tensors(name, actual, expected,
            { tolerance.absolute + kSpreads * spreads[i], tolerance.relative });
    }
}

} // namespace

Runners trajectoryRunners()
{
    return { { "speechbrain.core.Brain.fit", compareTraining } };
}

} // namespace kymo::test
