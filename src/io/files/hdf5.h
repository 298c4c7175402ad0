// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "io/files/row_width.h"
#include "io/files/worker_pool.h"
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <future>
#include <hdf5.h>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

// The little of HDF5 that the outputs need. A file is built in memory and written by write_file_atomically: a full
// disk then is one clean error of ours, instead of a library that fails while it closes.

namespace sluice::h5 {

/// The library may be used by one thread at a time: hold this while calling it. The classes below do; a thread that
/// reads and writes several things in a row need not.
std::unique_lock<std::recursive_mutex> lock_library();

/// An HDF5 identifier that closes itself.
class Handle {
public:
    Handle() = default;
    /// Takes over `id`; throws RunError naming `what` if it is negative.
    Handle(hid_t id, herr_t (*close)(hid_t), const std::string& what);
    Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
    Handle& operator=(Handle&& other) noexcept;
    ~Handle();
    operator hid_t() const { return id_; }

private:
    hid_t id_ = -1;
    herr_t (*close_)(hid_t) = nullptr;
};

/// The HDF5 type of a number, or of the components of a vector.
inline hid_t type_of(double) { return H5T_NATIVE_DOUBLE; }
inline hid_t type_of(float) { return H5T_NATIVE_FLOAT; }
inline hid_t type_of(std::int32_t) { return H5T_NATIVE_INT32; }
inline hid_t type_of(std::int64_t) { return H5T_NATIVE_INT64; }
inline hid_t type_of(std::uint8_t) { return H5T_NATIVE_UINT8; }
inline hid_t type_of(std::uint16_t) { return H5T_NATIVE_UINT16; }
inline hid_t type_of(std::uint32_t) { return H5T_NATIVE_UINT32; }
inline hid_t type_of(std::uint64_t) { return H5T_NATIVE_UINT64; }
template <class T>
hid_t type_of(Vec3<T>) {
    return type_of(T{});
}

/// Makes the rows of an array piece by piece: fills `out` with those from row `first` on. Called on any thread.
template <class T>
using RowSource = std::function<void(std::size_t first, std::span<T> out)>;

/// The rows of a vector, which must stay where it is.
template <class T>
RowSource<T> rows_of(const std::vector<T>& rows) {
    return [&rows](std::size_t first, std::span<T> out) {
        std::copy_n(rows.begin() + static_cast<std::ptrdiff_t>(first), out.size(), out.begin());
    };
}

/// The first `count` rows of a dataset in another file: one piece of a virtual dataset.
struct Piece {
    std::string file; ///< relative to the file with the virtual dataset
    std::string dataset;
    std::uint64_t source_rows = 0;
    std::uint64_t count = 0;
};

/// Builds an HDF5 file in memory. Groups on the way to a path are made as needed.
class MemoryFile {
public:
    /// `expected_size` (bytes) spares a large file some growing. With a pool, its threads compress.
    explicit MemoryFile(std::size_t expected_size = 0, WorkerPool* pool = nullptr);

    /// With `checksum`, every chunk gets one (Fletcher32).
    template <class T>
    void write(const std::string& path, const std::vector<T>& rows, bool checksum = false) {
        write_rows(path, type_of(T{}), width_of(T{}), rows.data(), rows.size(), checksum);
    }
    /// Stores rows with the filters shuffle and deflate, `level` 1 to 9, or with a checksum alone with 0. The source is
    /// called on other threads until `take_bytes` returns or the file goes. The bytes do not depend on the number of
    /// threads.
    template <class T>
    void write_compressed(const std::string& path, std::size_t rows, int level, RowSource<T> source) {
        write_chunks(path, {type_of(T{}), width_of(T{}), sizeof(T)}, rows, level,
                     [source](std::size_t first, std::span<std::byte> out) {
                         source(first, {reinterpret_cast<T*>(out.data()), out.size() / sizeof(T)});
                     });
    }
    /// An array of `rows` × `columns`.
    template <class T>
    void write_table(const std::string& path, const std::vector<T>& values, int columns, bool checksum = false) {
        write_rows(path, type_of(T{}), columns, values.data(), values.size() / columns, checksum);
    }
    /// Rows that live in other files, one piece after the other. `T` is the type of a row.
    template <class T>
    void write_virtual(const std::string& path, const std::vector<Piece>& pieces) {
        write_virtual(path, type_of(T{}), width_of(T{}), pieces);
    }
    void make_group(const std::string& path);
    template <class T>
    void set(const std::string& object, const std::string& name, const std::vector<T>& values) {
        set_attribute(object, name, type_of(T{}), values.data(), values.size());
    }
    template <class T>
    void set(const std::string& object, const std::string& name, T value) {
        set_attribute(object, name, type_of(T{}), &value, 0);
    }
    void set_text(const std::string& object, const std::string& name, const std::string& text);

