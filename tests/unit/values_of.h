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
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
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
#define SLUICE_E45 SLUICE_E44, {}
#define SLUICE_E46 SLUICE_E45, {}
#define SLUICE_E47 SLUICE_E46, {}
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
#define SLUICE_N44 SLUICE_N43, m44
#define SLUICE_N45 SLUICE_N44, m45
#define SLUICE_N46 SLUICE_N45, m46
// clang-format on
#define SLUICE_MEMBERS(count)                                                                                          \
    if constexpr (requires { T{SLUICE_E##count}; }) {                                                                  \
        const auto& [SLUICE_N##count] = value;                                                                         \
        return visit(SLUICE_N##count);                                                                                 \
    } else

/// Calls `visit(members…)` of an aggregate of at most 46 members.
template <class T, class Visit>
constexpr auto visit_members(const T& value, const Visit& visit) {
    static_assert(!requires { T{SLUICE_E47}; });
    // clang-format off
    SLUICE_MEMBERS(46)
    SLUICE_MEMBERS(45)
    SLUICE_MEMBERS(44)
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
    return visit();
    // clang-format on
}

// The compiler writes out a pointer to a member of an object that is never made, with the member's name at the end.
#ifdef __clang__ // 14 knows no such pointers at compile time
inline constexpr bool members_have_names = false;
#else
inline constexpr bool members_have_names = true;

template <class T>
struct NeverMade {
    const T value;
};
template <class T>
extern const NeverMade<T> never_made;

template <class T>
consteval std::size_t count_members() {
    return visit_members(never_made<T>.value, [](const auto&... m) { return sizeof...(m); });
}

template <class T, std::size_t I>
consteval auto pointer_to_member() {
    return std::get<I>(visit_members(never_made<T>.value, [](const auto&... m) { return std::tuple(&m...); }));
}

template <auto member>
constexpr std::string_view name_at() {
    const std::string_view text = __PRETTY_FUNCTION__, pointer = text.substr(text.find("member = "));
    const std::string_view place = pointer.substr(0, pointer.find(')')); // "(& never_made<…>.….sluice::Case::name"
    return place.substr(place.rfind(':') + 1);
}
#endif

/// The names of the members of an aggregate; their numbers, from 0, where the compiler does not tell.
template <class T>
const std::vector<std::string>& member_names([[maybe_unused]] const T& value) {
    static const std::vector<std::string> names = [&] {
        std::vector<std::string> all;
#ifdef __clang__
        visit_members(value, [&](const auto&... members) {
            for (std::size_t k = 0; k < sizeof...(members); ++k) all.push_back(std::to_string(k));
            return 0;
        });
#else
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            (all.emplace_back(name_at<pointer_to_member<T, I>()>()), ...);
        }
        (std::make_index_sequence<count_members<T>()>());
#endif
        return all;
    }();
    return names;
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
/// Members that are as in T{} are left out, so that a new one changes no line; a struct of which nothing is left is {}.
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
            put_members(value);
        }
    }

    const std::vector<std::string>& lines() const { return lines_; }

private:
    static constexpr std::size_t short_list = 12;

    /// The lines of each member, by itself.
    template <class T>
    static std::vector<std::vector<std::string>> lines_of_members(const T& value) {
        std::vector<std::vector<std::string>> all;
        visit_members(value, [&](const auto&... members) {
            [[maybe_unused]] const auto add = [&](const auto& member) {
                Values one("");
                one.put(member);
                all.push_back(one.lines());
            };
            (add(members), ...);
            return 0;
        });
        return all;
    }

    template <class T>
    void put_members(const T& value) {
        if (numbers_) {
            visit_members(value, [&](const auto&... members) {
                (put(members), ...);
                return 0;
            });
            return;
        }
        static const std::vector<std::vector<std::string>> usual = [] {
            if constexpr (std::is_default_constructible_v<T>) return lines_of_members(T{});
            return std::vector<std::vector<std::string>>();
        }();
        const std::vector<std::vector<std::string>> all = lines_of_members(value);
        below(type_name<T>(), [&] {
            const std::size_t begin = lines_.size();
            for (std::size_t k = 0; k < all.size(); ++k) {
                if (k < usual.size() && all[k] == usual[k]) continue;
                for (const std::string& line : all[k])
                    lines_.push_back(path_ + "." + member_names(value)[k] + (line.starts_with(':') ? "" : ".") + line);
            }
            if (lines_.size() == begin) put_text("{}");
            join(begin);
        });
    }

    /// A list of things with names that differ: they are known by them, and one more changes no line of the others.
    template <class T>
    bool put_named(const T& list) {
        if constexpr (requires { std::string(list.begin()->name); }) {
            std::set<std::string> names;
            for (const auto& element : list) names.insert(element.name);
            if (names.size() != list.size() || names.empty() || names.contains("")) return false;
            for (const auto& element : list) below(element.name, [&] { put(element); });
            return true;
        }
        return false;
    }
    template <class T>
    void put_list(const T& list) {
        if (!numbers_ && put_named(list)) return;
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
            const std::size_t colon = lines_[i].find(": "), name = path_.size() + 1;
            if (colon < name || lines_[i].find('.', name) < colon) return;
            all +=
                (i == begin ? " " : " | ") + lines_[i].substr(name, colon - name) + "=" + lines_[i].substr(colon + 2);
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
