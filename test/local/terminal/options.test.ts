import { expect, test } from 'vitest';
import { readCommandLine } from '../../../local/terminal/options.ts';

test('without flags the sandbox tells a story at speed 1', () => {
  expect(readCommandLine([])).toEqual({
    kind: 'run',
    options: {
      speed: 1,
      seed: 1,
      basePort: 4566,
      story: true,
      json: false,
      environmentFile: '.drover/environment.json',
    },
  });
});

test('every flag sets its option', () => {
  const args = ['--speed', '2.5', '--seed=7', '--no-story', '--port', '0', '--json', '--environment=e'];
  expect(readCommandLine(args)).toEqual({
    kind: 'run',
    options: { speed: 2.5, seed: 7, basePort: 0, story: false, json: true, environmentFile: 'e' },
  });
  expect(readCommandLine(['-h']).kind).toBe('help');
});

test.each([
  [['--speed', '0'], '--speed takes a number from 0.1 to 100, not "0"'],
  [['--speed', ''], '--speed takes a number from 0.1 to 100, not ""'],
  [['--speed', 'fast'], '--speed takes a number from 0.1 to 100, not "fast"'],
  [['--seed', '1.5'], '--seed takes a whole number from 0 to 4294967295, not "1.5"'],
  [['--port', '65529'], '--port takes a whole number from 0 to 65528, not "65529"'],
  [['--port', '-1'], /--port/],
  [['--sped', '2'], /--sped/],
  [['fast'], /fast/],
  [['--no-story=yes'], /--no-story/],
] as const)('what makes no sense is said: %j', (args, message) => {
  const read = readCommandLine(args);
  expect(read).toMatchObject({ kind: 'wrong' });
  expect('message' in read ? read.message : '').toMatch(message);
});
