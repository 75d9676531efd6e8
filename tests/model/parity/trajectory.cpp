#include "tests/model/parity/runners.h"
#include "tests/model/parity/training.h"

#include "core/model/crdnn.h"
#include "core/model/ctc_loss.h"
#include "core/model/input_normalization.h"
#include "core/model/layer_set.h"
#include "core/precision/precision.h"
#include "core/train/optim/optimizer.h"
#include "core/train/optim/schedule.h"

#include <algorithm>
#include <torch/nn/utils/clip_grad.h>
#include <torch/utils.h>

namespace earwright::tests {

namespace {

constexpr uint64_t kNudges = 16;
/// It feeds a BatchNorm, so its exact gradient is zero, and what an optimizer makes of the rounding
/// is no result; nor is the running mean, which follows it.
constexpr const char* kBiasOfNorm = "crdnn.DNN.block_0.linear.w.bias";
constexpr const char* kMeanOfNorm = "crdnn.DNN.block_0.norm.norm.running_mean";

std::shared_ptr<model::Layer> build(const std::string& className, const Json& arguments)
{
    std::vector<recipe::Diagnostic> diagnostics;
    const recipe::NodePtr node = constructorNode(className, arguments);
    std::shared_ptr<model::Layer> layer = model::LayerSet(diagnostics).get(*node);
    TORCH_CHECK(
        layer != nullptr, className, ": ", diagnostics.empty() ? "" : diagnostics.front().message);
    return layer;
}

/// The layers of a case, from its initial state.
struct Model final : torch::nn::Module {
    explicit Model(const Case& test)
    {
        const Json& constructor = test.json.at("constructor");
        fbank = build("speechbrain.lobes.features.Fbank", constructor.at("Fbank"));
        normalize = std::dynamic_pointer_cast<model::InputNormalization>(
            build("speechbrain.processing.features.InputNormalization",
                constructor.at("InputNormalization")));
        crdnn = register_module(
            "crdnn", build("speechbrain.lobes.models.CRDNN.CRDNN", constructor.at("CRDNN")));
        linear = register_module(
            "ctc_lin", build("speechbrain.nnet.linear.Linear", constructor.at("Linear (ctc_lin)")));
        softmax = build("speechbrain.nnet.activations.Softmax", constructor.at("Softmax"));
        loadState(*this, test);
    }

    void trainBoth(bool isOn)
    {
        train(isOn);
        normalize->train(isOn);
    }

    std::shared_ptr<model::Layer> fbank;
    std::shared_ptr<model::InputNormalization> normalize;
    std::shared_ptr<model::Layer> crdnn;
    std::shared_ptr<model::Layer> linear;
    std::shared_ptr<model::Layer> softmax;
};

/// A whole training, as upstream's Brain.fit ran it: shuffling off, batches of 4 padded to their
/// longest, CTC with mean reduction.
class Training final {
public:
    /// `nudge`: 0 = from upstream's initial parameters, else from those one rounding away, drawn by
    /// this seed as upstream draws them. See Note [One rounding of the initial parameters].
    explicit Training(const Case& test, uint64_t nudge = 0)
        : m_test(test)
        , m_data(readCase("sb_traj_data", at::kCPU))
        , m_options(test.json.at("run_opts"))
        , m_accumulated(m_options.value("grad_accumulation_factor", int64_t { 1 }))
        , m_precision(type(), precision::Type::Fp32, parityDevice())
        , m_model(test)
        , m_notes(test)
    {
        if (nudge != 0)
            nudgeParameters(nudge);
        makeOptimizer();
        makeSchedule();
    }

    std::vector<Quantity> run()
    {
        for (const Finding& epoch : m_test.finding("epochs").items()) {
            m_model.normalize->setEpoch(epoch.at("epoch").as<int64_t>());
            m_model.trainBoth(true);
            for (const Finding& batch : batchesOf(m_test, epoch.at("epoch").as<int64_t>()))
                trainOn(batch);
            m_optimizer->zero_grad();
            validate(epoch);
        }
        noteFinalState();
        return m_notes.found();
    }

private:
    void nudgeParameters(uint64_t seed)
    {
        const torch::NoGradGuard noGrad;
        torch::manual_seed(seed);
        for (torch::Tensor& parameter : m_model.parameters())
            parameter.mul_(1 + 1e-7 * torch::randn(parameter.sizes()).to(parameter.device()));
    }

    precision::Type type() const
    {
        return precision::parseType(m_options.at("precision").get<std::string>()).value();
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

    /// Of the first batch.
    torch::Tensor seen(const std::string& name, const torch::Tensor& value)
    {
        if (m_batch == 0) {
            m_notes.tensor("mid.step1." + name, value.to(at::kFloat),
                m_test.tensor("mid.step1." + name).to(at::kFloat), "loss");
            m_notes.same(
                "dtype of " + name, typeName(value), m_test.finding("mid_dtypes").at(name).whole());
        }
        return value;
    }

    torch::Tensor logProbs(const torch::Tensor& wav, const torch::Tensor& lengths)
    {
        const torch::Tensor features = seen("feats", m_model.fbank->forward(seen("wav", wav)));
        const torch::Tensor normed
            = seen("normed", m_model.normalize->forward(features, seen("lens", lengths)));
        const torch::Tensor hidden = seen("crdnn", m_model.crdnn->forward(normed));
        return seen(
            "log_probs", m_model.softmax->forward(seen("logits", m_model.linear->forward(hidden))));
    }

    /// Rows of the shared data, cut to the longest of them.
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
        return model::ctcLoss(logProbs(wav.to(parityDevice()), lengths.to(parityDevice())),
            tokens.to(parityDevice()), lengths, labels.to(at::kFloat) / static_cast<float>(most),
            catalog::CtcLossConfig {});
    }

