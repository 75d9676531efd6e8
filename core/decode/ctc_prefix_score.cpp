#include "core/decode/ctc_prefix_score.h"

#include "core/decode/log_add.h"

#include <algorithm>
#include <cmath>
#include <torch/utils.h>

namespace earwright::decode {

namespace {

constexpr double kNone = -std::numeric_limits<double>::infinity();

/// Below it a sum of products has lost digits, or all of them, to the range of float64.
constexpr double kSmall = 1e-280;

float stored(double logProb)
{
    return std::max(static_cast<float>(logProb), CtcPrefixScore::kNever);
}

} // namespace

double CtcPrefixScore::Forward::sum(size_t frame) const
{
    return logAdd(token[frame], blank[frame]);
}

CtcPrefixScore::CtcPrefixScore(const torch::Tensor& logProbs_BTV, const torch::Tensor& frames_B,
    int64_t blankIndex, int64_t eosIndex)
    : m_logProbs_BTV(logProbs_BTV.detach().to(torch::kCPU, torch::kFloat32).contiguous())
    , m_width(logProbs_BTV.size(2))
    , m_blank(blankIndex)
    , m_eos(eosIndex)
{
    const torch::NoGradGuard noGrad;
    for (int64_t b = 0; b < m_logProbs_BTV.size(0); ++b) {
        const int64_t frames
            = std::clamp<int64_t>(frames_B[b].item<int64_t>(), 1, m_logProbs_BTV.size(1));
        const torch::Tensor own_TV = m_logProbs_BTV[b].narrow(0, 0, frames);
        m_rows.push_back({ .probs_TV = own_TV.to(torch::kFloat64).exp(),
            .logProbs = own_TV.const_data_ptr<float>(),
            .frames = frames });
    }
}

const CtcPrefixScore::Row& CtcPrefixScore::rowOf(int64_t prefix) const
{
    return m_rows[static_cast<size_t>(prefix / m_beams)];
}

void CtcPrefixScore::begin(int64_t prefixes)
{
    m_beams = prefixes / std::ssize(m_rows);
    m_reached.assign(static_cast<size_t>(prefixes), 0.0F);
    for (int64_t prefix = 0; prefix < prefixes; ++prefix) {
        const Row& row = rowOf(prefix);
        Forward empty { std::vector<double>(static_cast<size_t>(row.frames), kNone), {} };
        double blanks = 0;
        for (int64_t t = 0; t < row.frames; ++t)
            empty.blank.push_back(blanks += row.logProbs[t * m_width + m_blank]);
        m_forward.push_back(std::move(empty));
    }
}

std::vector<double> CtcPrefixScore::before(int64_t prefix, bool isRepeat) const
{
    const Forward& forward = m_forward[static_cast<size_t>(prefix)];
    std::vector<double> before(forward.blank.size(), kNone);
    for (auto t = static_cast<size_t>(std::max<int64_t>(1, m_length)); t < before.size(); ++t)
        before[t] = isRepeat ? forward.blank[t - 1] : forward.sum(t - 1);
    if (m_length == 0)
        before[0] = 0; // the empty prefix, before the first frame
    return before;
}

double CtcPrefixScore::sumOver(
    const Row& row, const std::vector<double>& before, int64_t token) const
{
    double sum = kNone;
    for (size_t t = 0; t < before.size(); ++t)
        sum = logAdd(sum,
            before[t]
                + static_cast<double>(row.logProbs[static_cast<int64_t>(t) * m_width + token]));
    return sum;
}

void CtcPrefixScore::scoreRow(int64_t rowIndex, const int64_t* tokens)
{
    const Row& row = m_rows[static_cast<size_t>(rowIndex)];
    torch::Tensor weights_KT = torch::empty({ m_beams, row.frames }, torch::kFloat64);
    std::vector<std::vector<double>> befores;
    std::vector<double> scales;
    for (int64_t k = 0; k < m_beams; ++k) {
        befores.push_back(before(rowIndex * m_beams + k, false));
        const double scale = *std::max_element(befores.back().begin(), befores.back().end());
        scales.push_back(scale == kNone ? 0 : scale);
        double* weights = weights_KT.data_ptr<double>() + k * row.frames;
        for (size_t t = 0; t < befores.back().size(); ++t)
            weights[t] = std::exp(befores.back()[t] - scales.back());
    }
    const torch::Tensor sums_KV = weights_KT.matmul(row.probs_TV);
    for (int64_t k = 0; k < m_beams; ++k) {
        const int64_t prefix = rowIndex * m_beams + k;
        const auto place = static_cast<size_t>(k);
        const double* sums = sums_KV.const_data_ptr<double>() + k * m_width;
        float* psi = m_psi_NV.data_ptr<float>() + prefix * m_width;
        const bool isReached = weights_KT[k].any().item<bool>();
        for (int64_t token = 0; token < m_width; ++token) {
            if (sums[token] > kSmall)
                psi[token] = stored(scales[place] + std::log(sums[token]));
            else
                psi[token] = isReached ? stored(sumOver(row, befores[place], token)) : kNever;
        }
        const int64_t last = tokens[prefix];
        if (last >= 0 && last < m_width)
            psi[last] = stored(sumOver(row, before(prefix, true), last));
        psi[m_eos] = stored(
            m_forward[static_cast<size_t>(prefix)].sum(static_cast<size_t>(row.frames - 1)));
        if (m_eos != m_blank)
            psi[m_blank] = kNever;
    }
}

torch::Tensor CtcPrefixScore::score(
    const torch::Tensor& tokens_N, const torch::Tensor& candidates_NC)
{
    const torch::NoGradGuard noGrad;
    if (m_forward.empty())
        begin(tokens_N.size(0));
    ++m_length;
    const torch::Tensor last_N = tokens_N.to(torch::kCPU, torch::kInt64).contiguous();
    m_last.assign(
        last_N.const_data_ptr<int64_t>(), last_N.const_data_ptr<int64_t>() + last_N.numel());
    m_psi_NV = torch::empty({ last_N.size(0), m_width }, torch::kFloat32);
    for (int64_t row = 0; row < std::ssize(m_rows); ++row)
        scoreRow(row, m_last.data());
    if (candidates_NC.defined()) {
        const torch::Tensor asked_NV = torch::zeros_like(m_psi_NV, torch::kBool)
                                           .scatter_(1, candidates_NC.to(torch::kCPU), true);
        asked_NV.select(1, m_eos).fill_(true);
        m_psi_NV = m_psi_NV.masked_fill(asked_NV.logical_not(), kNever);
    }
    const torch::Tensor reached_N
        = torch::from_blob(m_reached.data(), { std::ssize(m_reached) }, torch::kFloat32);
    return m_psi_NV - reached_N.unsqueeze(1);
}

CtcPrefixScore::Forward CtcPrefixScore::extend(int64_t prefix, int64_t token) const
{
    const Row& row = rowOf(prefix);
    const std::vector<double> from = before(prefix, m_last[static_cast<size_t>(prefix)] == token);
    Forward forward { std::vector<double>(from.size(), kNone),
        std::vector<double>(from.size(), kNone) };
    for (size_t t = 0; t < from.size(); ++t) {
        const float* frame = row.logProbs + static_cast<int64_t>(t) * m_width;
        const double stayed = t == 0 ? kNone : forward.token[t - 1];
        const double ended = t == 0 ? kNone : forward.sum(t - 1);
        forward.token[t] = logAdd(stayed, from[t]) + static_cast<double>(frame[token]);
        forward.blank[t] = ended + static_cast<double>(frame[m_blank]);
    }
    return forward;
}

void CtcPrefixScore::keep(const torch::Tensor& chosen_BK)
{
    const torch::Tensor chosen = chosen_BK.to(torch::kCPU, torch::kInt64).contiguous();
    std::vector<Forward> forward;
    std::vector<float> reached;
    for (int64_t place = 0; place < chosen.numel(); ++place) {
        const int64_t choice = chosen.const_data_ptr<int64_t>()[place];
        const int64_t prefix = place / m_beams * m_beams + choice / m_width;
        forward.push_back(extend(prefix, choice % m_width));
        reached.push_back(m_psi_NV.const_data_ptr<float>()[prefix * m_width + choice % m_width]);
    }
    m_forward = std::move(forward);
    m_reached = std::move(reached);
}

} // namespace earwright::decode
