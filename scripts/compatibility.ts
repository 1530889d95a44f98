/**
 * `npm run compatibility [-- --check | --paths | --others]`: puts the results of the last runs of the real suites into docs/compatibility.json and the
 * tables of docs/compatibility.md. `--check` writes nothing, and fails if the page does not agree with the results or with the table of
 * versions. `--paths` prints the test files to which a version matters, and `--others` the versions of other runs than the default, a pair a line.
 */
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import * as z from 'zod/mini';
import { columnsOf, render, unknownVersions } from './compatibility/render.ts';
import { resultsDirectory } from './compatibility/reporter.ts';
import { mergeResults, type Result, resultSchema } from './compatibility/result.ts';
import { otherRuns, suiteOf, versionedSuites } from './compatibility/suites.ts';

const [table, page] = ['docs/compatibility.json', 'docs/compatibility.md'];
const mark = '<!-- What follows is written by `npm run compatibility`. -->';

const { values } = parseArgs({
  options: { check: { type: 'boolean' }, paths: { type: 'boolean' }, others: { type: 'boolean' } },
});
const contentOf = (file: string): string => (existsSync(file) ? readFileSync(file, 'utf8') : '');
const known = z.array(resultSchema).parse(JSON.parse(contentOf(table) || '[]'));
const written = contentOf(page).split(mark)[0] ?? '';
const pageOf = (results: readonly Result[]): string => `${written}${mark}\n\n${render(results)}\n`;

/** A file that was moved, and a version that is no longer in the table, are left out. */
const isCurrent = ({ file, version }: Result): boolean => {
  const suite = suiteOf(file);
  return existsSync(file) && suite !== undefined && columnsOf(suite.program).includes(version);
};

if (values.paths === true)
  process.stdout.write(`${versionedSuites.flatMap(({ paths }) => paths).join('\n')}\n`);
else if (values.others === true)
  process.stdout.write(
    `${otherRuns()
      .map(({ kubernetes, etcd }) => `${kubernetes} ${etcd}`)
      .join('\n')}\n`,
  );
else if (values.check === true) {
  const problems = [
    ...(contentOf(page) === pageOf(known) ? [] : [`${page} does not show ${table}`]),
    ...known
      .filter((one) => !isCurrent(one))
      .map(({ file, version }) => `${table}: ${file} with ${version} does not exist`),
    ...unknownVersions(written).map((version) => `${page} describes ${version}, which no run can choose`),
  ];
  for (const problem of problems) process.stderr.write(`${problem}. Run: npm run compatibility\n`);
  if (problems.length > 0) process.exitCode = 1;
} else {
  const found = globSync(`${resultsDirectory}/*.json`).map((file) =>
    resultSchema.parse(JSON.parse(readFileSync(file, 'utf8'))),
  );
  const results = mergeResults(known, found).filter(isCurrent);
  writeFileSync(table, `[\n${results.map((one) => JSON.stringify(one)).join(',\n')}\n]\n`);
  writeFileSync(page, pageOf(results));
  process.stdout.write(`${results.length} results in ${table}, ${found.length} from the last runs\n`);
}
