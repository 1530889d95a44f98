import { sizeFor } from '../../../shared/capacity/plan/group-size.ts';
import type { PlanGroup } from '../../../shared/capacity/plan/new-node.ts';
import { plannedNodeOf } from '../../../shared/capacity/plan/node.ts';
import { planNodes } from '../../../shared/capacity/plan/plan.ts';
import { emptySurroundings, plannedPodOf } from '../../../shared/capacity/plan/pod.ts';
import type { OccupiedNode, PlannedPod } from '../../../shared/capacity/plan/types.ts';
import type { Figure, Suite } from '../figure.ts';

const nodeCount = 1000;
const podCount = 10_000;
const podsPerNode = 10;
const shapeCount = 20;
const zones = ['a', 'b', 'c'] as const;
/** For a plan and for the size of a group. */
const cpuGoal = 1000;

const zoneKey = 'topology.kubernetes.io/zone';

interface PodSettings {
  readonly app: string;
  readonly cpu: string;
  readonly memory: string;
  readonly spreads?: boolean;
}

const podOf = (name: string, { app, cpu, memory, spreads = false }: PodSettings): PlannedPod =>
  plannedPodOf(
    {
      metadata: { namespace: 'shop', name, labels: { app } },
      spec: {
        containers: [{ name: 'main', resources: { requests: { cpu, memory } } }],
        topologySpreadConstraints: spreads
          ? [
              {
                maxSkew: 1,
                topologyKey: zoneKey,
                whenUnsatisfiable: 'DoNotSchedule',
                labelSelector: { matchLabels: { app } },
              },
            ]
          : [],
      },
    },
    emptySurroundings,
  );

const groupNameOf = (zone: string): string => `workers-${zone}`;

function nodeOf(name: string, zone: string, pods: readonly PlannedPod[]): OccupiedNode {
  const node = plannedNodeOf({
    autoScalingGroupName: groupNameOf(zone),
    node: {
      metadata: { name, labels: { 'kubernetes.io/hostname': name, [zoneKey]: zone } },
      status: {
        allocatable: { cpu: '16', memory: '64Gi', pods: '110' },
        conditions: [{ type: 'Ready', status: 'True' }],
      },
    },
  });
  return { node, pods };
}

const running = (node: number): readonly PlannedPod[] =>
  Array.from({ length: podsPerNode }, (_, index) =>
    podOf(`run-${node}-${index}`, { app: `run-${(node * 7 + index) % 50}`, cpu: '500m', memory: '1Gi' }),
  );

/** More than fit in the free room, in 20 shapes. */
const waiting = (spreads: boolean): readonly PlannedPod[] =>
  Array.from({ length: podCount }, (_, index) => {
    const shape = index % shapeCount;
    const size = { cpu: `${250 + 150 * shape}m`, memory: `${256 + 300 * shape}Mi` };
    return podOf(`web-${index}`, { app: `web-${shape}`, ...size, spreads });
  });

function cpuOf(run: () => unknown): number {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

async function run(): Promise<readonly Figure[]> {
  const nodes = Array.from({ length: nodeCount }, (_, index) =>
    nodeOf(`node-${index}`, zones[index % zones.length] ?? 'a', running(index)),
  );
  const groups = zones.map((zone): PlanGroup => {
    const template = nodeOf('new', zone, []);
    return { autoScalingGroupName: groupNameOf(zone), mostNewNodes: nodeCount, template };
  });
  const [group] = groups;
  const plain = waiting(false);
  const spread = waiting(true);
  const figure = (name: string, measured: () => unknown): Figure => ({
    name,
    value: cpuOf(measured),
    unit: 'ms',
    goal: cpuGoal,
  });
  return [
    figure('plan: 10,000 pods over 1,000 nodes', () => planNodes({ nodes, groups, pods: plain })),
    figure('plan: 10,000 pods that spread over zones', () => planNodes({ nodes, groups, pods: spread })),
    figure('size of a group of 334 nodes with 3,000 open pods', () =>
      sizeFor({
        nodes,
        autoScalingGroupName: groupNameOf('a'),
        template: group?.template,
        maxSize: nodeCount,
        joining: new Set(),
        withoutRoom: 0,
        open: new Map([['sale', plain.slice(0, 3000)]]),
      }),
    ),
  ];
}

/** Plans of nodes for pods, from data that has been read. */
export const plans: Suite = {
  name: 'plans',
  about: 'the CPU time of plans of nodes for pods, and of the size of a group',
  run,
};