    void trainOn(const Finding& batch)
    {
        torch::Tensor value;
        {
            const auto cast = m_precision.autocast();
            value = loss(rowsOf(batch));
        }
        ++m_batch;
        m_precision.backward(value / m_accumulated);
        const bool isDue = batch.at("step_in_epoch").as<int64_t>() % m_accumulated == 0;
        m_notes.same("step is due", isDue, batch.at("should_step").whole());
        if (isDue)
            step();
        m_notes.trained(batch, value, m_step);
    }

    void step()
    {
        if (m_step == 0)
            noteFirstGradients();
        if (m_test.has("out.step_lr"))
            m_notes.exact("rate of step " + std::to_string(m_step),
                train::learningRate(*m_optimizer),
                m_test.tensor("out.step_lr")[m_step].item<double>(), 1e-12);
        m_notes.stepped(clippedStep());
        ++m_step;
        m_optimizer->zero_grad();
    }

    double clippedStep()
    {
        const double maxNorm = m_options.at("max_grad_norm").get<double>();
        if (!m_vectorsApart)
            return m_precision.step(*m_optimizer, maxNorm, false).gradNorm.item<double>();
        // Upstream then clips the first group alone, which is the 1-d parameters.
        const double norm
            = torch::nn::utils::clip_grad_norm_(m_optimizer->param_groups()[0].params(), maxNorm);
        m_optimizer->step();
        return norm;
    }

    /// By the norm's tolerance, over the parameters it is made of.
    void noteFirstGradients()
    {
        for (const auto& parameter : m_model.named_parameters()) {
            const std::string name = "grad.step1." + parameter.key();
            m_notes.tensor(name, parameter.value().grad(), m_test.tensor(name), "grad_norm");
        }
    }

    void validate(const Finding& epoch)
    {
        const torch::NoGradGuard noGrad;
        m_model.trainBoth(false);
        const double value = loss({ 0, 1, 2, 3 }).item<double>();
        m_notes.validated(epoch, value);
        const double before = train::learningRate(*m_optimizer);
        const double after = m_schedule->afterEpoch(before, value);
        if (epoch.contains("lr_new")) {
            m_notes.exact("rate before", before, epoch.at("lr_old").number(), 1e-12);
            m_notes.exact("rate after", after, epoch.at("lr_new").number(), 1e-12);
        }
        train::setLearningRate(*m_optimizer, after);
    }

    void noteFinalState()
    {
        for (const auto& parameter : m_model.named_parameters())
            noteFinal("param." + parameter.key(), parameter.value(), "final_params");
        for (const auto& buffer : m_model.named_buffers())
            noteFinal("buffer." + buffer.key(), buffer.value(), "final_params");
        noteOptimizer();
        const auto state = m_model.normalize->state();
        m_notes.exact("normalize.count", state.at("count").item<double>(),
            m_test.finding("normalize_count").number());
        for (const char* name : { "glob_mean", "glob_std" })
            m_notes.note({ std::string("normalize.") + name, state.at(name),
                m_test.tensor(std::string("final.normalize.") + name), { 1e-3, 1e-5 } });
    }

    void noteFinal(const std::string& name, const torch::Tensor& value, const std::string& kind)
    {
        if (!name.ends_with(kBiasOfNorm) && !name.ends_with(kMeanOfNorm))
            m_notes.tensor("final." + name, value, m_test.tensor("final." + name), kind);
    }

    /// Its averages are of gradients, and so are their roundings.
    void noteOptimizer()
    {
        auto parameters = m_model.named_parameters().items();
        if (m_vectorsApart)
            std::stable_partition(parameters.begin(), parameters.end(),
                [](const auto& parameter) { return parameter.value().dim() == 1; });
        for (const auto& [key, value] : train::optimizerState(*m_optimizer)) {
            const size_t dot = key.find('.');
            const auto& parameter = parameters.at(std::stoul(key.substr(0, dot)));
            const std::string name = "opt" + key.substr(dot) + "." + parameter.key();
            if (m_test.has("final." + name)) // upstream's SGD counts no steps
                noteFinal(name, value, "grad_norm");
        }
    }

    const Case& m_test;
    Case m_data;
    Json m_options;
    int64_t m_accumulated;
    precision::Precision m_precision;
    Model m_model;
    TrainingNotes m_notes;
    std::unique_ptr<torch::optim::Optimizer> m_optimizer;
    std::unique_ptr<train::Schedule> m_schedule;
    bool m_vectorsApart = false;
    int64_t m_batch = 0;
    int64_t m_step = 0;
};

// Note [One rounding of the initial parameters]
// Where a value lies at a kink of the model (a pool's tie, an activation's zero), one rounding
// decides which way the training goes, and another processor may do it otherwise. No tolerance
// spans that. Upstream's training must then be one of those that start one rounding from ours, all
// numbers of it within the stated tolerance and sensitivity.
void compareTraining(const Case& test, Comparison& compare)
{
    Comparison found = compared(Training(test).run());
    for (uint64_t nudge = 1; !found.failures().empty() && nudge <= kNudges; ++nudge) {
        const Comparison nudged = compared(Training(test, nudge).run());
        if (nudged.failures().empty())
            found = nudged;
    }
    compare.add(found);
}

} // namespace

Runners trajectoryRunners()
{
    return { { "speechbrain.core.Brain.fit", compareTraining } };
}

} // namespace earwright::tests
