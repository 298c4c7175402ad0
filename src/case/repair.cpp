// SPDX-License-Identifier: Apache-2.0
#include "case/repair.h"

#include <algorithm>
#include <cctype>

namespace sluice {

namespace {

class Repairer {
public:
    Repairer(const std::string& text, std::vector<Repair>& repairs) : text_(text), repairs_(repairs) {
        out_.reserve(text.size() + 64);
    }

    std::string run() {
        if (starts("\xEF\xBB\xBF")) at_ = 3; // byte order mark
        while (at_ < text_.size()) {
            if (starts("<!--"))
                comment();
            else if (starts("<?"))
                declaration();
            else if (text_[at_] == '<' && tag_begins(at_ + 1))
                tag();
            else if (text_[at_] == '<' && !starts("<!"))
                lone_bracket();
            else
                copy();
        }
        return std::move(out_);
    }

private:
    bool starts(const char* word) const { return text_.compare(at_, std::char_traits<char>::length(word), word) == 0; }
    bool tag_begins(std::size_t i) const {
        if (i < text_.size() && text_[i] == '/') ++i;
        return i < text_.size() && (std::isalpha(static_cast<unsigned char>(text_[i])) || text_[i] == '_');
    }
    void copy() {
        if (text_[at_] == '\n')
            ++line_;
        else if (!std::isspace(static_cast<unsigned char>(text_[at_])))
            begun_ = true;
        out_ += text_[at_++];
    }
    void note(std::string what) {
        if (repairs_.size() < 100) repairs_.push_back({line_, std::move(what)});
    }

    void comment() {
        const std::size_t end = std::min(text_.find("-->", at_ + 4), text_.size());
        // "--->" as an end is common in the field's files and does no harm.
        const std::size_t dashes = text_.find("--", at_ + 4);
        const bool ruler = dashes < end && text_.find_first_not_of('-', dashes) >= end;
        if (dashes < end && !ruler && text_[at_ + 4] != '-') note("\"--\" inside a comment");
        const std::size_t stop = std::min(end + 3, text_.size());
        begun_ = true;
        while (at_ < stop) copy();
    }

    void declaration() {
        const std::size_t end = text_.find("?>", at_);
        if (end == std::string::npos) return copy();
        const bool late = begun_;
        if (late) note("the XML declaration is not at the beginning of the file");
        while (at_ < end + 2) {
            if (late && text_[at_] != '\n') {
                ++at_;
                continue;
            }
            copy();
        }
    }

    void lone_bracket() {
        note("\"<\" in text, write &lt;");
        out_ += "&lt;";
        ++at_;
    }

    void tag() {
        begun_ = true;
        copy();
        while (at_ < text_.size() && text_[at_] != '>') {
            const char c = text_[at_];
            if (c == '"' || c == '\'')
                quoted(c);
            else
                copy();
        }
    }

    void quoted(char quote) {
        const std::size_t end = text_.find(quote, at_ + 1);
        copy();
        if (end == std::string::npos) return;
        while (at_ < end) {
            if (text_[at_] == '<') {
                note("\"<\" in an attribute, write &lt;");
                out_ += "&lt;";
                ++at_;
            } else
                copy();
        }
        copy();
        const char next = at_ < text_.size() ? text_[at_] : '>';
        if (!std::isspace(static_cast<unsigned char>(next)) && next != '>' && next != '/' && next != '?') {
            note("no blank between two attributes");
            out_ += ' ';
        }
    }

    const std::string& text_;
    std::vector<Repair>& repairs_;
    std::string out_;
    std::size_t at_ = 0;
    int line_ = 1;
    bool begun_ = false;
};

} // namespace

std::string repair_xml(const std::string& text, std::vector<Repair>& repairs) { return Repairer(text, repairs).run(); }

} // namespace sluice
