import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { kubernetes } from '../../../../real/programs.ts';
import type { Claim } from '../../../../truth/claim.ts';
import { contract } from '../../../../truth/contract.ts';
import { type BareCluster, startBareCluster } from '../bare-cluster.ts';
import { evictionCases } from './cases.ts';
import { testNamespace } from './namespace.ts';
import { evictAtRandom, type Foretold, type RandomEvictions } from './random-evictions.ts';
import type { Asked } from './twins.ts';

const [area, world] = ['Eviction', 'kube-apiserver 1.34.4'];
/** EVICTION_SEED tries others. */
const seed = Number(process.env.EVICTION_SEED ?? 20_261_121);

let cluster: BareCluster | undefined;
let evictions: RandomEvictions | undefined;
let cases = 0;

beforeAll(async () => {
  if (!kubernetes.isInstalled) return;
  cluster = await startBareCluster(['disruption-controller']);
  evictions = await evictAtRandom(cluster, { namespaceCount: 120, seed });
}, 300_000);
afterAll(() => cluster?.close());

const found = (): RandomEvictions => {
  if (!evictions) throw new Error('nothing was evicted');
  return evictions;
};

describe.skipIf(!kubernetes.isInstalled)(
  `evictions of random pods under random budgets, seed ${seed}`,
  () => {
    const check = (behaviour: string, run: () => void): void => {
      const claim: Claim = { area, behaviour, world };
      test(behaviour, { meta: { claim } }, run);
    };

    check('the disruption controller of the sandbox counts random budgets as the real one does', () => {
      const { real, sandbox } = found();
      expect(sandbox.statuses).toEqual(real.statuses);
    });

    check('random evictions in the sandbox have the same code, reason, causes and words', () => {
      const { real, sandbox } = found();
      expect(sandbox.counted).toEqual(real.counted);
      expect(sandbox.written).toEqual(real.written);
    });

    check('Drover foretells which random evictions a budget will hold', () => {
      const { real, foretold } = found();
      expect(verdictsOf(foretold.counted)).toEqual(verdictsIn(real.counted));
      expect(verdictsOf(foretold.written)).toEqual(verdictsIn(real.written));
    });

    test('the pods meet every answer of a budget', () => {
      const { real } = found();
      const answers = [...real.counted, ...real.written].map(({ answer }) => answer);
      expect(new Set(answers.map(({ httpStatus }) => httpStatus))).toEqual(new Set([201, 429, 500]));
      expect(answers.some(({ retryAfter }) => retryAfter === '10')).toBe(true);
    });
  },
);

/** By the pod: how many budgets hold it, as far as an answer tells. */
const verdictsOf = (foretold: readonly Foretold[]): ReadonlyMap<string, string> =>
  new Map(
    foretold.map(({ namespace, pod, budgets }) => [
      `${namespace}/${pod}`,
      ['goes', 'is held'][budgets.length] ?? 'has several budgets',
    ]),
  );

const verdicts: Readonly<Record<number, string>> = {
  201: 'goes',
  429: 'is held',
  500: 'has several budgets',
};

const verdictsIn = (asked: readonly Asked[]): ReadonlyMap<string, string | undefined> =>
  new Map(asked.map(({ namespace, pod, answer }) => [`${namespace}/${pod}`, verdicts[answer.httpStatus]]));

contract({
  area,
  world,
  cases: evictionCases,
  open: () => {
    if (!cluster) throw new Error('the API server is not there');
    cases += 1;
    return testNamespace(cluster.api, `case-${cases}`);
  },
  missing: kubernetes.missing,
});
