// SPDX-License-Identifier: Apache-2.0
#include "case/language.h"
#include "case/read_shapes.h"
#include "case/reader.h"

#include <fmt/format.h>
#include <functional>
#include <map>

namespace sluice {

namespace {

/// Runs the lists of commands and writes down what they draw.
class CommandReader {
public:
    CommandReader(CaseReader& reader, const XmlElement& commands) : reader_(reader), commands_(commands) {}

    void read() {
        for (const XmlElement& e : commands_.children())
            if (e.name() != "mainlist" && e.name() != "list")
                e.fail(fmt::format("<commands> has no <{}>, it knows <mainlist> and <list>", e.name()));
        run(commands_.required_child("mainlist"));
    }

private:
    void run(const XmlElement& list) {
        for (const XmlElement& e : list.children()) reader_.collect([&] { command(e); });
    }

    void command(const XmlElement& e) {
        const LanguageEntry* word = find_word(Section::command, e.name());
        if (!word)
            e.fail(fmt::format("there is no drawing command <{}>{}, take it out or put '_' before its name", e.name(),
                               suggest_word(Section::command, e.name())));
        if (word->support == Support::refused)
            e.fail(fmt::format("the drawing command <{}> is not supported; {}", e.name(), word->advice));
        if (word->support == Support::ignored) return;
        add(e, *word);
    }

    void add(const XmlElement& e, const LanguageEntry& word) {
        auto action = read_action(reader_, e);
        if (action) reader_.out.commands.push_back({e.line(), word.name, std::move(*action)});
    }

    CaseReader& reader_;
    const XmlElement& commands_;
};

} // namespace

void read_commands(CaseReader& reader, const XmlElement& geometry) {
    const XmlElement commands = geometry.required_child("commands");
    CommandReader(reader, commands).read();
}

} // namespace sluice
