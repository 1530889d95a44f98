import * as fc from 'fast-check';
import type { Container, PodSpec } from 'kubernetes-types/core/v1.d.ts';
import { describe, expect, it } from 'vitest';
import {
  type ResourceList,
  rankedRequestsOf,
  requestsOf,
  requestsOfPod,
} from '../../../../shared/capacity/plan/requests.ts';

const container = (requests: ResourceList, settings: Partial<Container> = {}): Container => ({
  name: 'c',
  resources: { requests: requests as Record<string, string> },
  ...settings,
});

const sidecar = (requests: ResourceList): Container => container(requests, { restartPolicy: 'Always' });

const cpuOf = (spec: PodSpec): number | undefined => requestsOf(spec).get('cpu');

describe('the requests of a pod', () => {
  it('sum its containers', () => {
    const containers = [
      container({ cpu: '100m', memory: '1Mi' }),
      container({ cpu: '0.2', 'nvidia.com/gpu': 1 }),
    ];
    expect([...requestsOf({ containers })].toSorted(([one], [other]) => one.localeCompare(other))).toEqual([
      ['cpu', 300],
      ['memory', 1_048_576],
      ['nvidia.com/gpu', 1],
    ]);
  });

  it('are those of the largest init container if that needs more', () => {
    const initContainers = [container({ cpu: '2' }), container({ cpu: '500m' })];
    expect(cpuOf({ initContainers, containers: [container({ cpu: '1' })] })).toBe(2000);
  });

  it('count a sidecar with the containers, and with the init containers after it (kubernetes-sigs/karpenter#479)', () => {
    const containers = [container({ cpu: '100m' })];
    expect(
      cpuOf({ initContainers: [sidecar({ cpu: '100m' }), container({ cpu: '200m' })], containers }),
    ).toBe(300);
    expect(
      cpuOf({ initContainers: [container({ cpu: '200m' }), sidecar({ cpu: '100m' })], containers }),
    ).toBe(200);
  });

  it('add the overhead of the runtime to both (karpenter-provider-aws#4392)', () => {
    const overhead = { cpu: '250m', memory: '120Mi' };
    const requests = requestsOf({ containers: [container({ cpu: '1' })], overhead });
    expect([requests.get('cpu'), requests.get('memory')]).toEqual([1250, 120 * 1024 * 1024]);
  });

  it('take a limit for the request if a manifest has only the limit', () => {
    const resources = { limits: { cpu: '2', memory: '1Gi' }, requests: { cpu: '1' } };
    const requests = requestsOf({ containers: [{ name: 'c', resources }] });
    expect([requests.get('cpu'), requests.get('memory')]).toEqual([1000, 1024 ** 3]);
  });

  it('are the pod-level ones for CPU, memory and huge pages only (kubernetes-sigs/karpenter#2325)', () => {
    const spec = {
      containers: [container({ cpu: '3', memory: '1Gi', 'nvidia.com/gpu': '1' })],
      overhead: { cpu: '100m' },
      resources: { requests: { cpu: '2', 'nvidia.com/gpu': '9' } },
    };
    const requests = requestsOf(spec);
    expect([requests.get('cpu'), requests.get('memory'), requests.get('nvidia.com/gpu')]).toEqual([
      2100,
      1024 ** 3,
      1,
    ]);
  });

  it('take a pod-level limit for a resource that no container requests', () => {
    const spec = {
      containers: [container({ cpu: '1' })],
      resources: { limits: { cpu: '4', memory: '2Gi' } },
    };
    const requests = requestsOf(spec);
    expect([requests.get('cpu'), requests.get('memory')]).toEqual([1000, 2 * 1024 ** 3]);
  });

  it('are at each moment of its start and its life enough for what runs then', () => {
    const amount = fc.integer({ min: 0, max: 4000 });
    const inits = fc.array(fc.record({ cpu: amount, isSidecar: fc.boolean() }), { maxLength: 6 });
    fc.assert(
      fc.property(inits, fc.array(amount, { minLength: 1, maxLength: 4 }), (starting, running) => {
        const initContainers = starting.map(({ cpu, isSidecar }) =>
          isSidecar ? sidecar({ cpu: `${cpu}m` }) : container({ cpu: `${cpu}m` }),
        );
        const containers = running.map((cpu) => container({ cpu: `${cpu}m` }));
        const sum = (amounts: readonly number[]): number => amounts.reduce((total, cpu) => total + cpu, 0);
        const sidecarsBefore = (index: number): number =>
          sum(starting.slice(0, index).map(({ cpu, isSidecar }) => (isSidecar ? cpu : 0)));
        const moments = [
          ...starting.map(({ cpu }, index) => cpu + sidecarsBefore(index)),
          sum(running) + sidecarsBefore(starting.length),
        ];
        expect(cpuOf({ initContainers, containers })).toBe(Math.max(...moments));
      }),
    );
  });
});

it('the requests that rank nodes count a small one for a container without requests', () => {
  const ranked = rankedRequestsOf({
    containers: [container({}), container({ cpu: '0' }), container({ cpu: '1' })],
  });
  expect([ranked.get('cpu'), ranked.get('memory')]).toEqual([1100, 600 * 1024 * 1024]);
});

describe('a pod that is resized in place', () => {
  const resized = (settings: object) =>
    requestsOfPod({
      spec: { containers: [container({ cpu: '1', memory: '1Gi' })] },
      status: {
        containerStatuses: [{ name: 'c', ready: true, restartCount: 0, image: '', imageID: '', ...settings }],
      },
    });

  it.each([
    ['has more than it wants', { allocatedResources: { cpu: '2' } }, 2000],
    ['has less than it wants', { allocatedResources: { cpu: '500m' } }, 1000],
    [
      'still uses more than it was given',
      { allocatedResources: { cpu: '1' }, resources: { requests: { cpu: '3' } } },
      3000,
    ],
    ['was never resized', {}, 1000],
  ] as const)('and %s counts with the larger', (_, settings, cpu) => {
    expect([resized(settings).get('cpu'), resized(settings).get('memory')]).toEqual([cpu, 1024 ** 3]);
  });
});
