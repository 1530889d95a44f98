import { byInstance, type ObservedNodes } from '../../../shared/capacity/observed-nodes.ts';
import type { AutoScalingGroup } from '../../../shared/groups/group.ts';
import type { Observation, Observed } from '../../status/observe.ts';
import { type Part, valueOf } from '../look/part.ts';
import { markedIn } from './marked-in.ts';
import type { DirectReading } from './reading.ts';

/** The Nodes by their instances. Pure. */
export function observedNodes({ nodes }: DirectReading): ObservedNodes {
  const list = valueOf(nodes);
  return list
    ? { status: 'seen', byInstance: byInstance(list) }
    : { status: 'unknown', reason: 'whether the nodes are Ready is unknown' };
}

/** The same as `drover status` observes. Pure. */
export function observationOf(reading: DirectReading, managed: readonly AutoScalingGroup[]): Observation {
  const { clusterName, hookNames } = reading;
  const groups = observed(reading.groups);
  const hooks = (reading.hooks && valueOf(reading.hooks)) ?? new Map<string, never>();
  const nodes = valueOf(reading.nodes);
  return {
    at: reading.at,
    groups: groups.ok
      ? { ok: true as const, value: { ...groups.value, ...hookNames, clusterName, managed, hooks } }
      : groups,
    nodes: nodes ? { ok: true as const, value: markedIn(nodes) } : { ok: false as const, reason: '' },
    warmWaits: reading.warmWaits ? observed(reading.warmWaits) : { ok: false, reason: '' },
    repairs: reading.cluster ? observed(reading.cluster.repairs) : { ok: false as const, reason: '' },
  };
}

const observed = <Value>(part: Part<Value>): Observed<Value> =>
  part.kind === 'unknown' ? { ok: false, reason: part.reason } : { ok: true, value: part.value };
