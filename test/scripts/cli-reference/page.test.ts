import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type DocumentedCommand, documentedCommands } from '../../../scripts/cli-reference/commands.ts';
import { cliReference } from '../../../scripts/cli-reference/page.ts';

const page = readFileSync('docs/cli.md', 'utf8');
const hold: DocumentedCommand = {
  path: 'drover hold create',
  heading: 'drover hold create GROUP NODES',
  flags: [
    { long: '--until', spelled: '`--until TIME`', help: 'the end' },
    { long: '--json', spelled: '`--json`', help: 'print JSON' },
  ],
};
const head = '| flag | meaning |\n|---|---|';

describe('docs/cli.md', () => {
  it('is what `npm run cli-reference` writes', () => {
    expect(cliReference(page)).toBe(page);
  });

  it('has a section for each of the commands', () => {
    const headings = [...page.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
    expect(new Set(headings)).toEqual(new Set(documentedCommands().map(({ heading }) => heading)));
  });
});

describe('the reference that is generated', () => {
  it('spells flags and arguments as the command does, and keeps the prose', () => {
    const old = `# Top\n\n## drover hold create NAME\n\nProse \`--x\`.\n\n| flag | |\n|---|---|\n| \`--until\` | until when \\| or not |\n| \`--json\` | an object |\n\nExit codes: 0.\n`;
    expect(cliReference(old, [hold])).toBe(
      `# Top\n\n## drover hold create GROUP NODES\n\nProse \`--x\`.\n\n${head}\n| \`--until TIME\` | until when \\| or not |\n| \`--json\` | an object |\n\nExit codes: 0.\n`,
    );
  });

  it('gives a new flag the words of the help, and drops one that is gone', () => {
    const old = `# Top\n\n## drover hold create GROUP NODES\n\n${head}\n| \`--gone\` | was here |\n| \`--json\` | an object |\n`;
    expect(cliReference(old, [hold])).toBe(
      `# Top\n\n## drover hold create GROUP NODES\n\n${head}\n| \`--json\` | an object |\n| \`--until TIME\` | the end |\n`,
    );
  });

  it('drops a flag that is gone from a row that it shares', () => {
    const old = `# Top\n\n## drover hold create GROUP NODES\n\n${head}\n| \`--json\`, \`--gone\`, \`--until\` | both |\n`;
    expect(cliReference(old, [hold])).toContain('| `--json`, `--until TIME` | both |');
  });

  it('adds the section of a new command, and drops that of one that is gone', () => {
    const made = cliReference('# Top\n\n## drover gone\n\nWords.\n', [hold]);
    expect(made).toBe(
      `# Top\n\n## drover hold create GROUP NODES\n\n${head}\n| \`--until TIME\` | the end |\n| \`--json\` | print JSON |\n`,
    );
  });

  it('has no table for a command without flags', () => {
    const old = `# Top\n\n## drover hold create GROUP NODES\n\n${head}\n| \`--json\` | an object |\n\nEnd.\n`;
    expect(cliReference(old, [{ ...hold, flags: [] }])).toBe(
      '# Top\n\n## drover hold create GROUP NODES\n\n\nEnd.\n',
    );
  });

  it('changes nothing when it runs twice', () => {
    const once = cliReference(page.replace('| `--wait DURATION` |', '| `--wait` |'));
    expect(cliReference(once)).toBe(once);
  });
});
