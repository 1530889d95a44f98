import { describe, expect, it } from 'vitest';
import { cordonPatch } from '../../../../shared/draining/cordon.ts';
import {
  lookAgainBeforeGone,
  removeNode,
  restoreIfLeftover,
} from '../../../../shared/draining/leaving/node-left-behind.ts';
import type { Sight } from '../../../../shared/draining/leaving/sight.ts';
import type { LeavingSubject } from '../../../../shared/draining/leaving/world.ts';
import { type LeavingMark, readLeavingMark } from '../../../../shared/draining/leaving-mark.ts';
import type { LeavingNotice } from '../../../../shared/lifecycle/notice.ts';
import { createNodeWorld } from '../../../support/leaving-world.ts';
import { instanceId, node } from '../../../support/pods.ts';

const startedAt = Date.parse('2026-11-21T07:00:00Z');
const mark: LeavingMark = {
  cause: 'rebalance',
  instanceId,
  since: '2026-11-21T06:00:00.000Z',
  until: '2026-11-21T07:00:00.000Z',
  lastSignAt: '2026-11-21T06:30:00.000Z',
  before: { unschedulable: false, excludedFromLoadBalancers: false },
  waitingFor: [],
};

async function createWorld({ marked }: { readonly marked: boolean }) {
  const made = createNodeWorld(startedAt, node());
  const patch = cordonPatch(node(), mark);
  if (marked && patch) await made.world.cluster.patchNode('node-1', patch);
  return { ...made, markNow: () => readLeavingMark(made.node()?.metadata?.annotations) };
}

const subject = (cause: LeavingNotice['cause'] = 'swept'): LeavingSubject => ({
  instanceId,
  notices: [{ cause, instanceId, noticedAt: '2026-11-21T07:00:00.000Z', nodeName: 'node-1' }],
});

describe('an instance that nobody knows', () => {
  it('counts as gone only when it is still unknown five minutes later; since when stands on its Node', async () => {
    const { world, node: current, pass, markNow } = await createWorld({ marked: true });
    expect(await lookAgainBeforeGone(world, subject())).toMatchObject({ status: 'again', afterSeconds: 300 });
    expect(markNow()?.missingSince).toBe('2026-11-21T07:00:00.000Z');
    pass(200);
    expect(await lookAgainBeforeGone(world, subject())).toMatchObject({ status: 'again', afterSeconds: 100 });
    expect(current()).toBeDefined();
    pass(100);
    expect(await lookAgainBeforeGone(world, subject())).toMatchObject({
      status: 'done',
      reason: expect.stringContaining('its node is deleted'),
    });
    expect(current()).toBeUndefined();
  });

  it('leaves a Node alone that nothing shows to have been ours', async () => {
    const { world, node: current, pass } = await createWorld({ marked: false });
    for (const seconds of [0, 600]) {
      pass(seconds);
      expect(await lookAgainBeforeGone(world, subject())).toMatchObject({ status: 'done', reason: /ours/ });
    }
    expect(current()?.metadata?.annotations).toBeUndefined();
  });

  it('needs nothing where no node has one of its likely names', async () => {
    const { world } = await createWorld({ marked: true });
    const elsewhere = { ...subject(), notices: [] };
    expect(await lookAgainBeforeGone(world, elsewhere)).toMatchObject({ status: 'done', reason: /no node/ });
  });

  it('takes no Node of the same name that came after it', async () => {
    const { world, node: current, replaceNode, pass } = await createWorld({ marked: true });
    await lookAgainBeforeGone(world, subject());
    pass(20);
    replaceNode(node({ uid: 'uid-of-another' }));
    const seen = { settings: world.settings.defaults, problems: [] };
    const sight: Sight = { ...seen, situation: { kind: 'gone', reason: 'it has terminated' } };
    expect(await removeNode(world, subject(), { seen: sight, reason: 'it has terminated' })).toMatchObject({
      reason: expect.stringContaining('its node was gone'),
    });
    expect(current()?.metadata?.uid).toBe('uid-of-another');
  });
});

describe('the Node of an instance that is gone', () => {
  const gone = { situation: { kind: 'gone', reason: 'it has terminated' }, problems: [] } as const;

  it('is deleted where it bears our mark, and left alone where nothing shows that it was ours', async () => {
    for (const marked of [true, false]) {
      const { world, node: current } = await createWorld({ marked });
      const seen: Sight = { ...gone, settings: world.settings.defaults };
      const outcome = await removeNode(world, subject(), { seen, reason: 'it has terminated' });
      expect(outcome.status).toBe('done');
      expect(current() === undefined).toBe(marked);
    }
  });
});

describe('a cordon of ours on a node whose instance stays', () => {
  it('is taken back once the mark is five minutes past its deadline, and no sooner', async () => {
    const { world, node: current, pass, markNow } = await createWorld({ marked: true });
    pass(299);
    expect(await restoreIfLeftover(world, subject())).toBeUndefined();
    expect(current()?.spec?.unschedulable).toBe(true);
    pass(1);
    expect(await restoreIfLeftover(world, subject())).toMatchObject({ status: 'done', reason: /taken back/ });
    expect(current()?.spec?.unschedulable).toBeUndefined();
    expect(markNow()).toBeUndefined();
  });

  it('is for the sweep alone to take back', async () => {
    const { world, pass } = await createWorld({ marked: true });
    pass(3600);
    expect(await restoreIfLeftover(world, subject('rebalance'))).toBeUndefined();
  });

  it('is only one that we have made', async () => {
    const { world, pass } = await createWorld({ marked: false });
    pass(3600);
    expect(await restoreIfLeftover(world, subject())).toBeUndefined();
  });
});
