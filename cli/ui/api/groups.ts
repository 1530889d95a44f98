import { leavingView } from '../../../ui/server/views/node.ts';
import type { GroupView, InstanceView, NodeView, Seen } from '../../../ui/state/types.ts';
import { seenAtOf, valueOf } from '../../observation/part.ts';
import type { Instance } from '../../scale-api/client.ts';
import { capacityOf } from './capacity.ts';
import type { ApiReading } from './read.ts';

/** The groups with their instances, holds and schedules. Pure. */
export function groupViews(reading: ApiReading): readonly GroupView[] {
  const instances = Map.groupBy(valueOf(reading.instances) ?? [], (one) => one.autoScalingGroupName);
  const paused = valueOf(reading.status)?.pausedGroups ?? [];
  return (valueOf(reading.groups) ?? []).map((group) => {
    const { autoScalingGroupName, role, minSize, maxSize, desiredCapacity, countsUnits } = group;
    const capacity = capacityOf(group, reading);
    return {
      autoScalingGroupName,
      role,
      minSize,
      maxSize,
      desiredCapacity,
      ...(countsUnits && { countsUnits: true as const }),
      inService: group.instances.inService,
      ...(paused.includes(autoScalingGroupName) && { paused: 'paused' }),
      ...(capacity && { capacity }),
      ...(reading.instances.kind === 'unknown' && { instancesUnknown: true }),
      instances: (instances.get(autoScalingGroupName) ?? []).map((one) => instanceView(one, reading)),
    };
  });
}

function instanceView(instance: Instance, { passes, instances }: ApiReading): InstanceView {
  const { instanceId, availabilityZone, lifecycleState, healthy, node } = instance;
  const waiting = valueOf(passes)?.leaving.find((pass) => pass.instanceId === instanceId);
  const isMarked = node.status === 'found' && node.leaving !== undefined;
  return {
    instanceId,
    availabilityZone,
    lifecycleState,
    healthy,
    waits: [],
    ...(waiting && !isMarked && { lastPass: waiting.waitsFor }),
    ...(node.status === 'found' && { node: nodeView(node, seenAtOf(instances)) }),
    ...(node.status === 'unknown' && { nodeUnknown: true }),
  };
}

type FoundNode = Extract<Instance['node'], { status: 'found' }>;

const nodeView = ({ name, ready, unschedulable, leaving }: FoundNode, seen: Seen): NodeView => ({
  name,
  ready,
  cordoned: unschedulable,
  ...(leaving && { leaving: { ...leavingView(leaving), ...seen } }),
});
