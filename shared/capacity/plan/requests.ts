import type { Container, Pod, PodSpec } from 'kubernetes-types/core/v1.d.ts';
import { quantityIn } from './quantity.ts';
import type { Amounts } from './types.ts';

/** A list of resources as in manifests. */
export type ResourceList = Readonly<Record<string, string | number>>;

/** A field of the spec since Kubernetes 1.32 (KEP-2837), later than the types. */
type SpecWithResources = PodSpec & {
  readonly resources?: { readonly requests?: ResourceList; readonly limits?: ResourceList };
};

/** The name under which pods count against `status.allocatable.pods`. */
export const podsResource = 'pods';

/**
 * Amounts in the units of the scheduler.
 *
 * @throws QuantityError
 */
export function amountsOf(list: ResourceList | undefined): Amounts {
  return new Map(Object.entries(list ?? {}).map(([name, quantity]) => [name, amountOf(name, quantity)]));
}

/** More than 2^53 bytes is more than any node has. The sum of two such amounts is still more than any node has. */
const amountOf = (name: string, quantity: string | number): number =>
  Number(quantityIn(name === 'cpu' ? 3 : 0, quantity));

export const sumOf = (one: Amounts, other: Amounts): Amounts =>
  combined(one, other, (first, second) => first + second);

export const largestOf = (one: Amounts, other: Amounts): Amounts => combined(one, other, Math.max);

function combined(one: Amounts, other: Amounts, combine: (first: number, second: number) => number): Amounts {
  const names = new Set([...one.keys(), ...other.keys()]);
  return new Map([...names].map((name) => [name, combine(one.get(name) ?? 0, other.get(name) ?? 0)]));
}

const nothing: Amounts = new Map();

/**
 * What a pod asks of its node (k8s.io/component-helpers/resource, KEP-753 and KEP-2837): the larger of what runs together in the end and of what
 * each init container needs beside the sidecars that were started before it. Pod-level requests replace that sum for their resources. The
 * overhead is added to both.
 *
 * @throws QuantityError
 */
export function requestsOf(spec: PodSpec, requestsOfContainer = ownRequests): Amounts {
  const containers = requestsOfContainers(spec, requestsOfContainer);
  const withPodLevel = new Map([...containers, ...podLevelRequests(spec)]);
  return sumOf(withPodLevel, amountsOf(spec.overhead));
}

function requestsOfContainers(spec: PodSpec, ofContainer: (container: Container) => Amounts): Amounts {
  let running = (spec.containers ?? []).map(ofContainer).reduce(sumOf, nothing);
  let sidecars = nothing;
  let starting = nothing;
  for (const container of spec.initContainers ?? []) {
    const beside = sumOf(ofContainer(container), sidecars);
    starting = largestOf(starting, beside);
    if (container.restartPolicy === 'Always') {
      sidecars = beside;
      running = sumOf(running, ofContainer(container));
    }
  }
  return largestOf(running, starting);
}

/** A limit without a request is the request: the API server fills it in when the pod is created, but a manifest has only the limit. */
const ownRequests = ({ resources }: Container): Amounts =>
  new Map([...amountsOf(resources?.limits), ...amountsOf(resources?.requests)]);

/** The resources that KEP-2837 allows for a whole pod. */
const isPodLevel = (name: string): boolean =>
  name === 'cpu' || name === 'memory' || name.startsWith('hugepages-');

/**
 * The pod-level requests. For a resource that has only a pod-level limit, the API server sets the request to that limit, unless a container requests
 * the resource.
 */
function podLevelRequests(spec: SpecWithResources): Amounts {
  const { requests = {}, limits = {} } = spec.resources ?? {};
  const defaults = Object.entries(limits).filter(([name]) => !isRequestedByContainer(spec, name));
  const all = amountsOf(Object.fromEntries([...defaults, ...Object.entries(requests)]));
  return new Map([...all].filter(([name]) => isPodLevel(name)));
}

const isRequestedByContainer = (spec: PodSpec, name: string): boolean =>
  [...(spec.containers ?? []), ...(spec.initContainers ?? [])].some(
    ({ resources }) => resources?.requests?.[name] !== undefined || resources?.limits?.[name] !== undefined,
  );

/** Fields of a container's status since in-place resizing (KEP-1287). */
interface ResizedStatus {
  readonly name: string;
  readonly allocatedResources?: ResourceList;
  readonly resources?: { readonly requests?: ResourceList };
}

/**
 * What a pod asks of its node, and while it is resized in place, what it has been given: the scheduler counts the largest of what it wants, what the
 * kubelet has allocated and what its containers have.
 *
 * @throws QuantityError
 */
export function requestsOfPod({ spec = { containers: [] }, status }: Pod): Amounts {
  const statuses: readonly ResizedStatus[] = [
    ...(status?.containerStatuses ?? []),
    ...(status?.initContainerStatuses ?? []),
  ];
  const byName = new Map(statuses.map((known) => [known.name, known]));
  const wanted = requestsOf(spec);
  if (!statuses.some(({ allocatedResources, resources }) => allocatedResources ?? resources?.requests))
    return wanted;
  const allocated = requestsOf(spec, (container) => {
    const given = byName.get(container.name)?.allocatedResources;
    return given ? amountsOf(given) : ownRequests(container);
  });
  const actual = requestsOf(spec, (container) => {
    const known = byName.get(container.name);
    const given = known?.resources?.requests ?? known?.allocatedResources;
    return given ? amountsOf(given) : ownRequests(container);
  });
  return largestOf(wanted, largestOf(allocated, actual));
}

/** What the scheduler assumes when it ranks nodes (pkg/scheduler/util/pod_resources.go). */
const assumed: Amounts = amountsOf({ cpu: '100m', memory: '200Mi' });

/** The requests by which nodes are ranked: containers without a request for CPU or memory count with a small one. */
export const rankedRequestsOf = (spec: PodSpec): Amounts =>
  requestsOf(spec, (container) => new Map([...assumed, ...ownRequests(container)]));
