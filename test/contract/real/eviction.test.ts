import { afterAll, beforeAll } from 'vitest';
import { kubernetes } from '../../worlds/real/programs.ts';
import { testNamespace } from '../eviction/namespace.ts';
import { evictionCases } from '../eviction-cases.ts';
import { contract } from '../support/contract.ts';
import { type BareCluster, startBareCluster } from './bare-cluster.ts';

let cluster: BareCluster | undefined;
let cases = 0;
beforeAll(async () => {
  if (kubernetes.isInstalled) cluster = await startBareCluster();
}, 120_000);
afterAll(() => cluster?.close());

contract({
  area: 'Eviction',
  world: 'kube-apiserver 1.34.4',
  cases: evictionCases,
  open: () => {
    if (!cluster) throw new Error('the API server is not there');
    cases += 1;
    return testNamespace(cluster.api, `case-${cases}`);
  },
  missing: kubernetes.missing,
});
