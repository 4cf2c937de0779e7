// Recognizes the digits in the pictures of examples/digits: builds the network with the C API, through P/Invoke.
//
// usage: mcs -unsafe Digits.cs Webnn.cs && LD_LIBRARY_PATH=DIRECTORY_OF_LIBWEBNN_C mono Digits.exe FOLDER
using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.IO.Compression;
using System.Linq;
using System.Runtime.InteropServices;
using System.Text;
using System.Text.RegularExpressions;
using System.Threading.Tasks;

using Handle = System.IntPtr;

// Builds the network of digits.webnn. Holds unmanaged memory and operands until it is disposed.
sealed class Network : IDisposable {
  delegate int Call(out Handle operand, out Handle error);

  static readonly Sizes Absent = new Sizes { Count = (UIntPtr)UInt64.MaxValue };  // WEBNN_ABSENT
  static readonly BuildCallback Done = BuildIsDone;  // a field, so that the garbage collector keeps the function pointer valid
  readonly List<Handle> memory = new List<Handle>(), operands = new List<Handle>();
  readonly Dictionary<string, uint[]> shapes = new Dictionary<string, uint[]>();
  readonly Dictionary<string, byte[]> weights = new Dictionary<string, byte[]>();
  readonly Handle builder;

  public Network(Handle context, byte[] safetensors) {
    int header = (int)BitConverter.ToUInt64(safetensors, 0);
    string json = Encoding.UTF8.GetString(safetensors, 8, header);
    foreach (Match match in Regex.Matches(json,
      "\"([^\"]+)\":{\"dtype\":\"F32\",\"shape\":\\[([0-9,]+)\\],\"data_offsets\":\\[(\\d+),(\\d+)\\]")) {
      string name = match.Groups[1].Value;
      shapes[name] = match.Groups[2].Value.Split(',').Select(UInt32.Parse).ToArray();
      int begin = Int32.Parse(match.Groups[3].Value), end = Int32.Parse(match.Groups[4].Value);
      weights[name] = new ArraySegment<byte>(safetensors, 8 + header + begin, end - begin).ToArray();
    }
    int status = Webnn.webnnContextCreateGraphBuilder(context, out builder, out Handle error);
    Webnn.Check(status, error);
  }

  // Copies bytes to memory that the garbage collector does not move.
  Handle Copy(byte[] bytes) {
    memory.Add(Marshal.AllocHGlobal(bytes.Length));
    Marshal.Copy(bytes, 0, memory.Last(), bytes.Length);
    return memory.Last();
  }

  Utf8 Name(string text) {
    byte[] utf8 = Encoding.UTF8.GetBytes(text);
    return new Utf8 { Data = Copy(utf8), Length = (UIntPtr)utf8.Length };
  }

  Sizes List(params uint[] sizes) {
    return new Sizes { Count = (UIntPtr)sizes.Length, Items = Copy(sizes.SelectMany(BitConverter.GetBytes).ToArray()) };
  }

  Handle Add(Call call) {
    int status = call(out Handle operand, out Handle error);
    Webnn.Check(status, error);
    operands.Add(operand);
    return operand;
  }

  Handle Constant(string name) {
    var type = new Descriptor { DataType = 1, Shape = List(shapes[name]) };
    var bytes = new Bytes { Data = Copy(weights[name]), Size = (UIntPtr)weights[name].Length };
    return Add((out Handle operand, out Handle error) =>
      Webnn.webnnGraphBuilderConstant(builder, ref type, bytes, out operand, out error));
  }

  // A convolution with 3 x 3 filters, relu, and the maxima of 2 x 2 elements.
  Handle Block(Handle x, string name) {
    Handle filter = Constant(name + ".weight");
    var conv = new Conv2dOptions { Padding = List(1, 1, 1, 1), Strides = Absent, Dilations = Absent, Groups = 1,
      Bias = Constant(name + ".bias") };
    Handle sums = Add((out Handle operand, out Handle error) =>
      Webnn.webnnGraphBuilderConv2d(builder, x, filter, ref conv, out operand, out error));
    Handle positive = Add((out Handle operand, out Handle error) =>
      Webnn.webnnGraphBuilderRelu(builder, sums, Handle.Zero, out operand, out error));
    var pool = new Pool2dOptions { WindowDimensions = List(2, 2), Padding = Absent, Strides = List(2, 2), Dilations = Absent,
      OutputSizes = Absent };
    return Add((out Handle operand, out Handle error) =>
      Webnn.webnnGraphBuilderMaxPool2d(builder, positive, ref pool, out operand, out error));
  }

  // Called by the library, on one of its threads. It owns the graph and borrows the error. No exception may leave it.
  static void BuildIsDone(int status, Handle graph, Handle error, Handle userdata1, Handle userdata2) {
    GCHandle handle = GCHandle.FromIntPtr(userdata1);
    var done = (TaskCompletionSource<Handle>)handle.Target;
    handle.Free();
    if (status == 0) done.SetResult(graph);
    else done.SetException(new InvalidOperationException(Webnn.Message(error)));
  }

