//! Which vector instructions the kernels use: the widest that the processor has, unless a program asks for those that all have.

use std::sync::atomic::{AtomicU8, Ordering};

/// Compiles a function once more with wider vector instructions, which are used where the processor has them. None of them
/// rounds differently: fused multiplications and additions are not among them. A function `fn name<V>` gets a type for eight numbers, which
/// are in one register where there are such.
#[macro_export]
macro_rules! vectorized {
    (
        $(#[$attribute:meta])*
        fn $name:ident($($argument:ident: $type:ty),* $(,)?) $(-> $output:ty)? $body:block
    ) => {
        $(#[$attribute])*
        fn $name($($argument: $type),*) $(-> $output)? {
            // Inlined into both, so that it is compiled with the instructions of each.
            #[inline(always)]
            fn baseline($($argument: $type),*) $(-> $output)? $body
            #[cfg(target_arch = "x86_64")]
            {
                $crate::vectors::wide_instructions! {
                    fn wide($($argument: $type),*) $(-> $output)? {
                        baseline($($argument),*)
                    }
                }
                if $crate::vectors::are_wide() {
                    // SAFETY: the processor has these instructions.
                    return unsafe { wide($($argument),*) };
                }
            }
            baseline($($argument),*)
        }
    };
    (
        $(#[$attribute:meta])*
        fn $name:ident<$lanes:ident>($($argument:ident: $type:ty),* $(,)?) $(-> $output:ty)? $body:block
    ) => {
        $(#[$attribute])*
        fn $name($($argument: $type),*) $(-> $output)? {
            #[inline(always)]
            fn kernel<$lanes: $crate::space::lanes::Lanes>($($argument: $type),*) $(-> $output)? $body
            #[cfg(target_arch = "x86_64")]
            {
                $crate::vectors::wide_instructions! {
                    fn wide($($argument: $type),*) $(-> $output)? {
                        kernel::<$crate::space::lanes::Avx>($($argument),*)
                    }
                }
                if $crate::vectors::are_wide() {
                    // SAFETY: the processor has these instructions.
                    return unsafe { wide($($argument),*) };
                }
            }
            kernel::<wide::f32x8>($($argument),*)
        }
    };
}
pub use vectorized;

/// Compiles a function with the wide vector instructions.
#[cfg(target_arch = "x86_64")]
#[macro_export]
macro_rules! wide_instructions {
    ($function:item) => {
        #[target_feature(enable = "avx,avx2,bmi1,bmi2,popcnt,sse3,sse4.1,sse4.2,ssse3")]
        $function
    };
}
#[cfg(target_arch = "x86_64")]
pub use wide_instructions;

/// The instructions in use; [`UNKNOWN`] until the first kernel runs.
static IN_USE: AtomicU8 = AtomicU8::new(UNKNOWN);
const UNKNOWN: u8 = 0;
const BASELINE: u8 = 1;
const WIDE: u8 = 2;

/// Sets of vector instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VectorInstructions {
    /// Those that every processor of the architecture has: SSE2 on x86-64.
    Baseline,
    /// The widest that this processor has: AVX2 on most of x86-64.
    Widest,
}

/// Sets the vector instructions of this process, from the next ray on. Results do not depend on them, which is what a test needs this for.
/// Returns whether kernels use wider ones than the baseline then.
pub fn use_vector_instructions(instructions: VectorInstructions) -> bool {
    let is_wide = instructions == VectorInstructions::Widest && has_wide();
    IN_USE.store(if is_wide { WIDE } else { BASELINE }, Ordering::Relaxed);
    is_wide
}

/// Whether kernels use wide instructions.
#[inline(always)]
#[cfg(target_arch = "x86_64")]
pub fn are_wide() -> bool {
    match IN_USE.load(Ordering::Relaxed) {
        WIDE => true,
        BASELINE => false,
        _ => choose(),
    }
}

/// The first choice of this process.
#[cfg(target_arch = "x86_64")]
#[cold]
#[inline(never)]
fn choose() -> bool {
    use_vector_instructions(VectorInstructions::Widest)
}

/// Whether the processor has wide instructions.
fn has_wide() -> bool {
    #[cfg(target_arch = "x86_64")]
    {
        // Processors with these have all that come with them.
        is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("popcnt")
            && is_x86_feature_detected!("sse4.2")
    }
    #[cfg(not(target_arch = "x86_64"))]
    false
}
