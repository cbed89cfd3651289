//! Eight numbers at once, in the registers that the instructions in use have.
//!
//! Kernels are written once, over [`Lanes`]. Each operation rounds as that of a single number does, and none is an approximation, so
//! that all implementations give the same bits.

use std::ops::{Add, Div, Mul, Sub};

use wide::f32x8;

use super::bundle::{EnteringRays, SearchStart, SoFar};
use super::kernel::{Stack, WideRay, invert};
use super::{Instance, Nearest, Space, packet};

/// How many numbers there are.
pub(super) const LANES: usize = 8;

/// Eight numbers, or what a comparison of eight pairs gave.
pub(super) trait Lanes:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self>
{
    /// One number eight times.
    fn splat(number: f32) -> Self;

    /// These numbers.
    fn load(numbers: &[f32; LANES]) -> Self;

    /// Its numbers.
    fn to_array(self) -> [f32; LANES];

    /// The larger of two numbers each; of equal ones, and where one is no number, that of `other`.
    fn max(self, other: Self) -> Self;

    /// The smaller of two numbers each; of equal ones, and where one is no number, that of `other`.
    fn min(self, other: Self) -> Self;

    /// Whether ≤; false where one is no number.
    fn le(self, other: Self) -> Self;

    /// Whether ≥; false where one is no number.
    fn ge(self, other: Self) -> Self;

    /// Whether >; false where one is no number.
    fn gt(self, other: Self) -> Self;

    /// Of two comparisons, whether both hold.
    fn and(self, other: Self) -> Self;

    /// Of two comparisons, whether one of them holds.
    fn or(self, other: Self) -> Self;

    /// Of a comparison, a bit for each pair for which it holds.
    fn bits(self) -> u32;

    /// The comparison that has these bits.
    fn mask(bits: u32) -> Self;

    /// The numbers of `yes` where this comparison holds, and those of `no` elsewhere.
    fn select(self, yes: Self, no: Self) -> Self;

    /// Writes a number where this comparison holds.
    fn put(self, number: u32, into: &mut [u32; LANES]);

    /// Less one over each number, as [`invert`].
    fn invert_back(self) -> Self;

    /// The least of its numbers, in all places.
    fn least_in_all(self) -> Self;

    /// The largest of its numbers, in all places.
    fn most_in_all(self) -> Self;

    /// As [`find_in`](super::find_in), in a function of its own with these instructions: the loop in it needs all registers.
    fn find_in(
        instance: &Instance,
        start: SearchStart<f32>,
        local: &WideRay<'_, Self>,
        stack: &mut Stack,
        nearest: &mut Nearest,
        any: bool,
    );

    /// As [`packet::find_in`], in a function of its own.
    fn find_packet_in(
        space: &Space,
        index: u32,
        enter: Self,
        rays: EnteringRays<'_>,
        so_far: &mut SoFar,
        stack: &mut Stack,
    );

    /// The first number.
    #[inline(always)]
    fn first(self) -> f32 {
        self.to_array()[0]
    }
}

/// Those of the instructions that all processors have.
impl Lanes for f32x8 {
    #[inline(always)]
    fn splat(number: f32) -> f32x8 {
        f32x8::splat(number)
    }

    #[inline(always)]
    fn load(numbers: &[f32; LANES]) -> f32x8 {
        f32x8::new(*numbers)
    }

    #[inline(always)]
    fn to_array(self) -> [f32; LANES] {
        f32x8::to_array(self)
    }

    #[inline(always)]
    fn max(self, other: f32x8) -> f32x8 {
        self.fast_max(other)
    }

    #[inline(always)]
    fn min(self, other: f32x8) -> f32x8 {
        self.fast_min(other)
    }

    #[inline(always)]
    fn le(self, other: f32x8) -> f32x8 {
        self.simd_le(other)
    }

    #[inline(always)]
    fn ge(self, other: f32x8) -> f32x8 {
        self.simd_ge(other)
    }

    #[inline(always)]
    fn gt(self, other: f32x8) -> f32x8 {
        self.simd_gt(other)
    }

    #[inline(always)]
    fn and(self, other: f32x8) -> f32x8 {
        self & other
    }

    #[inline(always)]
    fn or(self, other: f32x8) -> f32x8 {
        self | other
    }

    #[inline(always)]
    fn bits(self) -> u32 {
        self.to_bitmask()
    }

    #[inline(always)]
    fn mask(bits: u32) -> f32x8 {
        let of = |lane: usize| if bits >> lane & 1 != 0 { u32::MAX } else { 0 };
        f32x8::new(std::array::from_fn(|lane| f32::from_bits(of(lane))))
    }

