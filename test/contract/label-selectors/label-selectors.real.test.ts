import { kubernetes } from '@drover/cloud-sandbox/real/programs.ts';
import {
  type BareCluster,
  startBareCluster,
} from '@drover/cloud-sandbox/test/contract/kubernetes/bare-cluster.ts';
import {
  type Choice,
  choosingApi,
} from '@drover/cloud-sandbox/test/contract/kubernetes/label-selectors/choosing-api.ts';
import {
  randomLabels,
  selectorText,
} from '@drover/cloud-sandbox/test/contract/kubernetes/label-selectors/random-selector.ts';
import type { Claim } from '@drover/cloud-sandbox/truth/claim.ts';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chosenByDrover } from './chosen-by-drover.ts';

/** SELECTOR_SEED tries others. */
const seed = Number(process.env.SELECTOR_SEED ?? 20_261_121);
const objects = fc.sample(randomLabels, { numRuns: 40, seed });
const texts = [...new Set(fc.sample(selectorText, { numRuns: 1500, seed }))];

type Choices = ReadonlyMap<string, Choice>;

let cluster: BareCluster | undefined;
let real: Choices = new Map();

beforeAll(async () => {
  if (!kubernetes.isInstalled) return;
  cluster = await startBareCluster();
  real = await chooseAll(await choosingApi(cluster.api, objects));
});
afterAll(() => cluster?.close());

async function chooseAll(choose: (text: string) => Promise<Choice>): Promise<Choices> {
  return new Map(await Promise.all(texts.map(async (text) => [text, await choose(text)] as const)));
}

describe.skipIf(!kubernetes.isInstalled)(`random label selectors, seed ${seed}`, () => {
  const behaviour = 'Drover reads the same texts as --pod-selector, and they choose the same pods';
  const claim: Claim = { area: 'Label selectors', behaviour, world: `kube-apiserver ${kubernetes.version}` };
  test(behaviour, { meta: { claim } }, () => {
    expect(new Map(texts.map((text) => [text, chosenByDrover(text, objects)]))).toEqual(real);
  });
});
