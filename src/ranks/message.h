// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/error.h"
#include <cstddef>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

namespace sluice {

/// What one rank sends to another.
using Message = std::vector<std::byte>;

/// Writes plain data into a message, one value after the other.
class MessageWriter {
public:
    MessageWriter() = default;
    /// Writes over an old message, whose memory it takes.
    explicit MessageWriter(Message old) : message_(std::move(old)) { message_.clear(); }

    template <class T>
    void put(const T& value) {
        put(&value, 1);
    }
    template <class T>
    void put(const T* values, std::size_t count) {
        static_assert(std::is_trivially_copyable_v<T>);
        if (count == 0) return;
        const std::size_t at = message_.size();
        message_.resize(at + count * sizeof(T));
        std::memcpy(message_.data() + at, values, count * sizeof(T));
    }
    /// With their number before them.
    template <class T>
    void put_all(const std::vector<T>& values) {
        put(values.size());
        put(values.data(), values.size());
    }
    void put_all(const std::string& text) {
        put(text.size());
        put(text.data(), text.size());
    }
    Message take() { return std::move(message_); }

private:
    Message message_;
};

/// Reads it again in the same order. RunError where a message is shorter than what is read of it.
class MessageReader {
public:
    explicit MessageReader(const Message& message) : message_(message) {}

    template <class T>
    T get() {
        T value;
        get(&value, 1);
        return value;
    }
    template <class T>
    void get(T* values, std::size_t count) {
        static_assert(std::is_trivially_copyable_v<T>);
        if (count > (message_.size() - at_) / sizeof(T)) throw RunError("a message between ranks is cut short");
        if (count > 0) std::memcpy(values, message_.data() + at_, count * sizeof(T));
        at_ += count * sizeof(T);
    }
    template <class T>
    std::vector<T> get_all() {
        const auto count = get<std::size_t>();
        if (count > (message_.size() - at_) / sizeof(T)) throw RunError("a message between ranks is cut short");
        std::vector<T> values(count);
        get(values.data(), count);
        return values;
    }
    std::string get_text() {
        const std::vector<char> text = get_all<char>();
        return {text.begin(), text.end()};
    }
    bool at_end() const { return at_ == message_.size(); }

private:
    const Message& message_;
    std::size_t at_ = 0;
};

} // namespace sluice
