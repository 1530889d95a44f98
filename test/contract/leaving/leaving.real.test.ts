import { chosenEtcd } from '@drover/cloud-sandbox/real/etcd/binaries.ts';
import { kubernetes } from '@drover/cloud-sandbox/real/programs.ts';
import { contract } from '@drover/cloud-sandbox/truth/contract.ts';
import { afterAll, beforeAll, expect } from 'vitest';
import { type SharedCluster, startSharedCluster } from '../worlds/real/shared-cluster.ts';
import { leavingCases } from './cases.ts';
import { outageCases } from './outages.ts';

const missing = kubernetes.missing ?? (chosenEtcd.isInstalled ? undefined : 'npm run real:etcd');
/** One for those that may be side by side, one for those that hurt it, which take turns. */
const clusters: { shared?: SharedCluster; hurt?: SharedCluster } = {};

beforeAll(async () => {
  if (missing !== undefined) return;
  clusters.shared = await startSharedCluster();
  clusters.hurt = await startSharedCluster({ takesTurns: true });
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
  area: 'Leaving nodes',
  world: `real cluster ${kubernetes.version}`,
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
  cases: leavingCases,
  open: () => openIn('shared'),
  close: (world) => world.close(),
});
