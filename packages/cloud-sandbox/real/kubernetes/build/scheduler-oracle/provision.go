package main

import (
	"context"
	"time"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

const (
	zoneLabel     = "topology.kubernetes.io/zone"
	bindCompleted = "pv.kubernetes.io/bind-completed"
	// madeVolume begins the name of each volume that provision makes.
	madeVolume = "made-for-"
)

// provision does what a CSI provisioner and the volume controller do between two pods: each claim that waited for the pod gets a volume in the zone
// of the node.
func (w *world) provision(ctx context.Context, pod *v1.Pod) error {
	changed := false
	for _, used := range pod.Spec.Volumes {
		if used.PersistentVolumeClaim == nil {
			continue
		}
		claims := w.client.CoreV1().PersistentVolumeClaims(pod.Namespace)
		claim, err := claims.Get(ctx, used.PersistentVolumeClaim.ClaimName, metav1.GetOptions{})
		if err != nil {
			return err
		}
		if claim.Spec.VolumeName != "" {
			continue
		}
		volume, err := w.volumeFor(ctx, claim, pod.Spec.NodeName)
		if err != nil {
			return err
		}
		if _, err := w.client.CoreV1().PersistentVolumes().Create(ctx, volume, metav1.CreateOptions{}); err != nil {
			return err
		}
		bound := claim.DeepCopy()
		bound.ResourceVersion = "2"
		bound.Spec.VolumeName = volume.Name
		bound.Annotations = map[string]string{bindCompleted: "yes"}
		bound.Status.Phase = v1.ClaimBound
		if _, err := claims.Update(ctx, bound, metav1.UpdateOptions{}); err != nil {
			return err
		}
		if err := w.untilSeen(bound); err != nil {
			return err
		}
		changed = true
	}
	if changed {
		time.Sleep(settled)
	}
	return nil
}

func (w *world) volumeFor(ctx context.Context, claim *v1.PersistentVolumeClaim, node string) (*v1.PersistentVolume, error) {
	class, err := w.client.StorageV1().StorageClasses().Get(ctx, *claim.Spec.StorageClassName, metav1.GetOptions{})
	if err != nil {
		return nil, err
	}
	info, err := w.scheduler.Profiles[v1.DefaultSchedulerName].SnapshotSharedLister().NodeInfos().Get(node)
	if err != nil {
		return nil, err
	}
	volume := &v1.PersistentVolume{
		ObjectMeta: metav1.ObjectMeta{Name: madeVolume + claim.Namespace + "-" + claim.Name, ResourceVersion: "1"},
		Spec: v1.PersistentVolumeSpec{
			PersistentVolumeSource: v1.PersistentVolumeSource{CSI: &v1.CSIPersistentVolumeSource{
				Driver: class.Provisioner, VolumeHandle: madeVolume + claim.Namespace + "-" + claim.Name,
			}},
			ClaimRef:         &v1.ObjectReference{Namespace: claim.Namespace, Name: claim.Name, UID: claim.UID},
			StorageClassName: class.Name,
		},
	}
	if zone, has := info.Node().Labels[zoneLabel]; has {
		inZone := v1.NodeSelectorRequirement{Key: zoneLabel, Operator: v1.NodeSelectorOpIn, Values: []string{zone}}
		volume.Spec.NodeAffinity = &v1.VolumeNodeAffinity{Required: &v1.NodeSelector{
			NodeSelectorTerms: []v1.NodeSelectorTerm{{MatchExpressions: []v1.NodeSelectorRequirement{inZone}}},
		}}
	}
	return volume, nil
}

// untilSeen waits until the listers of the scheduler have a changed claim.
func (w *world) untilSeen(claim *v1.PersistentVolumeClaim) error {
	lister := w.informers.Core().V1().PersistentVolumeClaims().Lister()
	for {
		seen, err := lister.PersistentVolumeClaims(claim.Namespace).Get(claim.Name)
		if err != nil {
			return err
		}
		if seen.Spec.VolumeName == claim.Spec.VolumeName {
			return nil
		}
		time.Sleep(time.Millisecond)
	}
}
