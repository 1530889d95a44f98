import { emptySurroundings } from '../../../../shared/capacity/plan/pod.ts';
import type { OccupiedNode } from '../../../../shared/capacity/plan/types.ts';
import type { PlanInput } from '../../../../shared/capacity/plan-input/plan-input.ts';
import { type AskedPods, planPods } from '../../../../shared/capacity/pod-holds/plan-pods.ts';
import type { PodsReading, PodsRecord } from '../../../../shared/capacity/pod-holds/pods-reading.ts';
import { group, start } from '../holds/fixtures.ts';
import { groupOf, type NodeSettings, occupied, replicas } from '../plan/fixtures.ts';
import { web } from './fixtures.ts';

export const minute = 60_000;

/** A node of 4 CPUs takes eight pods of `web`. */
export const node = (name: string, settings: NodeSettings = {}): OccupiedNode =>
  occupied(name, { autoScalingGroupName: 'workers', ...settings });
export const arrived = (count: number, name = 'web', cpu = '500m') =>
  replicas(count, name, { labels: { app: name }, requests: { cpu, memory: '1Gi' } });

/** A cluster with the holds of one group, most of which is usual. */
export interface Situation {
  readonly nodes?: readonly OccupiedNode[];
  readonly holds?: readonly Partial<AskedPods>[];
  readonly input?: Partial<PlanInput>;
  /** How old the Nodes are, by name. Others are an hour old. */
  readonly ageMinutes?: Readonly<Record<string, number>>;
  readonly notReady?: readonly string[];
  /** The states of instances that are not in service, by the name of the Node. */
  readonly states?: Readonly<Record<string, string>>;
  /** The instances of Nodes that are not the only one of their instance, by the name of the Node. */
  readonly instanceOf?: Readonly<Record<string, string>>;
  readonly remembered?: PodsRecord;
  readonly maxSize?: number;
  readonly maxSizeLimit?: number;
}

export function plan(situation: Situation): PodsReading {
  const { nodes = [], holds = [{}], input, ageMinutes = {}, notReady = [], remembered } = situation;
  const { maxSize = 20, maxSizeLimit = 100, states = {}, instanceOf = {} } = situation;
  const instanceIdOf = (name: string): string => instanceOf[name] ?? `i-${name}`;
  const instances = nodes.map(({ node: { name } }) => ({
    instanceId: instanceIdOf(name),
    lifecycleState: states[name] ?? 'InService',
    availabilityZone: 'a',
    healthy: true,
  }));
  return planPods(
    {
      group: group({ maxSize, instances }),
      holds: holds.map((hold) => ({ name: 'sale', pods: web(), raiseMaxSize: false, ...hold })),
      remembered,
    },
    {
      input: {
        nodes,
        groups: [groupOf('workers')],
        groupsWithoutTemplate: [],
        pending: [],
        unplannable: [],
        surroundings: emptySurroundings,
        warnings: [],
        ...input,
      },
      seen: new Map(
        nodes.map(({ node: { name } }) => [
          name,
          {
            createdAt: start - (ageMinutes[name] ?? 60) * minute,
            isReady: !notReady.includes(name),
            instanceId: instanceIdOf(name),
          },
        ]),
      ),
      maxSizeLimit,
      joinTimeoutSeconds: 720,
      readAt: start,
    },
  );
}

export const verdict = (situation: Situation, name = 'sale') => {
  const reading = plan(situation);
  return reading.kind === 'read' ? reading.holds[name] : undefined;
};
export const nodesFor = (situation: Situation): number | undefined => {
  const reading = plan(situation);
  return reading.kind === 'read' ? reading.nodes : undefined;
};
