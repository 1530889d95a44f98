// Command scheduler-oracle answers for kube-scheduler: which nodes of a cluster its filters accept for a pod, and the node of each of several pods.
//
// Each line of standard input is a question, each line of standard output its answer, in the same order. Nothing is written to a cluster: the
// scheduler of this module's version runs with a clientset that is in memory.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"sync"

	"k8s.io/klog/v2"
)

// How many clusters are prepared at once: informers wait most of the time.
const atOnce = 4

func main() {
	klog.LogToStderr(false)
	klog.SetOutput(io.Discard)
	if err := run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	lines := bufio.NewReaderSize(os.Stdin, 1<<20)
	answers := make(chan chan []byte, atOnce)
	var written sync.WaitGroup
	written.Go(func() {
		for answer := range answers {
			_, _ = os.Stdout.Write(append(<-answer, '\n'))
		}
	})
	defer written.Wait()
	defer close(answers)
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) > 1 {
			answer := make(chan []byte, 1)
			answers <- answer
			go func() { answer <- answerTo(ctx, line) }()
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func answerTo(ctx context.Context, line []byte) []byte {
	var asked question
	if err := json.Unmarshal(line, &asked); err != nil {
		return failure(err)
	}
	verdicts, err := judge(ctx, asked)
	if err != nil {
		return failure(err)
	}
	answer, err := json.Marshal(map[string]any{"verdicts": verdicts})
	if err != nil {
		return failure(err)
	}
	return answer
}

func failure(err error) []byte {
	answer, _ := json.Marshal(map[string]any{"error": err.Error()})
	return answer
}
