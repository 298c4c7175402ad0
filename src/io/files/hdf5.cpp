// SPDX-License-Identifier: Apache-2.0
#include "io/files/hdf5.h"
#include "core/error.h"
#include "core/input_file.h"
#include "io/files/deflate.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <fstream>

namespace sluice::h5 {
namespace {

/// Small enough to share out among many threads, large enough that a reader has little to do for each.
constexpr std::uint64_t rows_per_chunk = 1 << 14;
constexpr std::size_t least_memory_increment = 1 << 20;

/// The library would print its own stack of errors; ours carry the message that matters.
void silence_library() { H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr); }

herr_t keep_innermost(unsigned, const H5E_error2_t* error, void* text) {
    if (error->desc) *static_cast<std::string*>(text) = error->desc;
    return 0;
}

[[noreturn]] void fail(const std::string& what) {
    std::string reason;
    H5Ewalk2(
        H5E_DEFAULT, H5E_WALK_UPWARD,
        [](unsigned n, const H5E_error2_t* error, void* text) -> herr_t {
            return n == 0 ? keep_innermost(n, error, text) : 0;
        },
        &reason);
    throw RunError(reason.empty() ? what : fmt::format("{} ({})", what, reason));
}

/// The library distinguishes files in memory by their names alone.
std::string unique_name() {
    static std::atomic<unsigned> count{0};
    return fmt::format("memory-{}.h5", count++);
}

void require(herr_t status, const std::string& what) {
    if (status < 0) fail(what);
}

/// What the library answers, which may also be that it does not know: damaged data are not missing data.
bool yes_or_no(htri_t answer, const std::string& what) {
    if (answer < 0) fail(what + ": the file is damaged");
    return answer > 0;
}

/// Shape of `rows` rows of `width` numbers: one dimension if a row is one number.
struct Shape {
    Shape(std::uint64_t rows, int width) : rank(width == 1 ? 1 : 2), size{rows, static_cast<hsize_t>(width)} {}
    int rank;
    hsize_t size[2];
};

Handle make_space(const Shape& shape) {
    return {H5Screate_simple(shape.rank, shape.size, nullptr), H5Sclose, "HDF5 dataspace"};
}

/// Properties of a file, group or dataset to be made: the same content gives the same bytes, whenever it is written.
Handle creation_properties(hid_t kind) {
    Handle properties(H5Pcreate(kind), H5Pclose, "HDF5 properties");
    require(H5Pset_obj_track_times(properties, false), "HDF5 properties");
    return properties;
}

std::uint64_t set_chunks(const Handle& properties, std::uint64_t rows, int width) {
    const Shape chunk(std::min(rows, rows_per_chunk), width);
    require(H5Pset_chunk(properties, chunk.rank, chunk.size), "HDF5 chunk");
    return chunk.size[0];
}

/// The beginning of an HDF5 file. (HDF5 File Format Specification 3.0, II.A: versions 2 and 3 of the superblock.)
class Superblock {
public:
    static constexpr std::size_t size = 48;

    /// `bytes`: at least `size` of them.
    explicit Superblock(const std::vector<std::byte>& bytes) : bytes_(bytes) {}

