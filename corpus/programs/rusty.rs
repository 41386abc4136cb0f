/*
 * Rust: panics that are caught, destructors while one passes, a sort by a closure, generic functions, trait objects, a thread.
 *
 * chain: area_of < .. < measure < shapes < run < ..
 * chain: area_of < measure < shapes < run < ..
 * chain: .. < measure < shapes < run < ..
 * chain: .. < shapes < run < ..
 * chain: compare < .. < sorts < run < ..
 * chain: compare < sorts < run < ..
 * chain: .. < sorts < run < ..
 * chain: touch < .. < generics < run < ..
 * chain: touch < generics < run < ..
 * chain: .. < generics < run < ..
 * chain: .. < thrower < guarded < nested*5 < .. < catcher < run < ..
 * chain: .. < thrower < guarded < nested*5 < catcher < run < ..
 * chain: leave < .. < guarded < nested*5 < .. < catcher < run < ..
 * chain: leave < .. < guarded < nested*5 < catcher < run < ..
 * chain: leave < guarded < nested*5 < .. < catcher < run < ..
 * chain: leave < guarded < nested*5 < catcher < run < ..
 * chain: .. < guarded < nested*5 < .. < catcher < run < ..
 * chain: .. < guarded < nested*5 < catcher < run < ..
 * chain: .. < catcher < run < ..
 * chain: handle < catcher < run < ..
 * chain: work < worker < ..
 *
 * excused arm: libgcc_s.so.1: while it searches for the handler the runtime overwrites the return addresses it saved
 */
use std::io::Write;
use std::panic;
use std::ptr::{read_volatile, write_volatile};

static mut SINK: u32 = 0;
static mut RUNNING: u32 = 1;

/* A store behind a call keeps that from becoming a jump. */
#[inline(always)]
fn sink(value: u32) {
    unsafe { write_volatile(&mut SINK, value) }
}

#[inline(always)]
fn running() -> bool {
    unsafe { read_volatile(&RUNNING) != 0 }
}

#[inline(always)]
fn spin(rounds: u32) -> u32 {
    let mut value = rounds;
    for i in 0..rounds {
        value = unsafe { read_volatile(&value) }.wrapping_mul(5).wrapping_add(i);
    }
    value
}

pub trait Shape {
    fn area(&self) -> u32;
}

struct Square(u32);
struct Oblong(u32, u32);

#[no_mangle]
#[inline(never)]
pub fn area_of(a: u32, b: u32) -> u32 {
    spin(30).wrapping_add(a * b)
}

impl Shape for Square {
    #[inline(never)]
    fn area(&self) -> u32 {
        area_of(self.0, self.0) + 1
    }
}

impl Shape for Oblong {
    #[inline(never)]
    fn area(&self) -> u32 {
        area_of(self.0, self.1) ^ 1
    }
}

#[no_mangle]
#[inline(never)]
pub fn measure(shape: &dyn Shape) -> u32 {
    let result = shape.area();
    sink(result);
    result.wrapping_add(1)
}

#[no_mangle]
#[inline(never)]
pub fn shapes() {
    let all: [Box<dyn Shape>; 2] = [Box::new(Square(7)), Box::new(Oblong(3, 4))];
    for i in 0..400 {
        sink(measure(&*all[i & 1]));
    }
}

#[no_mangle]
#[inline(never)]
pub fn compare(a: u32, b: u32) -> bool {
    spin(20);
    a.wrapping_mul(40503) & 0xffff < b.wrapping_mul(40503) & 0xffff
}

#[no_mangle]
#[inline(never)]
pub fn sorts() {
    let mut all: Vec<u32> = (0..60).collect();
    all.sort_by(|a, b| compare(*b, *a).cmp(&compare(*a, *b)));
    sink(all[0]);
}

#[no_mangle]
#[inline(never)]
pub fn touch(value: u32) -> u32 {
    spin(300).wrapping_add(value)
}

#[inline(never)]
fn deep<T: Copy + Into<u64>>(depth: u32, value: T) -> u64 {
    let below = if depth > 0 { deep(depth - 1, value) } else { 0 };
    below + touch(depth) as u64 + value.into()
}

#[no_mangle]
#[inline(never)]
pub fn generics() {
    sink(deep(6, 5u8) as u32);
    sink(deep(9, 7u64) as u32);
}

struct Guard(u32);

impl Drop for Guard {
    #[inline(always)]
    fn drop(&mut self) {
        leave(self.0);
    }
}

#[no_mangle]
#[inline(never)]
pub fn leave(value: u32) {
    sink(spin(300000) + value);
}

#[no_mangle]
#[inline(never)]
pub fn thrower(value: u32) {
    sink(spin(300000));
    if running() {
        panic::panic_any(value);
    }
}

#[no_mangle]
#[inline(never)]
pub fn guarded(value: u32) {
    let guard = Guard(value);
    thrower(value);
    sink(guard.0);
}

#[no_mangle]
#[inline(never)]
pub fn nested(depth: u32) {
    if depth > 1 {
        nested(depth - 1);
    } else {
        guarded(depth);
    }
    sink(depth);
}

#[no_mangle]
#[inline(never)]
pub fn handle(value: u32) {
    sink(spin(300000) + value);
}

#[no_mangle]
#[inline(never)]
pub fn catcher() {
    if let Err(thrown) = panic::catch_unwind(|| nested(5)) {
        handle(*thrown.downcast_ref::<u32>().unwrap());
    }
    sink(1);
}

#[no_mangle]
#[inline(never)]
pub fn work(value: u32) -> u32 {
    spin(1000).wrapping_add(value)
}

#[no_mangle]
#[inline(never)]
pub fn worker() {
    while running() {
        sink(work(3));
    }
}

#[no_mangle]
#[inline(never)]
pub fn run() {
    while running() {
        shapes();
        sorts();
        generics();
        catcher();
    }
}

fn main() {
    panic::set_hook(Box::new(|_| {}));
    let thread = std::thread::spawn(worker);
    std::io::stdout().write_all(b"ready\n").unwrap();
    run();
    thread.join().unwrap();
}