    #[inline(always)]
    fn select(self, yes: f32x8, no: f32x8) -> f32x8 {
        no ^ (self & (yes ^ no))
    }

    #[inline(always)]
    fn put(self, number: u32, into: &mut [u32; LANES]) {
        let bits = self.bits();
        for (lane, target) in into.iter_mut().enumerate() {
            *target = if bits >> lane & 1 != 0 { number } else { *target };
        }
    }

    #[inline(always)]
    fn invert_back(self) -> f32x8 {
        f32x8::new(f32x8::to_array(self).map(|number| -invert(number)))
    }

    #[inline(always)]
    fn least_in_all(self) -> f32x8 {
        f32x8::splat(reduce(self, |a, b| if b < a { b } else { a }))
    }

    #[inline(always)]
    fn most_in_all(self) -> f32x8 {
        f32x8::splat(reduce(self, |a, b| if b > a { b } else { a }))
    }

    #[inline(never)]
    fn find_in(
        instance: &Instance,
        start: SearchStart<f32>,
        local: &WideRay<'_, f32x8>,
        stack: &mut Stack,
        nearest: &mut Nearest,
        any: bool,
    ) {
        super::find_in(instance, start, local, stack, nearest, any);
    }

    #[inline(never)]
    fn find_packet_in(
        space: &Space,
        index: u32,
        enter: f32x8,
        rays: EnteringRays<'_>,
        so_far: &mut SoFar,
        stack: &mut Stack,
    ) {
        packet::find_in(space, index, enter, rays, so_far, stack);
    }
}

/// One of the numbers, of each two the one that is chosen.
#[inline(always)]
fn reduce(numbers: f32x8, choose: fn(f32, f32) -> f32) -> f32 {
    numbers.to_array().into_iter().reduce(choose).unwrap_or(0.0)
}

#[cfg(target_arch = "x86_64")]
pub(super) use self::avx::Avx;

/// Registers of AVX, for functions that are compiled for it: `wide` chooses its own for the whole program.
#[cfg(target_arch = "x86_64")]
mod avx {
    use std::arch::x86_64::*;

    use super::super::kernel::MIN_INVERTED;
    use super::*;
    use crate::vectors::wide_instructions;

    /// Eight numbers in one register. Only [`vectorized!`](crate::vectors::vectorized) makes them, where the processor has AVX.
    #[derive(Clone, Copy, Debug)]
    #[repr(transparent)]
    pub(in super::super) struct Avx(__m256);

    /// An operator of an instruction for two registers.
    macro_rules! operator {
        ($trait:ident, $method:ident, $instruction:ident) => {
            impl $trait for Avx {
                type Output = Avx;

                #[inline(always)]
                fn $method(self, other: Avx) -> Avx {
                    // SAFETY: the processor has AVX, or there would be no such value.
                    Avx(unsafe { $instruction(self.0, other.0) })
                }
            }
        };
    }

    operator!(Add, add, _mm256_add_ps);
    operator!(Sub, sub, _mm256_sub_ps);
    operator!(Mul, mul, _mm256_mul_ps);
    operator!(Div, div, _mm256_div_ps);

    // SAFETY of all of these: kernels over Avx are called from functions alone that are compiled for AVX, once the processor is known to
    // have it.
    impl Lanes for Avx {
        #[inline(always)]
        fn splat(number: f32) -> Avx {
            Avx(unsafe { _mm256_set1_ps(number) })
        }

        #[inline(always)]
        fn load(numbers: &[f32; LANES]) -> Avx {
            Avx(unsafe { _mm256_loadu_ps(numbers.as_ptr()) })
        }

        #[inline(always)]
        fn to_array(self) -> [f32; LANES] {
            let mut numbers = [0.0; LANES];
            unsafe { _mm256_storeu_ps(numbers.as_mut_ptr(), self.0) };
            numbers
        }

        #[inline(always)]
        fn max(self, other: Avx) -> Avx {
            Avx(unsafe { _mm256_max_ps(self.0, other.0) })
        }

        #[inline(always)]
        fn min(self, other: Avx) -> Avx {
            Avx(unsafe { _mm256_min_ps(self.0, other.0) })
        }

        #[inline(always)]
        fn le(self, other: Avx) -> Avx {
            Avx(unsafe { _mm256_cmp_ps::<_CMP_LE_OQ>(self.0, other.0) })
        }

