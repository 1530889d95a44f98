/**
 * `npm run words`: refuses wordings that make Drover's texts hard to read. scripts/words/patterns.ts lists them.
 *
 *   npm run words -- PATH...    lists those in these files and folders; without PATH, in all
 *   npm run words -- --count    counts those of each folder
 *   npm run words -- --check    fails if a folder has more than scripts/words/remaining.txt allows, or the subject of a new commit
 *                               is not "room: what changes"
 *   npm run words -- --write    lowers the numbers of remaining.txt; fails if their sum would grow
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { type Hit, hitsIn } from './words/hits.ts';
import { countByFolder, folderOf, readTable, sumOf, worse, writeTable } from './words/ratchet.ts';
import { newSubjects, subjectFault } from './words/subjects.ts';

const table = 'scripts/words/remaining.txt';
// Generated from texts that are checked themselves, or about the wordings.
const exempt = /^(?:docs|packages\/cloud-sandbox\/docs)\/truth\.md$|^(?:test\/)?scripts\/words\b/;

const files = (paths: readonly string[]): readonly string[] =>
  execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', ...paths], {
    encoding: 'utf8',
    maxBuffer: 1e8,
  })
    .split('\0')
    .filter((file) => file !== '' && !exempt.test(file) && existsSync(file));

const hitsOf = (paths: readonly string[]): readonly Hit[] =>
  [...new Set(files(paths))].flatMap((file) => hitsIn(file, readFileSync(file, 'utf8')));

const list = (hits: readonly Hit[]): void => {
  for (const { file, line, pattern, text, instead } of hits)
    console.log(`${file}:${line}: ${pattern}: ${text}\n    write ${instead}`);
};

function check(): void {
  const hits = hitsOf([]);
  const now = countByFolder(hits.map(({ file }) => file));
  const allowed = readTable(readFileSync(table, 'utf8'));
  const folders = worse(now, allowed);
  for (const folder of folders) {
    list(hits.filter(({ file }) => folderOf(file) === folder));
    console.log(
      `${folder} has ${now.get(folder)} refused wordings; ${table} allows ${allowed.get(folder) ?? 0}. ` +
        'Rewrite the new ones. If files have only moved, run: npm run words -- --write',
    );
  }
  const faults = newSubjects().flatMap((subject) => {
    const fault = subjectFault(subject);
    return fault ? [`the subject of a commit ${fault}: ${subject}`] : [];
  });
  for (const fault of faults) console.log(fault);
  if (folders.length + faults.length > 0) process.exitCode = 1;
}

function write(): void {
  const now = countByFolder(hitsOf([]).map(({ file }) => file));
  const before = existsSync(table) ? sumOf(readTable(readFileSync(table, 'utf8'))) : Infinity;
  if (sumOf(now) > before) {
    console.log(`There are ${sumOf(now)} refused wordings; ${table} allows ${before}. Rewrite the new ones.`);
    process.exitCode = 1;
    return;
  }
  writeFileSync(table, writeTable(now));
  console.log(`${sumOf(now)} refused wordings remain`);
}

const args = process.argv.slice(2);
const unknown = args.find((arg) => arg.startsWith('-') && !['--check', '--count', '--write'].includes(arg));
if (unknown) {
  console.error(`unknown option ${unknown}; usage: npm run words -- [--check | --count | --write | PATH...]`);
  process.exitCode = 2;
} else if (args.includes('--check')) check();
else if (args.includes('--write')) write();
else if (args.includes('--count')) {
  const counts = countByFolder(hitsOf([]).map(({ file }) => file));
  process.stdout.write(`${writeTable(counts)}${sumOf(counts)} in all\n`);
} else {
  const hits = hitsOf(args);
  list(hits);
  console.log(`${hits.length} in all`);
}
