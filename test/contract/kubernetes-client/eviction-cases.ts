import type { TestNamespace } from '@drover/cloud-sandbox/test/contract/kubernetes/eviction/namespace.ts';
import type { Cases } from '@drover/cloud-sandbox/truth/contract.ts';
import { expect } from 'vitest';
import { clientOf } from './eviction-client.ts';

/** How Drover reads the API server's answers to an eviction. */
export const evictionAnswerCases: Cases<TestNamespace> = {
  'Drover tells the answers apart': async (namespace) => {
    const client = clientOf(namespace.api.admin);
    const kindFor = async (name: string, uid: string) =>
      (await client.evictPod({ namespace: namespace.name, name, uid })).kind;
    const uids = new Map<string, string>();
    for (const name of ['free', 'held', 'torn', 'late'])
      uids.set(name, (await namespace.pod(name)).metadata?.uid ?? '');
    const budgets = { held: 'held', one: 'torn', two: 'torn' };
    for (const [name, app] of Object.entries(budgets))
      await namespace.budget(name, { spec: { selector: { matchLabels: { app } } }, status: {} });
    expect(await kindFor('missing', 'any')).toBe('gone');
    expect(await kindFor('free', 'another')).toBe('gone');
    expect(await kindFor('free', uids.get('free') ?? '')).toBe('evicted');
    expect(await kindFor('held', uids.get('held') ?? '')).toBe('held');
    expect(await kindFor('torn', uids.get('torn') ?? '')).toBe('several-budgets');
    await namespace.terminate();
    expect(await kindFor('late', uids.get('late') ?? '')).toBe('namespace-terminating');
  },
};
