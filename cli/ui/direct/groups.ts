import type { ObservedNodes } from '../../../shared/capacity/observed-nodes.ts';
import { measuredLeadSeconds } from '../../../shared/capacity/schedules/measured-lead.ts';
import type { Ec2Instance } from '../../../shared/groups/ec2.ts';
import { type AutoScalingGroup, type GroupMember, roleOf } from '../../../shared/groups/group.ts';
import { describePause, pauseOf } from '../../../shared/passes/pause.ts';
import { capacityView } from '../../../ui/server/views/capacity.ts';
import type { CapacityView, GroupView, InstanceView, NodeView } from '../../../ui/state/types.ts';
import { valueOf } from '../../observation/part.ts';
import type { StatusReport } from '../../status/report.ts';
import type { DirectReading } from './reading.ts';

/** What is known around a group. */
export interface AroundGroups extends DirectReading {
  readonly observed: ObservedNodes;
  /** By the id of their instance. */
  readonly nodesByInstance: ReadonlyMap<string, NodeView>;
  readonly report: Pick<StatusReport, 'leaving'>;
}

/** A group with its instances. Pure. */
export function groupView(group: AutoScalingGroup, around: AroundGroups): GroupView {
  const { autoScalingGroupName, minSize, maxSize, desiredCapacity, countsUnits, instances, tags } = group;
  const pause = pauseOf(tags);
  const capacity = capacityOf(group, around);
  return {
    autoScalingGroupName,
    role: roleOf(group),
    minSize,
    maxSize,
    desiredCapacity,
    ...(countsUnits && { countsUnits }),
    inService: instances.filter(({ lifecycleState }) => lifecycleState === 'InService').length,
    ...(pause && { paused: describePause(pause) }),
    ...(capacity && { capacity }),
    instances: instances.map((instance) => instanceView(instance, around)),
  };
}

function instanceView(member: GroupMember, around: AroundGroups): InstanceView {
  const { instanceId, availabilityZone, lifecycleState, healthy, weight } = member;
  const node = around.nodesByInstance.get(instanceId);
  const waiting = around.report.leaving.find((line) => line.instanceId === instanceId);
  return {
    instanceId,
    availabilityZone,
    lifecycleState,
    healthy,
    ...(weight !== undefined && { weight }),
    ...machineOf(instanceId, around.machines && valueOf(around.machines)),
    waits: [],
    ...(waiting && !node?.leaving && { lastPass: waiting.waitsFor }),
    ...(node && { node }),
    ...(around.observed.status === 'unknown' && { nodeUnknown: true }),
  };
}

const marketOf = (lifecycle: string | undefined): InstanceView['market'] =>
  lifecycle === undefined ? 'on-demand' : lifecycle === 'spot' ? 'spot' : 'reserved';

/** One that EC2 does not list may be too new, or long gone: its state is unknown. */
function machineOf(
  instanceId: string,
  machines: ReadonlyMap<string, Ec2Instance> | undefined,
): Pick<InstanceView, 'ec2State' | 'instanceType' | 'launchedAt' | 'market'> {
  const machine = machines?.get(instanceId);
  if (machine === undefined) return {};
  const { state, lifecycle, instanceType, launchedAt } = machine;
  return {
    ec2State: state,
    market: marketOf(lifecycle),
    ...(launchedAt !== undefined && { launchedAt }),
    ...(instanceType !== undefined && { instanceType }),
  };
}

/** Undefined for a group of etcd, which no hold changes, and where the holds are unknown. */
function capacityOf(group: AutoScalingGroup, around: AroundGroups): CapacityView | undefined {
  const held = valueOf(around.holds);
  if (held === undefined || roleOf(group) === 'etcd') return undefined;
  const { autoScalingGroupName } = group;
  const { holds = [], record = { kind: 'none' } } = held.get(autoScalingGroupName) ?? {};
  const launches = around.launches && valueOf(around.launches)?.get(autoScalingGroupName);
  return capacityView({
    group,
    nodes: around.observed,
    holds,
    record,
    schedules: (valueOf(around.schedules) ?? []).flatMap((reading) =>
      reading.kind === 'schedule' && reading.schedule.autoScalingGroupName === autoScalingGroupName
        ? [reading.schedule]
        : [],
    ),
    failedLaunch: launches?.failedLaunch,
    measuredLeadSeconds: launches?.measuredLeadSeconds ?? measuredLeadSeconds([]),
    maxSizeLimit: Number.POSITIVE_INFINITY,
    now: around.at,
  });
}
