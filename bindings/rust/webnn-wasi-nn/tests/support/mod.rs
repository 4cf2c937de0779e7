//! A WebAssembly program whose calls of WASI-NN a test controls.
use wasmtime::{Engine, Instance, Linker, Memory, Module, Store};
use wasmtime_wasi_nn::witx::{self, WasiNnCtx};

pub const ONNX: i32 = 1;
pub const AUTODETECT: i32 = 5;

/// The type codes of WASI-NN's tensors in preview 1.
pub const F16: u8 = 0;
pub const F32: u8 = 1;
pub const F64: u8 = 2;
pub const U8: u8 = 3;
pub const I32: u8 = 4;
pub const I64: u8 = 5;

/// Error codes of WASI-NN in preview 1.
pub const RUNTIME_ERROR: i32 = 5;
pub const UNSUPPORTED_OPERATION: i32 = 6;
pub const TOO_LARGE: i32 = 7;

/// The result of a call, or WASI-NN's error code.
type Code<T> = Result<T, i32>;

pub struct Guest {
    store: Store<WasiNnCtx>,
    instance: Instance,
    memory: Memory,
    /// The end of the used part of the memory. Each call of a function resets it.
    end: usize,
}

/// The address at which a function writes its result.
const RESULT: i32 = 8;

impl Guest {
    pub fn new(state: WasiNnCtx) -> Guest {
        let engine = Engine::default();
        let mut linker = Linker::new(&engine);
        witx::add_to_linker(&mut linker, |state: &mut WasiNnCtx| state).unwrap();
        let mut store = Store::new(&engine, state);
        let module = Module::new(&engine, include_str!("proxy.wat")).unwrap();
        let instance = linker.instantiate(&mut store, &module).unwrap();
        let memory = instance.get_memory(&mut store, "memory").unwrap();
        Guest { store, instance, memory, end: 16 }
    }

    /// Copies `bytes` into the guest's memory, and returns their address.
    fn put(&mut self, bytes: &[u8]) -> i32 {
        let start = self.end.next_multiple_of(16);
        self.end = start + bytes.len();
        while self.end > self.memory.data_size(&self.store) {
            self.memory.grow(&mut self.store, 16).unwrap();
        }
        self.memory.write(&mut self.store, start, bytes).unwrap();
        start.try_into().unwrap()
    }

    fn put_words(&mut self, words: &[i32]) -> i32 {
        self.put(&words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>())
    }

    /// Calls an exported function, and returns what it wrote at `RESULT`. Panics if the program traps.
    fn call(&mut self, name: &str, arguments: &[i32]) -> Code<i32> {
        let function = self.instance.get_func(&mut self.store, name).unwrap();
        let arguments: Vec<wasmtime::Val> = arguments.iter().map(|&argument| argument.into()).collect();
        let mut code = [wasmtime::Val::I32(-1)];
        function.call(&mut self.store, &arguments, &mut code).unwrap_or_else(|error| panic!("{name}: {error:?}"));
        self.end = 16;
        let mut result = [0; 4];
        self.memory.read(&self.store, RESULT as usize, &mut result).unwrap();
        match code[0].unwrap_i32() {
            0 => Ok(i32::from_le_bytes(result)),
            code => Err(code),
        }
    }

    pub fn load(&mut self, builders: &[&[u8]], encoding: i32, target: i32) -> Code<i32> {
        let list: Vec<i32> = builders.iter().flat_map(|content| [self.put(content), content.len() as i32]).collect();
        let list = self.put_words(&list);
        self.call("load", &[list, builders.len() as i32, encoding, target, RESULT])
    }

    pub fn load_by_name(&mut self, name: &str) -> Code<i32> {
        let address = self.put(name.as_bytes());
        self.call("load_by_name", &[address, name.len() as i32, RESULT])
    }

    pub fn init(&mut self, graph: i32) -> Code<i32> {
        self.call("init_execution_context", &[graph, RESULT])
    }

    pub fn set_input(&mut self, execution: i32, index: i32, shape: &[i32], tensor_type: u8, data: &[u8]) -> Code<()> {
        let (sizes, bytes) = (self.put_words(shape), self.put(data));
        let tensor = self.put_words(&[sizes, shape.len() as i32, tensor_type.into(), bytes, data.len() as i32]);
        self.call("set_input", &[execution, index, tensor]).map(|_| ())
    }

    pub fn compute(&mut self, execution: i32) -> Code<()> {
        self.call("compute", &[execution]).map(|_| ())
    }

    /// Returns the bytes of an output, for which the guest has a buffer of `size` bytes.
    pub fn output(&mut self, execution: i32, index: i32, size: usize) -> Code<Vec<u8>> {
        let buffer = self.put(&vec![0xAA; size]);
        let written = self.call("get_output", &[execution, index, buffer, size as i32, RESULT])?;
        let mut bytes = vec![0; written.try_into().unwrap()];
        self.memory.read(&self.store, buffer as usize, &mut bytes).unwrap();
        Ok(bytes)
    }
}
