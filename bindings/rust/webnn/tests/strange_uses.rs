//! Tests uses that a careful program avoids: odd shapes and sizes, wrong types, handles that are dropped in callbacks.
mod support;

use std::sync::{Arc, Mutex, mpsc};
use std::time::Duration;

use support::block_on;
use webnn::*;

/// Runs `body` in a thread. Fails if it has not ended after a minute, because it is blocked.
fn within_a_minute(body: impl FnOnce() + Send + 'static) {
    let (sender, receiver) = mpsc::channel();
    let thread = std::thread::spawn(move || {
        body();
        let _ = sender.send(());
    });
    let result = receiver.recv_timeout(Duration::from_secs(60));
    assert_ne!(result, Err(mpsc::RecvTimeoutError::Timeout), "the thread is blocked");
    thread.join().expect("the thread does not panic");
}

/// Returns a graph with `count` inputs x0, x1, ... and outputs y0, y1, ..., with y = x + index.
fn many_ports(context: &Context, count: usize) -> Result<Graph> {
    let builder = GraphBuilder::new(context)?;
    let names: Vec<_> = (0..count).map(|index| (format!("x{index}"), format!("y{index}"))).collect();
    let mut outputs = Vec::new();
    for (index, (input, output)) in names.iter().enumerate() {
        let x = builder.input(input, DataType::Float32, &[2])?;
        outputs.push((output.as_str(), builder.add(x, builder.constant_scalar(DataType::Float32, index as f32)?)?));
    }
    builder.build(&outputs)
}

#[test]
fn graphs_have_any_number_of_inputs_and_outputs() -> Result<()> {
    let context = Context::new()?;
    for count in [1, 7, 8, 9, 40] {
        let graph = many_ports(&context, count)?;
        let data: Vec<[f32; 2]> = (0..count).map(|index| [index as f32, 1.]).collect();
        let mut results = vec![[0f32; 2]; count];
        let views: Vec<View> = data.iter().map(View::from).collect();
        graph.compute(&views, &mut results.iter_mut().map(ViewMut::from).collect::<Vec<_>>())?;
        let inputs: Vec<_> = data.iter().map(|data| context.create_tensor_with(&[2], data)).collect::<Result<_>>()?;
        let outputs: Vec<_> = data.iter().map(|_| context.create_tensor::<f32>(&[2])).collect::<Result<_>>()?;
        fn bind<'a>(ports: &'a [NamedDescriptor], tensors: &'a [Tensor<f32>]) -> Vec<(&'a str, &'a AnyTensor)> {
            ports.iter().zip(tensors).map(|(port, tensor)| (port.name.as_str(), &**tensor)).collect()
        }
        context.dispatch(&graph, &bind(graph.inputs(), &inputs), &bind(graph.outputs(), &outputs))?;
        for index in 0..count {
            assert_eq!(results[index], [2. * index as f32, 1. + index as f32]);
            assert_eq!(context.read(&outputs[index])?, results[index]);
        }
    }
    Ok(())
}

/// Checks that the call fails with this message, which begins with the name of its kind.
#[track_caller]
fn refuses<T>(result: Result<T>, text: &str) {
    assert_eq!(result.err().expect("an error").to_string(), text);
}

#[test]
fn odd_shapes_and_foreign_tensors_are_refused() -> Result<()> {
    let (context, other) = (Context::new()?, Context::new()?);
    let between = "is not between 1 and 2147483647.";
    let huge = format!("TypeError: createTensor: dimension 0 (4294967295) of float32[4294967295, 4294967295] {between}");
    refuses(context.create_tensor::<f32>(&[u32::MAX, u32::MAX]), &huge);
    refuses(context.create_tensor::<f32>(&[0, 3]), &format!("TypeError: createTensor: dimension 0 (0) of float32[0, 3] {between}"));
    refuses(
        context.create_tensor::<u8>(&[1; 9]),
        "TypeError: createTensor: rank (9) of uint8[1, 1, 1, 1, 1, 1, 1, 1, 1] is above 8.",
    );
    let scalar = context.create_tensor_with::<f32>(&[], &[5.])?;
    assert_eq!((scalar.shape(), scalar.len(), context.read(&scalar)?), (&[][..], 1, vec![5.]));
    let odd = context.create_tensor_with::<Uint4x2>(&[3], &[Uint4x2::new(1, 2), Uint4x2::new(3, 0)])?;
    assert_eq!(context.read(&odd)?[1].first(), 3);
    refuses(context.write(&scalar, &[1., 2.]), "TypeError: writeTensor: the byte length (8) is not that of float32[] (4).");
    refuses(context.read_into(&scalar, &mut []), "TypeError: readTensor: the byte length (0) is not that of float32[] (4).");
    refuses(other.read(&scalar), "TypeError: readTensor: the tensor is of another context.");
    refuses(block_on(other.read_async(&scalar)), "TypeError: readTensor: the tensor is of another context.");
    let hidden = context.create_any_tensor(DataType::Float32, &[1], false, false)?;
    refuses(context.read_bytes_into(&hidden, &mut [0; 4]), "TypeError: readTensor: the tensor is not readable.");
    refuses(context.write_bytes(&hidden, &[0; 4]), "TypeError: writeTensor: the tensor is not writable.");
    refuses(hidden.typed::<i32>(), "TypeError: the tensor's data type is float32, not int32.");
    Ok(())
}

