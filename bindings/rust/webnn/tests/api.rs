//! Tests behaviour of the crate that the conformance vectors do not cover.
mod support;

use std::sync::mpsc;
use std::time::Duration;

use support::block_on;
use webnn::*;

fn doubling(context: &Context) -> Result<Graph> {
    let builder = GraphBuilder::new(context)?;
    let x = builder.input("x", DataType::Float32, &[2])?;
    builder.build(&[("y", builder.add(x, x)?)])
}

#[test]
fn errors_have_the_kind_and_message_of_the_library() {
    let context = Context::new().unwrap();
    let builder = GraphBuilder::new(&context).unwrap();
    let x = builder.input("x", DataType::Float32, &[1, 3, 8, 8]).unwrap();
    let w = builder.input("w", DataType::Float32, &[3, 3]).unwrap();
    let error = builder.conv2d_with(x, w, Conv2dOptions::default().label("stem")).unwrap_err();
    assert!(matches!(error, Error::Type(_)));
    assert!(error.message().contains("stem") && error.message().contains("filter"), "{error}");
    assert!(matches!(Context::with(ContextOptions::default().backend("nothing")), Err(Error::NotSupported(_))));
    assert!(matches!(context.load("/nowhere/model.onnx"), Err(Error::NotFound(_))));
    assert!(matches!(context.operand_limits("conv2d", "nothing"), Err(Error::NotFound(_))));
}

#[test]
fn operands_of_another_builder_are_refused() {
    let context = Context::new().unwrap();
    let (one, other) = (GraphBuilder::new(&context).unwrap(), GraphBuilder::new(&context).unwrap());
    let x = one.input("x", DataType::Float32, &[2]).unwrap();
    assert!(matches!(other.relu(x), Err(Error::Type(_))));
}

#[test]
fn a_builder_builds_once() {
    let context = Context::new().unwrap();
    let builder = GraphBuilder::new(&context).unwrap();
    let y = builder.relu(builder.input("x", DataType::Float32, &[2]).unwrap()).unwrap();
    builder.build(&[("y", y)]).unwrap();
    assert!(matches!(builder.build(&[("y", y)]), Err(Error::InvalidState(_))));
}

#[test]
fn destroyed_contexts_are_lost() {
    let context = Context::new().unwrap();
    let lost = context.lost();
    assert!(!context.is_lost());
    context.destroy();
    assert!(context.is_lost());
    assert!(matches!(block_on(lost), Ok(Loss::Lost(_))));
    assert!(matches!(GraphBuilder::new(&context), Err(Error::InvalidState(_))));
}

#[test]
fn dropped_contexts_are_released() {
    let context = Context::new().unwrap();
    let lost = context.lost();
    drop(context);
    assert_eq!(block_on(lost), Ok(Loss::Released));
}

#[test]
fn futures_complete_on_any_executor() {
    let context = block_on(Context::create_async(ContextOptions::default().backend("cpu")).unwrap()).unwrap();
    assert_eq!(context.backend(), "cpu");
    let graph = doubling(&context).unwrap();
    let x = context.create_tensor_with(&[2], &[1f32, 2.]).unwrap();
    let y = context.create_tensor::<f32>(&[2]).unwrap();
    context.dispatch(&graph, &[("x", &x)], &[("y", &y)]).unwrap();
    assert_eq!(block_on(context.read_async(&y)), Ok(vec![2., 4.]));
    let refused = block_on(Context::create_async(ContextOptions::default().backend("nothing")).unwrap());
    assert!(matches!(refused, Err(Error::NotSupported(_))));
}

#[test]
fn a_thousand_futures_need_no_thousand_threads() {
    let context = Context::new().unwrap();
    let y = context.create_tensor_with(&[2], &[1f32, 2.]).unwrap();
    let reads: Vec<_> = (0..1000).map(|_| context.read_async(&y)).collect();
    let threads = std::fs::read_dir("/proc/self/task").map_or(0, Iterator::count);
    assert!(threads < 100, "{threads} threads");
    for read in reads {
        assert_eq!(block_on(read), Ok(vec![1., 2.]));
    }
}

#[test]
fn reads_of_destroyed_tensors_fail() {
    let context = Context::new().unwrap();
    let y = context.create_tensor::<f32>(&[2]).unwrap();
    y.destroy();
    assert!(matches!(context.read(&y), Err(Error::Type(_))));
    assert!(matches!(block_on(context.read_async(&y)), Err(Error::Type(_))));
}

