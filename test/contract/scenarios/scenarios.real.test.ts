import { etcd36 } from '@drover/cloud-sandbox/real/etcd/binaries.ts';
import { kubernetes } from '@drover/cloud-sandbox/real/programs.ts';
import { contract } from '@drover/cloud-sandbox/truth/contract.ts';
import { afterAll, beforeAll, expect } from 'vitest';
import { type ScenarioCluster, startScenarioCluster } from '../worlds/real/scenario-cluster.ts';
import { scenarioCases } from './cases.ts';
import { outageCases } from './outages.ts';

const missing = kubernetes.missing ?? (etcd36.isInstalled ? undefined : 'npm run real:etcd');
/** One for those that may be side by side, one for those that hurt it, which take turns. */
const clusters: { shared?: ScenarioCluster; hurt?: ScenarioCluster } = {};

beforeAll(async () => {
  if (missing !== undefined) return;
  clusters.shared = await startScenarioCluster();
  clusters.hurt = await startScenarioCluster({ takesTurns: true });
});

afterAll(async () => {
  const both = Object.values(clusters);
  await Promise.all(both.map((cluster) => cluster.close()));
  expect(both.flatMap(({ problems }) => problems)).toEqual([]);
});

const openIn = async (which: keyof typeof clusters) => {
  const cluster = clusters[which];
  if (!cluster) throw new Error('the cluster has not started');
  return await cluster.open();
};
const real = {
  area: 'Scenarios',
  world: 'real cluster 1.34.4',
  concurrent: true,
  timeoutSeconds: 300,
  // Kubelets and a control plane that get too little of a busy machine are late.
  retry: 1,
  missing,
} as const;

contract({
  ...real,
  cases: outageCases,
  open: () => openIn('hurt'),
  close: (world) => world.close(),
});
contract({
  ...real,
  cases: scenarioCases,
  open: () => openIn('shared'),
  close: (world) => world.close(),
});
