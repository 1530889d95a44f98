// Listens as the X-Ray daemon does, with the receiver that AWS wrote for the OpenTelemetry collector, and prints a line for each document
// that it takes: the spans that it makes of it, in OTLP's JSON. What it refuses is logged on standard error.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"

	"github.com/open-telemetry/opentelemetry-collector-contrib/receiver/awsxrayreceiver"
	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/component/componenttest"
	"go.opentelemetry.io/collector/consumer"
	"go.opentelemetry.io/collector/pdata/ptrace"
	"go.opentelemetry.io/collector/receiver"
	"go.uber.org/zap"
)

func main() {
	if err := run(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run takes the addresses for documents, over UDP, and for requests about sampling, which it forwards to nothing.
func run(documents, sampling string) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	factory := awsxrayreceiver.NewFactory()
	config := factory.CreateDefaultConfig().(*awsxrayreceiver.Config)
	config.Endpoint = documents
	config.ProxyServer.Endpoint = sampling
	config.ProxyServer.AWSEndpoint = "http://127.0.0.1:9"
	config.ProxyServer.Region = "eu-west-1"
	config.ProxyServer.LocalMode = true
	printer, err := consumer.NewTraces(printTraces)
	if err != nil {
		return err
	}
	telemetry := componenttest.NewNopTelemetrySettings()
	telemetry.Logger = zap.Must(zap.NewDevelopment())
	settings := receiver.Settings{ID: component.NewID(factory.Type()), TelemetrySettings: telemetry}
	listener, err := factory.CreateTraces(ctx, settings, config, printer)
	if err != nil {
		return err
	}
	if err := listener.Start(ctx, componenttest.NewNopHost()); err != nil {
		return err
	}
	fmt.Println("ready")
	<-ctx.Done()
	return listener.Shutdown(context.Background())
}

func printTraces(_ context.Context, traces ptrace.Traces) error {
	line, err := (&ptrace.JSONMarshaler{}).MarshalTraces(traces)
	if err != nil {
		return err
	}
	fmt.Println(string(line))
	return nil
}
