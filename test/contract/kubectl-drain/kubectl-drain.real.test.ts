import { readFileSync } from 'node:fs';
import { kubernetes } from '@drover/cloud-sandbox/real/programs.ts';
import {
  type BareCluster,
  startBareCluster,
} from '@drover/cloud-sandbox/test/contract/kubernetes/bare-cluster.ts';
import { sideBySide } from '@drover/cloud-sandbox/test/contract/support/side-by-side.ts';
import type { Claim } from '@drover/cloud-sandbox/truth/claim.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { applyManifests } from '../../../local/deployment/apply-manifests.ts';
import { differences } from './differences.ts';
import { type DrainComparison, drainBoth } from './drain-both.ts';
import { drainRuns } from './flags.ts';
import { furnishNode, nodeName } from './furnish.ts';
import { outcomes } from './outcome.ts';
import { randomNodes } from './random-node.ts';

const nodeCount = 200;
/** DRAIN_SEED tries others, whose nodes need not bring about everything. */
const seed = Number(process.env.DRAIN_SEED ?? 20_261_121);

let cluster: BareCluster | undefined;
let comparisons: readonly DrainComparison[] = [];

beforeAll(async () => {
  if (!kubernetes.isInstalled) return;
  cluster = await startBareCluster();
  comparisons = await drainEverything(cluster);
}, 300_000);
afterAll(() => cluster?.close());

async function drainEverything(bare: BareCluster): Promise<readonly DrainComparison[]> {
  await applyManifests(readFileSync('deploy/rbac.yaml', 'utf8'), bare.api.admin);
  const nodes = randomNodes(nodeCount, seed);
  await sideBySide(nodes, 12, (node, index) => furnishNode(bare.api, nodeName(index), node));
  // A grace of a second is then over for more than the five of --skip-wait-for-delete-timeout.
  await bare.api.pass(8);
  const runs = drainRuns({ nodeCount, drainsPerNode: 4, nodesPerRun: 4 });
  // kubectl waits for its own rate limit most of the time.
  return (await sideBySide(runs, 24, (run) => drainBoth(bare, run))).flat();
}

const claimed = (
  behaviour: string,
  differs?: string,
): readonly [string, { readonly meta: { claim: Claim } }] => {
  const claim = {
    area: 'kubectl drain',
    behaviour,
    world: `kubectl ${kubernetes.version}`,
    ...(differs && { differs }),
  };
  return [behaviour, { meta: { claim } }];
};

const state = kubernetes.missing === undefined ? `seed ${seed}` : `not installed: ${kubernetes.missing}`;
const sentence =
  'every pod is evicted, left or refused for the reason for which kubectl does so, whatever the flags';

describe.skipIf(!kubernetes.isInstalled)(`the plan of a drain and kubectl drain, ${state}`, () => {
  test(...claimed(sentence), () => {
    const unexplained = comparisons.flatMap(({ node, flags, disagreements }) =>
      disagreements
        .filter((each) => !differences.some(({ explains }) => explains(each)))
        .map((each) => ({ ...each, node, flags: flags.join(' ') })),
    );
    expect(unexplained).toEqual([]);
  });

  test.skipIf('DRAIN_SEED' in process.env)('the nodes bring about everything that a drain can say', () => {
    const said = new Set(comparisons.flatMap((each) => each.outcomes));
    expect(outcomes.filter((outcome) => !said.has(outcome))).toEqual([]);
  });

  for (const { drover, kubectl, explains } of differences)
    test.skipIf('DRAIN_SEED' in process.env)(...claimed(drover, kubectl), () => {
      expect(comparisons.some(({ disagreements }) => disagreements.some(explains))).toBe(true);
    });
});