    /// Whether Sluice can have written it: of a version whose headers carry checksums, for offsets of 8 bytes from the
    /// file's begin on, without an extension.
    bool is_plain() const {
        return (byte(8) == 2 || byte(8) == 3) && byte(9) == 8 && number(12) == 0 && number(20) == ~std::uint64_t{0};
    }
    std::uint64_t end_of_file() const { return number(28); }

private:
    unsigned byte(std::size_t at) const { return std::to_integer<unsigned>(bytes_[at]); }
    std::uint64_t number(std::size_t at) const {
        std::uint64_t value = 0;
        for (std::size_t n = 8; n-- > 0;) value = value << 8 | byte(at + n);
        return value;
    }
    std::vector<std::byte> bytes_;
};

/// Refuses a file whose superblock places its end beyond the file's, or is none that Sluice writes: the library
/// believes what a file without checksums says of sizes, and takes the memory, however small the file, or divides by
/// them.
void require_honest_superblock(const std::string& path, const std::string& name) {
    constexpr unsigned char signature[8] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
    std::vector<std::byte> bytes(Superblock::size);
    if (const std::string what = not_a_file(path); !what.empty())
        throw RunError(fmt::format("{}: is {}, no HDF5 file", name, what));
    std::ifstream file(path, std::ios::binary);
    if (!file) throw RunError(name + ": cannot be opened");
    file.read(reinterpret_cast<char*>(bytes.data()), Superblock::size);
    if (!file || std::memcmp(bytes.data(), signature, sizeof signature) != 0)
        throw RunError(name + ": not an HDF5 file");
    const Superblock superblock(bytes);
    if (!superblock.is_plain()) throw RunError(name + ": an HDF5 file that Sluice did not write");
    file.seekg(0, std::ios::end);
    if (superblock.end_of_file() > static_cast<std::uint64_t>(file.tellg()))
        throw RunError(name + ": the file is cut off");
}

/// The bytes of a file in memory are handed to `image` when it is closed; before, they are not yet what a reader wants.
void keep_image(const Handle& access, void*& image) {
    H5FD_file_image_callbacks_t calls{};
    calls.image_malloc = [](std::size_t size, H5FD_file_image_op_t, void*) { return std::malloc(size); };
    calls.image_realloc = [](void* old, std::size_t size, H5FD_file_image_op_t, void*) {
        return std::realloc(old, size);
    };
    calls.image_free = [](void* bytes, H5FD_file_image_op_t when, void* kept) -> herr_t {
        if (when == H5FD_FILE_IMAGE_OP_FILE_CLOSE)
            *static_cast<void**>(kept) = bytes;
        else
            std::free(bytes);
        return 0;
    };
    calls.udata_copy = [](void* kept) { return kept; };
    calls.udata_free = [](void*) -> herr_t { return 0; };
    calls.udata = &image;
    require(H5Pset_file_image_callbacks(access, &calls), "HDF5 file in memory");
}

} // namespace

std::unique_lock<std::recursive_mutex> lock_library() {
    // what is open closes itself; the library's own tidying at the exit has crashed after a lack of memory
    static const herr_t no_exit_handler = H5dont_atexit();
    static_cast<void>(no_exit_handler);
    static std::recursive_mutex mutex;
    return std::unique_lock(mutex);
}

Handle::Handle(hid_t id, herr_t (*close)(hid_t), const std::string& what) : id_(id), close_(close) {
    if (id < 0) fail(what);
}

Handle& Handle::operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
}

Handle::~Handle() {
    if (id_ < 0) return;
    const auto lock = lock_library();
    close_(id_);
}

MemoryFile::MemoryFile(std::size_t expected_size, WorkerPool* pool) : pool_(pool) {
    const auto lock = lock_library();
    silence_library();
    Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "HDF5 properties");
    require(H5Pset_fapl_core(access, std::max(least_memory_increment, expected_size / 8), false),
            "HDF5 file in memory");
    // Virtual datasets need the 1.10 format; nothing newer, so that older readers open the file. Nothing older: its
    // headers and indices carry no checksums, and the library has divided by a damaged size of a chunk.
    require(H5Pset_libver_bounds(access, H5F_LIBVER_V110, H5F_LIBVER_V110), "HDF5 format version");
    require(H5Pset_fclose_degree(access, H5F_CLOSE_STRONG), "HDF5 file in memory"); // no set outlives its file
    open_ = std::make_unique<Open>();
    keep_image(access, open_->image);
    open_->file = Handle(H5Fcreate(unique_name().c_str(), H5F_ACC_TRUNC, creation_properties(H5P_FILE_CREATE), access),
                         H5Fclose, "HDF5 file in memory");
}

void MemoryFile::make_groups_above(const std::string& path) {
    // those that the library makes on the way to a dataset would carry the time
    for (std::size_t slash = path.find('/', 1); slash != std::string::npos; slash = path.find('/', slash + 1)) {
        const std::string above = path.substr(0, slash);
        if (H5Lexists(file(), above.c_str(), H5P_DEFAULT) <= 0) make_group(above);
    }
}

