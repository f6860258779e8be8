// cuRAND's device functions: sequences, jumps, distributions. Expectations are what NVIDIA's own header computes,
// compiled for the host (its functions are the same there).
#include <curand_kernel.h>

#include <cmath>

#include "engine_test.h"

/// What a generator gives, in this order.
struct sequence {
    unsigned long long seed, subsequence, offset;
    unsigned int bits[8];  // six in a row, one 1000004 numbers on, and one 77 subsequences on
    float uniform;
    double uniform_double;
    double normal[14];  // curand_normal and its relatives
    unsigned int last;
};

const sequence XORWOW[] = {
    {0ull,
     0ull,
     0ull,
     {3179217846u, 1883133293u, 2220552389u, 674260989u, 306521119u, 1986458431u, 2375563580u, 2726586703u},
     0.321633458f,
     0.98074096997655302,
     {0.542142093, -0.160223365, 2.6604774, -0.0746789202, 1.25177526, -1.34235221679, -2.06460651617,
      -0.236256416997, -0.744205150053, 0.404820158552, 1.49234915, 1.9221338, 1.48267048, 1.4024393},
     3701304231u},
    {1234ull,
     0ull,
     0ull,
     {624778773u, 1867875844u, 3739671282u, 1954919316u, 3681184389u, 2501467243u, 406099127u, 3895537836u},
     0.205530941f,
     0.31767477781659065,
     {0.0646612942, 0.474277079, -0.153912216, -1.27229583, 1.22382843, 0.459560084522, -0.336563456518,
      -0.0678725054141, 1.67916982035, 0.472243851393, 2.18658161, 1.66185462, 2.14075427, 1.82331992},
     979968422u},
    {1234ull,
     1ull,
     0ull,
     {3522650202u, 3978931785u, 2198015705u, 2308946676u, 3475686971u, 75263415u, 3384809590u, 2572182866u},
     0.122929528f,
     0.48428037617794523,
     {1.00621927, -0.482672364, -1.89008713, 0.506881952, 0.0947974026, 0.495577298703, -0.565908058995,
      0.541472863591, -0.403957171753, 1.11016635137, 1.370929, 1.94601679, 2.0379598, 1.77690005},
     1400015613u},
    {81985529216486895ull,
     1000001ull,
     12345678901ull,
     {1900956278u, 66385193u, 228808171u, 3306119533u, 3319231868u, 465587188u, 2480672136u, 2802461522u},
     0.574951708f,
     0.12331191941656144,
     {1.01736689, 0.0401230417, -0.518668771, -0.214284822, -0.137581944, 0.359948723735, -1.22980868759,
      -0.185405833002, 0.74528847946, -0.166426712905, 1.60017264, 1.53069592, 1.38582767, 1.92137983},
     1505328603u},
    {42ull,
     18364758544493064720ull,
     281474976710655ull,
     {2991751220u, 3022036199u, 818634263u, 3240182307u, 2718280989u, 735113300u, 1467654089u, 4203713573u},
     0.14810507f,
     0.83185286201144315,
     {0.440678239, -0.782716155, -0.924526453, 1.45995212, -1.18115723, 0.387787607207, 1.77601373872,
      1.85156942958, 0.685242129387, -1.47816283115, 1.85531914, 1.44908023, 1.58809372, 1.44570707},
     2609354128u},
};
const sequence PHILOX[] = {
    {0ull,
     0ull,
     0ull,
     {1713891541u, 3781805453u, 3159862348u, 2600524760u, 4175744164u, 1555169499u, 3549109422u, 1977928713u},
     0.0684169829f,
     0.1317865636665374,
     {0.952273667, -1.17786598, 1.88152218, -2.17109275, -1.64705658, 1.54034692858, -0.2870310695,
      -1.02832707922, -0.78229671161, -0.473876511637, 1.48443234, 2.7183013, 1.15779983, 1.85338643},
     795293386u},
    {1234ull,
     0ull,
     0ull,
     {546353992u, 3665621163u, 1140953199u, 3419031310u, 2666454581u, 482218876u, 1071227132u, 3313129704u},
     0.641237676f,
     0.72842625505290926,
     {-2.34366703, 1.11127341, -0.209602892, -0.0889923573, -1.15109122, 0.496592314598, 0.997838243098,
      0.175751079041, -1.57692611825, 2.48819456257, 1.21220803, 1.58470511, 1.06797222, 2.06760095},
     2256450724u},
    {1234ull,
     1ull,
     3ull,
     {253049307u, 118660703u, 1698527859u, 495137217u, 2264860335u, 738435355u, 3966204914u, 1326079489u},
     0.181425825f,
     0.42512478679418564,
     {0.879704833, -0.402055383, 1.15498805, -0.676181376, 0.395188242, -0.418285394139, 0.659703982208,
      -0.240823455011, 1.87544582778, -0.225647125385, 1.18161559, 1.58889103, 1.1804447, 1.91683761},
     3547140683u},
    {81985529216486895ull,
     1000001ull,
     12345678901ull,
     {2705351195u, 1217556201u, 224418961u, 4102120740u, 2574440191u, 718361697u, 2718118383u, 917750855u},
     0.338190615f,
     0.90962338144890964,
     {-0.619408011, -0.778801143, 0.374836922, -0.436687499, -0.772611678, 0.359522634977, 0.484652445474,
      0.929504522588, 0.574722017885, 1.37607672476, 1.79435885, 1.61913025, 1.65649104, 1.80580558},
     1501657885u},
    {42ull,
     18364758544493064720ull,
     281474976710655ull,
     {2267503029u, 2934478379u, 1469222697u, 3831175948u, 970208368u, 3032941598u, 1379785201u, 351810705u},
     0.768034816f,
     0.86552247079089284,
     {0.0325891376, -1.20057654, 0.957160473, -1.2967062, -0.0530496761, 2.28307133734, -0.824364202936,
      -1.22073336658, 0.490232063905, -0.261314856871, 2.14788246, 1.80847752, 2.43126755, 1.62988871},
     419638359u},
};

