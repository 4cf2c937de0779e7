//! Tests that random graphs built by the crate equal those read from JSON, and compute the reference backend's results.
mod support;

use std::collections::HashMap;

use serde_json::{Map, Value, json};
use support::Random;
use support::arguments::Arguments;
use support::operation_calls::call;
use webnn::*;

/// The operations of a graph as JSON, with the names and shapes of its float32 values.
#[derive(Default)]
struct Plan {
    inputs: Vec<(String, Vec<u32>)>,
    operators: Vec<Value>,
    nodes: Vec<Value>,
    values: Vec<(String, Vec<u32>)>,
}

impl Plan {
    fn input(&mut self, shape: &[u32]) -> (String, Vec<u32>) {
        let input = (format!("x{}", self.inputs.len()), shape.to_vec());
        self.inputs.push(input.clone());
        self.values.push(input.clone());
        input
    }

    /// Adds an operation with results of `shapes`. `arguments` are in the order of the method's parameters; texts name operands.
    fn add(&mut self, name: &str, arguments: &[(&str, Value)], options: Value, shapes: &[Vec<u32>]) {
        let id = format!("n{}", self.nodes.len());
        let outputs: Vec<String> = match shapes.len() {
            1 => vec![id.clone()],
            count => (0..count).map(|index| format!("{id}_{index}")).collect(),
        };
        let mut given: Vec<Value> = arguments.iter().map(|(key, value)| json!({ *key: value })).collect();
        given.push(json!({ "options": options }));
        self.operators.push(json!({ "name": name, "arguments": given, "outputs": outputs }));
        let mut inputs = Vec::new();
        let mut settings = Map::new();
        for (key, value) in arguments {
            match value {
                Value::String(_) => inputs.push(value.clone()),
                Value::Array(items) if items.first().is_some_and(Value::is_string) => inputs.extend(items.clone()),
                _ => drop(settings.insert((*key).to_owned(), value.clone())),
            }
        }
        settings.extend(options.as_object().unwrap().clone());
        settings.insert("label".into(), json!(id));
        let mut node = json!({ "id": id, "op": name, "inputs": inputs, "options": settings });
        if shapes.len() > 1 {
            node["outputs"] = json!(outputs);
        }
        self.nodes.push(node);
        self.values.extend(outputs.into_iter().zip(shapes.iter().cloned()));
    }

    fn json(&self, outputs: &[String]) -> String {
        let inputs: Map<String, Value> =
            self.inputs.iter().map(|(name, shape)| (name.clone(), json!({ "dataType": "float32", "shape": shape }))).collect();
        let outputs: Map<String, Value> = outputs.iter().map(|name| (name.clone(), json!(name))).collect();
        json!({ "format": "webnn-graph-json", "version": 2, "name": "graph", "inputs": inputs, "consts": {}, "nodes": self.nodes,
                "outputs": outputs })
        .to_string()
    }
}

const UNARY: [&str; 14] =
    ["abs", "neg", "relu", "sigmoid", "tanh", "sin", "cos", "erf", "gelu", "softplus", "softsign", "hardSwish", "identity", "exp"];

fn without(shape: &[u32], axis: usize, keep: bool) -> Vec<u32> {
    let mut shape = shape.to_vec();
    if keep {
        shape[axis] = 1;
    } else {
        shape.remove(axis);
    }
    shape
}