void MemoryFile::write_rows(const std::string& path, hid_t type, int width, const void* data, std::uint64_t rows,
                            bool checksum) {
    const auto lock = lock_library();
    make_groups_above(path);
    const Handle space = make_space(Shape(rows, width));
    const Handle properties = creation_properties(H5P_DATASET_CREATE);
    if (checksum && rows > 0) {
        set_chunks(properties, rows, width);
        require(H5Pset_fletcher32(properties), "HDF5 checksum");
    }
    const Handle set(H5Dcreate2(file(), path.c_str(), type, space, H5P_DEFAULT, properties, H5P_DEFAULT), H5Dclose,
                     path + ": cannot create the dataset");
    if (rows > 0) require(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data), path + ": cannot write");
}

void MemoryFile::write_chunks(const std::string& path, RowType row, std::size_t rows, int level,
                              const ByteSource& source) {
    if (level == 0 || rows == 0) {
        std::vector<std::byte> all(rows * row.size);
        source(0, all);
        write_rows(path, row.type, row.width, all.data(), rows, true);
        return;
    }
    const auto lock = lock_library();
    make_groups_above(path);
    const Handle space = make_space(Shape(rows, row.width));
    const Handle properties = creation_properties(H5P_DATASET_CREATE);
    const std::size_t chunk_rows = set_chunks(properties, rows, row.width);
    require(H5Pset_shuffle(properties), "HDF5 shuffle");
    require(H5Pset_deflate(properties, static_cast<unsigned>(level)), "HDF5 deflate");
    ChunkedSet set{path,
                   {H5Dcreate2(file(), path.c_str(), row.type, space, H5P_DEFAULT, properties, H5P_DEFAULT), H5Dclose,
                    path + ": cannot create the dataset"},
                   chunk_rows,
                   {}};
    for (std::size_t first = 0; first < rows; first += chunk_rows) {
        std::packaged_task<std::vector<std::byte>()> work([=] {
            // the last chunk is as long as the others, with zeros at its end
            thread_local std::vector<std::byte> numbers;
            numbers.assign(chunk_rows * row.size, std::byte{0});
            source(first, std::span(numbers).first(std::min(chunk_rows, rows - first) * row.size));
            return shuffle_and_deflate(numbers, row.size / static_cast<std::size_t>(row.width), level);
        });
        set.chunks.emplace_back(work.get_future());
        pool_ ? pool_->start(std::move(work)) : work();
    }
    pending_.push_back(std::move(set));
}

void MemoryFile::store_chunks() {
    for (ChunkedSet& pending : pending_) {
        hsize_t offset[2] = {0, 0};
        for (Chunk& chunk : pending.chunks) {
            const std::vector<std::byte> bytes = chunk.take();
            const auto lock = lock_library();
            require(H5Dwrite_chunk(pending.set, H5P_DEFAULT, 0, offset, bytes.size(), bytes.data()),
                    pending.path + ": cannot write");
            offset[0] += pending.chunk_rows;
        }
    }
    pending_.clear();
}

void MemoryFile::write_virtual(const std::string& path, hid_t type, int width, const std::vector<Piece>& pieces) {
    const auto lock = lock_library();
    make_groups_above(path);
    std::uint64_t total = 0;
    for (const Piece& piece : pieces) total += piece.count;
    const Handle space = make_space(Shape(total, width));
    const Handle properties = creation_properties(H5P_DATASET_CREATE);
    const hsize_t start[2] = {0, 0};
    hsize_t target[2] = {0, 0};
    for (const Piece& piece : pieces) {
        if (piece.count == 0) continue;
        const Shape part(piece.count, width);
        const Handle source = make_space(Shape(piece.source_rows, width));
        require(H5Sselect_hyperslab(source, H5S_SELECT_SET, start, nullptr, part.size, nullptr), path);
        require(H5Sselect_hyperslab(space, H5S_SELECT_SET, target, nullptr, part.size, nullptr), path);
        require(H5Pset_virtual(properties, space, piece.file.c_str(), piece.dataset.c_str(), source), path);
        target[0] += piece.count;
    }
    require(H5Sselect_all(space), path);
    const Handle set(H5Dcreate2(file(), path.c_str(), type, space, H5P_DEFAULT, properties, H5P_DEFAULT), H5Dclose,
                     path + ": cannot create the virtual dataset");
}

