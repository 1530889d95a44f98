import { expect, it } from 'vitest';
import { unmetOf, unmetReason } from '../../../../shared/capacity/holds/unmet.ts';
import type { AutoScalingGroup } from '../../../../shared/groups/group.ts';
import { groupWith } from '../fixtures.ts';
import { holdOf, known, start } from './fixtures.ts';

const group = groupWith(['InService', 'InService', 'Pending']);
const quarter = 900_000;

const unmet = (of: AutoScalingGroup, age: number, nodes = 3) =>
  unmetOf(of, { holds: [holdOf({ nodes })], record: known({ changedAt: start - age }) }, start);

it('holds lack nodes a quarter of an hour after they were asked for, not earlier', () => {
  expect(unmet(group, quarter)).toEqual({ asked: 3, inService: 2 });
  expect(unmet(group, quarter - 1)).toBeUndefined();
  expect(unmet(group, quarter, 2)).toBeUndefined();
  const ended = { holds: [holdOf({ until: start })], record: known({ changedAt: start - quarter }) };
  expect(unmetOf(group, ended, start)).toBeUndefined();
  expect(unmetOf(group, { holds: [holdOf({ nodes: 3 })], record: { kind: 'none' } }, start)).toBeUndefined();
});

it('an instance that is Unhealthy is none of their nodes', () => {
  const instances = group.instances.map((member, index) => ({ ...member, healthy: index > 0 }));
  expect(unmet({ ...group, instances }, quarter, 2)).toEqual({ asked: 2, inService: 1 });
});

it('holds do not count, and lack nothing, in a group whose sizes are units', () => {
  expect(unmet({ ...group, countsUnits: true }, quarter)).toBeUndefined();
});

it('the reason names a suspended Launch before what AWS says', () => {
  const suspended = unmet({ ...group, suspendedProcesses: ['Launch'] }, quarter);
  expect(suspended && unmetReason(suspended, ['no capacity'])).toBe(
    'the holds ask for 3 nodes, and 2 are in service; the group suspends Launch; no capacity',
  );
  expect(unmetReason({ asked: 3, inService: 2 }, [])).toBe('the holds ask for 3 nodes, and 2 are in service');
});
