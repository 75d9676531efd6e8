#include "core/train/optim/schedules.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace earwright::train {

using nlohmann::json;

std::string StepSchedule::state() const
{
    return json { { "n_steps", m_steps } }.dump();
}

void StepSchedule::restore(const std::string& state)
{
    m_steps = json::parse(state).at("n_steps");
}

std::string EpochSchedule::state() const
{
    return json { { "n_epochs", m_epochs } }.dump();
}

void EpochSchedule::restore(const std::string& state)
{
    m_epochs = json::parse(state).at("n_epochs");
}

NewBob::NewBob(const catalog::NewBobSchedulerConfig& config)
    : m_config(config)
    , m_rate(config.initialValue)
    , m_patience(config.patient)
{
}

double NewBob::afterEpoch(double, double metric)
{
    if (!m_metrics.empty()) {
        const double before = m_metrics.back();
        const double gain = before == 0 ? 0 : (before - metric) / before;
        const bool isWeak = gain < m_config.improvementThreshold;
        if (isWeak && m_patience == 0) {
            m_rate *= m_config.annealingFactor;
            m_patience = m_config.patient;
        } else if (isWeak) {
            --m_patience;
        }
    }
    m_metrics.push_back(metric);
    return m_rate;
}

std::string NewBob::state() const
{
    // An infinite or NaN metric has no JSON number: null, which reads back as NaN and compares as
    // no gain, like the original.
    return json {
        { "hyperparam_value", m_rate }, { "metric_values", m_metrics },
        { "current_patient", m_patience }
    }.dump();
}

void NewBob::restore(const std::string& state)
{
    const json saved = json::parse(state);
    m_rate = saved.at("hyperparam_value");
    m_patience = saved.at("current_patient");
    m_metrics.clear();
    for (const json& metric : saved.at("metric_values"))
        m_metrics.push_back(metric.is_null() ? std::nan("") : metric.get<double>());
}

bool ReduceOnPlateau::isWorse(double metric)
{
    if (m_epochs <= m_config.dontHalveUntilEpoch) {
        m_anchor = metric;
        return false;
    }
    if (metric <= m_anchor) {
        m_waited = 0;
        m_anchor = metric;
        return false;
    }
    if (m_waited < m_config.patience) {
        ++m_waited;
        return false;
    }
    m_waited = 0;
    return true;
}

double ReduceOnPlateau::afterEpoch(double current, double metric)
{
    ++m_epochs;
    return std::max(isWorse(metric) ? current * m_config.factor : current, m_config.lrMin);
}

std::string ReduceOnPlateau::state() const
{
    return json {
        { "epochs", m_epochs }, { "anchor", m_anchor }, { "patience_counter", m_waited }
    }.dump();
}

void ReduceOnPlateau::restore(const std::string& state)
{
    const json saved = json::parse(state);
    m_epochs = saved.at("epochs");
    m_anchor = saved.at("anchor").is_null() ? std::nan("") : saved.at("anchor").get<double>();
    m_waited = saved.at("patience_counter");
}

double WarmupHoldDecay::rateOf(int64_t step) const
{
    const double part = static_cast<double>(step) / static_cast<double>(m_totalSteps);
    if (part < m_config.warmup)
        return m_peak * part / m_config.warmup;
    const double left = std::clamp(1 - part, 0.0, 1.0);
    if (left >= m_config.decay)
        return m_peak;
    return m_peak * (m_config.final + (1 - m_config.final) * left / m_config.decay);
}

double WarmupHoldDecay::firstRate(double current)
{
    m_peak = current;
    return m_totalSteps > 0 ? rateOf(1) : current;
}

double WarmupHoldDecay::afterStep(double current)
{
    if (m_totalSteps <= 0)
        return current;
    if (m_steps == 0 && m_peak == 0)
        m_peak = current;
    // The rate of the next step, which is number m_steps + 1.
    return rateOf(++m_steps + 1);
}

std::string WarmupHoldDecay::state() const
{
    return json {
        { "n_steps", m_steps }, { "peak", m_peak }, { "total_steps", m_totalSteps }
    }.dump();
}

void WarmupHoldDecay::restore(const std::string& state)
{
    const json saved = json::parse(state);
    m_steps = saved.at("n_steps");
    m_peak = saved.at("peak");
    // A run resumed with more epochs is laid out anew over them.
    if (m_totalSteps <= 0)
        m_totalSteps = saved.at("total_steps");
}

double WarmupLr::rate() const
{
    const auto step = static_cast<double>(m_steps + 1);
    return m_peak * std::sqrt(m_config.warmupSteps)
        * std::min(std::pow(step, -0.5), step * std::pow(m_config.warmupSteps, -1.5));
}

double WarmupLr::firstRate(double current)
{
    m_peak = current;
    return rate();
}

double WarmupLr::afterStep(double)
{
    ++m_steps;
    return rate();
}

std::string WarmupLr::state() const
{
    return json { { "n_steps", m_steps }, { "peak", m_peak } }.dump();
}

void WarmupLr::restore(const std::string& state)
{
    const json saved = json::parse(state);
    m_steps = saved.at("n_steps");
    m_peak = saved.at("peak");
}

} // namespace earwright::train