    /// Closes the file and returns its bytes. Throws what a source has thrown.
    std::vector<std::byte> take_bytes();

private:
    struct RowType {
        hid_t type;
        int width;        ///< numbers a row
        std::size_t size; ///< bytes a row
    };
    /// Bytes that a thread compresses. The destructor waits until the source is no longer used.
    class Chunk {
    public:
        explicit Chunk(std::future<std::vector<std::byte>> bytes) : bytes_(std::move(bytes)) {}
        Chunk(Chunk&&) noexcept = default;
        Chunk& operator=(Chunk&&) noexcept = default;
        ~Chunk() {
            if (bytes_.valid()) bytes_.wait();
        }
        std::vector<std::byte> take() { return bytes_.get(); }

    private:
        std::future<std::vector<std::byte>> bytes_;
    };
    struct ChunkedSet {
        std::string path;
        Handle set;
        std::size_t chunk_rows;
        std::vector<Chunk> chunks; ///< in order
    };
    using ByteSource = std::function<void(std::size_t first, std::span<std::byte> out)>;

    /// The file while it is open, and its bytes from then on.
    struct Open {
        Open() = default;
        Open(const Open&) = delete;
        Open& operator=(const Open&) = delete;
        ~Open() {
            file = Handle();
            std::free(image);
        }
        void* image = nullptr;
        Handle file;
    };

    hid_t file() const { return open_->file; }
    void make_groups_above(const std::string& path);
    void write_rows(const std::string& path, hid_t type, int width, const void* data, std::uint64_t rows,
                    bool checksum);
    void write_chunks(const std::string& path, RowType row, std::size_t rows, int level, const ByteSource& source);
    void store_chunks();
    void write_virtual(const std::string& path, hid_t type, int width, const std::vector<Piece>& pieces);
    void set_attribute(const std::string& object, const std::string& name, hid_t type, const void* data, std::size_t n);

    std::unique_ptr<Open> open_;
    WorkerPool* pool_;
    std::vector<ChunkedSet> pending_;
};

/// Reads an HDF5 file; every failure is a RunError with the file's name.
class File {
public:
    explicit File(const std::filesystem::path& path);

    bool has(const std::string& path) const;
    bool has_attribute(const std::string& object, const std::string& name) const;
    template <class T>
    std::vector<T> read(const std::string& path) const {
        std::vector<T> rows(rows_to_read(path, width_of(T{}), sizeof(T)));
        read_rows(path, type_of(T{}), rows.data(), rows.size());
        return rows;
    }
    /// An array of several columns, row by row.
    template <class T>
    std::vector<T> read_table(const std::string& path, int columns) const {
        const auto width = static_cast<std::size_t>(columns);
        const std::uint64_t rows = rows_to_read(path, columns, width * sizeof(T));
        std::vector<T> values(rows * width);
        read_rows(path, type_of(T{}), values.data(), rows);
        return values;
    }
    template <class T>
    T get(const std::string& object, const std::string& name) const {
        T value{};
        get_attribute(object, name, type_of(T{}), &value);
        return value;
    }
    std::string get_text(const std::string& object, const std::string& name) const;
    std::uint64_t row_count(const std::string& path) const;

private:
    Handle open_set(const std::string& path) const;
    /// Number of rows, checked against what the file holds, so that a damaged one does not fill the memory.
    std::uint64_t rows_to_read(const std::string& path, int width, std::size_t row_size) const;
    void read_rows(const std::string& path, hid_t type, void* data, std::uint64_t rows) const;
    void get_attribute(const std::string& object, const std::string& name, hid_t type, void* value) const;

    std::string name_;
    Handle links_, sets_; ///< how links and datasets are come by
    Handle file_;
};

} // namespace sluice::h5
