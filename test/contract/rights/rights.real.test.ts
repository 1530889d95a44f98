import { afterAll, beforeAll, expect } from 'vitest';
import { etcd36 } from '../../../packages/cloud-sandbox/real/etcd/binaries.ts';
import { kubernetes, kwok } from '../../../packages/cloud-sandbox/real/programs.ts';
import { contract } from '../../../packages/cloud-sandbox/truth/contract.ts';
import { type RightsCluster, startRightsCluster } from '../worlds/real/rights-cluster.ts';
import { rightsCases } from './cases.ts';

const missing = kubernetes.missing ?? kwok.missing ?? (etcd36.isInstalled ? undefined : 'npm run real:etcd');
let cluster: RightsCluster | undefined;

beforeAll(async () => {
  if (missing === undefined) cluster = await startRightsCluster();
}, 60_000);

afterAll(async () => {
  await cluster?.close();
  expect(cluster?.problems ?? []).toEqual([]);
}, 60_000);

contract({
  area: 'Rights in the cluster',
  world: 'real cluster 1.34.4',
  cases: rightsCases,
  open: () => async (manifests) => {
    if (!cluster) throw new Error('the cluster has not started');
    return await cluster.open(manifests);
  },
  concurrent: true,
  timeoutSeconds: 180,
  missing,
});
