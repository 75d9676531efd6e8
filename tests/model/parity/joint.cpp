#include "tests/model/parity/runners.h"

#include "core/precision/precision.h"
#include "core/train/ctc_attention_task.h"
#include "core/train/optimizer.h"
#include "core/train/schedule.h"

namespace kymo::test {

namespace {

constexpr int64_t kBos = 1;
constexpr int64_t kEos = 2;
constexpr double kCtcWeight = 0.3;

/// A mapping whose members may be one object under several keys.
class Recipe final {
public:
    void add(const std::string& key, const recipe::NodePtr& value)
    {
        m_root->entries.push_back({ recipe::makeScalar(key), value });
    }
    void addObject(const std::string& key, const std::string& className, const Json& arguments)
    {
        add(key, constructorNode(className, arguments));
    }
    void addFunction(const std::string& key, const std::string& name, const Json& arguments)
    {
        addObject(key, name, arguments);
        m_root->entries.back().value->tag = "!name:" + name;
    }
    void addModules(const std::vector<std::string>& keys)
    {
        Recipe modules;
        for (const std::string& key : keys)
            modules.add(key, recipe::find(*m_root, key));
        add("modules", modules.m_root);
    }
    const recipe::Node& root() const { return *m_root; }

private:
    static recipe::NodePtr mapping()
    {
        const auto node = std::make_shared<recipe::Node>();
        node->kind = recipe::Kind::Mapping;
        return node;
    }
    recipe::NodePtr m_root = mapping();
};

Recipe recipeOf(const Json& constructor)
{
    const std::string lobes = "speechbrain.lobes.";
    Recipe recipe;
    recipe.addObject("compute_features", lobes + "features.Fbank", constructor.at("Fbank"));
    recipe.addObject("normalize", "speechbrain.processing.features.InputNormalization",
        constructor.at("InputNormalization"));
    recipe.addObject("CNN", lobes + "models.convolution.ConvolutionFrontEnd",
        constructor.at("ConvolutionFrontEnd"));
    recipe.addObject("Transformer", lobes + "models.transformer.TransformerASR.TransformerASR",
        constructor.at("TransformerASR"));
    for (const char* key : { "ctc_lin", "seq_lin" })
        recipe.addObject(
            key, "speechbrain.nnet.linear.Linear", constructor.at("Linear seq_lin/ctc_lin"));
    recipe.addObject("log_softmax", "torch.nn.LogSoftmax", { { "dim", -1 } });
    recipe.addFunction("ctc_cost", "speechbrain.nnet.losses.ctc_loss",
        { { "blank_index", 0 }, { "reduction", "batchmean" } });
    recipe.addFunction("seq_cost", "speechbrain.nnet.losses.kldiv_loss",
        { { "label_smoothing", 0.1 }, { "reduction", "batchmean" } });
    recipe.add("ctc_weight", recipe::makeScalar(std::to_string(kCtcWeight)));
    recipe.add("bos_index", recipe::makeScalar(std::to_string(kBos)));
    recipe.add("eos_index", recipe::makeScalar(std::to_string(kEos)));
    recipe.addModules({ "CNN", "Transformer", "seq_lin", "ctc_lin", "normalize" });
    return recipe;
}

/// A whole training of joint CTC and attention: batches of 4 in the data's order, each padded to
/// its longest, and the rate of NoamScheduler set behind each optimizer step.
class JointTraining final {
public:
    explicit JointTraining(const Case& test)
        : m_test(test)
        , m_data(readCase("sb_traj_data"))
        , m_precision(precision::Type::Fp32, precision::Type::Fp32, at::kCPU)
    {
        const Json& constructor = test.json.at("constructor");
        // Nine letters and the three special labels: as many as the case has tokens.
        auto labels = data::TextEncoder::fromTexts(
            { "abcdefghi" }, { .blank = 0, .bos = kBos, .eos = kEos });
        auto task = train::CtcAttentionTask::make(recipeOf(constructor).root(),
            std::make_shared<const data::TextEncoder>(std::move(labels)), at::kCPU, "reduction");
        TORCH_CHECK(task, task ? "" : task.error().message);
        m_task = std::move(*task);
        m_parameters = m_task->modules().parameters();
        loadParameters();
        makeOptimizer();
        m_task->observe([this](const std::string& key, const torch::Tensor& input) {
            m_seen[key.empty() ? (m_seen.contains("p_ctc") ? "p_seq" : "p_ctc") : key] = input;
        });
    }

