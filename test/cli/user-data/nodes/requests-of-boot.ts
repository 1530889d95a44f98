import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A boot that Parameter Store never answers: its requests, in seconds since it began, and whether it gave up. */
export interface UnansweredBoot {
  readonly requests: readonly number[];
  readonly gaveUp: boolean;
}

/** What surrounds the retries of a script, so that they take no time, call nothing and print their moments. */
const surroundings = `
sleep() { at=$((at + $1)); }
has_parameter() { printf '%s ' "$at" >&3; return 1; }
tail() { :; }
mkdir() { :; }
say() { :; }
fail() { printf 'gave up' >&3; exit; }
unanswered() { # seed
  RANDOM=$1 at=0
  fetch /parameter "$folder/file" 0600 word
}
for seed in "$@"; do
  (unanswered "$seed")
  printf '\\n' >&3
done`;

/**
 * When instances with this boot script would ask for a parameter that they do not get. The script itself decides it: its retries run under
 * bash, each with a seed of its own.
 */
export function requestsOfBoots(script: string, seeds: readonly number[]): readonly UnansweredBoot[] {
  const folder = mkdtempSync(join(tmpdir(), 'drover-retries-'));
  try {
    const program = [
      'exec 3>&1',
      `folder=${folder}`,
      ...['fetch_seconds', 'spread_seconds'].map((name) =>
        partOf(script, new RegExp(`^readonly ${name}=.*$`, 'm')),
      ),
      partOf(script, /^pause\(\) \{\n[\s\S]*?^\}$/m),
      partOf(script, /^fetch\(\) \{\n[\s\S]*?^\}$/m),
      surroundings,
    ].join('\n');
    const output = execFileSync('bash', ['-c', program, 'bash', ...seeds.map(String)], { encoding: 'utf8' });
    return output.trim().split('\n').map(bootOf);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function partOf(script: string, pattern: RegExp): string {
  const [found] = pattern.exec(script) ?? [];
  if (found === undefined)
    throw new Error(`the boot script has no ${pattern}: its retries are written otherwise now`);
  return found;
}

const bootOf = (line: string): UnansweredBoot => ({
  requests: line.replace('gave up', '').trim().split(' ').map(Number),
  gaveUp: line.endsWith('gave up'),
});
