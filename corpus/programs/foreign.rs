/* What foreign.c loads. */
use std::panic;
use std::ptr::{read_volatile, write_volatile};

static mut SINK: u32 = 0;

/* A store behind a call keeps that from becoming a jump. */
#[inline(always)]
fn sink(value: u32) {
    unsafe { write_volatile(&mut SINK, value) }
}

#[inline(always)]
fn spin(rounds: u32) -> u32 {
    let mut value = rounds;
    for i in 0..rounds {
        value = unsafe { read_volatile(&value) }.wrapping_mul(5).wrapping_add(i);
    }
    value
}

struct Guard(u32);

impl Drop for Guard {
    #[inline(always)]
    fn drop(&mut self) {
        plugin_leave(self.0);
    }
}

#[no_mangle]
#[inline(never)]
pub fn plugin_leave(value: u32) {
    sink(spin(300000) + value);
}

#[no_mangle]
#[inline(never)]
pub fn plugin_thrower(value: u32) {
    sink(spin(300000));
    if value > 0 {
        panic::panic_any(value);
    }
}

#[no_mangle]
#[inline(never)]
pub fn plugin_guarded(value: u32) {
    let guard = Guard(value);
    plugin_thrower(value);
    sink(guard.0);
}

#[no_mangle]
pub extern "C" fn plugin_catch(value: u32) -> u32 {
    panic::set_hook(Box::new(|_| {}));
    let thrown = panic::catch_unwind(|| plugin_guarded(value)).is_err();
    sink(spin(300000));
    thrown as u32
}

#[no_mangle]
pub extern "C" fn plugin_run(function: extern "C" fn(u32) -> u32, value: u32) -> u32 {
    let result = function(value);
    sink(result);
    result.wrapping_add(spin(2))
}
