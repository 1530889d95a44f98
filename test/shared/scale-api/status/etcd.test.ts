import { describe, expect, it } from 'vitest';
import type { ManagedGroup } from '../../../../shared/scale-api/scale-context.ts';
import { etcdProblemOf, etcdStatus } from '../../../../shared/scale-api/status/etcd.ts';
import { groupWith } from '../../capacity/fixtures.ts';

const group = (name: string, problem?: string, role: ManagedGroup['role'] = 'etcd'): ManagedGroup => ({
  ...groupWith([], {
    autoScalingGroupName: name,
    tags: problem === undefined ? {} : { 'drover.dev/etcd-status': problem },
  }),
  role,
});
const known = <Value>(...value: Value[]) => ({ kind: 'known', value }) as const;
const notRead = (reason: string) => ({ kind: 'unknown', reason }) as const;

describe('the problem of etcd on a group', () => {
  it.each<[string, ManagedGroup, string | undefined]>([
    ['is that of its tag', group('a', 'no quorum'), 'no quorum'],
    ['is that of its tag on a control plane', group('a', 'no quorum', 'control-plane'), 'no quorum'],
    ['is none without the tag', group('a'), undefined],
    ['is none with an empty tag', group('a', ''), undefined],
    ['is none on workers', group('a', 'no quorum', 'worker'), undefined],
  ])('%s', (_, given, problem) => {
    expect(etcdProblemOf(given)).toBe(problem);
  });
});

describe('the status of etcd', () => {
  it('is off where the deployment manages no etcd, whatever else is known', () => {
    expect(etcdStatus(notRead('denied'), undefined)).toMatchObject({ state: 'off', members: null });
  });

  it('is ok with its members in order where no problem stands on a group', () => {
    expect(etcdStatus(known(group('a')), known('i-3', 'i-1', 'i-2'))).toMatchObject({
      state: 'ok',
      reason: expect.stringMatching(/^3 known/),
      members: ['i-1', 'i-2', 'i-3'],
    });
  });

  it('is attention with each problem and its group, whether or not the members are known', () => {
    const groups = known(group('a', 'no quorum'), group('b'), group('c', 'no disk'));
    const reason = 'a: no quorum; c: no disk';
    expect(etcdStatus(groups, known('i-1'))).toEqual({ state: 'attention', reason, members: ['i-1'] });
    expect(etcdStatus(groups, notRead('denied'))).toEqual({ state: 'attention', reason, members: null });
  });

  it('is unknown with every reason, and with the members where only the groups could not be read', () => {
    expect(etcdStatus(notRead('no groups'), known('i-2', 'i-1'))).toEqual({
      state: 'unknown',
      reason: 'no groups',
      members: ['i-1', 'i-2'],
    });
    expect(etcdStatus(notRead('no groups'), notRead('no members'))).toEqual({
      state: 'unknown',
      reason: 'no groups; no members',
      members: null,
    });
    expect(etcdStatus(known(group('a')), notRead('no members'))).toEqual({
      state: 'unknown',
      reason: 'no members',
      members: null,
    });
  });

  it('is unknown without a member', () => {
    expect(etcdStatus(known(group('a')), known())).toMatchObject({ state: 'unknown', members: [] });
  });
});
