import { execFileSync } from 'node:child_process';

const longest = 72;
const form = /^[a-z.][\w.,/ -]*: \S/;
const ofGit = /^(?:Merge|Revert|fixup!|squash!) /;

/** What is wrong with the subject of a commit; undefined if nothing is. */
export function subjectFault(subject: string): string | undefined {
  if (ofGit.test(subject)) return undefined;
  if (subject.length > longest) return `has ${subject.length} characters, more than ${longest}`;
  if (!form.test(subject)) return 'does not have the form "room: what changes"';
  return subject.endsWith('.') ? 'ends in a period' : undefined;
}

const git = (...args: readonly string[]): string => execFileSync('git', args, { encoding: 'utf8' }).trim();

/**
 * The subjects of the commits since the one that added this file, which are the ones that the rule holds for. In a shallow clone,
 * they begin at its oldest commit.
 */
export function newSubjects(): readonly string[] {
  const first = git('log', '--diff-filter=A', '--format=%H', '--', 'scripts/words/subjects.ts')
    .split('\n')
    .at(-1);
  if (!first) return [];
  return git('log', '--format=%s', `${first}..HEAD`).split('\n').filter(Boolean);
}
