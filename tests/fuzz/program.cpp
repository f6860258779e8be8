#include "program.h"

#include <algorithm>

namespace fuzz {

namespace {

struct scalar_facts {
    int bytes;
    const char* name;
    const char* vector;
};
constexpr scalar_facts FACTS[] = {{1, "signed char", "char"}, {1, "unsigned char", "uchar"},
                                  {2, "short", "short"},      {2, "unsigned short", "ushort"},
                                  {4, "int", "int"},          {4, "unsigned", "uint"},
                                  {4, "float", "float"},      {8, "double", "double"}};
constexpr int SCALARS = 8;

const scalar_facts& facts_of(scalar type) {
    return FACTS[static_cast<int>(type)];
}

type made_scalar(scalar of) {
    type made;
    made.name = name_of(of);
    made.members = {{of, "", 0}};
    made.bytes = made.align = bytes_of(of);
    return made;
}

/// Vectors of three are aligned as their members, the others as a whole.
type made_vector(scalar of, int members) {
    const std::vector<scalar> list(members, of);
    const int align = members == 3 ? 0 : std::min(16, members * bytes_of(of));
    type made = made_struct(facts_of(of).vector + std::to_string(members), list, align);
    made.is_own = false;
    for (int i = 0; i < members; i++)
        made.members[i].name = std::string(1, "xyzw"[i]);
    return made;
}

}  // namespace

int bytes_of(scalar type) {
    return facts_of(type).bytes;
}
bool is_float(scalar type) {
    return type == scalar::f32 || type == scalar::f64;
}
const char* name_of(scalar type) {
    return facts_of(type).name;
}

bool type::has_padding() const {
    int used = 0;
    for (const member& one : members)
        used += bytes_of(one.type);
    return used != bytes;
}

bool type::is_one_access() const {
    return is_scalar() || (align == bytes && !has_padding());
}

const type* scalar_type(scalar of) {
    static const auto* made = [] {
        auto* list = new std::vector<type>;
        for (int i = 0; i < SCALARS; i++)
            list->push_back(made_scalar(static_cast<scalar>(i)));
        return list;
    }();
    return &(*made)[static_cast<int>(of)];
}

const type* vector_type(scalar of, int members) {
    static const auto* made = [] {
        auto* list = new std::vector<type>;
        for (int i = 0; i < SCALARS * 3; i++)
            list->push_back(made_vector(static_cast<scalar>(i / 3), 2 + i % 3));
        return list;
    }();
    return &(*made)[static_cast<int>(of) * 3 + members - 2];
}

type made_struct(std::string name, std::vector<scalar> members, int align) {
    type made;
    made.name = std::move(name);
    made.is_own = true;
    made.align = std::max(align, 1);
    for (const scalar one : members) {
        const int bytes = bytes_of(one);
        made.align = std::max(made.align, bytes);
        made.bytes = (made.bytes + bytes - 1) / bytes * bytes;
        made.members.push_back({one, "m" + std::to_string(made.members.size()), made.bytes});
        made.bytes += bytes;
    }
    made.bytes = (made.bytes + made.align - 1) / made.align * made.align;
    return made;
}

}  // namespace fuzz
