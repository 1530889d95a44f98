import { chosenEtcd } from '@drover/cloud-sandbox/real/etcd/binaries.ts';
import { kubernetes, kwok } from '@drover/cloud-sandbox/real/programs.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTrialStage, type TrialStage } from '../../../local/real-world/roll/trials/stage.ts';
import { runTrial, type TrialName, trials } from '../../../local/real-world/roll/trials/trials.ts';

const missing =
  kubernetes.missing ?? kwok.missing ?? (chosenEtcd.isInstalled ? undefined : 'npm run real:etcd');
const claim = { area: 'Rolls', world: `real cluster ${kubernetes.version}` };

/** `npm run world -- --roll --trial NAME` holds each for ten minutes, and has the outage too, after which Kubernetes needs a minute. */
const heldSeconds = 60;
const speed = 10;
const names: readonly TrialName[] = ['abort', 'budget', 'template', 'crash', 'join'];

describe.skipIf(missing !== undefined)(
  `what fails in the middle of a roll in a real cluster${missing ? `: ${missing}` : ''}`,
  () => {
    const problems: unknown[] = [];
    let stage: TrialStage;

    beforeAll(async () => {
      stage = await openTrialStage({
        speed,
        workers: 3,
        heldSeconds,
        joinTimeoutSeconds: 120,
        say: (text) => process.stdout.write(`${text}\n`),
        onProblem: (problem) => problems.push(problem),
      });
    }, 300_000);

    afterAll(async () => {
      await stage.close();
      expect(problems).toEqual([]);
    });

    for (const name of names)
      it(trials[name].claim, { timeout: 900_000, meta: { claim } }, async () => {
        await expect(runTrial(stage, name)).resolves.toBeUndefined();
      });
  },
);
