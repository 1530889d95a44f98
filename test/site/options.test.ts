import { describe, expect, it } from 'vitest';
import { readOptions } from '../../scripts/site/options.ts';

describe('the options of npm run site', () => {
  it('build without serving, and without the address of a repository', () => {
    expect(readOptions([])).toEqual({ help: false, repository: undefined, port: undefined });
  });

  it.each([
    [['--serve'], 0],
    [['--serve', '--port', '8080'], 8080],
    [['--port', '8080'], undefined],
  ])('%j serve on port %s', (args, port) => {
    expect(readOptions(args).port).toBe(port);
  });

  it.each([
    ['https://git.example/team/drover/blob/main', 'https://git.example/team/drover/blob/main/'],
    ['http://git.example/drover/', 'http://git.example/drover/'],
  ])('take the repository %s as %s', (given, used) => {
    expect(readOptions(['--repository', given]).repository).toBe(used);
  });

  it.each(['git@git.example:team/drover', 'javascript:alert(1)', 'drover', ''])(
    'refuse the repository %j',
    (given) => {
      expect(() => readOptions(['--repository', given])).toThrow(/is not an address: give one as https:/);
    },
  );

  it.each(['65536', 'http', '-1', '80.5'])('refuse the port %s', (port) => {
    expect(() => readOptions([`--port=${port}`])).toThrow(`--port ${port} is not a port`);
  });

  it('name an unknown option, and list the known ones', () => {
    expect(() => readOptions(['--watch'])).toThrow(/--watch[\s\S]*--repository URL/);
  });
});
