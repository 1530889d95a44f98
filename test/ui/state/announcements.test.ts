import { describe, expect, it } from 'vitest';
import { announcements } from '../../../ui/state/announcements.ts';
import { createAnnouncer } from '../../../ui/state/announcer.ts';
import { group, instance, leavingInstance, node, state } from '../states.ts';

const withInstances = (...instances: ReturnType<typeof instance>[]) =>
  state({ groups: [group({ instances })] });

describe('the announcements between two states', () => {
  it('are empty if nothing has happened', () => {
    expect(announcements(state(), state())).toEqual([]);
  });

  it('say that an instance leaves, and which budget holds it', () => {
    const { instanceId } = leavingInstance();
    expect(announcements(withInstances(instance({ instanceId })), withInstances(leavingInstance()))).toEqual([
      `${instanceId} is leaving`,
      `${instanceId} is held by budget web`,
    ]);
    expect(
      announcements(withInstances(leavingInstance()), withInstances(leavingInstance({ healthy: false }))),
    ).toEqual([]);
  });

  it('say that an instance was added, and that one was removed', () => {
    expect(
      announcements(
        withInstances(instance()),
        withInstances(leavingInstance({ lifecycleState: 'Pending', node: undefined })),
      ),
    ).toEqual(['i-0fedcba9876543210 is joining', 'i-0123456789abcdef0 has left its group']);
  });

  it('say nothing of the states of AWS on the way', () => {
    const pending = (lifecycleState: string) => withInstances(instance({ lifecycleState, node: undefined }));
    expect(announcements(pending('Pending:Wait'), pending('Pending:Proceed'))).toEqual([]);
  });

  it('say why an instance in service is not well', () => {
    const failing = withInstances(instance({ node: node({ ready: false }) }));
    expect(announcements(withInstances(instance()), failing)).toEqual([
      'i-0123456789abcdef0 is not well: its node is not Ready',
    ]);
  });

  it('begin with what is bad: a critical problem, a quorum that is lost', () => {
    const calm = state({ queues: [], groups: [] });
    const etcd = { members: [], voters: 3, servingVoters: 1, quorum: 2 };
    const problem = {
      kind: 'dead-letters',
      subject: 'InboxQueue',
      message: 'm',
      severity: 'critical',
    } as const;
    expect(announcements(calm, { ...calm, problems: [problem] })).toEqual([
      'Messages were given up in InboxQueue',
    ]);
    expect(announcements(calm, { ...calm, etcd })).toEqual(['etcd has no quorum: 1 of 3 voters serve']);
  });

  it('are cut short if much happens at once', () => {
    const many = Array.from({ length: 9 }, (_, index) => instance({ instanceId: `i-0000000${index}` }));
    const said = announcements(withInstances(), withInstances(...many));
    expect(said).toHaveLength(4);
    expect(said.at(-1)).toBe('and 6 more changes');
  });
});

describe('the announcer', () => {
  it('gathers what changes within five seconds of an announcement', () => {
    let now = 0;
    const announce = createAnnouncer(() => now);
    const joining = (index: number) =>
      instance({ instanceId: `i-${index}`, lifecycleState: 'Pending:Wait', node: undefined });
    expect(announce(withInstances(instance()))).toEqual([]);
    expect(announce(withInstances(instance(), joining(1)))).toEqual(['i-1 is joining']);
    now = 4999;
    expect(announce(withInstances(instance(), joining(1), joining(2)))).toEqual([]);
    now = 5000;
    expect(announce(withInstances(instance(), joining(1), joining(2), joining(3)))).toEqual([
      'i-2 is joining',
      'i-3 is joining',
    ]);
  });
});
