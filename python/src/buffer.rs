//! NumPy arrays that are written from Rust while Python has views of them.

use numpy::{Element, PyArrayDyn, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// An array of numbers, contiguous. NumPy owns its memory, so that views outlive the world.
pub(crate) struct Buffer<T> {
    /// Keeps the memory alive, and NumPy from moving it.
    _owner: Py<PyArrayDyn<T>>,
    /// The view for Python, which cannot write.
    view: Py<PyAny>,
    start: Start<T>,
    len: usize,
}

/// Start of an array's memory.
struct Start<T>(*mut T);

#[expect(unsafe_code, reason = "the memory belongs to an array that the buffer keeps alive, and numbers can be sent")]
// SAFETY: see the reason; T is a number.
unsafe impl<T: Send> Send for Start<T> {}
#[expect(unsafe_code, reason = "writing through a shared reference is unsafe by itself: Buffer::row")]
// SAFETY: see the reason.
unsafe impl<T: Send> Sync for Start<T> {}

impl<T: Element + Send> Buffer<T> {
    /// An array of zeros of this shape.
    pub(crate) fn zeros(python: Python<'_>, shape: &[usize]) -> PyResult<Buffer<T>> {
        Buffer::viewed(python, shape, |array| array.call_method0("view"))
    }

    /// An array of zeros that Python sees as `view` makes it.
    pub(crate) fn viewed<'py>(
        python: Python<'py>,
        shape: &[usize],
        view: impl FnOnce(&Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>>,
    ) -> PyResult<Buffer<T>> {
        let owner = PyArrayDyn::<T>::zeros(python, shape, false);
        let view = view(owner.as_any())?;
        let flags = PyDict::new(python);
        flags.set_item("write", false)?;
        view.call_method("setflags", (), Some(&flags))?;
        let (start, len) = (Start(owner.data()), owner.len());
        Ok(Buffer { _owner: owner.unbind(), view: view.unbind(), start, len })
    }

    /// The view for Python.
    pub(crate) fn view(&self, python: Python<'_>) -> Py<PyAny> {
        self.view.clone_ref(python)
    }

    /// The row of this index, of an array whose rows have this length. Empty beyond the end.
    ///
    /// # Safety
    /// No other thread of Rust uses this row. Another Python thread that reads it meanwhile sees old and new numbers mixed.
    #[expect(unsafe_code, clippy::mut_from_ref, reason = "rows of different worlds are written by different threads")]
    pub(crate) unsafe fn row(&self, index: usize, length: usize) -> &mut [T] {
        if (index + 1) * length > self.len {
            return &mut [];
        }
        // SAFETY: within the array, which is contiguous and alive; the rest by the caller.
        unsafe { std::slice::from_raw_parts_mut(self.start.0.add(index * length), length) }
    }
}

/// The axes of an array: the worlds, unless there is one alone, and `more_axes`.
pub(crate) fn shape(count: Option<usize>, more_axes: &[usize]) -> Vec<usize> {
    count.into_iter().chain(more_axes.iter().copied()).collect()
}
