import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command, Option } from 'commander';
import { describe, expect, it } from 'vitest';
import { contextOn, thisMachine } from '../../cli/context.ts';
import { createProgram } from '../../cli/program.ts';

const text = readFileSync(join(import.meta.dirname, '../../docs/cli.md'), 'utf8');

/** `drover hooks install` -> the text below its heading. */
const sections = new Map(
  text
    .split(/^## /m)
    .slice(1)
    .map((section) => [titleOf(section), section] as const),
);

/** Without the arguments, which are written in capitals. */
function titleOf(section: string): string {
  const [heading = ''] = section.split('\n');
  return heading
    .split(' ')
    .filter((word) => /^[a-z]/.test(word))
    .join(' ');
}

interface Documented {
  readonly path: string;
  readonly command: Command;
}

const withChildren = (command: Command, parents = ''): readonly Documented[] => {
  const path = `${parents}${command.name()}`;
  return [{ path, command }, ...command.commands.flatMap((child) => withChildren(child, `${path} `))];
};

const commands = createProgram(contextOn(thisMachine())).commands.flatMap((command) =>
  withChildren(command, 'drover '),
);

const flagsIn = (section: string): readonly string[] => [
  ...new Set(
    [...section.replaceAll('npx --no -- ', '').matchAll(/(?<![\w-])--[a-z][a-z0-9-]*(?:\.\d+)?/g)].map(
      ([flag]) => flag,
    ),
  ),
];

describe('docs/cli.md', () => {
  it('has a section for every command, and none for others', () => {
    expect([...sections.keys()].toSorted()).toEqual(commands.map(({ path }) => path).toSorted());
  });

  describe.each(commands)('on $path', ({ path, command }) => {
    const section = sections.get(path) ?? '';
    const flags = command.options.map(({ long }) => long ?? '');

    it('names every flag that the command has', () => {
      const table = section.split('\n').filter((line) => line.startsWith('| `'));
      expect(flagsIn(table.join('\n')).toSorted()).toEqual(flags.toSorted());
    });

    it('names no flag that the command lacks', () => {
      expect(flagsIn(section).filter((flag) => !flags.includes(flag))).toEqual([]);
    });

    it('names every value that a flag may have, and the default', () => {
      const table = section.split('\n').filter((line) => line.startsWith('| `'));
      const unnamed = command.options.flatMap((option) => {
        const row = table.find((line) => line.includes(`${option.long}`)) ?? '';
        // The values of --output are a table of their own at the top of the page.
        const values = option.long === '--output' ? [] : (option.argChoices ?? []);
        return [...values, ...defaultTexts(option)]
          .filter((value) => !row.includes(value))
          .map((value) => `${option.long} ${value}`);
      });
      expect(unnamed).toEqual([]);
    });

    it('shows examples of it', () => {
      const examples = /```sh\n([\s\S]*?)```/.exec(section)?.[1] ?? '';
      const lines = examples.trim().split('\n');
      expect(lines.filter((line) => line.startsWith(path)).length).toBe(lines.length);
    });

    it('has the exit codes of the help', () => {
      const own = [...helpOf(command).matchAll(/^ {2}([034]) {2}/gm)].map(([, code]) => code);
      const unusual = own.filter((code) => code === '3' || code === '4');
      for (const code of unusual) expect(section).toMatch(new RegExp(`Exit codes:[^#]*\\b${code} `));
    });
  });

  it.each(commands.filter(({ command }) => command.commands.length === 0))(
    'need not repeat the usual exit codes of $path, because its help has them',
    ({ command }) => {
      expect(helpOf(command)).toMatch(/Exit codes:\n {2}0 {2}\S.*\n {2}1 {2}\S.*\n {2}2 {2}\S/);
    },
  );

  it('links its table to the sections', () => {
    const anchors = [...text.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor]) => anchor);
    const headings = [...text.matchAll(/^## (.+)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\w -]/g, '')
        .replaceAll(' ', '-'),
    );
    expect(anchors.filter((anchor) => !headings.includes(anchor ?? ''))).toEqual([]);
  });
});

/** The default as a row may write it: an empty text, `false` and an empty list are the absence of the flag. */
const defaultTexts = ({ defaultValue, defaultValueDescription }: Option): readonly string[] => {
  if (defaultValueDescription !== undefined) return [defaultValueDescription];
  return typeof defaultValue === 'string' && defaultValue !== '' ? [defaultValue] : [];
};

function helpOf(command: Command): string {
  let help = '';
  command.configureOutput({
    writeOut: (words) => {
      help += words;
    },
  });
  command.outputHelp();
  return help;
}
