import { describe, expect, it } from 'vitest';
import { failureOf } from '../../../../shared/sweep/repair/failing-nodes.ts';
import { ago, condition, minutes, nodeOf, now } from './support.ts';

const rules = [
  { condition: 'NotReady', seconds: 600 },
  { condition: 'KernelReadonlyFilesystem', seconds: 300 },
  { condition: 'StorageReady', seconds: 1800 },
];

describe('a Node fails', () => {
  it.each([
    ['Ready', 'False', 'NotReady'],
    ['Ready', 'Unknown', 'NotReady'],
    ['KernelReadonlyFilesystem', 'True', 'KernelReadonlyFilesystem'],
    ['StorageReady', 'False', 'StorageReady'],
  ])('with %s %s: %s', (type, status, name) => {
    expect(failureOf(nodeOf(1, [condition(type, status)]), rules)?.condition).toBe(name);
  });

  it.each([
    ['Ready', 'True'],
    ['Ready', 'ready'],
    ['KernelReadonlyFilesystem', 'False'],
    ['KernelReadonlyFilesystem', 'Unknown'],
    ['StorageReady', 'True'],
    ['StorageReady', 'Unknown'],
    ['DiskPressure', 'True'],
  ])('not with %s %s', (type, status) => {
    expect(failureOf(nodeOf(1, [condition(type, status)]), rules)).toBeUndefined();
  });

  it('not without conditions, and not by a rule that its group does not have', () => {
    expect(failureOf({}, rules)).toBeUndefined();
    expect(failureOf(nodeOf(1, [condition('Ready', 'False')]), rules.slice(1))).toBeUndefined();
  });
});

it('is due when the condition has lasted for as long as the tag allows', () => {
  expect(failureOf(nodeOf(1, [condition('Ready', 'Unknown', ago(4 * minutes))]), rules)).toEqual({
    condition: 'NotReady',
    since: now - 4 * minutes,
    dueAt: now + 6 * minutes,
  });
});

it('if there are several failures, the first that is due counts', () => {
  const node = nodeOf(1, [
    condition('Ready', 'Unknown', ago(4 * minutes)),
    condition('KernelReadonlyFilesystem', 'True', ago(1 * minutes)),
    condition('StorageReady', 'False', ago(20 * minutes)),
  ]);
  expect(failureOf(node, rules)).toMatchObject({ condition: 'KernelReadonlyFilesystem' });
});

it('a condition without a readable time is never due, and counts after those that have one', () => {
  const timeless = [
    condition('KernelReadonlyFilesystem', 'True', 'yesterday'),
    { type: 'Ready', status: 'False' },
  ];
  expect(failureOf(nodeOf(1, timeless), rules)).toEqual({
    condition: 'NotReady',
    since: undefined,
    dueAt: Infinity,
  });
  const third = condition('StorageReady', 'False');
  expect(failureOf(nodeOf(1, [...timeless, third]), rules)).toMatchObject({ condition: 'StorageReady' });
});