#[test]
fn descriptors_of_any_size_have_a_byte_length() {
    let port = |data_type, shape: &[u32]| NamedDescriptor { name: "x".into(), data_type, shape: shape.to_vec() };
    let huge = port(DataType::Uint64, &[u32::MAX; 8]);
    assert_eq!((huge.element_count(), huge.byte_length()), (usize::MAX, usize::MAX));
    let empty = port(DataType::Uint64, &[u32::MAX, u32::MAX, u32::MAX, 0]);
    assert_eq!((empty.element_count(), empty.byte_length()), (0, 0));
    assert_eq!(port(DataType::Int4, &[1 << 31, 1 << 31]).byte_length(), 1 << 61);
}

#[test]
fn runs_with_wrong_arguments_are_refused() -> Result<()> {
    let (context, other) = (Context::new()?, Context::new()?);
    let builder = GraphBuilder::new(&context)?;
    // The name has a zero byte, a quotation mark and a character that reverses the direction of text.
    let name = "x\0\"\u{202e}é";
    let shown = "\"x\\u{0000}\"\\u{202E}é\"";
    let x = builder.input(name, DataType::Float32, &[2])?;
    refuses(builder.input(name, DataType::Int8, &[1]), &format!("TypeError: input: the name {shown} is already taken."));
    let y = builder.neg(x)?;
    let long = builder.reshape_with(x, &[5], OperatorOptions::default().label(&"l".repeat(1 << 20)));
    assert!(long.unwrap_err().message().len() < 400);
    let graph = builder.build(&[("y", y)])?;
    refuses(builder.neg(x), "InvalidStateError: neg: the builder has already built its graph.");

    let mut place = [0f32; 2];
    let input = [1f32, 2.];
    refuses(graph.compute(&[], &mut []), "TypeError: compute: the number of inputs (0) is not 1.");
    let text = format!("TypeError: compute: the elements of input {shown} are int32, but its data type is float32.");
    refuses(graph.compute(&[View::from(&[1i32, 2])], &mut [ViewMut::from(&mut place)]), &text);
    let options = CallOptions::default().timeout(Duration::ZERO);
    let late = graph.compute_with(&[View::from(&input)], &mut [ViewMut::from(&mut place)], options);
    refuses(late, "TimeoutError: compute: the time that it may take is over.");
    let options = CallOptions::default().timeout(Duration::MAX);
    graph.compute_with(&[View::from(&input)], &mut [ViewMut::from(&mut place)], options)?;
    assert_eq!(place, [-1., -2.]);

    let tensor = context.create_tensor::<f32>(&[2])?;
    let scalar = context.create_tensor::<f32>(&[])?;
    refuses(context.dispatch(&graph, &[], &[]), &format!("TypeError: dispatch: input {shown} is missing."));
    let twice = context.dispatch(&graph, &[(name, &tensor)], &[("y", &tensor)]);
    refuses(twice, "TypeError: dispatch: the tensor of \"y\" is bound twice.");
    let small = context.dispatch(&graph, &[(name, &scalar)], &[("y", &tensor)]);
    refuses(small, &format!("TypeError: dispatch: the tensor of input {shown} is float32[], not float32[2]."));
    refuses(other.dispatch(&graph, &[(name, &tensor)], &[("y", &tensor)]), "TypeError: dispatch: the graph is of another context.");
    Ok(())
}

