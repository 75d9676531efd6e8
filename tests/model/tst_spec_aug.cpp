#include <QTest>

#include "core/base/file.h"
#include "core/model/layer_set.h"
#include "core/model/paraformer/spec_aug_lfr.h"
#include "core/recipe/resolve.h"
#include "tests/registry.h"

#include <deque>
#include <nlohmann/json.hpp>

using namespace earwright;
using nlohmann::json;

namespace {

/// Upstream's draws in their order; another question is an error.
class Recorded final : public model::RandomSource {
public:
    explicit Recorded(const json& draws)
        : m_left(draws.begin(), draws.end())
    {
    }
    torch::Tensor integers(int64_t low, int64_t high, at::IntArrayRef shape) override
    {
        TORCH_CHECK(!m_left.empty(), "more draws than upstream's");
        const json draw = m_left.front();
        m_left.pop_front();
        TORCH_CHECK(draw[0] == low && draw[1] == high, "upstream drew ", draw.dump());
        return torch::full(shape, draw[2].get<int64_t>(), torch::kLong);
    }
    bool isUsedUp() const { return m_left.empty(); }

private:
    std::deque<json> m_left;
};

const json& fixture()
{
    static const json kFixture
        = json::parse(*readFile(EARWRIGHT_CASES_DIR "/model/time_warp.json"));
    return kFixture;
}

/// [rows, frames, bins]
torch::Tensor tensorOf(const json& nested)
{
    const auto rows = nested.get<std::vector<std::vector<std::vector<float>>>>();
    std::vector<torch::Tensor> stacked;
    for (const auto& row : rows)
        for (const std::vector<float>& frame : row)
            stacked.push_back(torch::tensor(frame));
    return torch::stack(stacked).view({ std::ssize(rows), std::ssize(rows.front()), -1 });
}

/// The layer of a recipe's object.
std::shared_ptr<model::Layer> specAugOf(const std::string& yaml)
{
    static std::vector<recipe::NodePtr> kept;
    kept.push_back(recipe::find(*recipe::resolve(yaml, "t.yaml", {}).root, "x"));
    std::vector<recipe::Diagnostic> diagnostics;
    const auto layer = model::LayerSet(diagnostics).get(*kept.back());
    if (!layer)
        qFatal("%s", diagnostics.front().message.c_str());
    return layer;
}

} // namespace

class TstSpecAug : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void timeWarp_isUpstreams_data();
    void timeWarp_isUpstreams();
    void evaluation_changesNothing();
    void plainClass_isTheOneOfUnstackedFrames();
    void anArgument_thatDoesNotGoWithAnother_isRefused();
};

void TstSpecAug::timeWarp_isUpstreams_data()
{
    QTest::addColumn<int>("index");
    for (int i = 0; i < static_cast<int>(fixture().at("cases").size()); ++i)
        QTest::newRow(fixture().at("cases")[size_t(i)].at("name").get<std::string>().c_str()) << i;
}

void TstSpecAug::timeWarp_isUpstreams()
{
    QFETCH(int, index);
    const json& one = fixture().at("cases").at(size_t(index));
    catalog::SpecAugLfrConfig config;
    config.applyFreqMask = config.applyTimeMask = false;
    config.timeWarpWindow = one.at("window").get<int64_t>();
    config.timeWarpMode = one.at("mode").get<std::string>();
    const auto random = std::make_shared<Recorded>(one.at("draws"));
    model::SpecAugLfr layer(config, random);
    torch::Tensor x = tensorOf(fixture().at("x"));
    torch::Tensor lengths_B;
    if (!one.at("lengths").is_null()) {
        const auto frames_B
            = torch::tensor(one.at("lengths").get<std::vector<int64_t>>(), torch::kLong);
        x = x * (torch::arange(x.size(1)) < frames_B.unsqueeze(1)).unsqueeze(2);
        lengths_B = frames_B.to(torch::kFloat) / x.size(1);
    }
    const torch::Tensor before = x.clone();
    QVERIFY(torch::allclose(layer.forward(x, lengths_B), tensorOf(one.at("y")), 1e-5, 1e-5));
    QVERIFY(random->isUsedUp());
    QVERIFY2(torch::equal(x, before), "its input was changed");
}

void TstSpecAug::evaluation_changesNothing()
{
    const auto layer = specAugOf("x: !new:funasr.models.specaug.specaug.SpecAug\n"
                                 "    time_mask_width_range: [0, 4]\n");
    const torch::Tensor x = tensorOf(fixture().at("x"));
    layer->eval();
    QVERIFY(torch::equal(layer->forward(x), x));
    layer->train();
    QVERIFY(!torch::equal(layer->forward(x), x));
}

void TstSpecAug::plainClass_isTheOneOfUnstackedFrames()
{
    const std::string arguments = "    time_mask_width_range: [0, 4]\n    num_freq_mask: 1\n"
                                  "    freq_mask_width_range: [0, 3]\n";
    const std::string name = "x: !new:funasr.models.specaug.specaug.SpecAug";
    const torch::Tensor x = tensorOf(fixture().at("x"));
    torch::manual_seed(4);
    const torch::Tensor plain = specAugOf(name + "\n" + arguments)->forward(x);
    torch::manual_seed(4);
    QVERIFY(torch::equal(specAugOf(name + "LFR\n" + arguments)->forward(x), plain));
}

void TstSpecAug::anArgument_thatDoesNotGoWithAnother_isRefused()
{
    const recipe::NodePtr node
        = recipe::find(*recipe::resolve("x: !new:funasr.models.specaug.specaug.SpecAug\n"
                                        "    time_mask_width_range: [5, 5]\n",
                           "t.yaml", {})
                            .root,
            "x");
    std::vector<recipe::Diagnostic> diagnostics;
    QVERIFY(!model::LayerSet(diagnostics).get(*node));
    QCOMPARE(QString::fromStdString(diagnostics.front().message),
        QString("'time_mask_width_range' of SpecAug must be two numbers that rise, or one above "
                "0"));
    QCOMPARE(diagnostics.front().span.begin.line, 2);
}

EARWRIGHT_TEST(TstSpecAug)
#include "tst_spec_aug.moc"
