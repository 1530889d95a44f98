package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	v1 "k8s.io/api/core/v1"
	"k8s.io/klog/v2"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler"
	"k8s.io/kubernetes/pkg/scheduler/backend/cache"
	"k8s.io/kubernetes/pkg/scheduler/framework"
)

// verdict says what the scheduler does with one pod.
type verdict struct {
	// Node is empty if no node accepts the pod.
	Node string `json:"node,omitempty"`
	// Message is that of the FailedScheduling event.
	Message string `json:"message,omitempty"`
	// Reasons are those for which each node is refused, by its name. Nodes that are accepted have none.
	Reasons map[string][]string `json:"reasons,omitempty"`
	// Invalid says why the API server refuses the pod.
	Invalid string `json:"invalid,omitempty"`
}

func judge(ctx context.Context, asked question) ([]verdict, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	w, err := newWorld(ctx, asked)
	if err != nil {
		return nil, err
	}
	verdicts := []verdict{}
	for _, pod := range asked.Asked {
		stored, err := admitted(ctx, named(pod))
		if err != nil {
			verdicts = append(verdicts, verdict{Invalid: err.Error()})
			continue
		}
		found, err := w.schedule(ctx, stored)
		if err != nil {
			return nil, fmt.Errorf("pod %s/%s: %w", pod.Namespace, pod.Name, err)
		}
		verdicts = append(verdicts, found)
		if asked.Binds && found.Node != "" {
			if err := w.bind(ctx, stored, found.Node); err != nil {
				return nil, err
			}
		}
	}
	return verdicts, nil
}

// schedule asks again while a cache behind an informer lacks what the informer has.
func (w *world) schedule(ctx context.Context, pod *v1.Pod) (verdict, error) {
	for attempt := 0; ; attempt++ {
		found, err := w.scheduleNow(ctx, pod)
		if attempt == 400 || !isUnsettled(found, err) {
			return found, err
		}
		time.Sleep(settled)
	}
}

func isUnsettled(found verdict, err error) bool {
	if err != nil {
		return strings.Contains(err.Error(), "could not find v1.PersistentVolume")
	}
	for _, reasons := range found.Reasons {
		if slices.ContainsFunc(reasons, lacksMadeVolume) {
			return true
		}
	}
	return false
}

// lacksMadeVolume recognizes how plugins refuse a claim whose new volume they have not seen. Claims of a question may really lack theirs.
func lacksMadeVolume(reason string) bool {
	return reason == "node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)" ||
		strings.HasPrefix(reason, `persistentvolume "`+madeVolume) && strings.HasSuffix(reason, "not found")
}

func (w *world) scheduleNow(ctx context.Context, pod *v1.Pod) (verdict, error) {
	ours := w.scheduler.Profiles[v1.DefaultSchedulerName]
	result, err := w.ask(ctx, ours, pod)
	var refused *framework.FitError
	switch {
	case errors.Is(err, scheduler.ErrNoNodesAvailable):
		return verdict{Message: err.Error()}, nil
	case errors.As(err, &refused):
		reasons := map[string][]string{}
		for _, node := range w.nodes(ours) {
			reasons[node] = refused.Diagnosis.NodeToStatus.Get(node).Reasons()
		}
		return verdict{Message: refused.Error(), Reasons: reasons}, nil
	case err != nil:
		return verdict{}, err
	}
	reasons, err := w.refusals(ctx, ours, pod)
	return verdict{Node: result.SuggestedHost, Reasons: reasons}, err
}

// ask runs one scheduling cycle, on a new snapshot of the nodes. Since Kubernetes 1.36 the caller takes that snapshot.
func (w *world) ask(ctx context.Context, ours framework.Framework, pod *v1.Pod) (scheduler.ScheduleResult, error) {
	snapshot, isSnapshot := ours.SnapshotSharedLister().(*cache.Snapshot)
	if !isSnapshot {
		return scheduler.ScheduleResult{}, fmt.Errorf("this version reads nodes from an unknown place: %T", ours.SnapshotSharedLister())
	}
	if err := w.scheduler.Cache.UpdateSnapshot(klog.FromContext(ctx), snapshot); err != nil {
		return scheduler.ScheduleResult{}, err
	}
	state := framework.NewCycleState()
	switch schedule := any(w.scheduler.SchedulePod).(type) {
	case func(context.Context, framework.Framework, fwk.CycleState, *v1.Pod) (scheduler.ScheduleResult, error):
		return schedule(ctx, ours, state, pod)
	// Since Kubernetes 1.36.
	case func(context.Context, framework.Framework, fwk.CycleState, *framework.QueuedPodInfo) (scheduler.ScheduleResult, error):
		info, err := framework.NewPodInfo(pod)
		if err != nil {
			return scheduler.ScheduleResult{}, err
		}
		return schedule(ctx, ours, state, &framework.QueuedPodInfo{PodInfo: info})
	}
	return scheduler.ScheduleResult{}, fmt.Errorf("this version schedules pods in an unknown way: %T", w.scheduler.SchedulePod)
}

func (w *world) nodes(ours framework.Framework) []string {
	infos, err := ours.SnapshotSharedLister().NodeInfos().List()
	if err != nil {
		return nil
	}
	names := []string{}
	for _, info := range infos {
		names = append(names, info.Node().Name)
	}
	return names
}

// refusals asks every node about a pod that has a place on one of them: the scheduler does not say why others are refused then.
func (w *world) refusals(ctx context.Context, ours framework.Framework, pod *v1.Pod) (map[string][]string, error) {
	state := framework.NewCycleState()
	chosen, status, _ := ours.RunPreFilterPlugins(ctx, state, pod)
	if !status.IsSuccess() {
		return nil, fmt.Errorf("the pod has a place, and is refused: %s", status.Message())
	}
	infos, err := ours.SnapshotSharedLister().NodeInfos().List()
	if err != nil {
		return nil, err
	}
	reasons := map[string][]string{}
	for _, info := range infos {
		name := info.Node().Name
		if !chosen.AllNodes() && !chosen.NodeNames.Has(name) {
			reasons[name] = []string{"node(s) didn't satisfy plugin(s) [NodeAffinity]"}
			continue
		}
		if refusal := ours.RunFilterPluginsWithNominatedPods(ctx, state, pod, info); !refusal.IsSuccess() {
			reasons[name] = refusal.Reasons()
		}
	}
	return reasons, nil
}

// bind puts the pod on the node, with new volumes in the zone of the node for its claims that wait for it.
func (w *world) bind(ctx context.Context, pod *v1.Pod, node string) error {
	bound := pod.DeepCopy()
	bound.Spec.NodeName = node
	if err := w.provision(ctx, bound); err != nil {
		return err
	}
	return w.scheduler.Cache.AddPod(klog.FromContext(ctx), bound)
}