fn add_random_operation(plan: &mut Plan, random: &mut Random) {
    let (x, shape) = random.pick(&plan.values).clone();
    let rank = shape.len();
    let axis = random.below(rank.max(1));
    let count = shape.iter().product::<u32>();
    match random.below(14) {
        0 | 1 => plan.add(random.pick::<&str>(&UNARY), &[("input", json!(x))], json!({}), &[shape]),
        2 | 3 => {
            let name = *random.pick(&["add", "sub", "mul", "max", "min"]);
            let (mut other, mut result) = (shape.clone(), shape.clone());
            if rank > 0 {
                if random.below(2) == 0 {
                    other[axis] = 1
                } else {
                    other.drain(..axis).for_each(drop)
                }
                result = shape.clone();
            }
            let (y, _) = plan.input(&other);
            let operands = if random.below(2) == 0 { [x, y] } else { [y, x] };
            plan.add(name, &[("a", json!(operands[0])), ("b", json!(operands[1]))], json!({}), &[std::mem::take(&mut result)]);
        }
        4 if rank > 0 => {
            let keep = random.below(2) == 0;
            let name = *random.pick(&["reduceSum", "reduceMean", "reduceMax", "reduceMin", "reduceL1", "reduceSumSquare"]);
            let options = json!({ "axes": [axis], "keepDimensions": keep });
            plan.add(name, &[("input", json!(x))], options, &[without(&shape, axis, keep)]);
        }
        5 => plan.add("reshape", &[("input", json!(x)), ("newShape", json!([1, count]))], json!({}), &[vec![1, count]]),
        6 if rank > 1 => {
            let mut permutation: Vec<usize> = (0..rank).collect();
            permutation.swap(axis, random.below(rank));
            let result = permutation.iter().map(|&from| shape[from]).collect();
            plan.add("transpose", &[("input", json!(x))], json!({ "permutation": permutation }), &[result]);
        }
        7 if rank > 0 => {
            let mut result = shape.clone();
            result[axis] *= 2;
            plan.add("concat", &[("inputs", json!([x, x])), ("axis", json!(axis))], json!({}), &[result]);
        }
        8 if rank > 0 && shape[axis] > 1 => {
            let (mut first, mut second) = (shape.clone(), shape.clone());
            first[axis] = 1;
            second[axis] -= 1;
            let splits = json!([first[axis], second[axis]]);
            plan.add("split", &[("input", json!(x)), ("splits", splits)], json!({ "axis": axis }), &[first, second]);
        }
        9 if rank > 0 => {
            let mut result = shape.clone();
            result[axis] = shape[axis].div_ceil(2);
            let starts: Vec<u32> = shape.iter().zip(&result).map(|(size, kept)| size - kept).collect();
            plan.add(
                "slice",
                &[("input", json!(x)), ("starts", json!(starts)), ("sizes", json!(result.clone()))],
                json!({}),
                &[result],
            );
        }
        10 if rank > 0 => {
            let (mut before, mut result) = (vec![0; rank], shape.clone());
            before[axis] = 1;
            result[axis] += 1;
            let arguments = [("input", json!(x)), ("beginningPadding", json!(before)), ("endingPadding", json!(vec![0; rank]))];
            plan.add("pad", &arguments, json!({ "mode": "constant", "value": 0.5 }), &[result]);
        }
        11 => plan.add("clamp", &[("input", json!(x))], json!({ "minValue": -0.75, "maxValue": 1.5 }), &[shape]),
        12 if rank == 2 => {
            let columns = 1 + random.below(5) as u32;
            let (w, _) = plan.input(&[shape[1], columns]);
            let (c, _) = plan.input(&[columns]);
            let options = json!({ "c": c, "alpha": 0.5, "beta": 2.0, "aTranspose": false, "bTranspose": false });
            plan.add("gemm", &[("a", json!(x)), ("b", json!(w))], options, &[vec![shape[0], columns]]);
        }
        13 if rank > 0 => plan.add("softmax", &[("input", json!(x)), ("axis", json!(axis))], json!({}), &[shape]),
        _ => plan.add("linear", &[("input", json!(x))], json!({ "alpha": 0.5, "beta": 0.25 }), &[shape]),
    }
}

fn make_plan(random: &mut Random) -> Plan {
    let mut plan = Plan::default();
    let shape: Vec<u32> = (0..random.below(5)).map(|_| 1 + random.below(4) as u32).collect();
    plan.input(&shape);
    for _ in 0..1 + random.below(12) {
        add_random_operation(&mut plan, random);
        plan.values.retain(|(_, shape)| shape.iter().product::<u32>() < 4096);
    }
    plan
}

fn build(context: &Context, plan: &Plan, outputs: &[String]) -> Result<Graph> {
    let builder = GraphBuilder::new(context)?;
    let mut operands = HashMap::new();
    for (name, shape) in &plan.inputs {
        operands.insert(name.clone(), builder.input(name, DataType::Float32, shape)?);
    }
    for (operator, node) in plan.operators.iter().zip(&plan.nodes) {
        let mut arguments = Arguments::of(operator, &operands);
        arguments.label = node["id"].as_str().unwrap().to_owned();
        let results = call(&builder, operator["name"].as_str().unwrap(), &arguments)?;
        for (name, result) in operator["outputs"].as_array().unwrap().iter().zip(results) {
            operands.insert(name.as_str().unwrap().to_owned(), result);
        }
    }
    let outputs: Vec<_> = outputs.iter().map(|name| (name.as_str(), operands[name])).collect();
    builder.build(&outputs)
}

