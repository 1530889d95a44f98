/**
 * `npm run words`: lists wordings that make Drover's texts hard to read. scripts/words/patterns.ts defines them.
 *
 *   npm run words -- PATH...    lists those in these files and folders; without PATH, in all
 *   npm run words -- --check    fails if there are any, or if the subject of a new commit is not "room: what changes"
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { type Hit, hitsIn } from './words/hits.ts';
import { newSubjects, subjectFault } from './words/subjects.ts';

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
  list(hits);
  const faults = newSubjects().flatMap((subject) => {
    const fault = subjectFault(subject);
    return fault ? [`the subject of a commit ${fault}: ${subject}`] : [];
  });
  for (const fault of faults) console.log(fault);
  if (hits.length + faults.length > 0) process.exitCode = 1;
}

const args = process.argv.slice(2);
const unknown = args.find((arg) => arg.startsWith('-') && arg !== '--check');
if (unknown) {
  console.error(`unknown option ${unknown}; usage: npm run words -- [--check | PATH...]`);
  process.exitCode = 2;
} else if (args.includes('--check')) check();
else {
  const hits = hitsOf(args);
  list(hits);
  console.log(`${hits.length} in all`);
}
