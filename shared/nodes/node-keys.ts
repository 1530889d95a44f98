/** Drover's mark on a leaving Node: why, since when, until when, and what it waits for. See leaving-mark.ts. */
export const leavingAnnotation = 'drover.dev/leaving';

/** On a leaving Node in addition to its annotation, with the id of its instance, so that leaving Nodes can be selected by label. */
export const leavingLabel = 'drover.dev/leaving';

/** On an empty Node that is about to be given back, with the time of its cordon. */
export const givingBackAnnotation = 'drover.dev/giving-back';

/** On a Node whose instance a roll is about to terminate: which roll, since when, and whether its replacement comes first. See rolling-mark.ts. */
export const rollingAnnotation = 'drover.dev/rolling';

/** On an empty new Node of a roll, with the name of the roll: the roll has kept it from autoscalers, and lets it go. */
export const keptEmptyAnnotation = 'drover.dev/kept-empty';

/** cluster-autoscaler does not take a Node with the value `true` (its FAQ, "How can I prevent Cluster Autoscaler from scaling down a particular node?"). */
export const scaleDownDisabledAnnotation = 'cluster-autoscaler.kubernetes.io/scale-down-disabled';

/** The key of the taint PreferNoSchedule of old Nodes, so that an evicted pod moves to a new one and moves once. Its value is the name of the roll. */
export const oldNodeTaintKey = 'drover.dev/old-node';

/** On a Node outside managed groups that `drover adopt --exempt` names: an operator approves its certificates. */
export const certificatesAnnotation = 'drover.dev/certificates';

/** The value of that annotation. Any other exempts nothing. */
export const certificatesByHand = 'by-hand';

/** A label of Kubernetes: service controllers remove a Node with it from their load balancers. */
export const excludeFromLoadBalancersLabel = 'node.kubernetes.io/exclude-from-external-load-balancers';

const controlPlaneLabels = ['node-role.kubernetes.io/control-plane', 'node-role.kubernetes.io/master'];

/** Whether a Node with these labels runs a control plane, as kubeadm and OpenShift label it. Pure. */
export const isControlPlane = (labels: Readonly<Record<string, string>> = {}): boolean =>
  controlPlaneLabels.some((label) => labels[label] !== undefined);