#[test]
fn bytes_may_be_misaligned() -> Result<()> {
    let graph = many_ports(&Context::new()?, 1)?;
    let (mut bytes, mut result) = ([0u8; 9], [0u8; 9]);
    bytes[1..5].copy_from_slice(&1f32.to_le_bytes());
    let input = View::from_bytes(DataType::Float32, &bytes[1..]);
    graph.compute(&[input], &mut [ViewMut::from_bytes(DataType::Float32, &mut result[1..])])?;
    assert_eq!(result, bytes);
    Ok(())
}

#[test]
fn sessions_refuse_wrong_inputs() -> Result<()> {
    let text = "webnn_graph \"g\" v2 { inputs { x: f32[2]; } nodes { y = neg(x); } outputs { y; } }";
    let session = Context::new()?.load_session_bytes(text, SessionOptions::default())?;
    let x = ("x", Array::new(&[2], &[1f32, 2.]));
    refuses(session.run(&[]), "TypeError: input \"x\" is missing.");
    refuses(session.run(&[("x", Array::new(&[2], &[1i32, 2]))]), "TypeError: input \"x\" is int32, not float32.");
    refuses(session.run(&[("x", Array::new(&[0], &[0f32; 0]))]), "TypeError: the shape of input \"x\" is [0], not [2].");
    refuses(session.run(&[x, x]), "TypeError: run: the input \"x\" is given twice.");
    refuses(session.run(&[x, ("z", x.1)]), "TypeError: the model has no input \"z\"; it has \"x\".");
    let results = session.run(&[x])?;
    refuses(results.get(1), "TypeError: results: the index (1) is not below 1.");
    refuses(results.get(0)?.to_vec::<i32>(), "TypeError: the data type of output \"y\" is float32, not int32.");
    Ok(())
}

#[test]
fn a_waker_may_drop_the_last_handle_of_a_context() {
    within_a_minute(|| {
        struct Last(Mutex<Option<Context>>, mpsc::Sender<()>);
        impl std::task::Wake for Last {
            fn wake(self: Arc<Self>) {
                drop(self.0.lock().unwrap().take());
                let _ = self.1.send(());
            }
        }
        let context = Context::new().unwrap();
        let tensor = context.create_tensor::<f32>(&[1 << 20]).unwrap();
        let mut read = context.read_async(&tensor);
        drop(tensor);
        let (sender, receiver) = mpsc::channel();
        let waker = std::task::Waker::from(Arc::new(Last(Mutex::new(Some(context)), sender)));
        let mut task = std::task::Context::from_waker(&waker);
        if std::pin::Pin::new(&mut read).poll(&mut task).is_pending() {
            receiver.recv().unwrap();
        }
    });
}

#[test]
fn an_error_function_may_drop_the_last_handle_of_its_context() {
    within_a_minute(|| {
        let kept: Arc<Mutex<Option<Context>>> = Arc::default();
        let (sender, receiver) = mpsc::channel();
        let report = {
            let kept = kept.clone();
            move |error: Error| {
                drop(kept.lock().unwrap().take());
                let _ = sender.send(error);
            }
        };
        let context = Context::with(ContextOptions::default().on_error(report)).unwrap();
        let graph = many_ports(&context, 1).unwrap();
        let x = context.create_tensor::<f32>(&[2]).unwrap();
        let y = context.create_tensor::<f32>(&[2]).unwrap();
        *kept.lock().unwrap() = Some(context.clone());
        let cancellation = Cancellation::new().unwrap();
        cancellation.request();
        let options = CallOptions::default().cancellation(&cancellation);
        let queued = context.dispatch_with(&graph, &[("x0", &x)], &[("y0", &y)], options);
        drop((graph, x, y, context));
        queued.unwrap();
        assert!(matches!(receiver.recv().unwrap(), Error::Abort(_)));
    });
}

#[test]
fn futures_may_be_forgotten() -> Result<()> {
    let context = Context::new()?;
    let tensor = context.create_tensor_with(&[2], &[1f32, 2.])?;
    std::mem::forget(context.read_async(&tensor));
    std::mem::forget(context.lost());
    let builder = GraphBuilder::new(&context)?;
    let y = builder.neg(builder.input("x", DataType::Float32, &[2])?)?;
    std::mem::forget(builder.build_async(&[("y", y)])?);
    drop(builder);
    assert_eq!(context.read(&tensor)?, [1., 2.]);
    Ok(())
}
