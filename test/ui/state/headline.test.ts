import { describe, expect, it } from 'vitest';
import { headlineOf } from '../../../ui/state/headline.ts';
import type { DashboardState } from '../../../ui/state/types.ts';
import { capacity, group, instance, leavingInstance, node, state } from '../states.ts';

const enough = capacity({ floor: 1, ready: 1 });
const calm = (parts: Partial<DashboardState> = {}): DashboardState =>
  state({
    alarms: [],
    waitingPods: [],
    queues: [],
    groups: [group({ capacity: enough, instances: [instance(), instance({ instanceId: 'i-2' })] })],
    ...parts,
  });
const withInstances = (...instances: ReturnType<typeof instance>[]): DashboardState =>
  calm({ groups: [group({ capacity: enough, instances })] });
const textOf = (shown: DashboardState): string => headlineOf(shown).text.replaceAll('\u00a0', ' ');

describe('the sentence at the top', () => {
  it('says that all nodes serve', () => {
    expect(headlineOf(calm())).toEqual({ tone: 'good', text: 'All 2 nodes serve', more: [] });
  });

  it('says what a drain waits for, how long, and when it is forced', () => {
    const shown = withInstances(instance(), leavingInstance());
    expect(textOf(shown)).toBe('1 node draining, held 30 s by budget web; forced at 08:10');
    expect(headlineOf(shown).tone).toBe('warn');
  });

  it('says how long a drain lasts that no budget holds', () => {
    const { leaving } = leavingInstance().node ?? node();
    const free = node({ ...(leaving && { leaving: { ...leaving, waitingFor: [], andMore: 0 } }) });
    expect(textOf(withInstances(leavingInstance({ node: free })))).toBe(
      '1 node draining for 30 s; forced at 08:10',
    );
  });

  it('counts instances that leave without a drain', () => {
    expect(textOf(withInstances(instance(), leavingInstance({ node: undefined })))).toBe(
      '1 instance leaving',
    );
  });

  it('says that a group lacks nodes of its floor', () => {
    expect(textOf(calm({ groups: [group({ capacity: capacity(), instances: [] })] }))).toBe(
      'workers has 1 of the 4 nodes of its floor',
    );
  });

  it('begins with what is worst, and has the rest in the order of its weight', () => {
    const { text, more } = headlineOf(state());
    expect(text).toBe('1 alarm: dead-letters');
    expect(more.map(({ tone }) => tone)).toEqual(['bad', 'warn', 'warn', 'warn']);
  });

  it('says that etcd has no quorum', () => {
    const members = state().etcd?.members ?? [];
    expect(textOf(calm({ etcd: { members, voters: 3, servingVoters: 1, quorum: 2 } }))).toBe(
      'etcd has no quorum: 1 of 3 voters serve',
    );
  });

  it('says that a node in service is not well', () => {
    expect(textOf(withInstances(instance({ node: node({ ready: false }) })))).toBe(
      '1 node in service is not well',
    );
  });
});
