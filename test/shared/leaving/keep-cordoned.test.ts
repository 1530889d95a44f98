import type { Node } from 'kubernetes-types/core/v1.d.ts';
import { describe, expect, it } from 'vitest';
import { keepCordoned } from '../../../shared/leaving/keep-cordoned.ts';
import { markNode } from '../../../shared/leaving/mark-and-cordon.ts';
import { readLeavingMark } from '../../../shared/nodes/leaving-mark.ts';
import { createNodeContext } from '../../support/leaving-context.ts';
import { instanceId, node } from '../../support/pods.ts';

const startedAt = Date.parse('2026-11-21T07:00:00Z');
const plan = {
  cause: 'terminating' as const,
  onFailure: 'CONTINUE' as const,
  since: startedAt,
  deadlines: { deadline: startedAt + 900_000, limit: Infinity },
  mustHurry: false,
};
const subject = {
  notices: [{ cause: 'terminating' as const, instanceId, noticedAt: new Date(startedAt).toISOString() }],
};

/** A marked Node that a pass reads again 30 s later; until then something else may have changed or replaced it. */
async function markedNode({ byLabel }: { readonly byLabel: boolean }) {
  const { context, node: current, replaceNode, pass } = createNodeContext(startedAt, node());
  const leave = { subject, instanceId, autoScalingGroupName: 'workers', plan, node: node() };
  const marked = await markNode(context, leave);
  const patches: string[] = [];
  const reading = {
    ...context,
    cluster: {
      ...context.cluster,
      getMarkedNode: async () => (byLabel ? current() : undefined),
      patchNode: async (name: string, patch: Parameters<typeof context.cluster.patchNode>[1]) => {
        patches.push(name);
        return await context.cluster.patchNode(name, patch);
      },
    },
  };
  pass(30);
  return { marked, current, replaceNode, patches, keep: () => keepCordoned(reading, marked) };
}

const uncordoned = (current: Node | undefined): Node => {
  const { unschedulable: _, ...spec } = current?.spec ?? {};
  return { ...current, spec };
};

describe.each([
  ['is found by its label', true],
  ['has lost its label and is read by its name', false],
])('a marked Node that %s', (_, byLabel) => {
  it('is cordoned again if something else has uncordoned it', async () => {
    const { keep, current, replaceNode } = await markedNode({ byLabel });
    replaceNode(uncordoned(current()));
    expect((await keep()).note).toMatch(/cordoned and excluded from load balancers again/);
    expect(current()?.spec?.unschedulable).toBe(true);
  });

  it('is not written to if another one has its name by now: that one serves', async () => {
    const { keep, marked, current, replaceNode, patches } = await markedNode({ byLabel });
    const other = node({ uid: 'uid-of-another' });
    replaceNode(other);
    const kept = await keep();
    expect(kept).toEqual(marked);
    expect(patches).toEqual([]);
    expect(current()).toBe(other);
    expect(readLeavingMark(current()?.metadata?.annotations)).toBeUndefined();
  });
});
