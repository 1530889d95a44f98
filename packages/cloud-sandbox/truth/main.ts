/**
 * `node truth/main.ts [--check] FOLDER ...`: puts what the last test runs found into docs/truth.json and docs/truth.md of each
 * folder. A finding belongs to the innermost folder that has its file. `--check` writes nothing, and fails if the files are out of date.
 */
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import * as z from 'zod/mini';
import type { FileFindings } from './claim.ts';
import { merge } from './merge.ts';
import { render } from './render.ts';
import { findingsDirectory } from './reporter.ts';
import { readTable, writeTable } from './table-file.ts';

const findingSchema = z.object({
  area: z.string(),
  behaviour: z.string(),
  world: z.string(),
  verdict: z.enum(['pass', 'fail', 'differs', 'not applicable']),
  file: z.string(),
  why: z.optional(z.string()),
});
const runSchema = z.object({ file: z.string(), isWhole: z.boolean(), findings: z.array(findingSchema) });
const mark = '<!-- What follows is written by `npm run truth`: change the tests, not the tables. -->';

const contentOf = (file: string): string => (existsSync(file) ? readFileSync(file, 'utf8') : '');

/** The new content of the folder's table and page, by file. */
function pagesOf(folder: string, runs: readonly FileFindings[]) {
  const [json, page] = [join(folder, 'docs/truth.json'), join(folder, 'docs/truth.md')];
  const known = readTable(contentOf(json) || '[]').filter(({ file }) => existsSync(join(folder, file)));
  const findings = merge(known, runs);
  const written = contentOf(page).split(mark)[0] ?? '';
  return {
    count: findings.length,
    pages: { [json]: writeTable(findings), [page]: `${written}${mark}\n\n${render(findings)}\n` },
  };
}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { check: { type: 'boolean' } },
});
const prefixOf = (folder: string): string => (folder === '.' ? '' : `${folder}/`);
const ownerOf = (file: string): string | undefined =>
  positionals
    .filter((folder) => file.startsWith(prefixOf(folder)))
    .toSorted((a, b) => prefixOf(b).length - prefixOf(a).length)[0];

// Findings of a test file that has been moved since are ignored.
const runs = globSync(`${findingsDirectory}/*.json`)
  .map((file) => runSchema.parse(JSON.parse(readFileSync(file, 'utf8'))))
  .filter(({ file }) => existsSync(file));
const within = (folder: string, { file, findings, ...run }: FileFindings): FileFindings => {
  const relative = file.slice(prefixOf(folder).length);
  return { ...run, file: relative, findings: findings.map((one) => ({ ...one, file: relative })) };
};
const tables = positionals.map((folder) =>
  pagesOf(
    folder,
    runs.filter(({ file }) => ownerOf(file) === folder).map((run) => within(folder, run)),
  ),
);
const changed = tables
  .flatMap(({ pages }) => Object.entries(pages))
  .filter(([file, text]) => contentOf(file) !== text);
const names = changed.map(([file]) => file).join(', ');

if (values.check === true && changed.length > 0) {
  process.stderr.write(`Out of date: ${names}. Run: npm run truth\n`);
  process.exitCode = 1;
} else {
  if (values.check !== true) for (const [file, text] of changed) writeFileSync(file, text);
  const counts = tables.map(({ count }, index) => `${count} in ${positionals[index]}`).join(', ');
  process.stdout.write(
    `Findings: ${counts}; from ${runs.length} test files. Changed: ${names || 'nothing'}\n`,
  );
}
