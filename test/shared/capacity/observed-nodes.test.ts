import { describe, expect, it } from 'vitest';
import { byInstance, observeNodes } from '../../../shared/capacity/observed-nodes.ts';
import { instanceId, nodeOf } from './fixtures.ts';

describe('observed Nodes', () => {
  it('are found by the instance of their providerID, never by name', async () => {
    const seen = await observeNodes({ listNodes: async () => [nodeOf(1, { name: 'anything' })] }, (error) =>
      expect.fail(String(error)),
    );
    expect(seen).toMatchObject({ status: 'seen' });
    expect(seen.status === 'seen' && seen.byInstance.get(instanceId(1))).toEqual({
      name: 'anything',
      providerID: `aws:///eu-west-1a/${instanceId(1)}`,
      createdAt: '2026-11-21T08:00:00Z',
      ready: true,
      unschedulable: false,
    });
  });

  it('exclude Nodes of another cloud and Nodes without a providerID', () => {
    const foreign = { ...nodeOf(1), spec: { providerID: 'gce://project/zone/name' } };
    expect(byInstance([foreign, { ...nodeOf(2), spec: {} }]).size).toBe(0);
  });

  it('contain the newest of several Nodes with one providerID, in any order', () => {
    const old = nodeOf(1, { name: 'old', createdAt: '2026-11-20T08:00:00Z' });
    const young = nodeOf(1, { name: 'young', createdAt: '2026-11-21T08:00:00Z' });
    expect(byInstance([young, old]).get(instanceId(1))?.name).toBe('young');
    expect(byInstance([old, young]).get(instanceId(1))?.name).toBe('young');
  });

  it("have Drover's leaving mark and no other mark", () => {
    expect(byInstance([nodeOf(1, { leaving: true })]).get(instanceId(1))?.leaving?.cause).toBe('terminating');
    const foreign = nodeOf(1);
    const marked = {
      ...foreign,
      metadata: { ...foreign.metadata, annotations: { 'drover.dev/leaving': '{' } },
    };
    expect(byInstance([marked]).get(instanceId(1))?.leaving).toBeUndefined();
  });

  it('are unknown if the API server does not respond, and only the log contains its error', async () => {
    const failure = new Error('connection refused');
    const failures: unknown[] = [];
    const cluster = { listNodes: () => Promise.reject(failure) };
    expect(await observeNodes(cluster, (error) => failures.push(error))).toEqual({
      status: 'unknown',
      reason: 'the Nodes of the cluster could not be listed: the log of scale-api says why',
    });
    expect(failures).toEqual([failure]);
  });
});