#[test]
fn dispatch_stops_and_reports_its_error() {
    let (sender, receiver) = mpsc::channel();
    let context = Context::with(ContextOptions::default().on_error(move |error| sender.send(error).unwrap())).unwrap();
    let graph = doubling(&context).unwrap();
    let x = context.create_tensor_with(&[2], &[1f32, 2.]).unwrap();
    let y = context.create_tensor::<f32>(&[2]).unwrap();
    let cancellation = Cancellation::new().unwrap();
    cancellation.request();
    let options = CallOptions::default().cancellation(&cancellation);
    match context.dispatch_with(&graph, &[("x", &x)], &[("y", &y)], options) {
        Err(error) => assert!(matches!(error, Error::Abort(_)), "{error}"), // the call itself may fail
        Ok(()) => {
            assert!(matches!(context.read(&y), Err(Error::Abort(_))));
            assert!(matches!(receiver.recv_timeout(Duration::from_secs(60)), Ok(Error::Abort(_))));
        }
    }
    context.dispatch(&graph, &[("x", &x)], &[("y", &y)]).unwrap();
    assert_eq!(context.read(&y), Ok(vec![2., 4.]));
}

#[test]
fn compute_checks_types_and_sizes() {
    let graph = doubling(&Context::new().unwrap()).unwrap();
    let mut y = [0f32; 2];
    graph.compute(&[View::from(&[1f32, 2.])], &mut [ViewMut::from(&mut y)]).unwrap();
    assert_eq!(y, [2., 4.]);
    let error = graph.compute(&[View::from(&[1i32, 2])], &mut [ViewMut::from(&mut y)]).unwrap_err();
    assert!(matches!(error, Error::Type(_)) && error.message().contains("\"x\""), "{error}");
    assert!(matches!(graph.compute(&[View::from(&[1f32])], &mut [ViewMut::from(&mut y)]), Err(Error::Type(_))));
    assert!(matches!(graph.compute(&[], &mut [ViewMut::from(&mut y)]), Err(Error::Type(_))));
}

#[test]
fn writes_check_sizes() {
    let context = Context::new().unwrap();
    let x = context.create_tensor::<f32>(&[3]).unwrap();
    assert!(matches!(context.write(&x, &[1., 2.]), Err(Error::Type(_))));
    assert!(matches!(context.read_into(&x, &mut [0.; 4]), Err(Error::Type(_))));
}

#[test]
fn every_element_type_survives_a_round_trip() {
    fn check<T: Element>(context: &Context, shape: &[u32], data: &[T]) {
        let tensor = context.create_tensor_with(shape, data).unwrap();
        assert_eq!(tensor.data_type(), T::DATA_TYPE);
        assert_eq!(tensor.len(), data.len());
        assert_eq!(context.read(&tensor).unwrap(), data);
        let mut read = vec![T::default(); data.len()];
        context.read_into(&tensor, &mut read).unwrap();
        assert_eq!(read, data);
    }
    let context = Context::new().unwrap();
    check(&context, &[2], &[1.5f32, f32::MIN]);
    check(&context, &[2], &[f16::from_f32(1.5), f16::MAX]);
    check(&context, &[2], &[i8::MIN, i8::MAX]);
    check(&context, &[2], &[0u8, u8::MAX]);
    check(&context, &[2], &[i32::MIN, i32::MAX]);
    check(&context, &[2], &[0u32, u32::MAX]);
    check(&context, &[2], &[i64::MIN, i64::MAX]);
    check(&context, &[2], &[0u64, u64::MAX]);
    check(&context, &[3], &[Int4x2::new(-8, 7), Int4x2::new(-1, 0)]);
    check(&context, &[3], &[Uint4x2::new(15, 1), Uint4x2::new(9, 0)]);
    check(&context, &[], &[7f32]);
}

#[test]
fn four_bit_constants_are_dequantized() {
    let context = Context::new().unwrap();
    let builder = GraphBuilder::new(&context).unwrap();
    let x = builder.constant(&[1, 3], &[Int4x2::new(-8, 7), Int4x2::new(-1, 0)]).unwrap();
    let scale = builder.constant(&[1, 1], &[0.5f32]).unwrap();
    let zero = builder.constant(&[1, 1], &[Int4x2::new(1, 0)]).unwrap();
    let y = builder.dequantize_linear(x, scale, zero).unwrap();
    let graph = builder.build(&[("y", y)]).unwrap();
    let mut y = [0f32; 3];
    graph.compute(&[], &mut [ViewMut::from(&mut y)]).unwrap();
    assert_eq!(y, [-4.5, 3., -1.]);
}