    void run(Comparison& compare)
    {
        size_t batch = 0;
        for (const Json& epoch : m_test.json.at("epochs")) {
            const auto number = epoch.at("epoch").get<int64_t>();
            m_task->startEpoch(number);
            m_task->modules().train(true);
            const Json& batches = m_test.json.at("batches");
            for (; batch < batches.size() && batches[batch].at("epoch") == number; ++batch)
                trainOn(batches[batch], batch, compare);
            m_optimizer->zero_grad();
            validate(epoch, compare);
        }
        compareFinalState(compare);
    }

private:
    void loadParameters()
    {
        const torch::NoGradGuard noGrad;
        auto stored = m_test.under("param");
        for (auto& [name, parameter] : m_parameters) {
            TORCH_CHECK(stored.contains(name), "upstream has no parameter '", name, "'");
            parameter.copy_(stored.at(name));
            stored.erase(name);
        }
        TORCH_CHECK(stored.empty(), "Kymo has no parameter '", stored.begin()->first, "'");
        TORCH_CHECK(m_test.under("buffer").empty(), "buffers to load");
    }

    void makeOptimizer()
    {
        Json arguments = m_test.json.at("optimizer");
        const std::string className = arguments.at("class").get<std::string>();
        arguments.erase("class");
        Recipe recipe;
        recipe.addFunction("opt_class", className, arguments);
        recipe.addObject("noam_annealing", "speechbrain.nnet.schedulers.NoamScheduler",
            m_test.json.at("constructor").at("NoamScheduler"));
        std::vector<torch::Tensor> parameters;
        for (const auto& [name, parameter] : m_parameters)
            parameters.push_back(parameter);
        std::vector<recipe::Diagnostic> diagnostics;
        m_optimizer = train::makeOptimizer(
            *recipe::find(recipe.root(), "opt_class"), std::move(parameters), diagnostics);
        m_schedule
            = train::makeSchedule(recipe::find(recipe.root(), "noam_annealing").get(), diagnostics);
        TORCH_CHECK(
            m_optimizer && m_schedule, diagnostics.empty() ? "" : diagnostics.front().message);
    }

    data::Batch batchOf(const std::vector<int64_t>& ids) const
    {
        const Json& texts = m_test.json.at("tokens (without bos 1 / eos 2)");
        const torch::Tensor rows = torch::tensor(ids);
        const torch::Tensor samples = m_data.tensor("wav_samples").index_select(0, rows);
        const int64_t longest = samples.max().item<int64_t>();
        std::vector<torch::Tensor> tokens;
        std::vector<int64_t> counts;
        for (const int64_t id : ids) {
            tokens.push_back(
                torch::tensor(texts.at(static_cast<size_t>(id)).get<std::vector<int64_t>>()));
            counts.push_back(tokens.back().numel());
        }
        data::Batch batch;
        batch.wavs_BT = m_data.tensor("wav").index_select(0, rows).narrow(1, 0, longest);
        batch.wavLens_B = samples.to(at::kFloat) / static_cast<float>(longest);
        batch.tokens_BL = torch::nn::utils::rnn::pad_sequence(tokens, true);
        batch.tokenLens_B
            = torch::tensor(counts).to(at::kFloat) / static_cast<float>(batch.tokens_BL.size(1));
        batch.tokens = batch.wholeTokens = torch::tensor(counts).sum().item<int64_t>();
        batch.wholeSize = std::ssize(ids);
        return batch;
    }

    void trainOn(const Json& batch, size_t index, Comparison& compare)
    {
        std::vector<int64_t> ids;
        for (const Json& id : batch.at("ids"))
            ids.push_back(std::stoll(id.get<std::string>().substr(1)));
        m_seen.clear();
        const torch::Tensor loss = m_task->run(batchOf(ids), train::Stage::Train).loss;
        if (index == 0)
            compareFirstForward(compare);
        compare.values("step_loss " + std::to_string(index), loss.item<double>(),
            batch.at("loss").get<double>(), m_test.tolerance("loss"));
        m_precision.backward(
            loss / m_test.json.at("run_opts").at("grad_accumulation_factor").get<double>());
        if (batch.at("should_step").get<bool>())
            step(compare);
    }