void MemoryFile::make_group(const std::string& path) {
    const auto lock = lock_library();
    make_groups_above(path);
    const Handle group(
        H5Gcreate2(file(), path.c_str(), H5P_DEFAULT, creation_properties(H5P_GROUP_CREATE), H5P_DEFAULT), H5Gclose,
        path + ": cannot create the group");
}

void MemoryFile::set_attribute(const std::string& object, const std::string& name, hid_t type, const void* data,
                               std::size_t n) {
    const auto lock = lock_library();
    const Handle owner(H5Oopen(file(), object.c_str(), H5P_DEFAULT), H5Oclose, object);
    const hsize_t size = n;
    const Handle space(n == 0 ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &size, nullptr), H5Sclose, name);
    const Handle attribute(H5Acreate2(owner, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose, name);
    require(H5Awrite(attribute, type, data), name);
}

void MemoryFile::set_text(const std::string& object, const std::string& name, const std::string& text) {
    const auto lock = lock_library();
    const Handle type(H5Tcopy(H5T_C_S1), H5Tclose, name);
    require(H5Tset_size(type, std::max<std::size_t>(text.size(), 1)), name);
    require(H5Tset_strpad(type, H5T_STR_NULLPAD), name);
    set_attribute(object, name, type, text.empty() ? "\0" : text.data(), 0);
}

std::vector<std::byte> MemoryFile::take_bytes() {
    store_chunks();
    const auto lock = lock_library();
    require(H5Fflush(file(), H5F_SCOPE_GLOBAL), "HDF5 flush");
    open_->file = Handle();
    const auto* image = static_cast<const std::byte*>(open_->image);
    if (!image) fail("HDF5 file image");
    return {image, image + Superblock({image, image + Superblock::size}).end_of_file()};
}

/// Access of a kind along links that stay in the file: those that lead to others lead nowhere.
static Handle within_file(hid_t kind) {
    Handle access(H5Pcreate(kind), H5Pclose, "HDF5 properties");
    const auto refuse = [](const char*, const char*, const char*, const char*, unsigned*, hid_t, void*) -> herr_t {
        return -1;
    };
    require(H5Pset_elink_cb(access, refuse, nullptr), "HDF5 properties");
    return access;
}

File::File(const std::filesystem::path& path) : name_(path.string()) {
    const auto lock = lock_library();
    silence_library();
    require_honest_superblock(path, name_);
    links_ = within_file(H5P_LINK_ACCESS);
    sets_ = within_file(H5P_DATASET_ACCESS);
    file_ = Handle(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose, name_ + ": cannot open as HDF5");
}

bool File::has(const std::string& path) const {
    const auto lock = lock_library();
    const auto exists = [&](const std::string& part) {
        return yes_or_no(H5Lexists(file_, part.c_str(), links_), name_ + ": " + part);
    };
    // Every group on the way has to be asked for: the library fails on a path whose parent is missing.
    for (std::size_t slash = path.find('/', 1); slash != std::string::npos; slash = path.find('/', slash + 1))
        if (!exists(path.substr(0, slash))) return false;
    return exists(path);
}

bool File::has_attribute(const std::string& object, const std::string& name) const {
    const auto lock = lock_library();
    return yes_or_no(H5Aexists_by_name(file_, object.c_str(), name.c_str(), links_), name_ + ": " + object);
}

/// Whether a virtual dataset is as long as what other files have for it, which the library then opens.
static bool has_open_end(const Handle& properties, const std::string& what) {
    std::size_t pieces = 0;
    require(H5Pget_virtual_count(properties, &pieces), what);
    for (std::size_t k = 0; k < pieces; ++k) {
        const Handle piece(H5Pget_virtual_vspace(properties, k), H5Sclose, what);
        if (H5Sget_select_npoints(piece) == static_cast<hssize_t>(H5S_UNLIMITED)) return true;
    }
    return false;
}