        #[inline(always)]
        fn ge(self, other: Avx) -> Avx {
            Avx(unsafe { _mm256_cmp_ps::<_CMP_GE_OQ>(self.0, other.0) })
        }

        #[inline(always)]
        fn gt(self, other: Avx) -> Avx {
            Avx(unsafe { _mm256_cmp_ps::<_CMP_GT_OQ>(self.0, other.0) })
        }

        #[inline(always)]
        fn and(self, other: Avx) -> Avx {
            Avx(unsafe { _mm256_and_ps(self.0, other.0) })
        }

        #[inline(always)]
        fn or(self, other: Avx) -> Avx {
            Avx(unsafe { _mm256_or_ps(self.0, other.0) })
        }

        #[inline(always)]
        fn bits(self) -> u32 {
            (unsafe { _mm256_movemask_ps(self.0) }) as u32
        }

        #[inline(always)]
        fn mask(bits: u32) -> Avx {
            unsafe {
                let each = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
                let set = _mm256_and_si256(_mm256_set1_epi32(bits as i32), each);
                Avx(_mm256_castsi256_ps(_mm256_cmpeq_epi32(set, each)))
            }
        }

        #[inline(always)]
        fn select(self, yes: Avx, no: Avx) -> Avx {
            Avx(unsafe { _mm256_blendv_ps(no.0, yes.0, self.0) })
        }

        #[inline(always)]
        fn put(self, number: u32, into: &mut [u32; LANES]) {
            unsafe {
                let mask = _mm256_castps_si256(self.0);
                _mm256_maskstore_epi32(into.as_mut_ptr().cast(), mask, _mm256_set1_epi32(number as i32));
            }
        }

        #[inline(always)]
        fn invert_back(self) -> Avx {
            unsafe {
                let (sign, least) = (_mm256_set1_ps(-0.0), _mm256_set1_ps(MIN_INVERTED));
                let is_small = _mm256_cmp_ps::<_CMP_LT_OQ>(_mm256_andnot_ps(sign, self.0), least);
                let number = _mm256_blendv_ps(self.0, _mm256_or_ps(_mm256_and_ps(sign, self.0), least), is_small);
                Avx(_mm256_div_ps(_mm256_set1_ps(-1.0), number))
            }
        }

        #[inline(always)]
        fn least_in_all(self) -> Avx {
            unsafe {
                let two = _mm256_min_ps(self.0, _mm256_permute2f128_ps::<1>(self.0, self.0));
                let four = _mm256_min_ps(two, _mm256_permute_ps::<0b01_00_11_10>(two));
                Avx(_mm256_min_ps(four, _mm256_permute_ps::<0b10_11_00_01>(four)))
            }
        }

        #[inline(always)]
        fn most_in_all(self) -> Avx {
            unsafe {
                let two = _mm256_max_ps(self.0, _mm256_permute2f128_ps::<1>(self.0, self.0));
                let four = _mm256_max_ps(two, _mm256_permute_ps::<0b01_00_11_10>(two));
                Avx(_mm256_max_ps(four, _mm256_permute_ps::<0b10_11_00_01>(four)))
            }
        }

        #[inline(always)]
        fn first(self) -> f32 {
            unsafe { _mm256_cvtss_f32(self.0) }
        }

        #[inline(always)]
        fn find_in(
            instance: &Instance,
            start: SearchStart<f32>,
            local: &WideRay<'_, Avx>,
            stack: &mut Stack,
            nearest: &mut Nearest,
            any: bool,
        ) {
            unsafe { find_in(instance, start, local, stack, nearest, any) }
        }

        #[inline(always)]
        fn find_packet_in(
            space: &Space,
            index: u32,
            enter: Avx,
            rays: EnteringRays<'_>,
            so_far: &mut SoFar,
            stack: &mut Stack,
        ) {
            unsafe { find_packet_in(space, index, enter, rays, so_far, stack) }
        }
    }

    wide_instructions! {
        #[inline(never)]
        fn find_in(
            instance: &Instance,
            start: SearchStart<f32>,
            local: &WideRay<'_, Avx>,
            stack: &mut Stack,
            nearest: &mut Nearest,
            any: bool,
        ) {
            super::super::find_in(instance, start, local, stack, nearest, any);
        }
    }

    wide_instructions! {
        #[inline(never)]
        fn find_packet_in(
            space: &Space,
            index: u32,
            enter: Avx,
            rays: EnteringRays<'_>,
            so_far: &mut SoFar,
            stack: &mut Stack,
        ) {
            packet::find_in(space, index, enter, rays, so_far, stack);
        }
    }
}
