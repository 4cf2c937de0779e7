//! Tests dropping handles in every order, with work queued, in several threads.
mod support;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use support::{Random, block_on};
use webnn::*;

/// Makes handles of all kinds, runs work, and drops the handles in random order.
fn use_and_drop(context: Context, seed: u64) -> Result<()> {
    let mut random = Random(seed);
    let builder = GraphBuilder::new(&context)?;
    let x = builder.input("x", DataType::Float32, &[64])?;
    let weights: Arc<[f32]> = vec![2f32; 64].into();
    let graph = builder.build(&[("y", builder.mul(x, builder.constant_shared(&[64], weights.clone())?)?)])?;
    let tensor = context.create_tensor_with(&[64], &[1f32; 64])?;
    let output = context.create_tensor::<f32>(&[64])?;
    let mut handles: Vec<Box<dyn std::any::Any + Send>> = Vec::new();
    for _ in 0..4 {
        context.dispatch(&graph, &[("x", &tensor)], &[("y", &output)])?;
        let read = context.read_async(&output);
        match random.below(3) {
            0 => assert_eq!(block_on(read)?, [2.; 64]),
            1 => drop(read),
            _ => handles.push(Box::new(read)),
        }
    }
    let unfinished = {
        let builder = GraphBuilder::new(&context)?;
        let x = builder.input("x", DataType::Float32, &[8, 8])?;
        builder.build_async(&[("y", builder.matmul(x, x)?)])?
    };
    let session = context.load_session_bytes(
        "webnn_graph \"g\" v2 { inputs { x: f32[2]; } nodes { y = neg(x); } outputs { y; } }",
        SessionOptions::default(),
    )?;
    let results = session.run(&[("x", Array::new(&[2], &[1f32, 2.]))])?;
    handles.push(Box::new(context.lost()));
    handles.push(Box::new(context));
    handles.push(Box::new(builder));
    handles.push(Box::new(graph));
    handles.push(Box::new(tensor));
    handles.push(Box::new(output));
    handles.push(Box::new(unfinished));
    handles.push(Box::new(session));
    handles.push(Box::new(results));
    while !handles.is_empty() {
        drop(handles.swap_remove(random.below(handles.len())));
    }
    Ok(())
}

#[test]
fn handles_may_be_dropped_in_any_order_in_threads() {
    let shared = Context::new().unwrap();
    std::thread::scope(|scope| {
        for thread in 0..8 {
            let shared = &shared;
            scope.spawn(move || {
                for round in 0..40 {
                    let context = if round % 2 == 0 { shared.clone() } else { Context::new().unwrap() };
                    use_and_drop(context, thread * 1000 + round).unwrap();
                }
            });
        }
    });
}

/// Drops a context, a graph, a tensor, a pending read and a pending build in every order, in 8 threads.
#[test]
fn five_kinds_of_handles_may_be_dropped_in_every_order() {
    let mut orders = vec![vec![]];
    for kind in 0..5 {
        orders = orders
            .into_iter()
            .flat_map(|order: Vec<usize>| {
                (0..=order.len()).map(move |place| {
                    let mut order = order.clone();
                    order.insert(place, kind);
                    order
                })
            })
            .collect();
    }
    assert_eq!(orders.len(), 120);
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| orders.iter().for_each(|order| drop_in_order(order).unwrap()));
        }
    });
}

/// Queues work, and drops the handles in this order.
fn drop_in_order(order: &[usize]) -> Result<()> {
    let context = Context::new()?;
    let builder = GraphBuilder::new(&context)?;
    let x = builder.input("x", DataType::Float32, &[256])?;
    let graph = builder.build(&[("y", builder.tanh(x)?)])?;
    let other = GraphBuilder::new(&context)?;
    let z = other.input("z", DataType::Float32, &[4, 4])?;
    let build = other.build_async(&[("y", other.matmul(z, z)?)])?;
    let x = context.create_tensor_with(&[256], &[1f32; 256])?;
    let y = context.create_tensor::<f32>(&[256])?;
    context.dispatch(&graph, &[("x", &x)], &[("y", &y)])?;
    let read = context.read_async(&y);
    let mut handles: Vec<Option<Box<dyn std::any::Any>>> =
        vec![Some(Box::new(context)), Some(Box::new(graph)), Some(Box::new((x, y))), Some(Box::new(read)), Some(Box::new(build))];
    for &kind in order {
        drop(handles[kind].take());
    }
    Ok(())
}

