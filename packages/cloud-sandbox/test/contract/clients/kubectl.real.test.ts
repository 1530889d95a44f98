import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { kubernetes } from '../../../real/programs.ts';
import { contract } from '../../../truth/contract.ts';
import { type ClientsSandbox, openClientsSandbox } from './furnished-sandbox.ts';
import { accessCases } from './kubectl/access-cases.ts';
import { type KubectlWorld, kubectlWorld } from './kubectl/kubectl.ts';
import { meetsCases, missing, missingCases } from './kubectl/missing-cases.ts';
import { nodeCases } from './kubectl/node-cases.ts';
import { readingCases } from './kubectl/reading-cases.ts';
import { workloadCases } from './kubectl/workload-cases.ts';
import { writingCases } from './kubectl/writing-cases.ts';

/** Ten times real time, so the test does not wait long for pods that start or stop slowly. */
const speed = 10;

const home = mkdtempSync(join(tmpdir(), 'kubectl-home-'));
let sandbox: ClientsSandbox | undefined;
let namespaces = 0;

beforeAll(async () => {
  if (kubernetes.missing === undefined) sandbox = await openClientsSandbox({ speed });
});

afterAll(async () => {
  await sandbox?.close();
  rmSync(home, { recursive: true, force: true });
});

async function open(): Promise<KubectlWorld> {
  namespaces += 1;
  const environment = { KUBECONFIG: sandbox?.files.kubeconfig ?? '', HOME: home };
  const world = kubectlWorld(environment, `case-${namespaces}`);
  await world.kubectl(`create namespace ${world.namespace}`);
  return world;
}

contract({
  area: 'kubectl',
  world: `kubectl ${kubernetes.version}`,
  cases: {
    ...readingCases,
    ...writingCases,
    ...workloadCases,
    ...nodeCases,
    ...accessCases,
    ...missingCases,
  },
  open,
  differs: new Map(
    missing.map(({ behaviour, words, meets }) => [
      behaviour,
      `the sandbox does not model it: \`kubectl ${words}\` says "${meets}"`,
    ]),
  ),
  missing: kubernetes.missing,
});

describe.skipIf(kubernetes.missing !== undefined)(
  'what is not modelled is said in the words that are listed',
  () => {
    for (const [words, check] of Object.entries(meetsCases))
      test(`kubectl ${words}`, async () => check(await open()));
  },
);