    void step(Comparison& compare)
    {
        const Json& expected = m_test.json.at("steps").at(m_step);
        const std::string name = std::to_string(m_step);
        if (m_step == 0)
            compareFirstGradients(compare);
        const double rate = train::learningRate(*m_optimizer);
        compare.values("rate of step " + name, rate,
            expected.at("lr_used_by_this_step").get<double>(), { 1e-12, 0 });
        const double norm
            = m_precision
                  .step(*m_optimizer, m_test.json.at("run_opts").at("max_grad_norm").get<double>(),
                      false)
                  .gradNorm.item<double>();
        compare.values("grad_norm " + name, norm, expected.at("grad_norm").get<double>(),
            m_test.tolerance("grad_norm"));
        const double next = m_schedule->afterStep(rate);
        compare.values("rate after step " + name, next,
            expected.at("lr_set_for_next").get<double>(), { 1e-12, 0 });
        train::setLearningRate(*m_optimizer, next);
        m_optimizer->zero_grad();
        ++m_step;
    }

    void compareFirstForward(Comparison& compare) const
    {
        const std::pair<const char*, const char*> kSeen[]
            = { { "CNN", "normed" }, { "Transformer", "src" }, { "ctc_lin", "enc" },
                  { "seq_lin", "pred" }, { "p_ctc", "p_ctc" }, { "p_seq", "p_seq" } };
        for (const auto& [ours, theirs] : kSeen)
            compare.tensors(std::string("mid.step1.") + theirs, m_seen.at(ours),
                m_test.tensor(std::string("mid.step1.") + theirs), m_test.tolerance("loss"));
    }

    void compareFirstGradients(Comparison& compare) const
    {
        for (const auto& [name, parameter] : m_parameters) {
            const torch::Tensor& expected = m_test.tensor("grad.step1." + name);
            if (expected.numel() > 0)
                compare.tensors("grad.step1." + name, parameter.grad(), expected,
                    m_test.tolerance("grad_norm"));
            else
                compare.check(name + " has no gradient", !parameter.grad().defined());
        }
    }

    void validate(const Json& epoch, Comparison& compare)
    {
        const torch::NoGradGuard noGrad;
        m_task->modules().train(false);
        const data::Batch batch = batchOf({ 0, 1, 2, 3 });
        m_seen.clear();
        const train::TaskOutput output = m_task->run(batch, train::Stage::Valid);
        const std::string name = epoch.at("epoch").dump();
        compare.values("valid_loss " + name, output.loss.item<double>(),
            epoch.at("valid_loss").get<double>(), m_test.tolerance("loss"));
        compare.check("a text a row", std::ssize(output.hypotheses) == batch.wavLens_B.size(0));
        // All texts of the case are equally long: no target is padding.
        const torch::Tensor targets = torch::constant_pad_nd(batch.tokens_BL, { 0, 1 }, kEos);
        const torch::Tensor right = m_seen.at("p_seq").argmax(-1) == targets;
        compare.values("valid_acc " + name, right.to(at::kDouble).mean().item<double>(),
            epoch.at("valid_acc").get<double>(), { 1e-6, 0 });
    }

    /// Of a bias whose exact gradient is zero (a key's), what Adam makes of the rounding is no
    /// result.
    void compareFinalState(Comparison& compare) const
    {
        // What one rounding of upstream's initial parameters changes, and what ours may.
        Tolerance allowed = m_test.tolerance("final_params");
        allowed.absolute += m_test.json.at("sensitivity").at("final_params_max").get<double>();
        for (const auto& [name, parameter] : m_parameters) {
            const torch::Tensor& expected = m_test.tensor("final.param." + name);
            const torch::Tensor& gradient = m_test.tensor("grad.step1." + name);
            torch::Tensor actual = parameter.detach();
            if (name.ends_with("bias") && gradient.numel() == actual.numel())
                actual = torch::where(gradient.abs() < 1e-6, expected, actual);
            compare.tensors("final." + name, actual, expected, allowed);
        }
        for (const auto& [name, tensor] : m_task->extraState()) {
            if (name.find("count") == std::string::npos)
                compare.tensors(name, tensor, m_test.tensor("final." + name), { 1e-3, 1e-5 });
        }
    }

    const Case& m_test;
    Case m_data;
    precision::Precision m_precision;
    std::unique_ptr<train::Task> m_task;
    std::vector<std::pair<std::string, torch::Tensor>> m_parameters;
    std::map<std::string, torch::Tensor> m_seen; ///< by the key of the layer that was given it
    std::unique_ptr<torch::optim::Optimizer> m_optimizer;
    std::unique_ptr<train::Schedule> m_schedule;
    size_t m_step = 0;
};

} // namespace

Runners jointRunners()
{
    return { { "speechbrain.core.Brain.fit with recipes/LibriSpeech/ASR/transformer logic",
        [](const Case& test, Comparison& compare) { JointTraining(test).run(compare); } } };
}

} // namespace kymo::test
