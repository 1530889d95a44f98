import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { nodeTools } from '@drover/cloud-sandbox/real/programs.ts';
import type { Claim } from '@drover/cloud-sandbox/truth/claim.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadDeployment } from '../../../local/deployment/load-deployment.ts';
import { ensurePackaged } from '../../../scripts/build/ensure-packaged.ts';
import { comparable } from './comparable.ts';
import { openPackaged, type PackagedFunctions } from './packaged-functions.ts';

const area = "Drover's functions";
const world = 'aws-lambda-ric 4.0.2';

const filesIn = (directory: string, pattern = /\.(?:json|txt)$/): readonly string[] =>
  readdirSync(directory)
    .filter((file) => pattern.test(file))
    .map((file) => join(directory, file));

const textsOf = (files: readonly string[]): readonly string[] =>
  files.map((file) => readFileSync(file, 'utf8'));

/** The passes of a batch run side by side, so the order of their lines is random. */
const inOneOrder = (lines: readonly string[]): readonly string[] =>
  comparable(lines)
    .map((line) => JSON.stringify(line))
    .toSorted();

/** By title: the function, and the events that invoke it. */
const runs = {
  'every payload of events/, by intake': ['intake', textsOf(filesIn('events'))],
  'every malformed payload, by intake': ['intake', textsOf(filesIn('events/bad'))],
  'batches of the inbox and of the topic, by intake': [
    'intake',
    textsOf(filesIn('events/batches', /^(?:inbox|topic)/)),
  ],
  'batches of leaving instances, by node-leaving': [
    'node-leaving',
    textsOf(filesIn('events/batches', /^leaving/)),
  ],
  'malformed messages for node-leaving': ['node-leaving', textsOf(filesIn('events/bad'))],
  'malformed messages for etcd-membership': ['etcd-membership', textsOf(filesIn('events/bad'))],
  'an event that is not a batch, which fails': [
    'node-leaving',
    ['{"Records":[{"eventSource":"aws:kinesis"}]}'],
  ],
  'a schedule, by sweep': ['sweep', ['{"source":"aws.events"}', '{"source":"aws.events"}']],
  'a schedule, by bootstrap-credential': ['bootstrap-credential', ['{}', '{}']],
  'a schedule, by etcd-snapshot': ['etcd-snapshot', ['{}']],
  'an event that is not a request, by scale-api': [
    'scale-api',
    ['{}', '{"version":"2.0","rawPath":"/groups"}'],
  ],
} as const satisfies Readonly<Record<string, readonly [string, readonly string[]]>>;

describe.skipIf(!nodeTools.isInstalled)(`the packaged functions on ${world}`, () => {
  let ours: PackagedFunctions;
  let theirs: PackagedFunctions;
  beforeAll(async () => {
    await ensurePackaged({ bundles: 'fresh' });
    const wiring = await loadDeployment({ accountId: '123456789012', region: 'eu-west-1' });
    ours = await openPackaged(wiring, 'thread');
    theirs = await openPackaged(wiring, 'process');
  });
  afterAll(() => Promise.all([ours.close(), theirs.close()]));

  for (const [behaviour, [name, texts]] of Object.entries(runs)) {
    const claim: Claim = {
      area,
      world,
      behaviour: `${behaviour}: answers, lines and calls as in the sandbox`,
    };
    test(behaviour, { meta: { claim } }, async () => {
      const [expected, seen] = [await ours.run(name, texts), await theirs.run(name, texts)];
      expect(seen.answers).toHaveLength(texts.length);
      expect(comparable(seen.answers)).toEqual(comparable(expected.answers));
      expect(inOneOrder(seen.lines)).toEqual(inOneOrder(expected.lines));
      expect(comparable(theirs.messages())).toEqual(comparable(ours.messages()));
    });
  }
});
