// SPDX-License-Identifier: Apache-2.0
#include "case/expression.h"

#include "core/error.h"
#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <muParser.h>
#include <numbers>
#include <optional>
#include <random>

namespace sluice {

namespace {

// An expression longer or deeper than this is not geometry; it is there to exhaust the parser's stack.
constexpr std::size_t max_expression_length = 4096;
constexpr int max_nesting = 64;
constexpr std::size_t max_variables = 100000;

double degrees(double a) { return a * std::numbers::pi / 180; }

void define_constants_and_rounding(mu::Parser& parser) {
    parser.DefineFun(
        "pi", +[]() { return std::numbers::pi; });
    parser.DefineFun(
        "e", +[]() { return std::numbers::e; });
    parser.DefineFun(
        "float", +[](double a) { return double(float(a)); });
    parser.DefineFun(
        "int", +[](double a) { return std::trunc(a); });
    parser.DefineFun(
        "floor", +[](double a) { return std::floor(a); });
    parser.DefineFun(
        "ceil", +[](double a) { return std::ceil(a); });
    parser.DefineFun(
        "round", +[](double a) { return std::round(a); });
    parser.DefineFun(
        "eval", +[](double c, double a, double b) { return c != 0 ? a : b; });
    parser.DefineFun(
        "fmod", +[](double a, double b) { return std::fmod(a, b); });
    parser.DefineFun(
        "fmodr", +[](double a, double b) { return std::round(std::fmod(a, b)); });
    parser.DefineFun(
        "pow", +[](double a, double b) { return std::pow(a, b); });
    parser.DefineFun(
        "log", +[](double a) { return std::log(a); });
}

/// The plane nearest to x of those dp apart, one of which is at origin.
double nearest_plane(double x, double origin, double dp) { return origin + dp * std::round((x - origin) / dp); }

void define_trigonometry(mu::Parser& parser) {
    parser.DefineFun(
        "sindg", +[](double a) { return std::sin(degrees(a)); });
    parser.DefineFun(
        "cosdg", +[](double a) { return std::cos(degrees(a)); });
    parser.DefineFun(
        "tandg", +[](double a) { return std::tan(degrees(a)); });
    parser.DefineFun("roundpos", nearest_plane);
    parser.DefineFun(
        "roundto", +[](double dp, double origin, double x) { return nearest_plane(x, origin, dp); });
    // Airy's dispersion relation, by fixed-point iteration from the deep-water length (converges for any depth).
    parser.DefineFun(
        "wavelength", +[](double gravity, double depth, double period) {
            const double deep = std::abs(gravity) * period * period / (2 * std::numbers::pi);
            double length = deep;
            for (int i = 0; i < 500; ++i)
                length = 0.5 * (length + deep * std::tanh(2 * std::numbers::pi * depth / length));
            return length;
        });
}

// The parser's functions have no state of their own; each case begins its numbers anew.
thread_local std::mt19937 random_numbers;

double random_between(double low, double high) {
    return std::uniform_real_distribution<double>(0, 1)(random_numbers) * (high - low) + low;
}

void define_random(mu::Parser& parser) {
    constexpr bool may_fold = false;
    parser.DefineFun(
        "randinit",
        +[](double seed) {
            random_numbers.seed(static_cast<unsigned>(std::clamp(std::abs(seed), 0.0, 4e9)));
            return 0.0;
        },
        may_fold);
    parser.DefineFun(
        "rand",
        +[](const double* a, int count) {
            if (count > 2) throw mu::Parser::exception_type("rand takes one limit or two");
            return count == 1 ? random_between(0, a[0]) : random_between(a[0], a[1]);
        },
        may_fold);
    parser.DefineFun(
        "randint", +[](double a, double b) { return std::floor(random_between(std::ceil(a), std::floor(b) + 1)); },
        may_fold);
}

/// What only case files write, as the parser has it: @@ for &&, which XML would have to escape; roundposx(p),
/// roundposy(p) and roundposz(p) as roundpos with the lattice of the case.
std::string as_parsed(std::string text) {
    for (auto at = text.find("@@"); at != std::string::npos; at = text.find("@@", at)) text.replace(at, 2, "&&");
    for (const char axis : {'x', 'y', 'z'}) {
        const std::string name = fmt::format("roundpos{}(", axis), full = fmt::format("roundto(Dp,PosRef_{},", axis);
        for (auto at = text.find(name); at != std::string::npos; at = text.find(name, at + full.size()))
            text.replace(at, name.size(), full);
    }
    return text;
}

mu::Parser make_parser() {
    mu::Parser parser;
    parser.ResetLocale(); // a decimal point, whatever the user's language
    define_constants_and_rounding(parser);
    define_trigonometry(parser);
    define_random(parser);
    return parser;
}

void check_size(std::string_view text) {
    if (text.size() > max_expression_length)
        throw InputError(
            fmt::format("the expression is too long ({} characters), use variables for its parts", text.size()));
    int depth = 0;
    for (char c : text) {
        if (c == '(' || c == '[') ++depth;
        if (c == ')' || c == ']') --depth;
        if (depth > max_nesting) throw InputError("the expression is nested too deeply, use variables for its parts");
    }
}

std::size_t closing_bracket(std::string_view text, std::size_t open) {
    int depth = 0;
    for (std::size_t i = open; i < text.size(); ++i) {
        if (text[i] == '[') ++depth;
        if (text[i] == ']' && --depth == 0) return i;
    }
    throw InputError(fmt::format("'[' without ']' in \"{}\"", text));
}

/// Wildcards * and ?; linear but for the last star, so that no pattern is slow.
bool matches(std::string_view name, std::string_view pattern) {
    std::size_t n = 0, p = 0, star = std::string_view::npos, resume = 0;
    while (n < name.size()) {
        if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == name[n])) {
            ++n;
            ++p;
        } else if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            resume = n;
        } else if (star != std::string_view::npos) {
            p = star + 1;
            n = ++resume;
        } else
            return false;
    }
    return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

} // namespace

