import { describe, expect, it } from 'vitest';
import { byInstance, seeNodes } from '../../../shared/capacity/nodes-seen.ts';
import { instanceId, nodeOf } from './worlds.ts';

describe('the nodes that a cluster shows', () => {
  it('are known by the instance that their providerID names, never by their name', async () => {
    const seen = await seeNodes({ listNodes: async () => [nodeOf(1, { name: 'anything' })] });
    expect(seen).toMatchObject({ status: 'seen' });
    expect(seen.status === 'seen' && seen.byInstance.get(instanceId(1))).toEqual({
      name: 'anything',
      providerID: `aws:///eu-west-1a/${instanceId(1)}`,
      ready: true,
      unschedulable: false,
    });
  });

  it('are not those of another cloud, and not those without a providerID', () => {
    const foreign = { ...nodeOf(1), spec: { providerID: 'gce://project/zone/name' } };
    expect(byInstance([foreign, { ...nodeOf(2), spec: {} }]).size).toBe(0);
  });

  it('are the youngest of those that share a providerID, in whatever order they are listed', () => {
    const old = nodeOf(1, { name: 'old', createdAt: '2026-11-20T08:00:00Z' });
    const young = nodeOf(1, { name: 'young', createdAt: '2026-11-21T08:00:00Z' });
    expect(byInstance([young, old]).get(instanceId(1))?.name).toBe('young');
    expect(byInstance([old, young]).get(instanceId(1))?.name).toBe('young');
  });

  it('carry the mark of a leave, and only one that is ours', () => {
    expect(byInstance([nodeOf(1, { leaving: true })]).get(instanceId(1))?.leaving?.cause).toBe('terminating');
    const foreign = nodeOf(1);
    const marked = {
      ...foreign,
      metadata: { ...foreign.metadata, annotations: { 'drover.dev/leaving': '{' } },
    };
    expect(byInstance([marked]).get(instanceId(1))?.leaving).toBeUndefined();
  });

  it('are unknown, with the reason, when the cluster does not answer', async () => {
    const seen = await seeNodes({ listNodes: () => Promise.reject(new Error('connection refused')) });
    expect(seen).toEqual({
      status: 'unknown',
      reason: 'the cluster did not say which nodes it has: connection refused',
    });
  });
});