  public Task<Handle> Build() {
    var type = new Descriptor { DataType = 1, Shape = List(1, 1, 28, 28) };
    Handle x = Add((out Handle operand, out Handle error) =>
      Webnn.webnnGraphBuilderInput(builder, Name("image"), ref type, out operand, out error));
    Handle blocks = Block(Block(x, "conv1"), "conv2");
    Handle flat = Add((out Handle operand, out Handle error) =>
      Webnn.webnnGraphBuilderReshape(builder, blocks, List(1, 1568), Handle.Zero, out operand, out error));
    Handle dense = Constant("dense.weight");
    var gemm = new GemmOptions { C = Constant("dense.bias"), Alpha = 1, Beta = 1 };
    Handle scores = Add((out Handle operand, out Handle error) =>
      Webnn.webnnGraphBuilderGemm(builder, flat, dense, ref gemm, out operand, out error));
    Handle y = Add((out Handle operand, out Handle error) =>
      Webnn.webnnGraphBuilderSoftmax(builder, scores, 1, Handle.Zero, out operand, out error));
    var output = new NamedOperand { Name = Name("probabilities"), Operand = y };
    var done = new TaskCompletionSource<Handle>(TaskCreationOptions.RunContinuationsAsynchronously);
    Webnn.webnnGraphBuilderBuild(builder, (UIntPtr)1, ref output, new BuildCallbackInfo {
      Callback = Marshal.GetFunctionPointerForDelegate(Done), Userdata1 = GCHandle.ToIntPtr(GCHandle.Alloc(done)) });
    return done.Task;
  }

  public void Dispose() {
    operands.ForEach(Webnn.webnnOperandRelease);
    Webnn.webnnGraphBuilderRelease(builder);
    memory.ForEach(Marshal.FreeHGlobal);
  }
}

static class Digits {
  // Returns the grey values of a PNG file with 8 bits a pixel, in rows of `width` pixels.
  static byte[] ReadPicture(string path, int width, int height) {
    byte[] file = File.ReadAllBytes(path), rows = new byte[(width + 1) * height], pixels = new byte[width * height];
    var data = new MemoryStream();
    for (int at = 8, size; at < file.Length; at += 12 + size) {  // chunks: size, type, data, checksum
      size = file[at] << 24 | file[at + 1] << 16 | file[at + 2] << 8 | file[at + 3];
      if (file[at + 4] == 'I' && file[at + 5] == 'D') data.Write(file, at + 8, size);
    }
    data.Position = 2;  // behind the header of zlib
    new DeflateStream(data, CompressionMode.Decompress).CopyTo(new MemoryStream(rows));
    for (int i = 0; i < pixels.Length; i++) {  // each row begins with its filter, which predicts a pixel from a, b and c
      int x = i % width, y = i / width, p;
      int a = x > 0 ? pixels[i - 1] : 0, b = y > 0 ? pixels[i - width] : 0, c = x > 0 && y > 0 ? pixels[i - width - 1] : 0;
      int da = Math.Abs(b - c), db = Math.Abs(a - c), dc = Math.Abs(a + b - 2 * c);
      switch (rows[y * (width + 1)]) {
        case 1: p = a; break;
        case 2: p = b; break;
        case 3: p = (a + b) / 2; break;
        case 4: p = da <= db && da <= dc ? a : db <= dc ? b : c; break;
        default: p = 0; break;
      }
      pixels[i] = (byte)(rows[y * (width + 1) + 1 + x] + p);
    }
    return pixels;
  }

  static unsafe float[] Compute(Handle graph, float[] picture) {
    var result = new float[10];
    fixed (float* from = picture, to = result) {  // the arrays do not move while this block runs
      var input = new Bytes { Data = (Handle)from, Size = (UIntPtr)(4 * picture.Length) };
      var output = new Bytes { Data = (Handle)to, Size = (UIntPtr)(4 * result.Length) };
      int status = Webnn.webnnGraphCompute(graph, (UIntPtr)1, ref input, (UIntPtr)1, ref output, out Handle error);
      Webnn.Check(status, error);
    }
    return result;
  }

  static void Main(string[] arguments) {
    string folder = arguments[0];
    int status = Webnn.webnnCreateInstance(Handle.Zero, out Handle instance, out Handle error);
    Webnn.Check(status, error);
    status = Webnn.webnnInstanceCreateContextSync(instance, Handle.Zero, out Handle context, out error);
    Webnn.Check(status, error);
    Handle graph;
    using (var network = new Network(context, File.ReadAllBytes(Path.Combine(folder, "digits.safetensors"))))
      graph = network.Build().GetAwaiter().GetResult();
    for (int digit = 0; digit < 10; digit++) {
      byte[] pixels = ReadPicture(Path.Combine(folder, $"samples/{digit}.png"), 28, 28);
      float[] probabilities = Compute(graph, pixels.Select(pixel => pixel / 255f).ToArray());
      int best = Array.IndexOf(probabilities, probabilities.Max());
      Console.WriteLine(String.Format(CultureInfo.InvariantCulture, "samples/{0}.png: {1} ({2:F3} %)", digit, best,
        100 * probabilities[best]));
    }
    Webnn.webnnGraphRelease(graph);
    Webnn.webnnContextRelease(context);
    Webnn.webnnInstanceRelease(instance);
  }
}
