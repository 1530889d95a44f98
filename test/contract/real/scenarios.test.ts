import { afterAll, beforeAll, expect } from 'vitest';
import { etcd36 } from '../../worlds/real/etcd/binaries.ts';
import { kubernetes } from '../../worlds/real/programs.ts';
import { type ScenarioCluster, startScenarioCluster } from '../../worlds/real/scenario-world.ts';
import { scenarioCases } from '../scenarios/cases.ts';
import { contract } from '../support/contract.ts';

const missing = kubernetes.missing ?? (etcd36.isInstalled ? undefined : 'npm run real:etcd');
let shared: ScenarioCluster | undefined;
beforeAll(async () => {
  if (missing === undefined) shared = await startScenarioCluster();
}, 60_000);
afterAll(async () => {
  await shared?.close();
  expect(shared?.problems ?? []).toEqual([]);
});

contract({
  area: 'Scenarios',
  world: 'real cluster 1.34.4',
  cases: scenarioCases,
  open: async () => {
    if (!shared) throw new Error('the cluster has not started');
    return await shared.open();
  },
  close: (world) => world.close(),
  concurrent: true,
  timeoutSeconds: 180,
  missing,
});
