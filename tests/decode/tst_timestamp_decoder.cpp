#include "core/decode/timestamp_decoder.h"

#include "core/base/file.h"
#include "tests/registry.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <QTest>
#include <torch/utils.h>

using namespace earwright;

namespace {

const char* const kRecordedRules = EARWRIGHT_CASES_DIR "/decode/timestamps/rules.json";

torch::Tensor tensorOf(const nlohmann::json& rows)
{
    std::vector<torch::Tensor> tensors;
    for (const auto& row : rows)
        tensors.push_back(torch::tensor(row.get<std::vector<float>>()));
    return torch::stack(tensors);
}

torch::Tensor tokensOf(const nlohmann::json& tokens)
{
    return torch::tensor(tokens.get<std::vector<int64_t>>(), torch::kInt64);
}

/// "01…" for each row: 1 where a token is left.
std::vector<std::string> leftOf(const torch::Tensor& logits_NV)
{
    std::vector<std::string> rows;
    for (int64_t row = 0; row < logits_NV.size(0); ++row) {
        std::string left;
        for (int64_t token = 0; token < logits_NV.size(1); ++token)
            left += std::isinf(logits_NV[row][token].item<float>()) ? '0' : '1';
        rows.push_back(left);
    }
    return rows;
}

/// Gives what was recorded, its rows as they are asked for.
class RecordedDecoder final : public decode::StepDecoder {
public:
    explicit RecordedDecoder(const nlohmann::json& steps)
        : m_steps(steps)
    {
    }
    void start(const torch::Tensor&, const torch::Tensor&, int64_t) override
    {
        m_step = 0;
        m_rows_N = torch::arange(tensorOf(m_steps[0].at("logits")).size(0));
    }
    torch::Tensor next(const torch::Tensor&) override
    {
        return tensorOf(m_steps[m_step++].at("logits")).index_select(0, m_rows_N);
    }
    void reorder(const torch::Tensor& rows_N) override
    {
        m_rows_N = m_rows_N.index_select(0, rows_N);
    }

private:
    const nlohmann::json& m_steps;
    size_t m_step = 0;
    torch::Tensor m_rows_N;
};

} // namespace

/// Against WhisperTimeStampLogitsProcessor of `transformers` (write_timestamps.py).
class TstTimestampDecoder final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        const Result<std::string> text = readFile(kRecordedRules);
        QVERIFY2(text, text ? "" : text.error().message.c_str());
        m_recorded = nlohmann::json::parse(*text);
        m_tokens.endOfText = m_recorded.at("end");
        m_tokens.noTimestamps = m_recorded.at("no_timestamps");
        m_tokens.firstTimestamp = m_tokens.noTimestamps + 1;
    }

    void tokens_areLeftAsUpstream()
    {
        RecordedDecoder recorded(steps());
        decode::TimestampDecoder decoder(recorded, m_tokens);
        for (int time = 0; time < 2; ++time) { // the second batch knows nothing of the first
            decoder.start(torch::zeros({ 5, 1, 1 }), {}, 1);
            torch::Tensor tokens_N = torch::full({ 5 }, m_tokens.endOfText + 1, torch::kInt64);
            for (const auto& step : steps()) {
                const torch::Tensor logits_NV = decoder.next(tokens_N);
                QCOMPARE(leftOf(logits_NV), step.at("left").get<std::vector<std::string>>());
                tokens_N = tokensOf(step.at("tokens"));
                QVERIFY(torch::equal(logits_NV.argmax(-1), tokens_N));
            }
        }
    }

    void beams_moveWithTheirTimes()
    {
        RecordedDecoder recorded(steps());
        decode::TimestampDecoder decoder(recorded, m_tokens);
        decoder.start(torch::zeros({ 5, 1, 1 }), {}, 1);
        torch::Tensor rows_N = torch::arange(5);
        torch::Tensor tokens_N = torch::full({ 5 }, m_tokens.endOfText + 1, torch::kInt64);
        const torch::Tensor order_N = torch::tensor({ 4, 2, 0, 0, 3 });
        for (const auto& step : steps()) {
            const torch::Tensor logits_NV = decoder.next(tokens_N);
            std::vector<std::string> expected;
            for (int64_t row = 0; row < 5; ++row)
                expected.push_back(step.at("left").at(size_t(rows_N[row].item<int64_t>())));
            QCOMPARE(leftOf(logits_NV), expected);
            decoder.reorder(order_N);
            rows_N = rows_N.index_select(0, order_N);
            tokens_N = tokensOf(step.at("tokens")).index_select(0, rows_N);
        }
    }

private:
    const nlohmann::json& steps() const { return m_recorded.at("steps"); }

    nlohmann::json m_recorded;
    data::WhisperTokens m_tokens;
};

EARWRIGHT_TEST(TstTimestampDecoder)
#include "tst_timestamp_decoder.moc"
