#pragma once

#include "core/run/snapshot.h"

#include <cstdio>
#include <string>

namespace earwright::run {

/// Everything that a snapshot holds, a line each, every bit of its numbers: for comparing.
inline std::string asText(const Snapshot& s)
{
    std::string text;
    const auto line = [&](const char* name, auto... values) {
        char buffer[256] = {};
        std::string out = name;
        ((std::snprintf(buffer, sizeof(buffer), " %a", static_cast<double>(values)), out += buffer),
            ...);
        text += out + "\n";
    };
    text += stateName(s.state) + " " + s.phase + " " + s.error + "\n";
    line("times", s.startTime, s.attemptTime, s.lastTime, s.workSeconds, s.phaseTime,
        s.evaluationSeconds, s.etaSeconds);
    line("steps", s.epoch, s.step, s.totalSteps, s.itPerSecond, s.resumePending);
    const auto list = [&](const auto& payloads) {
        for (const auto& payload : payloads)
            text += payloadToJson(payload) + "\n";
    };
    list(std::vector { s.started });
    list(s.evaluations);
    list(s.checkpoints);
    list(s.nonFinite);
    list(s.lossScales);
    list(s.census);
    list(s.restarts);
    list(s.batchSplits);
    list(s.damage);
    for (const LogLine& entry : s.log) {
        line("log", entry.wallTime, entry.rank);
        text += entry.level + " " + entry.text + "\n";
    }
    for (const Mark& mark : s.marks) {
        line("mark", mark.step, mark.begin, mark.end);
        text += mark.kind + " " + mark.detail + "\n";
    }
    for (const auto& [tag, series] : s.series) {
        line(tag.c_str(), series.nonFiniteCount());
        for (const Point& point : series.points())
            line("point", point.step, point.wallTime, point.value);
    }
    return text;
}

} // namespace earwright::run
