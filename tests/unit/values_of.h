// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/error.h"
#include "geometry/particle_set.h"
#include "model/particle_groups.h"
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

// What a plain struct holds, as text: one line for each of its values, whatever members it has. A test that compares it
// with a text that was looked through sees every value, also those of members that are added later.

namespace sluice::test {

/// The name of a type without its namespaces, such as "Gauge".
template <class T>
std::string type_name() {
    const std::string_view text = __PRETTY_FUNCTION__;
    const std::size_t begin = text.find("T = ") + 4, end = text.find_first_of(";]", begin);
    const std::string_view name = text.substr(begin, end - begin);
    const std::size_t colon = name.find('<') == name.npos ? name.rfind(':') : name.npos;
    return std::string(colon == name.npos ? name : name.substr(colon + 1));
}

// clang-format off
// E3: initializers of three members, N3: names of three
#define SLUICE_E1 {}
#define SLUICE_E2 SLUICE_E1, {}
#define SLUICE_E3 SLUICE_E2, {}
#define SLUICE_E4 SLUICE_E3, {}
#define SLUICE_E5 SLUICE_E4, {}
#define SLUICE_E6 SLUICE_E5, {}
#define SLUICE_E7 SLUICE_E6, {}
#define SLUICE_E8 SLUICE_E7, {}
#define SLUICE_E9 SLUICE_E8, {}
#define SLUICE_E10 SLUICE_E9, {}
#define SLUICE_E11 SLUICE_E10, {}
#define SLUICE_E12 SLUICE_E11, {}
#define SLUICE_E13 SLUICE_E12, {}
#define SLUICE_E14 SLUICE_E13, {}
#define SLUICE_E15 SLUICE_E14, {}
#define SLUICE_E16 SLUICE_E15, {}
#define SLUICE_E17 SLUICE_E16, {}
#define SLUICE_E18 SLUICE_E17, {}
#define SLUICE_E19 SLUICE_E18, {}
#define SLUICE_E20 SLUICE_E19, {}
#define SLUICE_E21 SLUICE_E20, {}
#define SLUICE_E22 SLUICE_E21, {}
#define SLUICE_E23 SLUICE_E22, {}
#define SLUICE_E24 SLUICE_E23, {}
#define SLUICE_E25 SLUICE_E24, {}
#define SLUICE_E26 SLUICE_E25, {}
#define SLUICE_E27 SLUICE_E26, {}
#define SLUICE_E28 SLUICE_E27, {}
#define SLUICE_E29 SLUICE_E28, {}
#define SLUICE_E30 SLUICE_E29, {}
#define SLUICE_E31 SLUICE_E30, {}
#define SLUICE_E32 SLUICE_E31, {}
#define SLUICE_E33 SLUICE_E32, {}
#define SLUICE_E34 SLUICE_E33, {}
#define SLUICE_E35 SLUICE_E34, {}
#define SLUICE_E36 SLUICE_E35, {}
#define SLUICE_E37 SLUICE_E36, {}
#define SLUICE_E38 SLUICE_E37, {}
#define SLUICE_E39 SLUICE_E38, {}
#define SLUICE_E40 SLUICE_E39, {}
#define SLUICE_E41 SLUICE_E40, {}
#define SLUICE_E42 SLUICE_E41, {}
#define SLUICE_E43 SLUICE_E42, {}
#define SLUICE_E44 SLUICE_E43, {}
#define SLUICE_N1 m1
#define SLUICE_N2 SLUICE_N1, m2
#define SLUICE_N3 SLUICE_N2, m3
#define SLUICE_N4 SLUICE_N3, m4
#define SLUICE_N5 SLUICE_N4, m5
#define SLUICE_N6 SLUICE_N5, m6
#define SLUICE_N7 SLUICE_N6, m7
#define SLUICE_N8 SLUICE_N7, m8
#define SLUICE_N9 SLUICE_N8, m9
#define SLUICE_N10 SLUICE_N9, m10
#define SLUICE_N11 SLUICE_N10, m11
#define SLUICE_N12 SLUICE_N11, m12
#define SLUICE_N13 SLUICE_N12, m13
#define SLUICE_N14 SLUICE_N13, m14
#define SLUICE_N15 SLUICE_N14, m15
#define SLUICE_N16 SLUICE_N15, m16
#define SLUICE_N17 SLUICE_N16, m17
#define SLUICE_N18 SLUICE_N17, m18
#define SLUICE_N19 SLUICE_N18, m19
#define SLUICE_N20 SLUICE_N19, m20
#define SLUICE_N21 SLUICE_N20, m21
#define SLUICE_N22 SLUICE_N21, m22
#define SLUICE_N23 SLUICE_N22, m23
#define SLUICE_N24 SLUICE_N23, m24
#define SLUICE_N25 SLUICE_N24, m25
#define SLUICE_N26 SLUICE_N25, m26
#define SLUICE_N27 SLUICE_N26, m27
#define SLUICE_N28 SLUICE_N27, m28
#define SLUICE_N29 SLUICE_N28, m29
#define SLUICE_N30 SLUICE_N29, m30
#define SLUICE_N31 SLUICE_N30, m31
#define SLUICE_N32 SLUICE_N31, m32
#define SLUICE_N33 SLUICE_N32, m33
#define SLUICE_N34 SLUICE_N33, m34
#define SLUICE_N35 SLUICE_N34, m35
#define SLUICE_N36 SLUICE_N35, m36
#define SLUICE_N37 SLUICE_N36, m37
#define SLUICE_N38 SLUICE_N37, m38
#define SLUICE_N39 SLUICE_N38, m39
#define SLUICE_N40 SLUICE_N39, m40
#define SLUICE_N41 SLUICE_N40, m41
#define SLUICE_N42 SLUICE_N41, m42
#define SLUICE_N43 SLUICE_N42, m43
// clang-format on
#define SLUICE_MEMBERS(count)                                                                                          \
    if constexpr (requires { T{SLUICE_E##count}; }) {                                                                  \
        const auto& [SLUICE_N##count] = value;                                                                         \
        visit(SLUICE_N##count);                                                                                        \
    } else

/// Calls `visit(members…)` of an aggregate of at most 43 members.
template <class T, class Visit>
void visit_members(const T& value, const Visit& visit) {
    static_assert(!requires { T{SLUICE_E44}; });
    // clang-format off
    SLUICE_MEMBERS(43)
    SLUICE_MEMBERS(42)
    SLUICE_MEMBERS(41)
    SLUICE_MEMBERS(40)
    SLUICE_MEMBERS(39)
    SLUICE_MEMBERS(38)
    SLUICE_MEMBERS(37)
    SLUICE_MEMBERS(36)
    SLUICE_MEMBERS(35)
    SLUICE_MEMBERS(34)
    SLUICE_MEMBERS(33)
    SLUICE_MEMBERS(32)
    SLUICE_MEMBERS(31)
    SLUICE_MEMBERS(30)
    SLUICE_MEMBERS(29)
    SLUICE_MEMBERS(28)
    SLUICE_MEMBERS(27)
    SLUICE_MEMBERS(26)
    SLUICE_MEMBERS(25)
    SLUICE_MEMBERS(24)
    SLUICE_MEMBERS(23)
    SLUICE_MEMBERS(22)
    SLUICE_MEMBERS(21)
    SLUICE_MEMBERS(20)
    SLUICE_MEMBERS(19)
    SLUICE_MEMBERS(18)
    SLUICE_MEMBERS(17)
    SLUICE_MEMBERS(16)
    SLUICE_MEMBERS(15)
    SLUICE_MEMBERS(14)
    SLUICE_MEMBERS(13)
    SLUICE_MEMBERS(12)
    SLUICE_MEMBERS(11)
    SLUICE_MEMBERS(10)
    SLUICE_MEMBERS(9)
    SLUICE_MEMBERS(8)
    SLUICE_MEMBERS(7)
    SLUICE_MEMBERS(6)
    SLUICE_MEMBERS(5)
    SLUICE_MEMBERS(4)
    SLUICE_MEMBERS(3)
    SLUICE_MEMBERS(2)
    SLUICE_MEMBERS(1)
    visit();
    // clang-format on
}

template <class T>
concept ListOfValues = requires(const T& t) {
    t.begin();
    t.end();
    t.size();
}
&&!std::is_convertible_v<T, std::string> && !std::is_same_v<T, std::filesystem::path>;

template <class T>
concept IsPair = requires(const T& t) {
    t.first;
    t.second;
};

/// Lines "where: value" of all that `value` holds, with the members of a struct in one where none of them is a struct.
/// Of a long list of plain numbers there are the first, the last, and for each of the numbers of its elements two sums:
/// plain, and weighted by the place in the list.
class Values {
public:
    explicit Values(std::string name) : path_(std::move(name)) {}

    template <class T>
    void put(const T& value) {
        if constexpr (std::is_enum_v<T>) {
            put_number(double(static_cast<std::int64_t>(value)));
        } else if constexpr (std::is_arithmetic_v<T>) {
            put_number(double(value));
        } else if constexpr (std::is_same_v<T, std::filesystem::path>) {
            put_text("\"" + value.filename().string() + "\"");
        } else if constexpr (std::is_convertible_v<T, std::string>) {
            put_text("\"" + std::string(value) + "\"");
        } else if constexpr (std::is_same_v<T, SourceLocation>) {
            put_text(fmt::format("line {}", value.line));
        } else if constexpr (std::is_same_v<T, std::monostate>) {
            put_text("none");
        } else if constexpr (std::is_same_v<T, ParticleGroups>) {
            put(value.all());
        } else if constexpr (std::is_same_v<T, ParticleBlock>) { // the one struct that has a base
            put(static_cast<const ParticleGroup&>(value));
            for (const Vec3d& extent : {value.min, value.max, value.mean, value.deviation}) put(extent);
        } else if constexpr (requires {
                                 value.x;
                                 value.y;
                                 value.z;
                             } &&
                             std::is_trivially_copyable_v<T>) {
            if (numbers_)
                for (const auto component : {value.x, value.y, value.z}) put(component);
            else
                put_text(fmt::format("{:.12g} {:.12g} {:.12g}", double(value.x), double(value.y), double(value.z)));
        } else if constexpr (std::is_array_v<T>) {
            put_numbered(value);
        } else if constexpr (requires { value.has_value(); }) {
            value ? put(*value) : put_text("none");
        } else if constexpr (requires { std::variant_size<T>::value; }) {
            std::visit([&](const auto& one) { put(one); }, value);
        } else if constexpr (ListOfValues<T>) {
            put_list(value);
        } else if constexpr (IsPair<T>) {
            below("first", [&] { put(value.first); });
            below("second", [&] { put(value.second); });
        } else {
            below(numbers_ ? "" : type_name<T>(), [&] {
                const std::size_t begin = lines_.size();
                visit_members(value, [&](const auto&... members) {
                    int number = 0;
                    (below(std::to_string(number++), [&] { put(members); }), ...);
                });
                join(begin);
            });
        }
    }

    const std::vector<std::string>& lines() const { return lines_; }

private:
    static constexpr std::size_t short_list = 12;

    template <class T>
    void put_list(const T& list) {
        below("size", [&] { put_number(double(list.size())); });
        using Element = std::remove_cvref_t<decltype(*list.begin())>;
        if (list.size() <= short_list || !std::is_trivially_copyable_v<Element>) return put_numbered(list);
        std::vector<double> sums, moments, numbers;
        std::size_t place = 0;
        for (const auto& element : list) {
            if (place == 0) below("first", [&] { put(element); });
            if (place + 1 == list.size()) below("last", [&] { put(element); });
            numbers.clear();
            Values one("");
            one.numbers_ = &numbers;
            one.put(element);
            sums.resize(std::max(sums.size(), numbers.size()));
            moments.resize(sums.size());
            for (std::size_t k = 0; k < numbers.size(); ++k) {
                sums[k] += numbers[k];
                moments[k] += numbers[k] * double((place * 7919) % 1009) / 1009;
            }
            ++place;
        }
        for (std::size_t k = 0; k < sums.size(); ++k) {
            below("sum", [&] { put_number(sums[k]); });
            below("moment", [&] { put_number(moments[k]); });
        }
    }
    /// Makes one line of those from `begin` on, if all are members of one struct.
    void join(std::size_t begin) {
        std::string all = path_ + ":";
        for (std::size_t i = begin; i < lines_.size(); ++i) {
            const std::size_t colon = lines_[i].find(": ");
            if (lines_[i].find('.', path_.size() + 1) < colon) return;
            all += (i == begin ? " " : " | ") + lines_[i].substr(colon + 2);
        }
        lines_.resize(begin);
        lines_.push_back(all);
    }
    template <class T>
    void put_numbered(const T& list) {
        int number = 0;
        for (const auto& element : list) below(std::to_string(number++), [&] { put(element); });
    }
    template <class Use>
    void below(const std::string& name, const Use& use) {
        if (numbers_) return use();
        const std::string above = path_;
        path_ += (path_.empty() ? "" : ".") + name;
        use();
        path_ = above;
    }
    void put_number(double value) {
        if (numbers_)
            numbers_->push_back(value);
        else
            put_text(fmt::format("{:.12g}", value));
    }
    void put_text(const std::string& value) {
        if (!numbers_) lines_.push_back(path_ + ": " + value);
    }

    std::string path_;
    std::vector<std::string> lines_;
    std::vector<double>* numbers_ = nullptr; ///< the numbers alone go there, and no lines are made
};

} // namespace sluice::test
