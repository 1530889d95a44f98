// Command container-runtime is Kubernetes' own fake container runtime on a socket: all that a kubelet asks for, without a
// container engine. Containers run in name only, and take the time to stop that their pod's annotation
// cloud-sandbox/stop-seconds says, within their grace; without it they stop at once.
//
//	container-runtime /run/some.sock
package main

import (
	"context"
	"fmt"
	"net"
	"os"
	"strconv"
	"time"

	"google.golang.org/grpc"
	runtime "k8s.io/cri-api/pkg/apis/runtime/v1"
	"k8s.io/cri-client/pkg/fake"
)

const stopSecondsAnnotation = "cloud-sandbox/stop-seconds"

// patientRuntime lets containers use their grace; the rest is the fake's.
type patientRuntime struct {
	*fake.RemoteRuntime
}

func (r patientRuntime) StopContainer(ctx context.Context, request *runtime.StopContainerRequest) (*runtime.StopContainerResponse, error) {
	takes := min(r.stopTime(request.ContainerId), time.Duration(request.Timeout)*time.Second)
	select {
	case <-time.After(takes):
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	return r.RemoteRuntime.StopContainer(ctx, request)
}

// stopTime is what the annotation of the container's pod asks for.
func (r patientRuntime) stopTime(containerID string) time.Duration {
	service := r.RuntimeService
	service.Lock()
	defer service.Unlock()
	container, ok := service.Containers[containerID]
	if !ok {
		return 0
	}
	sandbox, ok := service.Sandboxes[container.SandboxID]
	if !ok {
		return 0
	}
	seconds, err := strconv.ParseFloat(sandbox.Annotations[stopSecondsAnnotation], 64)
	if err != nil {
		return 0
	}
	return time.Duration(seconds * float64(time.Second))
}

func serve(socket string) error {
	listener, err := net.Listen("unix", socket)
	if err != nil {
		return err
	}
	remote := patientRuntime{fake.NewFakeRemoteRuntime()}
	// Without a size the kubelet ends every pod in ImageInspectError.
	remote.ImageService.SetFakeImageSize(1 << 20)
	remote.RuntimeService.FakeStatus = &runtime.RuntimeStatus{
		Conditions: []*runtime.RuntimeCondition{
			{Type: runtime.RuntimeReady, Status: true},
			{Type: runtime.NetworkReady, Status: true},
		},
	}
	server := grpc.NewServer()
	runtime.RegisterRuntimeServiceServer(server, remote)
	runtime.RegisterImageServiceServer(server, remote)
	return server.Serve(listener)
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: container-runtime SOCKET")
		os.Exit(2)
	}
	if err := serve(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "container-runtime:", err)
		os.Exit(1)
	}
}
