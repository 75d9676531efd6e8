#include <QDeadlineTimer>
#include <QTest>
#include <torch/nn/modules/linear.h>
#include <torch/optim/sgd.h>
#include <torch/utils.h>

#include "core/distributed/gradient_sync.h"
#include "core/distributed/thread_stack.h"
#include "core/precision/precision.h"
#include "tests/distributed/ranks.h"
#include "tests/registry.h"

#include <atomic>
#include <chrono>
#include <mutex>
#include <unistd.h>

using namespace earwright;
using distributed::GradientSync;
using distributed::Group;
using earwright::tests::Ranks;

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

torch::Tensor lossOf(Model& model, int64_t rank)
{
    return model.second->forward(model.first->forward(inputOf(rank))).sum();
}

void reducedStep(GradientSync& sync, Model& model, int64_t rank)
{
    sync.zeroGradients();
    sync.beforeForward();
    const torch::Tensor loss = lossOf(model, rank);
    sync.beforeBackward(loss);
    loss.backward();
}

/// How many this rank has begun.
uint64_t collectives(const Group& group)
{
    return group.processGroup()->getBackend(c10::DeviceType::CPU)->getSequenceNumberForGroup();
}

/// Backward of the loss with the second layer or without it.
void step(GradientSync& sync, Model& model, int64_t rank, bool useSecond)
{
    sync.zeroGradients();
    sync.beforeForward();
    const torch::Tensor hidden = model.first->forward(inputOf(rank));
    const torch::Tensor loss = (useSecond ? model.second->forward(hidden) : hidden).sum();
    sync.beforeBackward(loss);
    loss.backward();
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
    void microBatches_thatOnlyAccumulateSendNothing();
    void commHook_reducesInHalfTheDigits_data();
    void commHook_reducesInHalfTheDigits();
    void staticGraph_reducesFromTheFirstStep();
    void waitSeconds_areThoseForTheLateRank();
    void bucketCap_decidesHowOftenIsReduced();
    void bucketView_makesTheGradientTheBucket();
    void nonFiniteGradient_ofOneRankSkipsTheStepOnAll();
    void unusedParameters_areFoundWhereAskedFor();
    void unusedParameters_mayBeOthersInEveryStep_data();
    void unusedParameters_mayBeOthersInEveryStep();
    void parameterThatNoRankUsed_hasNoGradient();
    void parameterOfAnEarlierMicroBatch_isReduced();
    void parametersThatGoUnusedLater_areExpectedFromThen();
    void unusedParameters_areNamedWhereNot();
    void otherShapes_areRefusedBeforeTheFirstStep();
    void withoutSync_theReplicasDiffer();
    void rankAlone_reducesWhereAskedTo_data();
    void rankAlone_reducesWhereAskedTo();
    void hookOfARankAlone_roundsItsGradients();
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
        for (int step = 0; step < 3; ++step) {
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

void TstGradientSync::microBatches_thatOnlyAccumulateSendNothing()
{
    std::vector<uint64_t> accumulating(2);
    std::vector<uint64_t> stepping(2);
    const auto thrown = Ranks(2).run([&](Group& group) {
        Model model(0);
        GradientSync sync(group, model.parameters(), {}, {});
        const auto rank = static_cast<size_t>(group.rank());
        for (int window = 0; window < 3; ++window) {
            const uint64_t before = collectives(group);
            for (int i = 0; i < 3; ++i)
                lossOf(model, group.rank()).backward();
            accumulating[rank] = collectives(group) - before;
            sync.beforeForward();
            const torch::Tensor loss = lossOf(model, group.rank());
            sync.beforeBackward(loss);
            loss.backward();
            stepping[rank] = collectives(group) - before;
        }
    });
    QCOMPARE(thrown, std::vector<std::string>(2));
    QCOMPARE(accumulating, std::vector<uint64_t>(2, 0));
    QCOMPARE(stepping, std::vector<uint64_t>(2, 1)); // one bucket
}

void TstGradientSync::commHook_reducesInHalfTheDigits_data()
{
    QTest::addColumn<std::string>("name");
    QTest::addColumn<double>("least"); // relative error: what rounding must leave …
    QTest::addColumn<double>("most"); // … and must not exceed
    QTest::newRow("none") << std::string("none") << 0.0 << 1e-6;
    QTest::newRow("fp16") << std::string("fp16") << 1e-6 << 2e-3;
    QTest::newRow("bf16") << std::string("bf16") << 1e-4 << 2e-2;
}

void TstGradientSync::commHook_reducesInHalfTheDigits()
{
    QFETCH(std::string, name);
    QFETCH(double, least);
    QFETCH(double, most);
    std::vector<torch::Tensor> found(2);
    const auto thrown = Ranks(2).run([&](Group& group) {
        Model model(0);
        GradientSync sync(
            group, model.parameters(), {}, { .commHook = distributed::parseCommHook(name) });
        for (int step = 0; step < 2; ++step)
            reducedStep(sync, model, group.rank());
        found[static_cast<size_t>(group.rank())] = model.first->weight.grad().clone();
    });
    QCOMPARE(thrown, std::vector<std::string>(2));
    const torch::Tensor mean = (gradientAlone(0, true) + gradientAlone(1, true)) / 2;
    const double error = ((found[0] - mean).norm() / mean.norm()).item<double>();
    QVERIFY2(error >= least && error <= most, qPrintable(QString::number(error)));
    QVERIFY(torch::equal(found[0], found[1]));
}

void TstGradientSync::staticGraph_reducesFromTheFirstStep()
{
    std::vector<int> wrong(2);
    const torch::Tensor mean = (gradientAlone(0, false) + gradientAlone(1, false)) / 2;
    const auto thrown = Ranks(2).run([&](Group& group) {
        Model model(0);
        GradientSync sync(group, model.parameters(), {}, { .staticGraph = true });
        for (int step = 0; step < 4; ++step) {
            sync.zeroGradients();
            sync.beforeForward(); // the second layer stays unused: a static graph may leave it out
            const torch::Tensor loss = model.first->forward(inputOf(group.rank())).sum();
            sync.beforeBackward(loss);
            loss.backward();
            if (!torch::allclose(model.first->weight.grad(), mean, 1e-5, 1e-6))
                wrong[static_cast<size_t>(group.rank())] += 1 << step;
        }
    });
    QCOMPARE(thrown, std::vector<std::string>(2));
    QCOMPARE(wrong, std::vector<int>(2));
}

void TstGradientSync::waitSeconds_areThoseForTheLateRank()
{
    std::vector<double> waited(2);
    std::atomic<int64_t> early { 0 }; // the thread of rank 0, once the first step is done
    std::atomic<const Group*> its { nullptr };
    uint64_t before = 0;
    const auto thrown = Ranks(2).run([&](Group& group) {
        Model model(0);
        GradientSync sync(group, model.parameters(), {}, {});
        reducedStep(sync, model, group.rank());
        if (group.isMain()) {
            before = collectives(group);
            its = &group;
            early = gettid();
        } else {
            // Asleep for several looks, with the collective begun: no lock keeps it so long.
            const QDeadlineTimer patience(60000);
            for (int asleep = 0; asleep < 100 && !patience.hasExpired();) {
                const bool waits = early > 0 && collectives(*its.load()) > before
                    && distributed::kernelState(early).starts_with('S');
                asleep = waits ? asleep + 1 : 0;
                std::this_thread::yield();
            }
        }
        reducedStep(sync, model, group.rank());
        waited[static_cast<size_t>(group.rank())] = sync.waitSeconds();
    });
    QCOMPARE(thrown, std::vector<std::string>(2));
    QVERIFY2(waited[0] > 0, std::to_string(waited[0]).c_str());
    QVERIFY2(waited[1] < waited[0], std::to_string(waited[1]).c_str());
}

void TstGradientSync::bucketCap_decidesHowOftenIsReduced()
{
    const auto reductions = [](double megabytes) {
        std::vector<uint64_t> count(2);
        const auto thrown = Ranks(2).run([&](Group& group) {
            // 3 x 1 MiB: the first bucket holds 1 MiB at most, whatever the cap.
            std::vector<std::pair<std::string, torch::Tensor>> parameters;
            for (const char* name : { "a", "b", "c" })
                parameters.emplace_back(name, torch::ones({ 1 << 18 }).requires_grad_());
            GradientSync sync(group, parameters, {}, { .bucketCapMb = megabytes });
            uint64_t before = 0;
            for (int step = 0; step < 3; ++step) {
                before = collectives(group);
                sync.beforeForward();
                const torch::Tensor loss
                    = (parameters[0].second + parameters[1].second + parameters[2].second).sum();
                sync.beforeBackward(loss);
                loss.backward();
            }
            count[static_cast<size_t>(group.rank())] = collectives(group) - before;
        });
        return thrown == std::vector<std::string>(2) ? count[0] : 0;
    };
    QCOMPARE(reductions(1), uint64_t(3));
    QCOMPARE(reductions(25), uint64_t(2));
}

void TstGradientSync::bucketView_makesTheGradientTheBucket()
{
    for (const bool isView : { true, false }) {
        std::vector<int> inBucket(2);
        const auto thrown = Ranks(2).run([&](Group& group) {
            Model model(0);
            GradientSync sync(group, model.parameters(), {}, { .gradientAsBucketView = isView });
            for (int step = 0; step < 2; ++step)
                reducedStep(sync, model, group.rank());
            // Gradients in one bucket share its storage.
            inBucket[static_cast<size_t>(group.rank())]
                = model.first->weight.grad().storage().data()
                == model.second->weight.grad().storage().data();
        });
        QCOMPARE(thrown, std::vector<std::string>(2));
        QCOMPARE(inBucket, std::vector<int>(2, isView ? 1 : 0));
    }
}

void TstGradientSync::nonFiniteGradient_ofOneRankSkipsTheStepOnAll()
{
    struct Seen {
        std::vector<bool> moved;
        std::vector<float> scales;
        bool operator==(const Seen&) const = default;
    };
    std::vector<Seen> seen(2);
    std::vector<std::string> differences(2);
    const auto thrown = Ranks(2).run([&](Group& group) {
        Model model(0);
        GradientSync sync(group, model.parameters(), {}, {});
        std::vector<torch::Tensor> parameters;
        for (const auto& [name, parameter] : model.parameters())
            parameters.push_back(parameter);
        torch::optim::SGD optimizer(parameters, torch::optim::SGDOptions(0.01));
        precision::Precision scaled(
            precision::Type::Fp32, precision::Type::Fp32, torch::kCPU, true);
        const auto rank = static_cast<size_t>(group.rank());
        for (int step = 0; step < 4; ++step) {
            const torch::Tensor before = model.first->weight.detach().clone();
            sync.zeroGradients();
            sync.beforeForward();
            // Only the last rank overflows, and only in step 1.
            const double factor = step == 1 && group.rank() == 1 ? INFINITY : 1;
            const torch::Tensor loss = lossOf(model, group.rank()) * factor;
            sync.beforeBackward(loss);
            scaled.backward(loss);
            const precision::StepResult result = scaled.step(optimizer, 5, false);
            seen[rank].moved.push_back(!torch::equal(before, model.first->weight));
            seen[rank].scales.push_back(result.lossScale.item<float>());
        }
        differences[rank] = distributed::compareReplicas(group, model.parameters());
    });
    QCOMPARE(thrown, std::vector<std::string>(2));
    const Seen expected { { true, false, true, true }, { 65536, 32768, 32768, 32768 } };
    QVERIFY(seen[0] == expected);
    QVERIFY(seen[1] == expected);
    QCOMPARE(differences, std::vector<std::string>(2));
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

void TstGradientSync::unusedParameters_mayBeOthersInEveryStep_data()
{
    QTest::addColumn<int>("ranks");
    QTest::newRow("one rank") << 1;
    QTest::newRow("two ranks") << 2;
}

void TstGradientSync::unusedParameters_mayBeOthersInEveryStep()
{
    QFETCH(int, ranks);
    std::vector<int> wrong(static_cast<size_t>(ranks));
    const auto alone = [&](bool useSecond) {
        torch::Tensor sum = gradientAlone(0, useSecond);
        for (int rank = 1; rank < ranks; ++rank)
            sum = sum + gradientAlone(rank, useSecond);
        return sum / ranks;
    };
    const std::vector<bool> useSecond { true, false, false, true, false, true, true };
    const std::map<bool, torch::Tensor> expected { { true, alone(true) }, { false, alone(false) } };
    const auto thrown = Ranks(ranks).run([&](Group& group) {
        Model model(0);
        GradientSync sync(group, model.parameters(), {}, { .findUnusedParameters = true });
        for (const bool isUsed : useSecond) {
            step(sync, model, group.rank(), isUsed);
            const bool isRight
                = torch::allclose(model.first->weight.grad(), expected.at(isUsed), 1e-5, 1e-6)
                && model.second->weight.grad().defined() == isUsed;
            wrong[static_cast<size_t>(group.rank())] += isRight ? 0 : 1;
        }
    });
    QCOMPARE(thrown, std::vector<std::string>(static_cast<size_t>(ranks)));
    QCOMPARE(wrong, std::vector<int>(static_cast<size_t>(ranks)));
}

/// As in PyTorch, whose optimizers pass over it: a zero would be decayed and moved by momentum.
/// What one rank used has the mean, with nothing of the other.
void TstGradientSync::parameterThatNoRankUsed_hasNoGradient()
{
    std::vector<torch::Tensor> ofOne(2);
    std::vector<int> defined(2);
    const auto thrown = Ranks(2).run([&](Group& group) {
        Model model(0);
        GradientSync sync(group, model.parameters(), {}, { .findUnusedParameters = true });
        const auto rank = static_cast<size_t>(group.rank());
        step(sync, model, group.rank(), true);
        step(sync, model, group.rank(), false);
        defined[rank] = model.second->weight.grad().defined();
        step(sync, model, group.rank(), group.rank() == 0);
        ofOne[rank] = model.second->weight.grad().clone();
    });
    QCOMPARE(thrown, std::vector<std::string>(2));
    QCOMPARE(defined, std::vector<int>(2));
    Model alone(0);
    lossOf(alone, 0).backward();
    for (const torch::Tensor& gradient : ofOne)
        QVERIFY(torch::allclose(gradient, alone.second->weight.grad() / 2, 1e-5, 1e-6));
}

void TstGradientSync::parameterOfAnEarlierMicroBatch_isReduced()
{
    std::vector<torch::Tensor> found(2);
    const auto thrown = Ranks(2).run([&](Group& group) {
        Model model(0);
        GradientSync sync(group, model.parameters(), {}, { .findUnusedParameters = true });
        for (int window = 0; window < 3; ++window) {
            sync.zeroGradients();
            lossOf(model, group.rank()).backward(); // accumulates only
            sync.beforeForward();
            const torch::Tensor loss = model.first->forward(inputOf(group.rank())).sum();
            sync.beforeBackward(loss);
            loss.backward();
        }
        found[static_cast<size_t>(group.rank())] = model.second->weight.grad().clone();
    });
    QCOMPARE(thrown, std::vector<std::string>(2));
    torch::Tensor mean = torch::zeros({ 2, 3 });
    for (int rank = 0; rank < 2; ++rank) {
        Model alone(0);
        lossOf(alone, rank).backward();
        mean += alone.second->weight.grad() / 2;
    }
    for (const torch::Tensor& gradient : found)
        QVERIFY(torch::allclose(gradient, mean, 1e-5, 1e-6));
}

void TstGradientSync::parametersThatGoUnusedLater_areExpectedFromThen()
{
    std::vector<torch::Tensor> found(2);
    const auto thrown = Ranks(2).run([&](Group& group) {
        Model model(0);
        GradientSync sync(group, model.parameters(), {}, {});
        TORCH_CHECK(!sync.expectsUnused());
        for (int i = 0; i < 2; ++i)
            step(sync, model, group.rank(), true);
        sync.expectUnused();
        TORCH_CHECK(sync.expectsUnused());
        for (const bool isUsed : { false, true, false })
            step(sync, model, group.rank(), isUsed);
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

void TstGradientSync::rankAlone_reducesWhereAskedTo_data()
{
    QTest::addColumn<bool>("reducesAlone");
    QTest::newRow("alone") << false;
    QTest::newRow("as one of several") << true;
}

void TstGradientSync::rankAlone_reducesWhereAskedTo()
{
    QFETCH(bool, reducesAlone);
    uint64_t reductions = 0;
    int wrong = 0;
    bool isLeft = false; // a gradient, by zeroGradients()
    std::string differs = "not compared";
    const torch::Tensor expected = gradientAlone(0, true);
    const auto thrown = Ranks(1).run(
        [&](Group& group) {
            Model model(0);
            GradientSync sync(group, model.parameters(), {}, {});
            sync.orderBuckets({ 3, 2, 1, 0 });
            const uint64_t before = collectives(group);
            for (int step = 0; step < 3; ++step) {
                reducedStep(sync, model, 0);
                wrong += torch::equal(model.first->weight.grad(), expected) ? 0 : 1;
            }
            reductions = collectives(group) - before;
            sync.zeroGradients();
            isLeft = model.first->weight.grad().defined();
            differs = distributed::compareReplicas(group, model.parameters());
        },
        { .reducesAlone = reducesAlone });
    QCOMPARE(thrown, std::vector<std::string>(1));
    QCOMPARE(wrong, 0);
    QCOMPARE(reductions > 0, reducesAlone);
    QCOMPARE(isLeft, reducesAlone);
    QCOMPARE(differs, std::string());
}

/// What it does to the gradients of several ranks it does to those of one.
void TstGradientSync::hookOfARankAlone_roundsItsGradients()
{
    torch::Tensor found;
    const auto thrown = Ranks(1).run([&](Group& group) {
        Model model(0);
        GradientSync sync(
            group, model.parameters(), {}, { .commHook = distributed::CommHook::Bf16 });
        reducedStep(sync, model, 0);
        found = model.first->weight.grad().clone();
    });
    QCOMPARE(thrown, std::vector<std::string>(1));
    const torch::Tensor expected = gradientAlone(0, true);
    QVERIFY(torch::equal(found, expected.to(torch::kBFloat16).to(torch::kFloat)));
    QVERIFY(!torch::equal(found, expected));
}

EARWRIGHT_TEST(TstGradientSync)
#include "tst_gradient_sync.moc"