struct Counted(Vec<f32>, Arc<AtomicUsize>);

impl AsRef<[f32]> for Counted {
    fn as_ref(&self) -> &[f32] {
        &self.0
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.1.fetch_add(1, Ordering::SeqCst);
    }
}

#[test]
fn shared_constants_are_dropped_once() {
    let drops = Arc::new(AtomicUsize::new(0));
    let context = Context::with(ContextOptions::default().execution(Execution::CallerThread)).unwrap();
    let builder = GraphBuilder::new(&context).unwrap();
    // A call that fails drops the owner, too.
    assert!(matches!(builder.constant_shared(&[3], Counted(vec![1.; 2], drops.clone())), Err(Error::Type(_))));
    assert_eq!(drops.load(Ordering::SeqCst), 1);
    builder.constant_shared(&[2], Counted(vec![1.; 2], drops.clone())).unwrap();
    assert_eq!(drops.load(Ordering::SeqCst), 1);
    drop(builder);
    assert_eq!(drops.load(Ordering::SeqCst), 2);
}

struct Panicking {
    reads: bool,
    drops: Arc<AtomicUsize>,
}

impl AsRef<[f32]> for Panicking {
    fn as_ref(&self) -> &[f32] {
        assert!(!self.reads, "cannot be read");
        &[1., 2.]
    }
}

impl Drop for Panicking {
    fn drop(&mut self) {
        self.drops.fetch_add(1, Ordering::SeqCst);
        assert!(self.reads, "cannot be dropped");
    }
}

#[test]
fn owners_of_constants_that_panic_are_dropped_once() -> Result<()> {
    let builder = GraphBuilder::new(&Context::new()?)?;
    let drops = Arc::new(AtomicUsize::new(0));
    let shared = |reads| {
        let owner = Panicking { reads, drops: drops.clone() };
        std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| builder.constant_shared::<f32, _>(&[2], owner).map(|_| ())))
    };
    assert!(shared(true).is_err());
    assert_eq!(drops.load(Ordering::SeqCst), 1);
    shared(false).expect("no panic")?;
    assert_eq!(drops.load(Ordering::SeqCst), 1);
    drop(builder);
    assert_eq!(drops.load(Ordering::SeqCst), 2);
    Ok(())
}

struct Payload;

impl Drop for Payload {
    fn drop(&mut self) {
        std::panic::panic_any(Payload);
    }
}

#[test]
fn a_panic_whose_payload_panics_ends_in_the_callback() -> Result<()> {
    let builder = GraphBuilder::new(&Context::new()?)?;
    let y = builder.neg(builder.input("x", DataType::Float32, &[2])?)?;
    let options = CallOptions::default().progress(&|_, _, _| std::panic::panic_any(Payload));
    builder.build_with(&[("y", y)], options)?;
    Ok(())
}

#[test]
fn a_dropped_future_of_a_loss_releases_its_task() -> Result<()> {
    struct Task;
    impl std::task::Wake for Task {
        fn wake(self: Arc<Self>) {}
    }
    let context = Context::new()?;
    let task = Arc::new(Task);
    let mut future = context.lost();
    let waker = std::task::Waker::from(task.clone());
    assert!(std::pin::Pin::new(&mut future).poll(&mut std::task::Context::from_waker(&waker)).is_pending());
    drop(waker);
    assert_eq!(Arc::strong_count(&task), 2);
    drop(future);
    assert_eq!(Arc::strong_count(&task), 1);
    Ok(())
}