template <class state_type>
__device__ void draw(sequence* drawn) {
    state_type state;
    curand_init(drawn->seed, drawn->subsequence, drawn->offset, &state);
    for (int i = 0; i < 6; i++)
        drawn->bits[i] = curand(&state);
    skipahead(1000003ull, &state);
    drawn->bits[6] = curand(&state);
    skipahead_sequence(77ull, &state);
    drawn->bits[7] = curand(&state);
    drawn->uniform = curand_uniform(&state);
    drawn->uniform_double = curand_uniform_double(&state);
    double* normal = drawn->normal;
    for (int i = 0; i < 3; i++)
        *normal++ = curand_normal(&state);
    const float2 two = curand_normal2(&state);
    *normal++ = two.x;
    *normal++ = two.y;
    for (int i = 0; i < 3; i++)
        *normal++ = curand_normal_double(&state);
    const double2 doubles = curand_normal2_double(&state);
    *normal++ = doubles.x;
    *normal++ = doubles.y;
    for (int i = 0; i < 2; i++)
        *normal++ = curand_log_normal(&state, 0.5f, 0.25f);
    for (int i = 0; i < 2; i++)
        *normal++ = curand_log_normal_double(&state, 0.5, 0.25);
    drawn->last = curand(&state);
}
template <class state_type>
__global__ void draw_all(sequence* drawn) {
    draw<state_type>(&drawn[threadIdx.x]);
}

/// Bits and uniform numbers are the same; what sinf and logf take part in differs in the last digits.
template <class state_type, size_t COUNT>
void expect_drawn(const sequence (&wanted)[COUNT]) {
    const device_array<sequence> d_drawn(COUNT);
    EXPECT(cudaMemcpy(d_drawn, wanted, sizeof wanted, cudaMemcpyHostToDevice) == cudaSuccess);
    draw_all<state_type><<<1, COUNT>>>(d_drawn);
    for (size_t i = 0; i < COUNT; i++) {
        const sequence drawn = d_drawn.at(i);
        EXPECT(memcmp(drawn.bits, wanted[i].bits, sizeof drawn.bits) == 0);
        EXPECT(drawn.uniform == wanted[i].uniform && drawn.uniform_double == wanted[i].uniform_double);
        for (int k = 0; k < 14; k++)
            EXPECT(std::fabs(drawn.normal[k] - wanted[i].normal[k]) <= 1e-6 * std::fabs(wanted[i].normal[k]));
        EXPECT(drawn.last == wanted[i].last);
    }
}
void xorwow() {
    static_assert(sizeof(curandState) == 48);
    expect_drawn<curandState>(XORWOW);
}
void philox() {
    static_assert(sizeof(curandStatePhilox4_32_10_t) == 64);
    expect_drawn<curandStatePhilox4_32_10_t>(PHILOX);
}

__global__ void draw_four(uint4* bits, float4* uniform, double2* doubles) {
    curandStatePhilox4_32_10_t state;
    curand_init(7, 3, 0xfffffffffull, &state);
    for (int i = 0; i < 4; i++) {
        curand(&state);
        bits[i] = curand4(&state);
    }
    uniform[0] = curand_uniform4(&state);
    uniform[1] = curand_normal4(&state);
    *doubles = curand_uniform2_double(&state);
}
void four_at_once() {
    const unsigned int wanted[16] = {546435463u,  4218178357u, 455937807u,  1846402734u,
                                     2404210723u, 2600308797u, 359308058u,  2065412490u,
                                     1589469299u, 1591689251u, 3796391014u, 1120572774u,
                                     3460492014u, 2338164671u, 1220195846u, 1482452044u};
    const float uniform[4] = {0.136830404f, 0.528041661f, 0.205711812f, 0.0243144184f};
    const float normal[4] = {-0.0247274f, -0.334157f, 1.03298f, 0.00802534f};
    const device_array<uint4> bits(4);
    const device_array<float4> d_uniform(2);
    const device_array<double2> doubles(1);
    draw_four<<<1, 1>>>(bits, d_uniform, doubles);
    EXPECT(memcmp(bits.host().data(), wanted, sizeof wanted) == 0);
    const float4 first = d_uniform.at(0), second = d_uniform.at(1);
    EXPECT(memcmp(&first, uniform, sizeof uniform) == 0);
    EXPECT(std::fabs(second.x - normal[0]) < 1e-5f && std::fabs(second.y - normal[1]) < 1e-5f &&
           std::fabs(second.z - normal[2]) < 1e-5f && std::fabs(second.w - normal[3]) < 1e-5f);
    EXPECT(doubles.at(0).x == 0.19761496497476166 && doubles.at(0).y == 0.99938360499864554);
}

int main() {
    return run_cases({xorwow, philox, four_at_once});
}
