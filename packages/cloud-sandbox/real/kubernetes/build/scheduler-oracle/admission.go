package main

import (
	"context"

	v1 "k8s.io/api/core/v1"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/apis/core"
	_ "k8s.io/kubernetes/pkg/apis/core/install"
	registrypod "k8s.io/kubernetes/pkg/registry/core/pod"
)

// admitted is the pod as the API server stores it: with defaults, with matchLabelKeys merged into selectors, and refused if it is invalid.
func admitted(ctx context.Context, pod *v1.Pod) (*v1.Pod, error) {
	given := pod.DeepCopy()
	legacyscheme.Scheme.Default(given)
	internal := &core.Pod{}
	if err := legacyscheme.Scheme.Convert(given, internal, nil); err != nil {
		return nil, err
	}
	registrypod.Strategy.PrepareForCreate(ctx, internal)
	if errs := registrypod.Strategy.Validate(ctx, internal); len(errs) > 0 {
		return nil, errs.ToAggregate()
	}
	stored := &v1.Pod{}
	if err := legacyscheme.Scheme.Convert(internal, stored, nil); err != nil {
		return nil, err
	}
	stored.Status = *pod.Status.DeepCopy()
	stored.UID = given.UID
	return stored, nil
}
