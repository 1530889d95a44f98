import { expect, it } from 'vitest';
import type { Observed } from '../../../cli/report/observed.ts';
import { reportOf } from '../../../cli/report/report-of.ts';
import { instanceId, spansOf, start } from './lines.ts';

const until = start + 86_400_000;
const terminated = (group: string, of: string) =>
  ({ at: start + 1000, group, instanceId: of, kind: 'terminated' }) as const;

const observed: Observed = {
  since: start - 1000,
  until,
  leaving: {
    kind: 'known',
    value: new Map([
      [
        instanceId,
        spansOf([
          { at: 60, outcome: 'done', facts: { release: 'completed', drainSeconds: 50, leaveSeconds: 60 } },
        ]),
      ],
    ]),
  },
  joining: { kind: 'unknown', reason: 'the log is denied' },
  looks: { kind: 'known', value: [] },
  refusals: { kind: 'known', value: [] },
  activities: {
    kind: 'known',
    value: [
      terminated('workers', instanceId),
      terminated('workers', 'i-0000000000000000b'),
      terminated('etcd-a', 'i-0000000000000000c'),
    ],
  },
  members: new Map(),
  etcdGroups: new Set(['etcd-a']),
  covers: { logs: { from: null, to: '', lines: 1 }, activities: null, missing: [] },
};
const options = { cluster: 'shop', stage: 'prod', group: undefined, prices: { byGroup: new Map() } };

it('counts terminations without a leave, but not those of groups that run only etcd', () => {
  expect(reportOf(observed, options).drains).toMatchObject({ value: { terminatedWithoutLeave: 1 } });
});

it('finds the group of a leave that does not name it by the activities', () => {
  expect(reportOf(observed, options).drains).toMatchObject({
    value: { groups: [{ group: 'workers', drained: 1 }] },
  });
});

it('has no joins, instead of none, if their log could not be read', () => {
  expect(reportOf(observed, options).joins).toEqual({ kind: 'unknown', reason: 'the log is denied' });
});
