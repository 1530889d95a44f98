import { expect, it } from 'vitest';
import { stoppedWith } from '../../functions/etcd-membership.ts';
import { createPassBench } from '../support/etcd/pass-bench.ts';

const clients = ['autoScaling', 'ec2', 'zone', 'states'] as const;

it.each(clients)('a pass whose time is up calls nothing more of its %s', async (name) => {
  const { context, done } = createPassBench();
  const end = new AbortController();
  const client = stoppedWith(context, end.signal)[name] as unknown as Record<string, () => Promise<unknown>>;
  end.abort(new Error('the time is up'));
  const methods = Object.keys(client);
  expect(methods.length).toBeGreaterThan(0);
  for (const method of methods) await expect(client[method]?.()).rejects.toThrow('the time is up');
  expect(done).toEqual([]);
});

it('a pass gets a cluster that its own signal stops', () => {
  const { context } = createPassBench();
  const signals: (AbortSignal | undefined)[] = [];
  const { cluster } = context;
  if (!cluster) throw new Error('the bench has no cluster');
  const clusterWith = (signal?: AbortSignal) => {
    signals.push(signal);
    return cluster;
  };
  const { signal } = new AbortController();
  expect(stoppedWith({ ...context, clusterWith }, signal).cluster).toBe(cluster);
  expect(signals).toEqual([signal]);
});
