import type { StorageClass } from 'kubernetes-types/storage/v1.d.ts';
import { describe, expect, it } from 'vitest';
import { reasons } from '../../../../shared/capacity/plan/reasons.ts';
import { noVolumes, volumeNeedsOf } from '../../../../shared/capacity/plan/volume-needs.ts';

const isDefault = { 'storageclass.kubernetes.io/is-default-class': 'true' };
const classOf = (name: string, provisioner: string, created?: string): StorageClass => ({
  metadata: { name, annotations: isDefault, ...(created && { creationTimestamp: created }) },
  provisioner,
  volumeBindingMode: 'WaitForFirstConsumer',
});

const driverWith = (...classes: readonly StorageClass[]): string | undefined => {
  const pod = {
    metadata: { namespace: 'shop', name: 'db' },
    spec: { containers: [], volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }] },
  };
  const claims = new Map([['shop/data', { metadata: { namespace: 'shop', name: 'data' }, spec: {} }]]);
  const needs = volumeNeedsOf(pod, {
    ...noVolumes,
    claims,
    classes: new Map(classes.map((one) => [one.metadata?.name ?? '', one])),
  });
  return needs.claimProblem ?? needs.attached[0]?.driver;
};

describe('a claim without a class', () => {
  const older = classOf('gp2', 'old.driver', '2025-01-01T00:00:00Z');
  const newer = classOf('gp3', 'new.driver', '2026-01-01T00:00:00Z');
  const undated = classOf('odd', 'odd.driver');

  it('gets the newest of the default classes, in whatever order they are listed', () => {
    expect(driverWith(older, newer, undated)).toBe('new.driver');
    expect(driverWith(undated, newer, older)).toBe('new.driver');
  });

  it('waits for a volume if there is no default class', () => {
    expect(driverWith({ ...older, metadata: { name: 'gp2' } })).toBe(reasons.unboundImmediate);
    expect(driverWith()).toBe(reasons.unboundImmediate);
  });
});
