import type { ContainerStatus, Pod } from 'kubernetes-types/core/v1.d.ts';
import type { CanaryFacts } from '../../../shared/roll/canary.ts';
import type { RollMember } from '../../../shared/roll/member.ts';

export const startedAt = Date.parse('2026-11-29T08:00:00Z');

/** So many minutes after the roll began. */
export const at = (minutes: number): number => startedAt + minutes * 60_000;
const stamp = (minutes: number): string => new Date(at(minutes)).toISOString();

interface MemberFacts {
  /** Minutes after the roll began. */
  readonly launched: number;
  /** When it became Ready; undefined for a Node that is not Ready. */
  readonly ready?: number;
  readonly joined?: boolean;
  readonly lifecycleState?: string;
}

/** An instance whose Node is named after it. */
export const member = (
  name: string,
  { launched, ready, joined = true, lifecycleState = 'InService' }: MemberFacts,
): RollMember => ({
  instanceId: `i-${name}`,
  autoScalingGroupName: 'workers',
  lifecycleState,
  availabilityZone: 'eu-west-1a',
  healthy: true,
  launch: { launchedAt: at(launched), imageId: 'ami-1' },
  ...(joined && {
    node: {
      metadata: { name },
      status: {
        conditions: [
          {
            type: 'Ready',
            status: ready === undefined ? 'False' : 'True',
            lastTransitionTime: stamp(ready ?? launched),
          },
        ],
      },
    },
  }),
});

export const oldNode = (name: string, lifecycleState = 'InService'): RollMember =>
  member(name, { launched: -600, ready: -598, lifecycleState });

interface PodFacts {
  readonly name?: string;
  /** When it became Ready, in minutes after the roll began; undefined for a pod that is not Ready. */
  readonly ready?: number;
  readonly started?: number;
  /** The name of its controller; null for a pod without one. */
  readonly of?: string | null;
  readonly kind?: string;
  readonly revision?: string;
  readonly phase?: string;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly container?: Partial<ContainerStatus>;
}

/** A pod of the ReplicaSet `web`. */
export const pod = (
  nodeName: string,
  {
    name,
    ready,
    started,
    of = 'web',
    kind = 'ReplicaSet',
    revision,
    phase,
    annotations,
    container,
  }: PodFacts = {},
): Pod => ({
  metadata: {
    name: name ?? `${of ?? 'bare'}-${nodeName}`,
    namespace: 'shop',
    creationTimestamp: stamp(started ?? ready ?? 0),
    ...(revision && { labels: { 'controller-revision-hash': revision } }),
    ...(annotations && { annotations }),
    ...(of && {
      ownerReferences: [{ apiVersion: 'apps/v1', kind, name: of, uid: `uid-${of}`, controller: true }],
    }),
  },
  spec: { nodeName, containers: [] },
  status: {
    phase: phase ?? 'Running',
    startTime: stamp(started ?? ready ?? 0),
    conditions: [
      {
        type: 'Ready',
        status: ready === undefined ? 'False' : 'True',
        lastTransitionTime: stamp(ready ?? started ?? 0),
      },
    ],
    ...(container && {
      containerStatuses: [
        { name: 'app', image: '', imageID: '', ready: false, restartCount: 0, ...container },
      ],
    }),
  },
});

export const daemon = (nodeName: string, facts: PodFacts = {}): Pod =>
  pod(nodeName, { of: 'cni', kind: 'DaemonSet', ...facts });

export const waitsIn = (reason: string, restartCount = 1): Partial<ContainerStatus> => ({
  restartCount,
  state: { waiting: { reason } },
});

/** A container that has restarted so many times, last at this minute, and runs since. */
export const restarted = (restartCount: number, minute: number): Partial<ContainerStatus> => ({
  restartCount,
  state: { running: { startedAt: stamp(minute) } },
  lastState: { terminated: { exitCode: 1, finishedAt: stamp(minute) } },
});

/** A roll with one canary, `fresh`, that has been Ready for a minute, beside two old nodes. */
export const facts = (more: Partial<CanaryFacts> = {}): CanaryFacts => ({
  now: at(4),
  roll: { startedAt, canary: 1, bakeSeconds: 300 },
  newMembers: [member('fresh', { launched: 1, ready: 3 })],
  oldMembers: [oldNode('old-1'), oldNode('old-2')],
  pods: [],
  joinTimeoutSeconds: 720,
  ...more,
});
