// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/error.h"
#include <algorithm>
#include <bit>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace sluice {

/// Takes words, lines and binary numbers off the front of a text; every overrun is an InputError.
class ByteReader {
public:
    explicit ByteReader(std::string_view data) : data_(data) {}

    bool at_end() const { return at_ >= data_.size(); }
    std::size_t position() const { return at_; }
    std::size_t left() const { return data_.size() - at_; }

    std::string_view line() {
        const std::size_t end = std::min(data_.find('\n', at_), data_.size());
        std::string_view out = data_.substr(at_, end - at_);
        at_ = std::min(end + 1, data_.size());
        if (!out.empty() && out.back() == '\r') out.remove_suffix(1);
        return out;
    }
    /// The next word, or an empty one at the end.
    std::string_view word() {
        while (at_ < data_.size() && std::isspace(static_cast<unsigned char>(data_[at_]))) ++at_;
        const std::size_t begin = at_;
        while (at_ < data_.size() && !std::isspace(static_cast<unsigned char>(data_[at_]))) ++at_;
        return data_.substr(begin, at_ - begin);
    }
    double number() {
        std::string_view w = word();
        if (!w.empty() && w[0] == '+') w.remove_prefix(1);
        double value = 0;
        const auto [end, error] = std::from_chars(w.data(), w.data() + w.size(), value);
        if (error != std::errc{} || end != w.data() + w.size())
            throw InputError("\"" + std::string(w.substr(0, 40)) + "\" is not a number");
        return value;
    }
    /// A count that the rest of the data could hold.
    std::size_t count() {
        const double value = number();
        if (!(value >= 0) || value > double(left()) + 1) throw InputError("a count is larger than the file");
        return static_cast<std::size_t>(value);
    }
    template <class T>
    T binary(bool big_endian) {
        if (left() < sizeof(T)) throw InputError("the file ends too early");
        char bytes[sizeof(T)];
        std::memcpy(bytes, data_.data() + at_, sizeof(T));
        at_ += sizeof(T);
        if (big_endian != (std::endian::native == std::endian::big)) std::reverse(bytes, bytes + sizeof(T));
        T value;
        std::memcpy(&value, bytes, sizeof(T));
        return value;
    }
    void skip(std::size_t bytes) {
        if (left() < bytes) throw InputError("the file ends too early");
        at_ += bytes;
    }

private:
    std::string_view data_;
    std::size_t at_ = 0;
};

} // namespace sluice
