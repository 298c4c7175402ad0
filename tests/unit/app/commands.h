// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "../setup/case_book.h"
#include "app/command_line.h"
#include "core/log.h"
#include "temporary_folder.h"
#include <algorithm>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <numeric>
#include <set>
#include <spdlog/sinks/ostream_sink.h>

// Commands as a user calls them, in this process: what they say, and the tables that they leave.

namespace sluice::test {

inline std::vector<std::string> lines_of(std::istream&& in) {
    std::vector<std::string> lines;
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

inline std::string joined(const std::vector<std::string>& lines) {
    return std::accumulate(lines.begin(), lines.end(), std::string(),
                           [](const std::string& all, const std::string& line) { return all + line + "\n"; });
}

/// What a program says while it does its work.
class Terminal {
public:
    Terminal() : before_(spdlog::default_logger()) {
        spdlog::set_default_logger(
            std::make_shared<spdlog::logger>("test", std::make_shared<spdlog::sinks::ostream_sink_mt>(log_)));
        spdlog::set_pattern("%v");
        testing::internal::CaptureStdout();
    }
    ~Terminal() { spdlog::set_default_logger(before_); }

    std::vector<std::string> lines() {
        std::vector<std::string> all = lines_of(std::istringstream(testing::internal::GetCapturedStdout()));
        for (const std::string& line : lines_of(std::istringstream(log_.str()))) all.push_back(line);
        return all;
    }

private:
    std::shared_ptr<spdlog::logger> before_;
    std::ostringstream log_;
};

/// Calls the commands on runs of cases of the case book.
class Commands : public testing::Test {
protected:
    Commands() { book.write_files(data.path()); }

    /// What the command says, without the folder and without what differs from call to call.
    std::vector<std::string> command(std::vector<std::string> words) {
        words.insert(words.begin(), "sluice");
        std::vector<char*> arguments;
        for (std::string& word : words) arguments.push_back(word.data());
        std::vector<std::string> lines;
        {
            Terminal terminal;
            try {
                const int code = run_command_line(static_cast<int>(arguments.size()), arguments.data(), nullptr);
                if (code != 0) lines.push_back(fmt::format("exit code {}", code));
            } catch (const std::exception& error) {
                lines.push_back(std::string("stops: ") + error.what());
            }
            for (const std::string& line : terminal.lines()) lines.push_back(line);
        }
        for (std::string& line : lines)
            for (auto at = line.find(data.path()); at != line.npos; at = line.find(data.path()))
                line.erase(at, data.path().string().size() + 1);
        return lines;
    }
    /// Adds all tables below a folder, of a long one some rows.
    static void add_tables(std::vector<std::string>& lines, const std::filesystem::path& folder) {
        std::set<std::filesystem::path> tables;
        for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
            if (entry.path().extension() == ".csv") tables.insert(entry.path());
        for (const std::filesystem::path& table : tables) {
            lines.push_back("-- " + table.lexically_relative(folder).string());
            std::vector<std::string> rows = lines_of(std::ifstream(table));
            std::erase_if(rows, [](const std::string& row) { return row.starts_with('#'); });
            lines.push_back(fmt::format("{} rows", rows.size()));
            for (std::size_t n = 0; n < rows.size(); n += 1 + rows.size() / 12) lines.push_back(shortened(rows[n]));
        }
    }
    /// A row without commas, and its numbers with no more digits than are compared.
    static std::string shortened(std::string row) {
        std::ranges::replace(row, ',', ' ');
        std::istringstream words(row);
        std::string out;
        for (std::string word; words >> word;) {
            char* end = nullptr;
            const double number = std::strtod(word.c_str(), &end);
            out += (out.empty() ? "" : " ") + (*end ? word : fmt::format("{:.7g}", number));
        }
        return out;
    }
    /// A run of some steps in a domain with room around the particles; what it says.
    std::vector<std::string> run(const BookCase& c, const std::vector<std::string>& more = {}) {
        std::vector<std::string> blocks = c.blocks;
        const std::string all = text_of(blocks);
        if (all.find("simulationdomain") == all.npos && all.find("Periodic") == all.npos)
            blocks.emplace_back(R"(<parameters><simulationdomain><posmin x="default - 0.5" y="default - 0.4"
z="default - 0.3"/><posmax x="default + 0.6" y="default + 0.7" z="default + 0.8"/></simulationdomain></parameters>)");
        std::ofstream(data.path() / "case.xml") << text_of(blocks);
        std::vector<std::string> words{"run", data.path() / "case.xml", "-o", data.path() / "out", "--overwrite"};
        for (const char* word :
             {"--backend", "cpu", "--threads", "1", "--simd", "off", "--cpu-mode", "symmetric", "-q"})
            words.emplace_back(word);
        words.insert(words.end(), more.begin(), more.end());
        return command(words);
    }
    const BookCase& named(const std::string& name) const {
        return *std::ranges::find_if(book.cases, [&](const BookCase& c) { return c.name == name; });
    }

    Book book;
    TemporaryFolder data;
};

} // namespace sluice::test
