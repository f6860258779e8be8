// What a texture returns at a coordinate, computed as the texture unit of an H200 does: coordinates, address
// modes, and the linear filter with weights of eight bits
// (CUDA C++ Programming Guide, "Texture Fetching", and measurements).
#include "simt/texture/texture_object.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "simt/engine/report.h"
#include "simt/engine/runner.h"

namespace simt {
namespace {

// Coordinates saturate here: far outside every texture, and still an int when
// neighbours and 1/256 steps are counted.
constexpr float FARTHEST = 4.0e6f;
constexpr uint32_t NAN_BITS = 0xffffffffu;
// Normalised coordinates arrive with this many bits behind the point:
// 0.2f of five texels is still in texel 0.
constexpr float NORMALISED_STEPS = 1 << 21;

struct texel_position {
    int x, y, slice;
};

/// Signed channels arrive sign-extended.
uint32_t raw_channel(const texture_object& texture, const char* place) {
    const bool is_signed = texture.kind == cudaChannelFormatKindSigned;
    switch (texture.channel_bits) {
        case 8: {
            const uint8_t value = uint8_t(*place);
            return is_signed ? uint32_t(int32_t(int8_t(value))) : value;
        }
        case 16: {
            uint16_t value = 0;
            std::memcpy(&value, place, sizeof value);
            return is_signed ? uint32_t(int32_t(int16_t(value))) : value;
        }
        default: {
            uint32_t value = 0;
            std::memcpy(&value, place, sizeof value);
            return value;
        }
    }
}

/// 8 and 16 bit integers as floats of 0 .. 1 or -1 .. 1; the smallest signed one is -1 like its neighbour.
float normalised(const texture_object& texture, uint32_t raw) {
    if (texture.kind == cudaChannelFormatKindUnsigned)
        return float(raw) / float((1u << texture.channel_bits) - 1);
    const float largest = float((1u << (texture.channel_bits - 1)) - 1);
    return std::max(-1.0f, float(int32_t(raw)) / largest);
}

[[gnu::cold, gnu::noinline]] void report_outside(uintptr_t site) {
    report({"out-of-bounds", true, "a texture fetch outside the allocation that the texture was made on",
            site, 0});
}

/// Tells an observer of a texel in memory, and of one in an array if that is wrong.
[[gnu::noinline]] void observe_texel(const texture_object& texture, size_t offset, uintptr_t site) {
    if (!texture.array) {
        the_observer->texel_read(*current_block, texture.address + offset, texture.texel_bytes, site);
        return;
    }
    const bool is_unknown = offset < texture.array->written.size() && !texture.array->written[offset];
    if (texture.array->is_live && !is_unknown) return;
    const std::string what = texture.array->is_live ? "of a texel that was never copied into its CUDA array"
                                                    : "from a CUDA array after cudaFreeArray";
    const char* kind = texture.array->is_live ? "uninitialised-read" : "use-after-free";
    report({kind, true, "a texture fetch " + what, site, 0, true});
}

[[gnu::cold, gnu::noinline]] texel_registers outside_texel(const texture_object& texture) {
    texel_registers texel;
    std::fill(texel.channel, texel.channel + texture.channels, NAN_BITS);
    return texel;
}

/// The texel at a place inside the texture, which is not one word.
[[gnu::noinline]] texel_registers texel_of_parts(const texture_object& texture, const char* place) {
    texel_registers texel;
    const size_t step = size_t(texture.channel_bits) / 8;
    for (int c = 0; c < texture.channels; c++) {
        const uint32_t raw = raw_channel(texture, place + size_t(c) * step);
        texel.channel[c] =
            texture.as_normalised_float ? std::bit_cast<uint32_t>(normalised(texture, raw)) : raw;
    }
    return texel;
}

/// The texel at a place inside the texture.
[[gnu::always_inline]] inline texel_registers stored_texel(const texture_object& texture, texel_position at,
                                                           uintptr_t site) {
    const size_t row = size_t(at.slice) * size_t(texture.height) + size_t(at.y);
    const size_t offset = row * texture.pitch + size_t(at.x) * texture.texel_bytes;
    if (offset + texture.texel_bytes > texture.bytes) {
        // The real runtime creates a texture larger than its memory, too.
        report_outside(site);
        return outside_texel(texture);
    }
    if (the_observer) observe_texel(texture, offset, site);
    const char* place = texture.texels + offset;
    // By far the most frequent. Made of a value, it stays in registers.
    if (texture.texel_bytes == 4 && texture.channel_bits == 32) {
        uint32_t value = 0;
        std::memcpy(&value, place, sizeof value);
        return {{value}};
    }
    return texel_of_parts(texture, place);
}

/// The index a texel index outside 0 .. size-1 stands for, or -1 for the border colour.
int resolve(int index, int size, cudaTextureAddressMode mode) {
    if (index >= 0 && index < size) return index;
    switch (mode) {
        case cudaAddressModeBorder:
            return -1;
        case cudaAddressModeWrap: {
            const int phase = index % size;
            return phase < 0 ? phase + size : phase;
        }
        case cudaAddressModeMirror:
            // Coordinates are already within the image, so only the neighbours of its edge come here.
        case cudaAddressModeClamp:
            break;
    }
    return index < 0 ? 0 : size - 1;
}

[[gnu::always_inline]] inline texel_registers texel_at(const texture_object& texture, texel_position at,
                                                       uintptr_t site) {
    const int x = resolve(at.x, texture.width, texture.address_x);
    const int y = resolve(at.y, texture.height, texture.address_y);
    const int slice = resolve(at.slice, texture.depth, texture.address_z);
    if (x < 0 || y < 0 || slice < 0) return texture.border;
    return stored_texel(texture, {x, y, slice}, site);
}

/// std::floor() is a call without the newer instructions of x86; the number is in the range of int.
int floor_of(float coordinate) {
    const int truncated = int(coordinate);
    return truncated - (coordinate < float(truncated) ? 1 : 0);
}

/// A coordinate in texels. Periodic modes bring it into the image; NaN counts as 0.
[[gnu::always_inline]] inline float in_texels(float coordinate, int size, cudaTextureAddressMode mode,
                                              bool is_normalised) {
    if (std::isnan(coordinate)) return 0.0f;
    if (is_normalised) {
        // Beyond this, floats have no fraction to cut.
        const bool is_near = std::fabs(coordinate) < 4.0f;
        if (is_near) coordinate = float(floor_of(coordinate * NORMALISED_STEPS)) / NORMALISED_STEPS;
        const bool periodic = mode == cudaAddressModeWrap || mode == cudaAddressModeMirror;
        if (periodic && std::isinf(coordinate)) return 0.0f;
        const float whole = is_near ? float(floor_of(coordinate)) : std::floor(coordinate);
        if (mode == cudaAddressModeWrap) coordinate -= whole;
        if (mode == cudaAddressModeMirror) {
            const bool backwards = std::fmod(whole, 2.0f) != 0.0f;
            coordinate -= whole;
            if (backwards) coordinate = 1.0f - coordinate;
        }
        coordinate *= float(size);
    }
    return std::clamp(coordinate, -FARTHEST, FARTHEST);
}

/// Point filter: the texel whose cell contains the coordinate.
int nearest(float coordinate, int size, cudaTextureAddressMode mode) {
    const int index = floor_of(coordinate);
    // The fraction of a periodic coordinate just below a whole number rounds to 1.
    const bool periodic = mode == cudaAddressModeWrap || mode == cudaAddressModeMirror;
    return periodic ? std::min(index, size - 1) : index;
}

/// Linear filter: the texel whose centre lies before the coordinate, and how far behind it, in 256ths.
struct filter_position {
    int index;
    int fraction;
};
filter_position between_centres(float coordinate) {
    const double exact = double(coordinate) * 256.0 - 127.5;
    const int truncated = int(exact);
    const int steps = truncated - (exact < truncated ? 1 : 0);
    return {steps >> 8, steps & 255};
}

/// Where the linear filter has nothing to do: the centre of a texel, which is what most kernels ask for.
bool is_centre(float coordinate) {
    return coordinate - float(floor_of(coordinate)) == 0.5f;
}

float as_float(uint32_t bits) {
    return std::bit_cast<float>(bits);
}

/// The 2 x 2 texels around a coordinate and their weights: whole 256ths that add up to 256.
struct neighbourhood {
    texel_registers texel[4];
    int weight[4];
};

[[gnu::always_inline]] inline neighbourhood neighbours_of(const texture_object& texture, float x, float y,
                                                          int slice, uintptr_t site) {
    const filter_position column = between_centres(x);
    const filter_position row = between_centres(y);
    const int both = (column.fraction * row.fraction + 128) >> 8;
    neighbourhood around = {
        {}, {256 - column.fraction - row.fraction + both, column.fraction - both, row.fraction - both, both}};
    for (int corner = 0; corner < 4; corner++) {
        // A texel of weight 0 takes no part, even if it is NaN.
        if (around.weight[corner] == 0) continue;
        const texel_position at = {column.index + (corner & 1), row.index + (corner >> 1), slice};
        around.texel[corner] = texel_at(texture, at, site);
    }
    return around;
}

double mean_of_floats(const neighbourhood& around, int channel) {
    double sum = 0.0;
    for (int corner = 0; corner < 4; corner++) {
        if (around.weight[corner] == 0) continue;
        sum += around.weight[corner] / 256.0 * as_float(around.texel[corner].channel[channel]);
    }
    return sum;
}

/// Normalised integers are averaged as integers of 16 bits. Measured:
/// unsigned ones exactly so, signed ones up to 1/32767.
double mean_of_integers(const texture_object& texture, const neighbourhood& around, int channel) {
    const int largest = texture.kind == cudaChannelFormatKindSigned ? 32767 : 65535;
    int sum = 0;
    for (int corner = 0; corner < 4; corner++) {
        sum += around.weight[corner] *
               int(std::lround(as_float(around.texel[corner].channel[channel]) * float(largest)));
    }
    return float((sum + 128) >> 8) / float(largest);
}

double mean_of(const texture_object& texture, const neighbourhood& around, int channel) {
    return texture.as_normalised_float ? mean_of_integers(texture, around, channel)
                                       : mean_of_floats(around, channel);
}

/// Between two slices the weight is one of eight bits, too (by the documentation; it was not measured).
[[gnu::noinline]] texel_registers filtered_texel(const texture_object& texture, float x, float y,
                                                 const filter_position& slice, uintptr_t site) {
    const neighbourhood near = neighbours_of(texture, x, y, slice.index, site);
    neighbourhood far{};
    if (slice.fraction != 0) far = neighbours_of(texture, x, y, slice.index + 1, site);
    texel_registers result;
    for (int c = 0; c < texture.channels; c++) {
        double mean = mean_of(texture, near, c);
        if (slice.fraction != 0)
            mean = ((256 - slice.fraction) * mean + slice.fraction * mean_of(texture, far, c)) / 256.0;
        result.channel[c] = std::bit_cast<uint32_t>(float(mean));
    }
    return result;
}

/// What sample() does where the coordinates are not simply those of a texel.
[[gnu::noinline]] texel_registers addressed_texel(const texture_object& texture, const texture_position& at,
                                                  uintptr_t site) {
    // As on a GPU: linear memory has tex1Dfetch only.
    if (texture.is_linear_memory || texture.width == 0 || texture.height == 0) return {};
    const bool normalised = texture.normalised_coordinates;
    const float x = in_texels(at.x, texture.width, texture.address_x, normalised);
    const float y = in_texels(at.y, texture.height, texture.address_y, normalised);
    // A layer is taken as it is, the nearest one if there is none of this number.
    filter_position slice = {std::clamp(at.layer, 0, texture.depth - 1), 0};
    if (texture.shape == texture_shape::volume) {
        const float z = in_texels(at.z, texture.depth, texture.address_z, normalised);
        slice = texture.filtered ? between_centres(z)
                                 : filter_position{nearest(z, texture.depth, texture.address_z), 0};
    }
    if (texture.filtered) return filtered_texel(texture, x, y, slice, site);
    const int column = nearest(x, texture.width, texture.address_x);
    const int row = nearest(y, texture.height, texture.address_y);
    return texel_at(texture, {column, row, slice.index}, site);
}

}  // namespace

texel_registers sample(const texture_object& texture, const texture_position& at, uintptr_t site) {
    // By far the most frequent; NaN is not inside.
    const bool is_inside =
        at.x >= 0 && at.x < float(texture.width) && at.y >= 0 && at.y < float(texture.height);
    if (texture.is_plain && is_inside && (!texture.filtered || (is_centre(at.x) && is_centre(at.y))))
        return stored_texel(texture, {int(at.x), int(at.y), 0}, site);
    return addressed_texel(texture, at, site);
}

texel_registers sample_element(const texture_object& texture, int x, uintptr_t site) {
    if (!texture.is_linear_memory || x < 0 || x >= texture.width) return {};
    return stored_texel(texture, {x, 0, 0}, site);
}

}  // namespace simt
