import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { kubernetes } from '../../../../real/programs.ts';
import type { Claim } from '../../../../truth/claim.ts';
import { type BareCluster, startBareCluster } from '../bare-cluster.ts';
import { sandboxApi } from '../eviction/sandbox-api.ts';
import { type Choice, choosingApi } from './choosing-api.ts';
import { randomLabels, selectorText } from './random-selector.ts';

/** SELECTOR_SEED tries others. */
const seed = Number(process.env.SELECTOR_SEED ?? 20_261_121);
const objects = fc.sample(randomLabels, { numRuns: 40, seed });
const texts = [...new Set(fc.sample(selectorText, { numRuns: 1500, seed }))];

type Choices = ReadonlyMap<string, Choice>;

let cluster: BareCluster | undefined;
let real: Choices = new Map();
let sandbox: Choices = new Map();

beforeAll(async () => {
  if (!kubernetes.isInstalled) return;
  cluster = await startBareCluster();
  real = await chooseAll(await choosingApi(cluster.api, objects));
  sandbox = await chooseAll(await choosingApi(sandboxApi(), objects));
});
afterAll(() => cluster?.close());

async function chooseAll(choose: (text: string) => Promise<Choice>): Promise<Choices> {
  return new Map(await Promise.all(texts.map(async (text) => [text, await choose(text)] as const)));
}

describe.skipIf(!kubernetes.isInstalled)(`random label selectors, seed ${seed}`, () => {
  const behaviour = 'the sandbox reads the same texts as labelSelector, and they choose the same objects';
  const claim: Claim = { area: 'Label selectors', behaviour, world: `kube-apiserver ${kubernetes.version}` };
  test(behaviour, { meta: { claim } }, () => {
    expect(sandbox).toEqual(real);
  });

  test('some choose all, some a few, some none, and some cannot be read', () => {
    const counts = new Set(
      [...real.values()].map((choice) => (choice === 'unreadable' ? choice : choice.length)),
    );
    expect([...counts]).toEqual(expect.arrayContaining(['unreadable', 0, objects.length]));
    expect(counts.size).toBeGreaterThan(10);
  });
});
