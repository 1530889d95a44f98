import { globSync, readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { contextOn, thisMachine } from '../../cli/context.ts';
import { createProgram } from '../../cli/program.ts';

const pages = globSync(['README.md', 'docs/*.md', 'docs/quick-start/*.md', 'examples/**/README.md']);
const program = createProgram(contextOn(thisMachine()));

/** The commands of the shell blocks of a page, one a line, without comments and without what they are piped into. */
const commandsOf = (page: string): readonly string[] =>
  [...readFileSync(page, 'utf8').matchAll(/^ *```sh\n([\s\S]*?)^ *```/gm)]
    .flatMap(([, block = '']) => block.replaceAll(/ *\\\n */g, ' ').split('\n'))
    .map((line) =>
      line
        .trim()
        .replace(/^npx --no -- /, '')
        .replace(/ +#.*$/, ''),
    )
    .filter((line) => line.startsWith('drover '))
    .map((line) => line.replace(/"\$\([^)]*\)"/g, 'VALUE').replace(/ (?:\||>|&&) .*$/, ''));

/** The commands in the sentences and tables of a page. */
const inlineCommandsOf = (page: string): readonly string[] =>
  [
    ...readFileSync(page, 'utf8')
      .replaceAll(/^ *```[\s\S]*?^ *```/gm, '')
      .matchAll(/`(?:npx --no -- )?(drover [^`]+)`/g),
  ]
    .map(([, line = '']) => line.replaceAll(/\s+/g, ' ').replace(/ (?:\\?\||>|&&) .*$/, ''))
    .filter((line) => !line.startsWith('drover COMMAND'));

/** The words of a command line that drover does not know: an unknown command, or unknown flags. */
function unknownIn(line: string): readonly string[] {
  const words = line.split(/ +/).slice(1);
  let command: Command = program;
  for (const word of words) {
    const child = command.commands.find((one) => one.name() === word);
    if (!child) break;
    command = child;
  }
  if (command === program) return words.slice(0, 1).filter((word) => !word.startsWith('-'));
  const flags = new Set(command.options.flatMap(({ long, short }) => [long, short]));
  const given = words.filter((word) => /^--?[a-z]/.test(word)).map((word) => word.replace(/=.*$/, ''));
  return given.filter((flag) => !flags.has(flag) && flag !== '--help');
}

describe('each drover command of a page exists, with its flags', () => {
  it.each(pages)('%s', (page) => {
    const problems = [...commandsOf(page), ...inlineCommandsOf(page)].flatMap((line) =>
      unknownIn(line).map((word) => `${word} in: ${line}`),
    );
    expect(problems).toEqual([]);
  });

  it.each(pages.filter((page) => page.startsWith('docs/quick-start/')))(
    '%s names the scale API before a command that needs it',
    (page) => {
      const asking = commandsOf(page).filter((line) => /^drover (?:groups|nodes|scale)\b/.test(line));
      expect(asking.length === 0 || readFileSync(page, 'utf8').includes('export DROVER_API_URL=')).toBe(true);
    },
  );

  it('finds a command and a flag that do not exist', () => {
    expect(unknownIn('drover sclae workers 3')).toEqual(['sclae']);
    expect(unknownIn('drover hooks install workers --joinning')).toEqual(['--joinning']);
    expect(unknownIn('drover hooks install workers --joining')).toEqual([]);
  });

  it('reads commands from most pages', () => {
    expect(pages.flatMap(commandsOf).length).toBeGreaterThan(80);
    expect(pages.flatMap(inlineCommandsOf).length).toBeGreaterThan(200);
  });
});