#[test]
fn progress_is_reported_and_may_panic() {
    let context = Context::new().unwrap();
    let builder = GraphBuilder::new(&context).unwrap();
    let y = builder.relu(builder.input("x", DataType::Float32, &[2]).unwrap()).unwrap();
    let phases = std::sync::Mutex::new(Vec::new());
    let progress = |phase: &str, _: u64, _: u64| phases.lock().unwrap().push(phase.to_owned());
    builder.build_with(&[("y", y)], CallOptions::default().progress(&progress)).unwrap();
    assert!(phases.lock().unwrap().iter().any(|phase| phase == "optimize"));

    let builder = GraphBuilder::new(&context).unwrap();
    let y = builder.relu(builder.input("x", DataType::Float32, &[2]).unwrap()).unwrap();
    let progress = |_: &str, _: u64, _: u64| std::panic::resume_unwind(Box::new("panics"));
    builder.build_with(&[("y", y)], CallOptions::default().progress(&progress)).unwrap();
}

#[test]
fn dropped_builds_stop() {
    let context = Context::new().unwrap();
    let building = {
        let builder = GraphBuilder::new(&context).unwrap();
        let x = builder.input("x", DataType::Float32, &[2]).unwrap();
        builder.build_async(&[("y", builder.neg(x).unwrap())]).unwrap()
    };
    drop(building);
    doubling(&context).unwrap();
}

#[test]
fn sessions_run_on_any_sizes() {
    let context = Context::new().unwrap();
    let builder = GraphBuilder::new(&context).unwrap();
    let x = builder.open_input("x", DataType::Float32, &["batch".into(), 2.into()]).unwrap();
    let size = builder.open_size("batch * 2").unwrap();
    let y = builder.reshape(x, &[size]).unwrap();
    let session = builder.build_session(&[("y", y)], SessionOptions::default()).unwrap();
    assert_eq!(session.inputs().unwrap(), [("x".to_owned(), Some(DataType::Float32), Some(vec![0, 2]))]);
    for batch in [0u32, 1, 5] {
        let data: Vec<f32> = (0..batch * 2).map(|value| value as f32).collect();
        let results = session.run(&[("x", Array::new(&[batch, 2], &data))]).unwrap();
        let output = results.find("y").unwrap();
        assert_eq!(output.shape, [batch * 2]);
        assert_eq!(output.to_vec::<f32>().unwrap(), data);
        assert!(matches!(output.elements::<i32>(), Err(Error::Type(_))));
    }
    assert!(matches!(session.run(&[]), Err(Error::Type(_))));
}

#[test]
fn constant_tensors_become_constants() {
    let context = Context::new().unwrap();
    let weights = context.create_constant_tensor(&[2], &[3f32, 4.]).unwrap();
    assert!(weights.is_constant());
    let builder = GraphBuilder::new(&context).unwrap();
    let w = builder.constant_tensor(&weights).unwrap();
    let two = builder.constant_scalar(DataType::Float32, 2).unwrap();
    let graph = builder.build(&[("y", builder.mul(w, two).unwrap())]).unwrap();
    assert!(graph.inputs().is_empty());
    let y = context.create_tensor::<f32>(&[2]).unwrap();
    context.dispatch(&graph, &[], &[("y", &y)]).unwrap();
    assert_eq!(context.read(&y), Ok(vec![6., 8.]));
}

#[test]
fn one_builder_may_be_used_in_threads() {
    let context = Context::new().unwrap();
    let builder = GraphBuilder::new(&context).unwrap();
    let x = builder.input("x", DataType::Float32, &[2]).unwrap();
    let sums: Vec<Operand> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8).map(|_| scope.spawn(|| (0..100).fold(x, |sum, _| builder.add(sum, x).unwrap()))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let total = sums.into_iter().reduce(|total, sum| builder.add(total, sum).unwrap()).unwrap();
    let graph = builder.build(&[("y", total)]).unwrap();
    let mut y = [0f32; 2];
    graph.compute(&[View::from(&[1f32, 2.])], &mut [ViewMut::from(&mut y)]).unwrap();
    assert_eq!(y, [808., 1616.]);
}

#[cfg(feature = "ndarray")]
#[test]
fn arrays_of_two_elements_in_a_byte_are_refused() -> Result<()> {
    let context = Context::new()?;
    let pairs = ndarray::arr1(&[Int4x2::new(1, 2), Int4x2::new(3, 4)]);
    let tensor = context.create_tensor::<Int4x2>(&[4])?;
    for error in [
        context.create_tensor_from_array(&pairs).err(),
        context.write_array(&tensor, &pairs).err(),
        context.read_array(&tensor).err(),
    ] {
        let error = error.expect("an error");
        assert!(matches!(error, Error::Type(_)) && error.message().contains("no array holds int4"), "{error}");
    }
    Ok(())
}
