// SPDX-License-Identifier: MIT
// variables_c.c's like in Rust: strings, slices, vectors, enums with and without values, traits.
//
// usage: variables_rust [SEED]

use std::collections::BTreeMap;
use std::hint::black_box;
use std::io::Write;
use std::rc::Rc;
use std::sync::Arc;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Read,
    Write = 7,
}

#[derive(Clone, Debug)]
enum Message {
    Quit,
    Move { x: i32, y: i32 },
    Text(String),
    Color(u8, u8, u8),
}

#[derive(Clone, Debug)]
struct Point {
    x: i32,
    y: i32,
}

#[derive(Debug)]
struct Unit;

struct Wrapper(u64);

trait Shape {
    fn area(&self, state: &mut State) -> i64;
}

struct Square {
    side: i64,
    name: String,
}

struct State {
    seed: u32,
}

impl State {
    fn draw(&mut self, below: u32) -> u32 {
        self.seed = self.seed.wrapping_mul(1103515245).wrapping_add(20261127);
        (self.seed >> 8) % below
    }
}

#[inline(never)]
fn park(state: &State) {
    black_box(state.seed);
    println!("ready");
    std::io::stdout().flush().unwrap();
    loop {
        std::thread::park();
    }
}

#[inline(never)]
fn generic<T: Clone + std::fmt::Debug>(state: &mut State, value: T, list: &[T]) -> usize {
    let copy = value.clone();
    let count = list.len();
    let boxed = Box::new(copy.clone());
    let shared = Rc::new(value.clone());
    let atomic = Arc::new(count as u16);
    park(state);
    black_box((&copy, &boxed, &shared, &atomic));
    count
}

#[inline(never)]
fn enums(state: &mut State, kind: Kind, message: Message, optional: Option<&str>) -> usize {
    let quit = Message::Quit;
    let moved = Message::Move { x: state.draw(100) as i32, y: -4 };
    let color = Message::Color(1, state.draw(256) as u8, 3);
    let none: Option<u32> = None;
    let some = Some(state.draw(1000));
    let boxed: Option<Box<Point>> = Some(Box::new(Point { x: 1, y: 2 }));
    let failed: Result<u8, String> = Err("failed".to_string());
    let passed: Result<u8, String> = Ok(state.draw(256) as u8);
    let points = vec![Point { x: 5, y: 6 }, Point { x: state.draw(9) as i32, y: 8 }];
    let below = generic(state, points[1].clone(), &points);
    black_box((&quit, &moved, &color, &none, &some, &boxed, &failed, &passed, &points));
    black_box((&kind, &message, &optional));
    below
}

#[inline(never)]
fn collections(state: &mut State, text: &str, bytes: &[u8], numbers: Vec<i64>) -> usize {
    let owned = String::from(text) + " and more";
    let empty = String::new();
    let array = [1u16, 2, 3, state.draw(1000) as u16];
    let nested = vec![vec![1, 2], vec![state.draw(50) as i32]];
    let tuple = (1u8, -2i16, 'c', 2.5f32, "in a tuple");
    let slice = &numbers[1..];
    let texts = vec!["one".to_string(), owned.clone()];
    let map: BTreeMap<i32, &str> = [(1, "a"), (2, "b")].into_iter().collect();
    let letter = 'ß';
    let kind = if state.draw(2) == 0 { Kind::Read } else { Kind::Write };
    let below = enums(state, kind, Message::Text(owned.clone()), Some(text));
    black_box((&owned, &empty, &array, &nested, &tuple, &slice, &texts, &map, &letter, &bytes));
    below
}

impl Shape for Square {
    #[inline(never)]
    fn area(&self, state: &mut State) -> i64 {
        let side = self.side;
        let unit = Unit;
        let wrapper = Wrapper(side as u64 * 3);
        let numbers: Vec<i64> = (0..side).collect();
        let add = |argument: i64| argument + side;
        let sum = add(4);
        let below = collections(state, &self.name, b"bytes", numbers);
        black_box((&unit, wrapper.0, sum));
        side * sum + below as i64
    }
}

#[inline(never)]
fn scalars(state: &mut State, small: i8, large: u128, real: f64, yes: bool) -> i64 {
    let signed = small as i128 * -5;
    let size = large as usize / 3;
    let half = real as f32 / 2.0;
    let reference = &size;
    let pointer: *const f32 = &half;
    let function: fn(&State) = park;
    let square = Square { side: 3 + state.draw(5) as i64, name: "square".to_string() };
    let shape: &dyn Shape = &square;
    let area = shape.area(state);
    black_box((&signed, reference, pointer, function, yes));
    area
}

fn main() {
    let mut state = State { seed: 20261127 };
    for argument in std::env::args().skip(1) {
        state.seed = state.seed.wrapping_add(argument.parse::<u32>().unwrap());
    }
    let small = state.draw(128) as i8;
    let large = (state.draw(1 << 20) as u128) << 80;
    let real = state.draw(1000) as f64 / 3.0;
    let area = scalars(&mut state, small, large, real, small > 3);
    std::process::exit((area & 1) as i32);
}
