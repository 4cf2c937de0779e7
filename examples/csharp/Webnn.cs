// Declarations of the C API of libwebnn that Digits.cs uses, for P/Invoke.
using System;
using System.Runtime.InteropServices;
using System.Text;

using Handle = System.IntPtr;

// size_t is UIntPtr, WebnnBool and enumerations are 32 bits. The fields of a struct are in the header's order.
[StructLayout(LayoutKind.Sequential)]
struct Utf8 { public Handle Data; public UIntPtr Length; }  // zeros: no text

[StructLayout(LayoutKind.Sequential)]
struct Sizes { public UIntPtr Count; public Handle Items; }

[StructLayout(LayoutKind.Sequential)]
struct Descriptor { public Handle NextInChain; public int DataType; public Sizes Shape; }

[StructLayout(LayoutKind.Sequential)]
struct Bytes { public Handle Data; public UIntPtr Size; }

[StructLayout(LayoutKind.Sequential)]
struct Conv2dOptions {
  public Handle NextInChain;
  public Sizes Padding, Strides, Dilations;
  public uint Groups;
  public int InputLayout, FilterLayout;  // 0: the default
  public Handle Bias;
  public Utf8 Label;
}

[StructLayout(LayoutKind.Sequential)]
struct Pool2dOptions {
  public Handle NextInChain;
  public Sizes WindowDimensions, Padding, Strides, Dilations;
  public int Layout, OutputShapeRounding;
  public Sizes OutputSizes;
  public Utf8 Label;
}

[StructLayout(LayoutKind.Sequential)]
struct GemmOptions {
  public Handle NextInChain, C;
  public double Alpha, Beta;
  public uint ATranspose, BTranspose;
  public Utf8 Label;
}

[StructLayout(LayoutKind.Sequential)]
struct NamedOperand { public Handle NextInChain; public Utf8 Name; public Handle Operand; }

[UnmanagedFunctionPointer(CallingConvention.Cdecl)]
delegate void BuildCallback(int status, Handle graph, Handle error, Handle userdata1, Handle userdata2);

[StructLayout(LayoutKind.Sequential)]
struct BuildCallbackInfo {
  public Handle NextInChain;
  public int Mode;
  public Handle Callback, Userdata1, Userdata2;
}

static class Webnn {
  const string L = "webnn_c";
  const CallingConvention C = CallingConvention.Cdecl;
  [DllImport(L, CallingConvention = C)]
  public static extern Utf8 webnnErrorGetMessage(Handle error);
  [DllImport(L, CallingConvention = C)]
  public static extern void webnnErrorRelease(Handle error);
  [DllImport(L, CallingConvention = C)]
  public static extern int webnnCreateInstance(Handle none, out Handle instance, out Handle error);
  [DllImport(L, CallingConvention = C)]
  public static extern void webnnInstanceRelease(Handle instance);
  [DllImport(L, CallingConvention = C)]
  public static extern int webnnInstanceCreateContextSync(Handle instance, Handle options, out Handle context, out Handle error);
  [DllImport(L, CallingConvention = C)]
  public static extern void webnnContextRelease(Handle context);
  [DllImport(L, CallingConvention = C)]
  public static extern int webnnContextCreateGraphBuilder(Handle context, out Handle builder, out Handle error);
  [DllImport(L, CallingConvention = C)]
  public static extern void webnnGraphBuilderRelease(Handle builder);
  [DllImport(L, CallingConvention = C)]
  public static extern void webnnOperandRelease(Handle operand);
  [DllImport(L, CallingConvention = C)]
  public static extern int webnnGraphBuilderInput(Handle builder, Utf8 name, ref Descriptor type, out Handle operand,
    out Handle error);
  [DllImport(L, CallingConvention = C)]
  public static extern int webnnGraphBuilderConstant(Handle builder, ref Descriptor type, Bytes bytes, out Handle operand,
    out Handle error);
  [DllImport(L, CallingConvention = C)]
  public static extern int webnnGraphBuilderConv2d(Handle builder, Handle input, Handle filter, ref Conv2dOptions options,
    out Handle operand, out Handle error);
  [DllImport(L, CallingConvention = C)]
  public static extern int webnnGraphBuilderRelu(Handle builder, Handle input, Handle options, out Handle operand,
    out Handle error);
  [DllImport(L, CallingConvention = C)]
  public static extern int webnnGraphBuilderMaxPool2d(Handle builder, Handle input, ref Pool2dOptions options,
    out Handle operand, out Handle error);
  [DllImport(L, CallingConvention = C)]
  public static extern int webnnGraphBuilderReshape(Handle builder, Handle input, Sizes shape, Handle options,
    out Handle operand, out Handle error);
  [DllImport(L, CallingConvention = C)]
  public static extern int webnnGraphBuilderGemm(Handle builder, Handle a, Handle b, ref GemmOptions options, out Handle operand,
    out Handle error);
  [DllImport(L, CallingConvention = C)]
  public static extern int webnnGraphBuilderSoftmax(Handle builder, Handle input, uint axis, Handle options, out Handle operand,
    out Handle error);
  [DllImport(L, CallingConvention = C)]
  public static extern ulong webnnGraphBuilderBuild(Handle builder, UIntPtr count, ref NamedOperand output, BuildCallbackInfo info);
  [DllImport(L, CallingConvention = C)]
  public static extern int webnnGraphCompute(Handle graph, UIntPtr inputCount, ref Bytes input, UIntPtr outputCount,
    ref Bytes output, out Handle error);
  [DllImport(L, CallingConvention = C)]
  public static extern void webnnGraphRelease(Handle graph);

  public static string Message(Handle error) {
    Utf8 text = webnnErrorGetMessage(error);
    var utf8 = new byte[(int)text.Length];
    Marshal.Copy(text.Data, utf8, 0, utf8.Length);
    return Encoding.UTF8.GetString(utf8);
  }

  // Throws the message of a call that failed, and releases the error object.
  public static void Check(int status, Handle error) {
    if (status == 0) return;
    string message = Message(error);
    webnnErrorRelease(error);
    throw new InvalidOperationException(message);
  }
}
