#include <QTest>

#include "core/distributed/gradient_sync.h"
#include "tests/distributed/ranks.h"

#include <mutex>

using namespace kymo;
using distributed::GradientSync;
using distributed::Group;
using kymo::tests::Ranks;

namespace {

/// Two layers, of which the second may stay unused.
struct Model {
    torch::nn::Linear first { nullptr };
    torch::nn::Linear second { nullptr };

    explicit Model(uint64_t seed)
    {
        // The generator is the process's: seed and draw are one step.
        static std::mutex generator;
        const std::lock_guard lock(generator);
        torch::manual_seed(seed);
        first = torch::nn::Linear(4, 3);
        second = torch::nn::Linear(3, 2);
    }
    std::vector<std::pair<std::string, torch::Tensor>> parameters() const
    {
        return { { "first.w", first->weight }, { "first.b", first->bias },
            { "second.w", second->weight }, { "second.b", second->bias } };
    }
};

torch::Tensor inputOf(int64_t rank)
{
    return torch::arange(8, torch::kFloat32).reshape({ 2, 4 }) / 10 + static_cast<double>(rank);
}

torch::Tensor gradientAlone(int64_t rank, bool useSecond)
{
    Model model(0);
    torch::Tensor out = model.first->forward(inputOf(rank));
    (useSecond ? model.second->forward(out) : out).sum().backward();
    return model.first->weight.grad().clone();
}

} // namespace

class TstGradientSync : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void weights_startAsRankZerosHadThem();
    void gradients_areTheMeanOverRanks();
    void accumulation_reducesOnceForTheWindow();
    void unusedParameters_areFoundWhereAskedFor();
    void unusedParameters_areNamedWhereNot();
    void otherShapes_areRefusedBeforeTheFirstStep();
    void withoutSync_theReplicasDiffer();
};

void TstGradientSync::weights_startAsRankZerosHadThem()
{
    std::vector<std::string> differences(2);
    const auto thrown = Ranks(2).run([&](Group& group) {
        Model model(static_cast<uint64_t>(group.rank()));
        const GradientSync sync(group, model.parameters(), {}, {});
        differences[static_cast<size_t>(group.rank())]
            = distributed::compareReplicas(group, model.parameters());
    });
    QCOMPARE(thrown, std::vector<std::string>(2));
    QCOMPARE(differences, std::vector<std::string>(2));
}

void TstGradientSync::gradients_areTheMeanOverRanks()
{
    std::vector<torch::Tensor> found(2);
    const auto thrown = Ranks(2).run([&](Group& group) {
        Model model(0);
        GradientSync sync(group, model.parameters(), {}, {});
        for (int step = 0; step < 3; ++step) { // the buckets are rebuilt after the first
            sync.zeroGradients();
            sync.beforeForward();
            const torch::Tensor loss
                = model.second->forward(model.first->forward(inputOf(group.rank()))).sum();
            sync.beforeBackward(loss);
            loss.backward();
        }
        found[static_cast<size_t>(group.rank())] = model.first->weight.grad().clone();
    });
    QCOMPARE(thrown, std::vector<std::string>(2));
    const torch::Tensor mean = (gradientAlone(0, true) + gradientAlone(1, true)) / 2;
    for (const torch::Tensor& gradient : found)
        QVERIFY(torch::allclose(gradient, mean, 1e-5, 1e-6));
}

void TstGradientSync::accumulation_reducesOnceForTheWindow()
{
    std::vector<torch::Tensor> found(2);
    const auto thrown = Ranks(2).run([&](Group& group) {
        Model model(0);
        GradientSync sync(group, model.parameters(), {}, {});
        model.second->forward(model.first->forward(inputOf(group.rank())))
            .sum()
            .backward(); // accumulates only
        sync.beforeForward();
        const torch::Tensor loss
            = model.second->forward(model.first->forward(inputOf(group.rank()))).sum();
        sync.beforeBackward(loss);
        loss.backward();
        found[static_cast<size_t>(group.rank())] = model.first->weight.grad().clone();
    });
    QCOMPARE(thrown, std::vector<std::string>(2));
    const torch::Tensor mean
        = gradientAlone(0, true) + gradientAlone(1, true); // two windows' worth of the mean
    for (const torch::Tensor& gradient : found)
        QVERIFY(torch::allclose(gradient, mean, 1e-5, 1e-6));
}

void TstGradientSync::unusedParameters_areFoundWhereAskedFor()
{
    std::vector<torch::Tensor> found(2);
    const auto thrown = Ranks(2).run([&](Group& group) {
        Model model(0);
        GradientSync sync(group, model.parameters(), {}, { .findUnusedParameters = true });
        for (int step = 0; step < 3; ++step) {
            sync.zeroGradients();
            sync.beforeForward();
            const torch::Tensor loss = model.first->forward(inputOf(group.rank())).sum();
            sync.beforeBackward(loss);
            loss.backward();
        }
        found[static_cast<size_t>(group.rank())] = model.first->weight.grad().clone();
    });
    QCOMPARE(thrown, std::vector<std::string>(2));
    for (const torch::Tensor& gradient : found)
        QVERIFY(torch::allclose(
            gradient, (gradientAlone(0, false) + gradientAlone(1, false)) / 2, 1e-5, 1e-6));
}

void TstGradientSync::unusedParameters_areNamedWhereNot()
{
    const auto thrown = Ranks(2).run([&](Group& group) {
        Model model(0);
        GradientSync sync(group, model.parameters(), {}, {});
        for (int step = 0; step < 2; ++step) {
            sync.beforeForward();
            const torch::Tensor loss = model.first->forward(inputOf(group.rank())).sum();
            sync.beforeBackward(loss);
            loss.backward();
        }
    });
    for (const std::string& text : thrown)
        QVERIFY2(text.find("find_unused_parameters") != std::string::npos, text.c_str());
}

void TstGradientSync::otherShapes_areRefusedBeforeTheFirstStep()
{
    const auto thrown = Ranks(2).run([&](Group& group) {
        const torch::Tensor mine = torch::zeros({ 2 + group.rank() }).requires_grad_();
        const GradientSync sync(group, { { "w", mine } }, {}, {});
    });
    QVERIFY2(thrown[0].size() + thrown[1].size() > 0, "ranks of different models joined");
}

void TstGradientSync::withoutSync_theReplicasDiffer()
{
    std::vector<std::string> differences(2);
    const auto thrown = Ranks(2).run([&](Group& group) {
        Model model(0);
        GradientSync sync(group, model.parameters(), {}, { .enabled = false });
        sync.beforeForward();
        const torch::Tensor loss
            = model.second->forward(model.first->forward(inputOf(group.rank()))).sum();
        sync.beforeBackward(loss);
        loss.backward();
        {
            torch::NoGradGuard noGrad;
            for (const auto& [name, parameter] : model.parameters())
                parameter.detach().sub_(parameter.grad(), 0.1);
        }
        differences[static_cast<size_t>(group.rank())]
            = distributed::compareReplicas(group, model.parameters());
    });
    QCOMPARE(thrown, std::vector<std::string>(2));
    for (const std::string& difference : differences)
        QVERIFY2(difference.find("differs between rank 0 and rank 1") != std::string::npos,
            difference.c_str());
}

QTEST_GUILESS_MAIN(TstGradientSync)
#include "tst_gradient_sync.moc"
