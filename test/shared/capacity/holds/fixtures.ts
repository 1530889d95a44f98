import type { FloorFacts } from '../../../../shared/capacity/holds/decide-floor.ts';
import type { FloorRecord } from '../../../../shared/capacity/holds/floor-record.ts';
import type { Hold, HoldReading } from '../../../../shared/capacity/holds/hold.ts';
import type { AutoScalingGroup } from '../../../../shared/groups/group.ts';

export const start = Date.parse('2026-11-23T08:00:00Z');
export const hour = 3_600_000;

export const group = (changes: Partial<AutoScalingGroup> = {}): AutoScalingGroup => ({
  autoScalingGroupName: 'workers',
  tags: { 'kubernetes.io/cluster/drover': 'owned', 'drover.dev/role': 'worker' },
  minSize: 2,
  maxSize: 10,
  desiredCapacity: 3,
  instances: [],
  targetGroupArns: [],
  retainsAbandoned: false,
  ...changes,
});

export const holdOf = (changes: Partial<Hold> = {}): HoldReading => ({
  kind: 'hold',
  hold: {
    autoScalingGroupName: 'workers',
    name: 'morning',
    nodes: 6,
    until: start + hour,
    raiseMaxSize: false,
    createdAt: start,
    ...changes,
  },
});

export const recordOf = (changes: Partial<FloorRecord> = {}): FloorRecord => ({
  minSize: { base: 2, ours: [] },
  maxSize: { base: 10, ours: [] },
  changedAt: start - hour,
  ...changes,
});

export const facts = (changes: Partial<FloorFacts> = {}): FloorFacts => ({
  group: group(),
  holds: [],
  record: { kind: 'none' },
  maxSizeLimit: 100,
  now: start,
  ...changes,
});

export const known = (changes: Partial<FloorRecord> = {}): FloorFacts['record'] => ({
  kind: 'record',
  record: recordOf(changes),
});
