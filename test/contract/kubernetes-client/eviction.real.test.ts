import { kubernetes } from '@drover/cloud-sandbox/real/programs.ts';
import {
  type BareCluster,
  startBareCluster,
} from '@drover/cloud-sandbox/test/contract/kubernetes/bare-cluster.ts';
import { testNamespace } from '@drover/cloud-sandbox/test/contract/kubernetes/eviction/namespace.ts';
import { randomNamespaces } from '@drover/cloud-sandbox/test/contract/kubernetes/eviction/random-namespace.ts';
import { type Asked, createTwin } from '@drover/cloud-sandbox/test/contract/kubernetes/eviction/twins.ts';
import type { Claim } from '@drover/cloud-sandbox/truth/claim.ts';
import { contract } from '@drover/cloud-sandbox/truth/contract.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { evictionAnswerCases } from './eviction-cases.ts';
import { foretell, type Verdicts } from './foretell.ts';

const [area, world] = ["Drover's Kubernetes client", `kube-apiserver ${kubernetes.version}`];
/** EVICTION_SEED tries others. */
const seed = Number(process.env.EVICTION_SEED ?? 20_261_121);

let cluster: BareCluster | undefined;
beforeAll(async () => {
  if (kubernetes.isInstalled) cluster = await startBareCluster(['disruption-controller']);
});
afterAll(() => cluster?.close());

const running = (): BareCluster => {
  if (!cluster) throw new Error('the API server is not there');
  return cluster;
};

const verdicts: Readonly<Record<number, string>> = {
  201: 'goes',
  429: 'is held',
  500: 'has several budgets',
};

const verdictsIn = (asked: readonly Asked[]): Verdicts =>
  new Map(asked.map(({ namespace, pod, answer }) => [`${namespace}/${pod}`, verdicts[answer.httpStatus]]));

describe.skipIf(!kubernetes.isInstalled)(
  `evictions of random pods under random budgets, seed ${seed}`,
  () => {
    const behaviour = 'Drover foretells which random evictions a budget will hold';
    const claim: Claim = { area, behaviour, world };
    test(behaviour, { meta: { claim }, timeout: 300_000 }, async () => {
      const { api, controlPlane } = running();
      const twin = await createTwin(api, randomNamespaces(120, seed));
      await twin.createBudgets();
      await twin.countedStatuses();
      const foretold = await foretell(api);
      expect(foretold).toEqual(verdictsIn(await twin.evictAll()));
      await controlPlane.stopControllers();
      await twin.writeStatuses();
      const foretoldByHand = await foretell(api);
      expect(foretoldByHand).toEqual(verdictsIn(await twin.evictAll()));
    });
  },
);

contract({
  area,
  world,
  cases: evictionAnswerCases,
  open: () => testNamespace(running().api, 'shop'),
  missing: kubernetes.missing,
});
