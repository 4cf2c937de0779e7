// Recognizes the digits in the pictures of examples/digits: builds the network with the C API, through cgo.
//
// usage: CGO_CFLAGS="$(pkg-config --cflags webnn_c)" CGO_LDFLAGS="$(pkg-config --libs webnn_c)" go run . FOLDER
package main

/*
#cgo LDFLAGS: -lwebnn_c
#include <stdlib.h>
#include <webnn/webnn.h>

// cgo does not see macros that expand to structs.
static inline WebnnConv2dOptions conv2dOptions(void) { return WEBNN_CONV2D_OPTIONS_INIT; }
static inline WebnnPool2dOptions pool2dOptions(void) { return WEBNN_POOL2D_OPTIONS_INIT; }
static inline WebnnGemmOptions gemmOptions(void) { return WEBNN_GEMM_OPTIONS_INIT; }

extern void buildIsDone(WebnnStatus status, WebnnGraph graph, WebnnError error, void* userdata1, void* userdata2);
*/
import "C"

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"log"
	"os"
	"path/filepath"
	"runtime"
	"runtime/cgo"
	"unsafe"
)

// check ends the program if a call failed. A library would return the message as an error instead.
func check(status C.WebnnStatus, failure C.WebnnError) {
	if status != C.WebnnStatus_Success {
		message := C.webnnErrorGetMessage(failure)
		log.Fatal(C.GoStringN(message.data, C.int(message.length)))
	}
}

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

type weight struct {
	Shape []uint32 `json:"shape"`
	Range [2]int   `json:"data_offsets"`
}

type builder struct {
	handle   C.WebnnGraphBuilder
	operands []C.WebnnOperand // released when the graph is built
	pins     runtime.Pinner   // keeps Go's memory in place while structs of C point to it
	weights  map[string]weight
	data     []byte
}

func (b *builder) list(items ...uint32) C.WebnnUint32List {
	b.pins.Pin(&items[0])
	return C.WebnnUint32List{count: C.size_t(len(items)), items: (*C.uint32_t)(&items[0])}
}

func (b *builder) descriptor(shape ...uint32) *C.WebnnOperandDescriptor {
	return &C.WebnnOperandDescriptor{dataType: C.WebnnOperandDataType_Float32, shape: b.list(shape...)}
}

// add calls a function that adds an operand.
func (b *builder) add(call func(*C.WebnnOperand, *C.WebnnError) C.WebnnStatus) C.WebnnOperand {
	var result C.WebnnOperand
	var failure C.WebnnError
	status := call(&result, &failure)
	check(status, failure)
	b.operands = append(b.operands, result)
	return result
}

func (b *builder) constant(name string) C.WebnnOperand {
	w := b.weights[name]
	bytes := C.WebnnConstBytes{data: unsafe.Pointer(&b.data[w.Range[0]]), size: C.size_t(w.Range[1] - w.Range[0])}
	return b.add(func(result *C.WebnnOperand, failure *C.WebnnError) C.WebnnStatus {
		return C.webnnGraphBuilderConstant(b.handle, b.descriptor(w.Shape...), bytes, result, failure)
	})
}

// block adds a convolution with 3 x 3 filters, relu, and the maxima of 2 x 2 elements.
func (b *builder) block(x C.WebnnOperand, name string) C.WebnnOperand {
	filter, conv := b.constant(name+".weight"), C.conv2dOptions()
	conv.bias, conv.padding = b.constant(name+".bias"), b.list(1, 1, 1, 1)
	sums := b.add(func(result *C.WebnnOperand, failure *C.WebnnError) C.WebnnStatus {
		return C.webnnGraphBuilderConv2d(b.handle, x, filter, &conv, result, failure)
	})
	positive := b.add(func(result *C.WebnnOperand, failure *C.WebnnError) C.WebnnStatus {
		return C.webnnGraphBuilderRelu(b.handle, sums, nil, result, failure)
	})
	pool := C.pool2dOptions()
	pool.windowDimensions, pool.strides = b.list(2, 2), b.list(2, 2)
	return b.add(func(result *C.WebnnOperand, failure *C.WebnnError) C.WebnnStatus {
		return C.webnnGraphBuilderMaxPool2d(b.handle, positive, &pool, result, failure)
	})
}

func text(s string) C.WebnnStringView {
	return C.WebnnStringView{data: C.CString(s), length: C.size_t(len(s))} // release data with C.free
}

