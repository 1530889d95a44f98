import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { kubernetes } from '../../../../real/programs.ts';
import type { Claim } from '../../../../truth/claim.ts';
import { contract } from '../../../../truth/contract.ts';
import { type BareCluster, startBareCluster } from '../bare-cluster.ts';
import { evictionCases } from './cases.ts';
import { testNamespace } from './namespace.ts';
import { evictAtRandom, type RandomEvictions } from './random-evictions.ts';

const [area, world] = ['Eviction', `kube-apiserver ${kubernetes.version}`];
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

/**
 * From 1.35 on a budget that allows nothing although enough pods are healthy is no longer said to need more of them
 *. The sandbox has the words of 1.34: with a later API server only these words are not compared.
 */
const inWordsOf134 = <Value>(answers: Value): Value =>
  kubernetes.version.startsWith('1.34.')
    ? answers
    : JSON.parse(
        JSON.stringify(answers).replaceAll(
          /(The disruption budget [\w-]+) (?:needs \d+ healthy pods and has \d+|does not allow evicting pods) currently(?:[^"\\]|\\.)*/g,
          '$1 allows nothing',
        ),
      );

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
      expect(inWordsOf134(sandbox.counted)).toEqual(inWordsOf134(real.counted));
      expect(inWordsOf134(sandbox.written)).toEqual(inWordsOf134(real.written));
    });

    test('the pods meet every answer of a budget', () => {
      const { real } = found();
      const answers = [...real.counted, ...real.written].map(({ answer }) => answer);
      expect(new Set(answers.map(({ httpStatus }) => httpStatus))).toEqual(new Set([201, 429, 500]));
      expect(answers.some(({ retryAfter }) => retryAfter === '10')).toBe(true);
    });
  },
);

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
