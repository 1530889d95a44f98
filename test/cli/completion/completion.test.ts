import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Shell, shells } from '../../../cli/completion/shells.ts';
import { createCliWorld } from '../support.ts';

let folder: string;
const scriptOf = (shell: Shell): string => join(folder, `drover.${shell}`);
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'completion-'));
  await writeFile(join(folder, 'config.yaml'), '');
  for (const shell of shells)
    await writeFile(scriptOf(shell), (await createCliWorld().run('completion', shell)).out);
});
afterAll(() => rm(folder, { recursive: true }));

const quoted = (word: string): string => `'${word}'`;

/** The script that makes a shell print the completions of the last word. */
const requests: Readonly<Record<Shell, (words: readonly string[]) => string>> = {
  bash: (words) =>
    `source ${scriptOf('bash')}; COMP_WORDS=(${words.map(quoted).join(' ')}); COMP_CWORD=${words.length - 1}; _drover; printf '%s\\n' "\${COMPREPLY[@]}"`,
  // Outside of its line editor zsh has no widgets, so their arguments are printed instead.
  zsh: (words) => `compdef() { :; }
    _describe() { print -l -- \${\${(P)@[-1]}%%:*}; }
    _files() { print -l -- *(N); }
    compadd() { shift; print -l -- "$@"; }
    source ${scriptOf('zsh')}; words=(${words.map(quoted).join(' ')}); CURRENT=${words.length}; _drover`,
  fish: (words) => `source ${scriptOf('fish')}; complete -C ${quoted(words.join(' '))}`,
};

const programs: Readonly<Record<Shell, readonly string[]>> = {
  bash: ['bash', '--norc', '-c'],
  zsh: ['zsh', '-f', '-c'],
  fish: ['fish', '--no-config', '-c'],
};

function complete(shell: Shell, ...words: readonly string[]): readonly string[] {
  const [program = '', ...args] = programs[shell];
  const output = execFileSync(program, [...args, requests[shell](words)], {
    encoding: 'utf8',
    cwd: folder,
    env: { ...process.env, HOME: folder },
  });
  const offered = output.split('\n').map((line) => line.split('\t')[0] ?? '');
  const last = words.at(-1) ?? '';
  return offered.filter((word) => word !== '' && word.startsWith(last));
}

describe.each(shells)('completion in %s', (shell) => {
  const isThere = spawnSync(shell, ['--version']).status === 0;

  it.skipIf(!isThere)('offers commands', () => {
    expect(complete(shell, 'drover', 'h')).toEqual(expect.arrayContaining(['hooks', 'help']));
    expect(complete(shell, 'drover', '')).toEqual(expect.arrayContaining(['drain', 'etcd', 'status']));
  });

  it.skipIf(!isThere)('offers the commands below a command, also after a flag with a value', () => {
    expect(complete(shell, 'drover', 'etcd', '')).toEqual(expect.arrayContaining(['snapshot', 'restore']));
    expect(complete(shell, 'drover', 'hooks', '--cluster', 'prod', '')).toEqual(
      expect.arrayContaining(['install', 'remove']),
    );
  });

  it.skipIf(!isThere)('offers the flags of the typed command', () => {
    expect(complete(shell, 'drover', 'hooks', 'install', '--de')).toEqual(['--default-result']);
    expect(complete(shell, 'drover', 'hooks', 'remove', '--de')).toEqual([]);
    expect(complete(shell, 'drover', 'drain', 'node-1', '--ig')).toEqual(['--ignore-daemonsets']);
  });

  it.skipIf(!isThere)('offers the choices of a flag and of an argument', () => {
    const choices = complete(shell, 'drover', 'hooks', 'install', '--default-result', '');
    expect(choices.toSorted()).toEqual(['ABANDON', 'CONTINUE']);
    expect(complete(shell, 'drover', 'completion', 'z')).toEqual(['zsh']);
  });

  it.skipIf(!isThere)(
    'offers files for a flag that takes a file, and nothing for a flag that takes text',
    () => {
      expect(complete(shell, 'drover', 'status', '--kubeconfig', 'conf')).toEqual(['config.yaml']);
      expect(complete(shell, 'drover', 'status', '--cluster', '')).toEqual([]);
    },
  );
});

describe('completion', () => {
  it('offers a value after an equals sign, which bash treats as a separate word', () => {
    expect(complete('bash', 'drover', 'hooks', 'install', '--default-result', '=', 'A')).toEqual(['ABANDON']);
  });

  it('supports three shells', async () => {
    expect(await createCliWorld().run('completion', 'csh')).toMatchObject({
      code: 2,
      err: expect.stringContaining('bash, zsh, fish'),
    });
  });
});
