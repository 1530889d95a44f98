import * as fc from 'fast-check';
import type { Node } from 'kubernetes-types/core/v1.d.ts';
import { describe, expect, it } from 'vitest';
import {
  cordonPatch,
  markPatch,
  type NodePatch,
  stateBefore,
  uncordonPatch,
} from '../../../shared/draining/cordon.ts';
import { formatLeavingMark, type LeavingMark } from '../../../shared/nodes/leaving-mark.ts';
import { isKubeletSilent, isNodeReady } from '../../../shared/nodes/node-condition.ts';
import {
  excludeFromLoadBalancersLabel,
  leavingAnnotation,
  leavingLabel,
} from '../../../shared/nodes/node-keys.ts';
import { instanceId, node } from '../../support/pods.ts';

const markFor = (target: Node, waitingFor: string[] = []): LeavingMark => ({
  cause: 'terminating',
  instanceId,
  since: '2026-11-21T12:00:00Z',
  renewedAt: '2026-11-21T12:00:00Z',
  before: stateBefore(target),
  waitingFor,
});

/** Merges as the API server does: null takes a key away. */
function merge(target: Node, patch: NodePatch | undefined): Node {
  const keep = <T>(record: Readonly<Record<string, T | null>>): Record<string, T> =>
    Object.fromEntries(Object.entries(record).filter((entry): entry is [string, T] => entry[1] !== null));
  const metadata = target.metadata ?? {};
  const labels = keep<string>({ ...metadata.labels, ...patch?.metadata.labels });
  const annotations = keep<string>({ ...metadata.annotations, ...patch?.metadata.annotations });
  const spec = keep({ ...target.spec, ...patch?.spec });
  return { ...target, metadata: { ...metadata, labels, annotations }, spec };
}

describe('a cordon', () => {
  it('is one patch, which applies to this Node and to no other of its name', () => {
    const target = node();
    const mark = markFor(target);
    expect(cordonPatch(target, mark)).toEqual({
      metadata: {
        uid: 'uid-of-node-1',
        labels: { [excludeFromLoadBalancersLabel]: 'true', [leavingLabel]: instanceId },
        annotations: { [leavingAnnotation]: formatLeavingMark(mark) },
      },
      spec: { unschedulable: true },
    });
  });

  it('makes no call when everything is set already', () => {
    const target = node();
    const cordoned = merge(target, cordonPatch(target, markFor(target)));
    expect(cordonPatch(cordoned, markFor(cordoned))).toBeUndefined();
  });

  it('changes only the annotation when only that has changed', () => {
    const target = node();
    const cordoned = merge(target, cordonPatch(target, markFor(target)));
    const patch = cordonPatch(cordoned, markFor(cordoned, ['shop/web (terminating)']));
    expect(Object.keys(patch ?? {})).toEqual(['metadata']);
    expect(Object.keys(patch?.metadata ?? {})).toEqual(['uid', 'annotations']);
  });

  it('keeps the value of a label that was set before', () => {
    const target = node({ labels: { [excludeFromLoadBalancersLabel]: '' } });
    expect(cordonPatch(target, markFor(target))?.metadata.labels).toEqual({ [leavingLabel]: instanceId });
  });
});

describe('an un-cordon', () => {
  it('reverts exactly what the cordon changed', () => {
    const before = fc.record({
      unschedulable: fc.boolean(),
      labels: fc.subarray([excludeFromLoadBalancersLabel, 'zone', 'team']),
    });
    fc.assert(
      fc.property(before, ({ unschedulable, labels }) => {
        const target = node({
          unschedulable,
          labels: Object.fromEntries(labels.map((key) => [key, 'mine'])),
          annotations: { note: 'mine' },
        });
        const cordoned = merge(target, cordonPatch(target, markFor(target)));
        const again = merge(cordoned, cordonPatch(cordoned, markFor(cordoned, ['shop/web (terminating)'])));
        expect(merge(again, uncordonPatch(again))).toEqual(target);
      }),
    );
  });

  it('applies to the Node that was read and to no other of its name', () => {
    const target = node({ uid: 'uid-of-this-one' });
    const cordoned = merge(target, cordonPatch(target, markFor(target)));
    expect(uncordonPatch(cordoned)?.metadata.uid).toBe('uid-of-this-one');
    expect(markPatch(cordoned, markFor(cordoned)).metadata.uid).toBe('uid-of-this-one');
  });

  it('does nothing to a Node without our mark', () => {
    expect(uncordonPatch(node({ unschedulable: true }))).toBeUndefined();
    expect(uncordonPatch({ metadata: { annotations: { [leavingAnnotation]: 'true' } } })).toBeUndefined();
  });

  it('works on a Node whose UID was not read', () => {
    const bare: Node = {};
    const cordoned = merge(bare, cordonPatch(bare, markFor(bare)));
    expect(uncordonPatch(cordoned)?.metadata).not.toHaveProperty('uid');
  });
});

describe('a Node’s condition', () => {
  it.each([
    ['True', true, false],
    ['False', false, false],
    ['Unknown', false, true],
  ] as const)('Ready %s', (ready, isReady, isSilent) => {
    expect([isNodeReady(node({ ready })), isKubeletSilent(node({ ready }))]).toEqual([isReady, isSilent]);
  });

  it('is neither ready nor silent if it is missing', () => {
    expect([isNodeReady({}), isKubeletSilent({})]).toEqual([false, false]);
  });
});