// buildIsDone is called by the library, on one of its threads. It owns the graph and borrows the error.
//
//export buildIsDone
func buildIsDone(status C.WebnnStatus, graph C.WebnnGraph, failure C.WebnnError, userdata1, userdata2 unsafe.Pointer) {
	check(status, failure)
	(*(*cgo.Handle)(userdata1)).Value().(chan C.WebnnGraph) <- graph
}

// build builds the network of digits.webnn.
func build(context C.WebnnContext, safetensors []byte) C.WebnnGraph {
	header := 8 + binary.LittleEndian.Uint64(safetensors)
	b := builder{data: safetensors[header:]}
	if err := json.Unmarshal(safetensors[8:header], &b.weights); err != nil {
		log.Fatal(err)
	}
	var failure C.WebnnError
	status := C.webnnContextCreateGraphBuilder(context, &b.handle, &failure)
	check(status, failure)
	names := [2]C.WebnnStringView{text("image"), text("probabilities")}

	x := b.add(func(result *C.WebnnOperand, failure *C.WebnnError) C.WebnnStatus {
		return C.webnnGraphBuilderInput(b.handle, names[0], b.descriptor(1, 1, 28, 28), result, failure)
	})
	blocks := b.block(b.block(x, "conv1"), "conv2")
	flat := b.add(func(result *C.WebnnOperand, failure *C.WebnnError) C.WebnnStatus {
		return C.webnnGraphBuilderReshape(b.handle, blocks, b.list(1, 1568), nil, result, failure)
	})
	dense, gemm := b.constant("dense.weight"), C.gemmOptions()
	gemm.c = b.constant("dense.bias")
	scores := b.add(func(result *C.WebnnOperand, failure *C.WebnnError) C.WebnnStatus {
		return C.webnnGraphBuilderGemm(b.handle, flat, dense, &gemm, result, failure)
	})
	y := b.add(func(result *C.WebnnOperand, failure *C.WebnnError) C.WebnnStatus {
		return C.webnnGraphBuilderSoftmax(b.handle, scores, 1, nil, result, failure)
	})

	done := make(chan C.WebnnGraph, 1)
	handle := cgo.NewHandle(done) // C may keep this number, but no pointer to the channel
	b.pins.Pin(&handle)
	output := C.WebnnNamedOperand{name: names[1], operand: y}
	C.webnnGraphBuilderBuild(b.handle, 1, &output, C.WebnnBuildCallbackInfo{
		callback: C.WebnnBuildCallback(C.buildIsDone), userdata1: unsafe.Pointer(&handle)})
	graph := <-done // a goroutine that waits occupies no thread

	handle.Delete()
	b.pins.Unpin()
	for _, operand := range b.operands {
		C.webnnOperandRelease(operand)
	}
	C.webnnGraphBuilderRelease(b.handle)
	C.free(unsafe.Pointer(names[0].data))
	C.free(unsafe.Pointer(names[1].data))
	return graph
}

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: digits FOLDER")
	}
	var instance C.WebnnInstance
	var context C.WebnnContext
	var failure C.WebnnError
	status := C.webnnCreateInstance(nil, &instance, &failure)
	check(status, failure)
	defer C.webnnInstanceRelease(instance)
	status = C.webnnInstanceCreateContextSync(instance, nil, &context, &failure)
	check(status, failure)
	defer C.webnnContextRelease(context)
	graph := build(context, must(os.ReadFile(filepath.Join(os.Args[1], "digits.safetensors"))))
	defer C.webnnGraphRelease(graph)

	for digit := 0; digit < 10; digit++ {
		name := fmt.Sprintf("samples/%d.png", digit)
		picture := must(png.Decode(must(os.Open(filepath.Join(os.Args[1], name))))).(*image.Gray)
		var pixels [28 * 28]float32
		for i := range pixels {
			pixels[i] = float32(picture.Pix[i]) / 255
		}
		var probabilities [10]float32
		var pins runtime.Pinner
		pins.Pin(&pixels)
		pins.Pin(&probabilities)
		input := C.WebnnConstBytes{data: unsafe.Pointer(&pixels), size: C.size_t(unsafe.Sizeof(pixels))}
		output := C.WebnnBytes{data: unsafe.Pointer(&probabilities), size: C.size_t(unsafe.Sizeof(probabilities))}
		status = C.webnnGraphCompute(graph, 1, &input, 1, &output, &failure)
		check(status, failure)
		pins.Unpin()
		class := 0
		for i := range probabilities {
			if probabilities[i] > probabilities[class] {
				class = i
			}
		}
		fmt.Printf("%s: %d (%.3f %%)\n", name, class, 100*probabilities[class])
	}
}
