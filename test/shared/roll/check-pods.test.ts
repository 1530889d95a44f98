import { expect, test } from 'vitest';
import { blockedReason, checkPods } from '../../../shared/roll/check-pods.ts';
import type { PreflightInstance } from '../../../shared/roll/preflight.ts';
import { groupOf, oldMember, rollOf } from './fixture.ts';

const instanceWith = (number: number, pods: number): PreflightInstance => ({
  autoScalingGroupName: 'workers',
  instanceId: `i-${number}`,
  nodeName: `node-${number}`,
  why: 'v1 -> v2',
  blocked: Array.from({ length: pods }, (_, index) => ({ pod: `shop/db-${index}`, why: 'a budget' })),
  losingLocalData: 0,
  lost: [],
});

test('the reason names a few of the pods with their nodes, and counts the others', () => {
  expect(blockedReason([instanceWith(1, 1)])).toBe(
    'one old node has pods that cannot move: change that and resume the roll, or begin one with skipBlocked. shop/db-0 on node-1 (a budget)',
  );
  expect(blockedReason([instanceWith(1, 4), instanceWith(2, 3)])).toMatch(
    /^2 old nodes have .*shop\/db-3 on node-1 \(a budget\); shop\/db-0 on node-2 \(a budget\); and 2 more$/,
  );
});

test('what groups launch is read only of those that the roll replaces, among the Nodes of all', async () => {
  const members = [oldMember(1)];
  const groups = ['workers', 'others'].map((autoScalingGroupName) =>
    groupOf(members, { autoScalingGroupName }),
  );
  const read: unknown[] = [];
  const readCluster: Parameters<typeof checkPods>[0]['readCluster'] = (...lists) => {
    read.push(...lists.map((list) => list.map(({ autoScalingGroupName }) => autoScalingGroupName)));
    return Promise.resolve({ pods: [], budgets: [], strandedOn: () => [] });
  };
  expect(await checkPods({ readCluster }, rollOf(['workers']), { groups, members })).toEqual({});
  expect(read).toEqual([['workers', 'others'], ['workers']]);
});
