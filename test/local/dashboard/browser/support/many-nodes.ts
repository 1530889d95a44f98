import type { DashboardState, InstanceView } from '../../../../../ui/state/types.ts';
import { capacity, group, instance, leavingInstance, node, now, pod, state } from '../../../../ui/states.ts';

const zones = ['eu-west-1a', 'eu-west-1b', 'eu-west-1c'] as const;
const podsOfNode = 8;

const idOf = (index: number): string => `i-${index.toString(16).padStart(17, '0')}`;

/** Instance number `index`: a few leave, join or are not well. */
function instanceNumber(index: number): InstanceView {
  const instanceId = idOf(index);
  const availabilityZone = zones[index % zones.length] ?? zones[0];
  const name = `ip-10-0-${Math.floor(index / 250)}-${index % 250}.eu-west-1.compute.internal`;
  const pods = Array.from({ length: podsOfNode }, (_, place) =>
    pod({ uid: `${index} ${place}`, name: `shop/web-${index}-${place}` }),
  );
  if (index % 200 === 7) return leavingInstance({ instanceId, availabilityZone, market: 'on-demand' });
  if (index % 200 === 50)
    return instance({
      instanceId,
      availabilityZone,
      lifecycleState: 'Pending:Wait',
      lastPass: 'it has no node yet',
      node: undefined,
    });
  if (index === 333)
    return instance({ instanceId, availabilityZone, node: node({ name, ready: false, pods }) });
  return instance({ instanceId, availabilityZone, node: node({ name, pods }) });
}

/** A page with so many nodes in one group. */
export function manyNodes(count: number, parts: Partial<DashboardState> = {}): DashboardState {
  const instances = Array.from({ length: count }, (_, index) => instanceNumber(index));
  return state({
    groups: [
      group({
        instances,
        desiredCapacity: count,
        capacity: capacity({ base: 0, floor: 0, ready: count - 11, holds: [], schedules: [] }),
        maxSize: 2 * count,
        inService: instances.filter(({ lifecycleState }) => lifecycleState === 'InService').length,
      }),
    ],
    otherNodes: [],
    waitingPods: [],
    now,
    ...parts,
  });
}