fn compute(graph: &Graph, seed: u64) -> Vec<Vec<f32>> {
    let mut random = Random(seed);
    let inputs: Vec<Vec<f32>> =
        graph.inputs().iter().map(|port| (0..port.element_count()).map(|_| random.real()).collect()).collect();
    let mut outputs: Vec<Vec<f32>> = graph.outputs().iter().map(|port| vec![f32::NAN; port.element_count()]).collect();
    let views: Vec<View> = inputs.iter().map(View::from).collect();
    graph.compute(&views, &mut outputs.iter_mut().map(ViewMut::from).collect::<Vec<_>>()).unwrap();
    outputs
}

fn saved(graph: &Graph, name: &str) -> String {
    let path = std::env::temp_dir().join(format!("webnn-rust-{}-{name}.webnn", std::process::id()));
    graph.save_with(&path, SaveOptions::default().weights(WeightsFormat::Inline)).unwrap();
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::remove_file(path).unwrap();
    text
}

/// Returns the body of the graph in `text`, with the results of nodes renamed to value0, value1, ... in their order.
fn renamed(text: &str) -> String {
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let body = text.split_once('{').unwrap().1;
    let mut names = HashMap::new();
    for (results, _) in body.lines().filter_map(|line| line.split_once(" = ")) {
        for name in results.split(|c| !is_name(c)).filter(|name| !name.is_empty()) {
            names.insert(name.to_owned(), format!("value{}", names.len()));
        }
    }
    let mut result = String::new();
    for (index, part) in body.split('"').enumerate() {
        let mut rest = part;
        while let Some(start) = rest.find(is_name) {
            let end = rest[start..].find(|c| !is_name(c)).map_or(rest.len(), |length| start + length);
            let name = &rest[start..end];
            result += &rest[..start];
            // Labels, which are in quotes, stay.
            result += names.get(name).filter(|_| index % 2 == 0).map_or(name, |renamed| renamed);
            rest = &rest[end..];
        }
        result += rest;
        result.push('"');
    }
    result
}

#[test]
fn random_graphs_equal_those_of_the_library_and_compute_as_the_reference() {
    let cpu = Context::with(ContextOptions::default().backend("cpu").threads(1)).unwrap();
    let reference = Context::with(ContextOptions::default().backend("reference")).unwrap();
    for seed in 0..1000 {
        let mut random = Random(seed);
        let plan = make_plan(&mut random);
        let results: Vec<String> = plan
            .nodes
            .iter()
            .flat_map(|node| match &node["outputs"] {
                Value::Array(names) => names.iter().map(|name| name.as_str().unwrap().to_owned()).collect(),
                _ => vec![node["id"].as_str().unwrap().to_owned()],
            })
            .collect();
        let outputs = &results[results.len().saturating_sub(3)..];
        let built = build(&cpu, &plan, outputs).unwrap_or_else(|error| panic!("seed {seed}: {error}\n{}", plan.json(outputs)));
        let read = reference
            .load_bytes(plan.json(outputs), LoadOptions::default())
            .unwrap_or_else(|error| panic!("seed {seed}: {error}\n{}", plan.json(outputs)));
        let (own, other) = (saved(&built, "built"), saved(&read, "read"));
        assert_eq!(renamed(&own), renamed(&other), "seed {seed}");
        for (port, (actual, expected)) in built.outputs().iter().zip(compute(&built, seed).iter().zip(compute(&read, seed))) {
            let largest = expected.iter().fold(0f32, |largest, value| largest.max(value.abs()));
            for (index, (actual, expected)) in actual.iter().zip(&expected).enumerate() {
                let same = actual == expected || actual.is_nan() && expected.is_nan();
                let close = (actual - expected).abs() <= 1e-5 * largest.max(1.0);
                assert!(same || close, "seed {seed}: {}[{index}] is {actual}, expected {expected}", port.name);
            }
        }
    }
}
