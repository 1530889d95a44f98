import { shellWord } from '../../../shared/base/shell-words.ts';
import { adviseAutoscaler, autoscalerPrefix } from './advice-autoscaler.ts';
import { type Advice, type Advised, type Adviser, layoutPage } from './adviser.ts';
import type { Observation, Wishes } from './observation.ts';
import { whyNotAdoptable } from './refusal.ts';
import { nodesOf } from './role.ts';

/** The advice for the groups that can be adopted. Pure. */
export function adviseGroups(observation: Observation, wishes: Wishes): readonly Advice[] {
  return observation.groups.flatMap((group) => {
    const { autoScalingGroupName, layout } = group;
    if (layout === undefined || whyNotAdoptable(group, observation, wishes)) return [];
    const machines = nodesOf(group, observation).flatMap(({ machine }) => machine ?? []);
    const advised: Advised = { group, layout, machines, clusterName: observation.clusterName };
    return advisers
      .flatMap((adviser) => adviser(advised))
      .map(({ id, message, command }) => ({ id, group: autoScalingGroupName, message, command }));
  });
}

const update = ({ group }: Advised, option: string): string =>
  `aws autoscaling update-auto-scaling-group --auto-scaling-group-name ${shellWord(group.autoScalingGroupName)} ${option}`;

/** A volume stays in its zone, and Auto Scaling chooses that of a new instance. */
const adviseZones: Adviser = ({ layout: { zones }, machines }) =>
  zones.length > 1 && machines.some(({ hasVolumes }) => hasVolumes)
    ? [
        {
          id: 'one-group-per-zone',
          message: `its nodes have volumes of EBS, and it is in ${zones.toSorted().join(', ')}: a pod stays Pending if no node is in the zone of its volume, because nothing but Auto Scaling chooses the zone of a launch. Make one group for each zone`,
          command: `${layoutPage}#move-from-one-group-to-one-for-each-zone`,
        },
      ]
    : [];

/** Interruptions and the scale-in of cluster-autoscaler leave zones unbalanced. */
const adviseBalance: Adviser = ({ group, layout: { zones, balancesZones, spotStrategy } }) => {
  const isScaled = [...group.tags.keys()].some((key) => key.startsWith(autoscalerPrefix));
  if (zones.length < 2 || !balancesZones || (spotStrategy === undefined && !isScaled)) return [];
  return [
    {
      id: 'az-rebalance',
      message: `Auto Scaling terminates serving nodes to balance its zones, after ${spotStrategy === undefined ? 'cluster-autoscaler has removed nodes of one zone' : 'EC2 has interrupted some'}. Suspend the process AZRebalance`,
      command: `aws autoscaling suspend-processes --auto-scaling-group-name ${shellWord(group.autoScalingGroupName)} --scaling-processes AZRebalance`,
    },
  ];
};

const adviseSpot: Adviser = (advised) => {
  const { spotStrategy, rebalancesCapacity } = advised.layout;
  if (spotStrategy === undefined) return [];
  return [
    ...(rebalancesCapacity
      ? []
      : [
          {
            id: 'capacity-rebalance',
            message:
              'it has Spot Instances without Capacity Rebalancing: a node has only the last two minutes to drain. With it, Auto Scaling launches a replacement at the rebalance recommendation, and the leaving hook drains the node afterwards',
            command: update(advised, '--capacity-rebalance'),
          },
        ]),
    ...(spotStrategy === 'lowest-price'
      ? [
          {
            id: 'spot-strategy',
            message:
              'SpotAllocationStrategy is lowest-price, which takes the pools that EC2 interrupts most: set capacity-optimized or price-capacity-optimized in its mixed instances policy',
            command: `${layoutPage}#spot`,
          },
        ]
      : []),
  ];
};

/** cluster-autoscaler, and holds, expect one size. */
const adviseSizes: Adviser = ({ layout: { instanceTypes }, machines }) => {
  const bySize = Map.groupBy(instanceTypes, sizeOf);
  const cpus = new Set(machines.flatMap(({ cpu }) => cpu || []));
  const memory = machines.flatMap(({ memoryKibibytes }) => memoryKibibytes ?? []);
  // Types of one size differ by what their kernel and firmware reserve.
  const differs = cpus.size > 1 || Math.max(...memory) > Math.min(...memory) * 1.15;
  if (bySize.size < 2 && !differs) return [];
  const named = [...bySize.values()].flatMap(([type = '']) => type).join(', ');
  return [
    {
      id: 'one-size',
      message: `${bySize.size < 2 ? 'its nodes differ in CPUs or memory' : `its types differ in size (${named})`}: cluster-autoscaler expects every node to be like the first type, and launches nodes on which pods do not fit. Give each size a group of its own`,
      command: `${layoutPage}#spot`,
    },
  ];
};

/** `m5ad.xlarge` has the CPUs and the memory of `m7g.xlarge` and `t3.xlarge`. */
function sizeOf(type: string): string {
  const [, family = type, size = ''] = /^([a-z]+)\d[a-z0-9-]*\.(.+)$/.exec(type) ?? [];
  return `${family === 't' ? 'm' : family}.${size}`;
}

const adviseMaintenance: Adviser = (advised) => {
  const { minHealthyPercentage: minimum } = advised.layout;
  if (minimum === 100) return [];
  return [
    {
      id: 'launch-before-terminate',
      message: `${minimum === undefined ? 'it has no instance maintenance policy: unless the account setting launchBeforeTerminate is enabled,' : `MinHealthyPercentage of its instance maintenance policy is ${minimum}:`} Auto Scaling terminates an Unhealthy instance before the next one is in service, so that drained pods have no node to move to`,
      command: update(
        advised,
        '--instance-maintenance-policy MinHealthyPercentage=100,MaxHealthyPercentage=110',
      ),
    },
  ];
};

/** User data that reads this item of the metadata service, or lets Bottlerocket wait, keeps the kubelet from starting in the pool. */
const waitsInPool = /target-lifecycle-state|should-wait *= *true/;

const adviseWarmPool: Adviser = ({ group: { launch }, layout: { hasWarmPool } }) => {
  if (!hasWarmPool || launch.kind !== 'templates') return [];
  const starting = launch.templates.filter(({ userData }) => !isCompressed(userData) && !waits(userData));
  return starting.length === 0
    ? []
    : [
        {
          id: 'warm-pool',
          message: `it has a warm pool, and the user data of ${starting.map(({ name, number }) => `${name} version ${number}`).join(', ')} does not wait until the instance leaves it: the kubelet registers a Node, which is NotReady once the instance stops. drover user-data prints one that waits`,
          command: `${layoutPage}#warm-pools`,
        },
      ];
};

const waits = (userData: Uint8Array): boolean => waitsInPool.test(Buffer.from(userData).toString());

/** gzip, which cloud-init unpacks: whether it waits is not known. */
const isCompressed = ([first, second]: Uint8Array): boolean => first === 0x1f && second === 0x8b;

const advisers: readonly Adviser[] = [
  adviseZones,
  adviseBalance,
  adviseSpot,
  adviseSizes,
  adviseAutoscaler,
  adviseMaintenance,
  adviseWarmPool,
];
