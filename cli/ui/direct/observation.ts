import { byInstance, type ObservedNodes } from '../../../shared/capacity/observed-nodes.ts';
import type { AutoScalingGroup } from '../../../shared/groups/group.ts';
import type { ProblemObservation } from '../../../shared/problems/observation.ts';
import { deadLettersIn } from '../../observation/dead-letters.ts';
import { nodesIn } from '../../observation/observe.ts';
import { mapPart, type Part, valueOf } from '../../observation/part.ts';
import type { DirectReading } from './reading.ts';

/** The Nodes by their instances. Pure. */
export function observedNodes({ nodes }: DirectReading): ObservedNodes {
  const list = valueOf(nodes);
  return list
    ? { status: 'seen', byInstance: byInstance(list) }
    : { status: 'unknown', reason: 'whether the nodes are Ready is unknown' };
}

/** The same as `drover status` observes. Pure. */
export function observationOf(
  reading: DirectReading,
  managed: readonly AutoScalingGroup[],
): ProblemObservation {
  const { at, clusterName, hookNames, groups, nodes, holds, schedules, machines, cluster } = reading;
  const lost = (reading.lost && valueOf(reading.lost)) ?? [];
  const hooks = (reading.hooks && valueOf(reading.hooks)) ?? new Map<string, never>();
  return {
    at,
    groups: mapPart(groups, (seen) => ({
      ...hookNames,
      clusterName,
      managed,
      others: [...seen.others, ...lost],
      hooks,
    })),
    nodes: mapPart(nodes, nodesIn),
    repairs: cluster?.repairs,
    ec2: machines && mapPart(machines, () => 'answers' as const),
    warmWaits: reading.warmWaits,
    launches:
      machines &&
      mapPart(machines, (known) => ({
        joinTimeoutSeconds: reading.joinTimeoutSeconds,
        launchedAt: new Map(
          [...known].flatMap(([id, { launchedAt }]) => (launchedAt ? [[id, launchedAt]] : [])),
        ),
      })),
    approvals: reading.approvals,
    requests: cluster?.judged,
    deadLetters: mapPart(reading.queues, deadLettersIn),
    alarms: reading.alarms,
    scheduledActions: reading.scheduledActions,
    capacity: both(holds, schedules, (known, readings) => ({
      holds: known,
      schedules: readings,
      maxSizeLimit: reading.maxSizeLimit,
    })),
    credentials: reading.credentials,
  };
}

const both = <One, Other, Joined>(
  one: Part<One>,
  other: Part<Other>,
  join: (one: One, other: Other) => Joined,
): Part<Joined> => {
  if (one.kind === 'unknown') return one;
  if (other.kind === 'unknown') return other;
  const value = join(one.value, other.value);
  return one.kind === 'stale' ? { ...one, value } : { ...other, value };
};
