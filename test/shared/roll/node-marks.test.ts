import { describe, expect, test } from 'vitest';
import { markPatch, releasePatch, rollsOf, taintPatch } from '../../../shared/roll/node-marks.ts';
import { instance, nodeOf } from './fixture.ts';

const plain = nodeOf(instance(1));
const foreign = { key: 'dedicated', value: 'gpu', effect: 'NoSchedule' };
const old = (roll: string) => ({ key: 'drover.dev/old-node', value: roll, effect: 'PreferNoSchedule' });

type NodeParts = {
  readonly taints?: readonly (typeof foreign)[];
  readonly isCordoned?: boolean;
  readonly annotations?: Readonly<Record<string, string>>;
};

const nodeWith = ({ taints = [], isCordoned = false, annotations = {} }: NodeParts) =>
  nodeOf(instance(1), {
    metadata: { annotations },
    spec: { taints: [...taints], ...(isCordoned && { unschedulable: true }) },
  });

/** A Node that the roll `june` has marked, with what was on it before. */
function marked({ annotations = {}, ...before }: NodeParts = {}) {
  const { metadata } = markPatch(nodeWith(before), { roll: 'june', waits: true, now: 0 });
  const marks = Object.entries(metadata.annotations ?? {}).map(([key, text]) => [key, text ?? '']);
  return nodeWith({
    ...before,
    isCordoned: true,
    annotations: { ...annotations, ...Object.fromEntries(marks) },
  });
}

describe('the release of a node', () => {
  test('takes the mark and the cordon together, and the taint unless that stays', () => {
    const node = marked({ taints: [foreign, old('june')] });
    const annotations = { 'drover.dev/rolling': null };
    const kept = releasePatch(node, { roll: 'june', keepsTaint: true });
    expect(kept).toMatchObject({ metadata: { annotations } });
    expect(kept.spec).toEqual({ unschedulable: null });
    const released = releasePatch(node, { roll: 'june', keepsTaint: false });
    expect(released).toMatchObject({ metadata: { annotations } });
    expect(released.spec).toEqual({ unschedulable: null, taints: [foreign] });
  });

  test('leaves a node cordoned that was so before the mark', () => {
    const node = marked({ isCordoned: true });
    expect(releasePatch(node, { roll: 'june', keepsTaint: false }).spec).toBeUndefined();
  });

  test.each(['drover.dev/leaving', 'drover.dev/giving-back'])(
    'leaves a node cordoned that by now leaves for another reason (%s)',
    (key) => {
      const node = marked({ annotations: { [key]: 'yes' } });
      expect(releasePatch(node, { roll: 'june', keepsTaint: false }).spec).toBeUndefined();
    },
  );

  test('touches neither the mark nor the taint of another roll, nor a cordon without a mark', () => {
    const node = marked({ taints: [old('june')] });
    expect(releasePatch(node, { roll: 'may', keepsTaint: false })).toEqual({
      metadata: { uid: plain.metadata?.uid, resourceVersion: '7' },
    });
    const cordoned = nodeWith({ taints: [old('june')], isCordoned: true });
    expect(releasePatch(cordoned, { roll: 'june', keepsTaint: false }).spec).toEqual({ taints: [] });
  });
});

describe('the taint and the mark of a node', () => {
  test('are refused by the API server if the node has changed since it was read', () => {
    const asRead = { uid: plain.metadata?.uid, resourceVersion: '7' };
    expect(taintPatch(plain, 'june')).toMatchObject({ metadata: asRead });
    expect(markPatch(plain, { roll: 'june', waits: true, now: 0 })).toMatchObject({ metadata: asRead });
  });

  test('replace the taint of another roll, and keep those of others', () => {
    const node = nodeWith({ taints: [old('may'), foreign] });
    expect(taintPatch(node, 'june').spec?.taints).toEqual([foreign, old('june')]);
  });

  test('name their rolls', () => {
    expect(rollsOf(marked({ taints: [old('may')] }))).toEqual(['june', 'may']);
    expect(rollsOf(nodeWith({ taints: [foreign], annotations: { 'drover.dev/rolling': '{' } }))).toEqual([]);
  });
});

test('a release leaves the soft taints of others', () => {
  const soft = { key: 'example.com/spot', value: 'yes', effect: 'PreferNoSchedule' };
  const old = { key: 'drover.dev/old-node', value: 'june', effect: 'PreferNoSchedule' };
  const node = { metadata: { name: 'one' }, spec: { taints: [soft, old] } };
  expect(releasePatch(node, { roll: 'june', keepsTaint: false }).spec).toEqual({ taints: [soft] });
});
