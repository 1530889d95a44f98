package main

import (
	"context"
	"fmt"
	"time"

	v1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/events"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/scheduler"
	"k8s.io/kubernetes/pkg/scheduler/profile"
)

// question is a cluster and the pods that the scheduler is asked about.
type question struct {
	Nodes       []*v1.Node                    `json:"nodes"`
	Pods        []*v1.Pod                     `json:"pods"`
	Namespaces  []*v1.Namespace               `json:"namespaces"`
	Claims      []*v1.PersistentVolumeClaim   `json:"claims"`
	Volumes     []*v1.PersistentVolume        `json:"volumes"`
	Classes     []*storagev1.StorageClass     `json:"classes"`
	CSINodes    []*storagev1.CSINode          `json:"csiNodes"`
	CSIDrivers  []*storagev1.CSIDriver        `json:"csiDrivers"`
	Attachments []*storagev1.VolumeAttachment `json:"attachments"`
	// Each pod is asked about in the same state, unless Binds: then each is bound to its node before the next.
	Asked []*v1.Pod `json:"asked"`
	Binds bool      `json:"binds"`
}

// world is a scheduler with the cluster of a question.
type world struct {
	scheduler *scheduler.Scheduler
	client    *fake.Clientset
	informers informers.SharedInformerFactory
}

// settled is the time that other listeners of an informer have to see what ours has seen.
const settled = 5 * time.Millisecond

func newWorld(ctx context.Context, asked question) (*world, error) {
	client := fake.NewClientset(asked.objects()...)
	factory := informers.NewSharedInformerFactory(client, 0)
	recorders := profile.NewRecorderFactory(events.NewBroadcaster(&events.EventSinkImpl{Interface: client.EventsV1()}))
	everyNode := int32(100)
	made, err := scheduler.New(ctx, client, factory, nil, recorders, scheduler.WithPercentageOfNodesToScore(&everyNode))
	if err != nil {
		return nil, err
	}
	w := &world{scheduler: made, client: client, informers: factory}
	if err := w.sync(ctx); err != nil {
		return nil, err
	}
	logger := klog.FromContext(ctx)
	for _, node := range asked.Nodes {
		legacyscheme.Scheme.Default(node)
		made.Cache.AddNode(logger, node)
	}
	for _, pod := range asked.Pods {
		stored, err := admitted(ctx, named(pod))
		if err != nil {
			return nil, fmt.Errorf("pod %s/%s of the cluster: %w", pod.Namespace, pod.Name, err)
		}
		if err := made.Cache.AddPod(logger, stored); err != nil {
			return nil, err
		}
	}
	return w, nil
}

// objects are those that the scheduler's plugins read through informers. Nodes and pods go to its cache.
func (asked question) objects() []runtime.Object {
	var all []runtime.Object
	add := func(object runtime.Object) {
		legacyscheme.Scheme.Default(object)
		all = append(all, object)
	}
	for _, one := range asked.Namespaces {
		add(one)
	}
	for _, one := range asked.Claims {
		one.ResourceVersion = "1"
		add(one)
	}
	for _, one := range asked.Volumes {
		one.ResourceVersion = "1"
		add(one)
	}
	for _, one := range asked.Classes {
		add(one)
	}
	for _, one := range asked.CSINodes {
		add(one)
	}
	for _, one := range asked.CSIDrivers {
		add(one)
	}
	for _, one := range asked.Attachments {
		add(one)
	}
	return all
}

func (w *world) sync(ctx context.Context) error {
	var synced []cache.InformerSynced
	for _, informer := range []cache.SharedIndexInformer{
		w.informers.Core().V1().PersistentVolumeClaims().Informer(),
		w.informers.Core().V1().PersistentVolumes().Informer(),
	} {
		registration, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{})
		if err != nil {
			return err
		}
		synced = append(synced, registration.HasSynced)
	}
	for _, informer := range []cache.SharedIndexInformer{
		w.informers.Core().V1().Namespaces().Informer(),
		w.informers.Storage().V1().StorageClasses().Informer(),
		w.informers.Storage().V1().CSINodes().Informer(),
		w.informers.Storage().V1().CSIDrivers().Informer(),
		w.informers.Storage().V1().VolumeAttachments().Informer(),
	} {
		synced = append(synced, informer.HasSynced)
	}
	w.informers.Start(ctx.Done())
	for _, isSynced := range synced {
		for !isSynced() {
			time.Sleep(time.Millisecond)
		}
	}
	time.Sleep(settled)
	return nil
}

// named gives a pod an identity of its own, as the API server does.
func named(pod *v1.Pod) *v1.Pod {
	if pod.UID == "" {
		pod.UID = types.UID(pod.Namespace + "/" + pod.Name)
	}
	return pod
}
