import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { oasdiff, program } from '@drover/cloud-sandbox/real/programs.ts';
import { runClient } from '@drover/cloud-sandbox/real/run-client.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

const needs = oasdiff.missing === undefined ? '' : `: ${oasdiff.missing}`;
const claim = {
  area: 'Scale API',
  behaviour: 'the scale API breaks no caller of the released one, but where docs/openapi.breaks.txt says so',
  world: `oasdiff ${oasdiff.version}`,
};

const released = 'docs/openapi.released.json';
const breaks = 'docs/openapi.breaks.txt';
let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'oasdiff-'));
});
afterAll(() => rm(directory, { recursive: true }));

/** What oasdiff finds, and 1 for a break. */
const breaking = (revision: string, ignored: string) =>
  runClient({
    command: program(oasdiff, 'oasdiff'),
    options: [
      'breaking',
      released,
      revision,
      '--fail-on=WARN',
      `--err-ignore=${ignored}`,
      '--format=singleline',
    ],
    environment: { HOME: directory },
  });

test.skipIf(needs !== '')(`${claim.behaviour}, by ${claim.world}${needs}`, { meta: { claim } }, async () => {
  const { code, stdout } = await breaking('docs/openapi.json', breaks);
  expect(code, `${stdout}See "Versions" in docs/scale-api.md.`).toBe(0);
});

test.skipIf(needs !== '')(`each break of ${breaks} is one that oasdiff finds${needs}`, async () => {
  const none = join(directory, 'none.txt');
  await writeFile(none, '');
  const { stdout } = await breaking('docs/openapi.json', none);
  const lines = (await readFile(breaks, 'utf8'))
    .split('\n')
    .filter((line) => /^(?:GET|PUT|PATCH|DELETE) \//.test(line));
  expect(lines.filter((line) => !stdout.includes(line))).toEqual([]);
});

const withoutHolds = (document: { paths: Record<string, unknown> }): void => {
  delete document.paths['/holds'];
};
const withNeededCursor = (document: {
  paths: Record<string, { get?: { parameters?: { required?: boolean }[] } }>;
}) => {
  for (const parameter of document.paths['/instances']?.get?.parameters ?? []) parameter.required = true;
};

test.skipIf(needs !== '').each([
  ['a route that is gone', withoutHolds, 'GET /holds'],
  ['a parameter that is needed now', withNeededCursor, 'GET /instances'],
] as const)(`%s is a break${needs}`, async (_, edit, words) => {
  const document = JSON.parse(await readFile('docs/openapi.json', 'utf8'));
  edit(document);
  const revision = join(directory, 'revision.json');
  await writeFile(revision, JSON.stringify(document));
  const { code, stdout } = await breaking(revision, breaks);
  expect(code).toBe(1);
  expect(stdout).toContain(words);
});
