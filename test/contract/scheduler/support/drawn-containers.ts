import * as fc from 'fast-check';
import type { Container, PodSpec } from 'kubernetes-types/core/v1.d.ts';
import { cpus, memories, present, sometimes } from './drawn-nodes.ts';

const requests = fc
  .record({
    cpu: sometimes(cpus, 1),
    memory: sometimes(memories, 1),
    'ephemeral-storage': sometimes(fc.constantFrom('1Gi', '8G', '0'), 0.1),
    'nvidia.com/gpu': sometimes(fc.constantFrom('1', '2', '0'), 0.1),
  })
  .map(present);

/** The API server refuses extended resources and huge pages whose request and limit differ. */
const withLimits = (
  asked: Record<string, string>,
  huge: string | undefined,
  limits: Record<string, string>,
) => {
  const equal = present({ 'nvidia.com/gpu': asked['nvidia.com/gpu'], 'hugepages-2Mi': huge });
  return {
    resources: {
      requests: present({ ...asked, 'hugepages-2Mi': huge }),
      ...(Object.keys({ ...limits, ...equal }).length > 0 && { limits: { ...limits, ...equal } }),
    },
  };
};

const ports = fc.array(
  fc
    .record({
      containerPort: fc.constantFrom(80, 443),
      hostPort: sometimes(fc.constantFrom(80, 443)),
      hostIP: sometimes(fc.constantFrom('10.0.0.1', '127.0.0.1', '0.0.0.0'), 1),
      protocol: sometimes(fc.constantFrom('TCP', 'UDP'), 1),
    })
    .map((port) => present(port as Record<string, unknown>)),
  { maxLength: 1 },
);

const container = fc
  .record({
    requests,
    huge: sometimes(fc.constantFrom('4Mi', '64Mi'), 0.1),
    limits: fc
      .record({
        cpu: sometimes(fc.constantFrom('2', '3'), 0.3),
        memory: sometimes(fc.constantFrom('3Gi'), 0.3),
      })
      .map(present),
    ports: sometimes(ports, 0.5),
  })
  .map(({ requests: asked, huge, limits, ports: open }) => ({
    // The API server refuses huge pages without CPU or memory.
    ...withLimits(huge === undefined ? asked : { cpu: '10m', ...asked }, huge, limits),
    ...(open && { ports: open }),
  }));

const named = (prefix: string, list: readonly object[]): Container[] =>
  list.map((one, index) => ({ name: `${prefix}-${index}`, image: 'image', ...one })) as Container[];

/** One that ends before the others start, or a sidecar. */
const initContainer = fc
  .tuple(container, fc.boolean())
  .map(([one, isSidecar]) => ({ ...one, ...(isSidecar && { restartPolicy: 'Always' }) }));

const podAmounts = fc
  .record({ cpu: sometimes(fc.constantFrom('3', '3500m')), memory: sometimes(fc.constantFrom('6Gi', '5e9')) })
  .map(present);
/** Requests of the whole pod, limits only, or both. */
export const podResources = fc.oneof(
  fc.record({ requests: podAmounts }),
  fc.record({ limits: podAmounts }),
  fc.record({ requests: podAmounts, limits: fc.constant({ cpu: '8', memory: '64Gi' }) }),
);

/** The API server refuses pods whose containers request more than the pod, so these request little. */
export const small = (one: Container): Container => ({ ...one, resources: { requests: { cpu: '100m' } } });

const portsOf = ({ ports: own = [] }: Container): NonNullable<Container['ports']> => own;

/** The API server refuses a port of the host twice, and with the network of the host a port that differs from the container's. */
export const withValidPorts = (spec: PodSpec): PodSpec => {
  const taken = new Set<string>();
  const valid = (one: Container): Container => ({
    ...one,
    ports: portsOf(one).flatMap(({ hostPort, ...port }) => {
      const isNew = !taken.has(`${port.containerPort}`);
      taken.add(`${port.containerPort}`);
      return isNew ? [{ ...port, ...(hostPort !== undefined && { hostPort: port.containerPort }) }] : [];
    }),
  });
  return { ...spec, containers: spec.containers.map(valid), initContainers: spec.initContainers?.map(valid) };
};

export const drawnContainers = fc
  .array(container, { minLength: 1, maxLength: 2 })
  .map((list) => named('main', list));
export const drawnInitContainers = fc
  .array(initContainer, { maxLength: 3 })
  .map((list) => named('init', list));
