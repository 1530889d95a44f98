import { chosenEtcd } from '@drover/cloud-sandbox/real/etcd/binaries.ts';
import { kubernetes, kwok } from '@drover/cloud-sandbox/real/programs.ts';
import { contract } from '@drover/cloud-sandbox/truth/contract.ts';
import { afterAll, beforeAll, expect } from 'vitest';
import { type RightsCluster, startRightsCluster } from '../worlds/real/rights-cluster.ts';
import { rightsCases } from './cases.ts';

const missing =
  kubernetes.missing ?? kwok.missing ?? (chosenEtcd.isInstalled ? undefined : 'npm run real:etcd');
let cluster: RightsCluster | undefined;

beforeAll(async () => {
  if (missing === undefined) cluster = await startRightsCluster();
});

afterAll(async () => {
  await cluster?.close();
  expect(cluster?.problems ?? []).toEqual([]);
});

contract({
  area: 'Rights in the cluster',
  world: `real cluster ${kubernetes.version}`,
  cases: rightsCases,
  open: () => async (manifests) => {
    if (!cluster) throw new Error('the cluster has not started');
    return await cluster.open(manifests);
  },
  concurrent: true,
  timeoutSeconds: 180,
  // Kubelets and a control plane that get too little of a busy machine are late.
  retry: 1,
  missing,
});
