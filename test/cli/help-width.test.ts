import { describe, expect, it } from 'vitest';
import { contextOn, thisMachine } from '../../cli/context.ts';
import { helpFor } from '../../cli/help-width.ts';
import { createProgram } from '../../cli/program.ts';

describe('help on a narrow terminal', () => {
  it('breaks prose at spaces, and leaves short lines as they are', () => {
    expect(helpFor(20, 'Asks the API server for a token.\n\nExamples:\n')).toBe(
      'Asks the API server\nfor a token.\n\nExamples:\n',
    );
  });

  it('has an explanation below its example, which stays in one line', () => {
    expect(helpFor(30, '  drover kubeconfig --cluster prod      every day, as an administrator')).toBe(
      '  drover kubeconfig --cluster prod\n      every day, as an\n      administrator',
    );
    const command = `  drover hold create workers 30 --for 1h --raise-max-size`;
    expect(helpFor(30, command)).toBe(command);
  });

  it('loses no word', () => {
    const text =
      '  0  done, or nothing is left to do\n  drover a --b c   says what is done\nOne two three four five six';
    for (let columns = 1; columns < 60; columns += 1)
      expect(helpFor(columns, text).split(/\s+/)).toEqual(text.split(/\s+/));
  });

  it('is what every command prints: its prose fits 80 columns', async () => {
    const lines: string[] = [];
    const context = contextOn({
      ...thisMachine(),
      stdout: { write: (text) => void lines.push(...text.split('\n')), isTerminal: true, columns: 80 },
    });
    for (const name of createProgram(context).commands.map((command) => command.name()))
      await createProgram(context)
        .parseAsync([name, '--help'], { from: 'user' })
        .catch(() => undefined);
    expect(lines.length).toBeGreaterThan(500);
    expect(lines.filter((line) => line.length > 80 && !line.startsWith(' '))).toEqual([]);
  });
});