std::string to_lower(std::string_view text) {
    std::string out(text);
    for (char& c : out) c = (c >= 'A' && c <= 'Z') ? char(c - 'A' + 'a') : c;
    return out;
}

namespace {
/// A plain number; the quick way for most expressions.
std::optional<double> parse_literal(std::string_view text) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
    return value;
}
} // namespace

double parse_number(std::string_view text) {
    std::string_view t = trim(text);
    if (!t.empty() && t[0] == '+') t.remove_prefix(1);
    double value = 0;
    const auto [end, error] = std::from_chars(t.data(), t.data() + t.size(), value);
    if (error == std::errc::result_out_of_range || (error == std::errc{} && !std::isfinite(value)))
        throw InputError(fmt::format("\"{}\" is not a finite number", text));
    if (error != std::errc{} || end != t.data() + t.size())
        throw InputError(
            fmt::format("\"{}\" is not a number, write it like 0.5 or 1e-3, or start an expression with '#'", text));
    return value;
}

std::string format_number(double value) { return fmt::format("{}", value); }

std::string Variables::resolve_arrays(std::string_view expression) const {
    std::string out;
    for (std::size_t i = 0; i < expression.size(); ++i) {
        if (expression[i] != '[') {
            out += expression[i];
            continue;
        }
        const std::size_t end = closing_bracket(expression, i);
        const double index = evaluate(std::string(expression.substr(i + 1, end - i - 1)));
        out += fmt::format("{}", std::llround(index));
        i = end;
    }
    return out;
}

std::string Variables::other_case_of(const std::string& name) const {
    if (name.empty()) return "";
    for (const auto& [known, number] : numbers_)
        if (to_lower(known) == to_lower(name)) return fmt::format(" (capitals count: there is {})", known);
    return "";
}

void restart_random_numbers() { random_numbers.seed(0); }

double Variables::evaluate(const std::string& expression) const {
    check_size(expression);
    if (const auto literal = parse_literal(trim(expression))) return *literal;
    const std::string text = as_parsed(resolve_arrays(trim(expression)));
    try {
        mu::Parser parser = make_parser();
        for (const auto& [name, number] : numbers_) {
            if (text.find(name) != std::string::npos) parser.DefineConst(name, number.value);
        }
        parser.DefineConst("true", 1);
        parser.DefineConst("false", 0);
        parser.DefineConst("TRUE", 1);
        parser.DefineConst("FALSE", 0);
        parser.SetExpr(text);
        const double value = parser.Eval();
        if (parser.GetNumResults() > 1)
            throw InputError(fmt::format("\"{}\" is {} values parted by commas: write numbers with a point, as 0.5",
                                         expression, parser.GetNumResults()));
        if (!std::isfinite(value)) throw InputError(fmt::format("\"{}\" has no finite value", expression));
        return value;
    } catch (const mu::Parser::exception_type& e) {
        throw InputError(
            fmt::format("cannot evaluate \"{}\": {}{}", expression, e.GetMsg(), other_case_of(e.GetToken())));
    }
}

std::string Variables::substitute(const std::string& text) const {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '$' && i + 1 < text.size() && text[i + 1] == '[') continue;
        if (text[i] != '[') {
            out += text[i];
            continue;
        }
        const std::size_t end = closing_bracket(text, i);
        const std::string inside = substitute(text.substr(i + 1, end - i - 1));
        const auto found = texts_.find(std::string(trim(inside)));
        out += found != texts_.end() ? found->second : format_number(evaluate(inside));
        if (out.size() > (1u << 20)) throw InputError("the text grows beyond 1 MiB");
        i = end;
    }
    return out;
}

void Variables::set(const std::string& name, double value, bool constant) {
    if (name.empty() || !(std::isalpha(static_cast<unsigned char>(name[0])) || name[0] == '_'))
        throw InputError(fmt::format("\"{}\" is not a name for a variable", name));
    if (numbers_.size() >= max_variables) throw InputError(fmt::format("more than {} variables", max_variables));
    numbers_[name] = {value, constant};
}

void Variables::set_text(const std::string& name, const std::string& value) {
    if (texts_.size() >= max_variables) throw InputError(fmt::format("more than {} variables", max_variables));
    texts_[name] = value;
}

bool Variables::has(const std::string& name) const { return numbers_.contains(name); }

bool Variables::is_constant(const std::string& name) const {
    const auto found = numbers_.find(name);
    return found != numbers_.end() && found->second.constant;
}

void Variables::erase(const std::string& pattern) {
    const std::string p(trim(pattern));
    std::erase_if(numbers_, [&](const auto& v) { return !v.second.constant && matches(v.first, p); });
    std::erase_if(texts_, [&](const auto& v) { return matches(v.first, p); });
}

} // namespace sluice
