// Loads and stores with a cache hint. The hint means nothing here; the access counts like any other.
#pragma once
#include "simt/vector_types.h"

template <class type>
SIMT_DEVICE_INLINE type __ldg(const type* address) {
    return *address;
}
template <class type>
SIMT_DEVICE_INLINE type __ldca(const type* address) {
    return *address;
}
template <class type>
SIMT_DEVICE_INLINE type __ldcg(const type* address) {
    return *address;
}
template <class type>
SIMT_DEVICE_INLINE type __ldcs(const type* address) {
    return *address;
}
template <class type>
SIMT_DEVICE_INLINE type __ldcv(const type* address) {
    return *address;
}
template <class type>
SIMT_DEVICE_INLINE type __ldlu(const type* address) {
    return *address;
}
template <class type>
SIMT_DEVICE_INLINE void __stcg(type* address, type value) {
    *address = value;
}
template <class type>
SIMT_DEVICE_INLINE void __stcs(type* address, type value) {
    *address = value;
}
template <class type>
SIMT_DEVICE_INLINE void __stwb(type* address, type value) {
    *address = value;
}
template <class type>
SIMT_DEVICE_INLINE void __stwt(type* address, type value) {
    *address = value;
}
