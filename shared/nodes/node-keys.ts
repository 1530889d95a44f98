/** Drover's own mark on a leaving Node: why, since when, until when, what it waits for. See leaving-mark.ts. */
export const leavingAnnotation = 'drover.dev/leaving';

/** Put on a leaving Node beside its annotation, with the id of its instance, so that a label selector finds all of them or some. */
export const leavingLabel = 'drover.dev/leaving';

/** On an empty node that is about to be given back, with the time of its cordon. */
export const givingBackAnnotation = 'drover.dev/giving-back';

/** Kubernetes' own: service controllers take a node that carries it out of their load balancers. */
export const excludeFromLoadBalancersLabel = 'node.kubernetes.io/exclude-from-external-load-balancers';