/// A dataset whose values are in the file itself. Only then may much be asked of it: the size of a virtual one may have
/// to be found in other files.
Handle File::open_set(const std::string& path) const {
    const std::string what = name_ + ": " + path;
    Handle set(H5Dopen2(file_, path.c_str(), sets_), H5Dclose, what);
    const Handle properties(H5Dget_create_plist(set), H5Pclose, what);
    if (H5Pget_layout(properties) == H5D_VIRTUAL || H5Pget_external_count(properties) != 0)
        throw RunError(what + ": its values are in other files, which are not read: the file is damaged");
    return set;
}

std::uint64_t File::row_count(const std::string& path) const {
    const auto lock = lock_library();
    const std::string what = name_ + ": " + path;
    const Handle set(H5Dopen2(file_, path.c_str(), sets_), H5Dclose, what);
    const Handle properties(H5Dget_create_plist(set), H5Pclose, what);
    if (H5Pget_layout(properties) == H5D_VIRTUAL && has_open_end(properties, what))
        throw RunError(what + ": its length is that of other files, which are not read: the file is damaged");
    const Handle space(H5Dget_space(set), H5Sclose, what);
    hsize_t size[2] = {0, 0};
    if (H5Sget_simple_extent_ndims(space) > 2) throw RunError(what + ": more than two dimensions");
    require(H5Sget_simple_extent_dims(space, size, nullptr), what);
    return size[0];
}

std::uint64_t File::rows_to_read(const std::string& path, int width, std::size_t row_size) const {
    const auto lock = lock_library();
    const std::string what = name_ + ": " + path;
    const Handle set = open_set(path);
    const std::uint64_t rows = row_count(path);
    const Handle space(H5Dget_space(set), H5Sclose, what);
    if (H5Sget_simple_extent_npoints(space) != static_cast<hssize_t>(rows * static_cast<std::uint64_t>(width)))
        throw RunError(fmt::format("{}: its rows do not hold {} numbers each", what, width));
    // deflate packs a thousand to one at best, and what was never written takes no space at all
    constexpr std::uint64_t most_rows = std::uint64_t(1) << 32, best_packing = 1100;
    const std::uint64_t stored = H5Dget_storage_size(set);
    if (rows > most_rows || rows * row_size / best_packing > stored || (rows > 0 && stored == 0))
        throw RunError(
            fmt::format("{}: announces {} rows and holds {} bytes: the file is damaged", what, rows, stored));
    return rows;
}

void File::read_rows(const std::string& path, hid_t type, void* data, std::uint64_t rows) const {
    const auto lock = lock_library();
    const std::string what = name_ + ": " + path;
    const Handle set = open_set(path);
    if (rows > 0) require(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data), what + ": cannot read");
}

void File::get_attribute(const std::string& object, const std::string& name, hid_t type, void* value) const {
    const auto lock = lock_library();
    const std::string what = name_ + ": attribute " + name;
    const Handle attribute(H5Aopen_by_name(file_, object.c_str(), name.c_str(), H5P_DEFAULT, links_), H5Aclose, what);
    const Handle space(H5Aget_space(attribute), H5Sclose, what);
    if (H5Sget_simple_extent_npoints(space) != 1) throw RunError(what + ": not a single value");
    require(H5Aread(attribute, type, value), what);
}

std::string File::get_text(const std::string& object, const std::string& name) const {
    const auto lock = lock_library();
    const std::string what = name_ + ": attribute " + name;
    const Handle attribute(H5Aopen_by_name(file_, object.c_str(), name.c_str(), H5P_DEFAULT, links_), H5Aclose, what);
    const Handle type(H5Aget_type(attribute), H5Tclose, what);
    if (H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) > 0) throw RunError(what + ": not a text");
    constexpr std::size_t longest = 1 << 24;
    if (H5Tget_size(type) > longest) throw RunError(what + ": a text that is too long");
    std::string text(H5Tget_size(type), '\0');
    require(H5Aread(attribute, type, text.data()), what);
    text.resize(std::min(text.size(), text.find('\0')));
    return text;
}

} // namespace sluice::h5
