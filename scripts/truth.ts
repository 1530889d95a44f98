/**
 * `npm run truth`: puts what the last runs of `npm test` and `npm run test:real` found into docs/truth.json and docs/truth.md.
 * `-- --check` changes nothing, and fails where they would change.
 */
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import * as z from 'zod/mini';
import { merge } from '../packages/cloud-sandbox/truth/merge.ts';
import { render } from '../packages/cloud-sandbox/truth/render.ts';
import { findingsDirectory } from '../packages/cloud-sandbox/truth/reporter.ts';

const findingSchema = z.object({
  area: z.string(),
  behaviour: z.string(),
  world: z.string(),
  verdict: z.enum(['pass', 'fail', 'differs', 'not applicable']),
  file: z.string(),
  why: z.optional(z.string()),
});
const runSchema = z.object({ file: z.string(), isWhole: z.boolean(), findings: z.array(findingSchema) });

const json = 'docs/truth.json';
const page = 'docs/truth.md';
const mark = '<!-- What follows is written by `npm run truth`: change the tests, not the tables. -->';

const read = <Schema extends z.ZodMiniType>(file: string, schema: Schema): z.infer<Schema> =>
  schema.parse(JSON.parse(readFileSync(file, 'utf8')));
const standing = (file: string): string => (existsSync(file) ? readFileSync(file, 'utf8') : '');

const known = (existsSync(json) ? read(json, z.array(findingSchema)) : []).filter(({ file }) =>
  existsSync(file),
);
const runs = globSync(`${findingsDirectory}/*.json`).map((file) => read(file, runSchema));
const findings = merge(known, runs);
const written = standing(page).split(mark)[0] ?? '';
const wanted = {
  [json]: `${JSON.stringify(findings, undefined, 1)}\n`,
  [page]: `${written}${mark}\n\n${render(findings)}\n`,
};
const changed = Object.entries(wanted).filter(([file, text]) => standing(file) !== text);

if (!process.argv.includes('--check')) {
  for (const [file, text] of changed) writeFileSync(file, text);
  process.stdout.write(
    `${findings.length} findings, of ${runs.length} files of tests; changed: ${changed.map(([file]) => file).join(', ') || 'nothing'}\n`,
  );
} else if (changed.length > 0) {
  process.stderr.write(
    `${changed.map(([file]) => file).join(' and ')} say something else than the last run: npm run truth\n`,
  );
  process.exitCode = 1;
}
