import { renameSync } from 'node:fs';
import { join } from 'node:path';
import type { Installed } from '../installed.ts';
import { type Installation, runIn } from './install.ts';

export interface GoPrograms {
  readonly what: Installed;
  readonly takes: string;
  /** The folder of a go.mod of our own beside this one: modules with replace lines cannot be installed otherwise. */
  readonly module: string;
  /** The file in that folder that pins the modules. Defaults to go.mod. */
  readonly modfile?: string;
  /** By the name of the program: the package that it is built of. */
  readonly programs: Readonly<Record<string, string>>;
  /** Variables that say which version it is, with their values. */
  readonly variables?: Readonly<Record<string, string>>;
}

/** Programs built from the Go module proxy, at the versions that go.sum holds. */
export const goPrograms = ({
  what,
  takes,
  module,
  modfile = 'go.mod',
  programs,
  variables = {},
}: GoPrograms): Installation => ({
  what,
  takes,
  needs: ['go'],
  put: (directory) => {
    const flags = [
      '-s',
      '-w',
      ...Object.entries(variables).flatMap(([name, value]) => ['-X', `${name}=${value}`]),
    ];
    const into = join(directory, 'bin');
    // One command for all, so that the slow part, linking, is done side by side. What a debugger would read is left out (`-s -w`):
    // not to write it in the first place is a twelfth of the time.
    const compiler = ['-trimpath', '-gcflags', 'all=-dwarf=false'];
    const command = [
      'go',
      'build',
      `-modfile=${modfile}`,
      ...compiler,
      '-ldflags',
      flags.join(' '),
      '-o',
      `${into}/`,
    ];
    runIn(join(import.meta.dirname, '..', module), [...command, ...Object.values(programs)], {
      CGO_ENABLED: '0',
      GOFLAGS: '-mod=readonly',
    });
    for (const [program, path] of Object.entries(programs))
      renameSync(join(into, nameByGo(path)), join(into, program));
  },
});

/** The last part of the path that is not a major version. */
const nameByGo = (path: string): string => path.replace(/\/v\d+$/, '').replace(/^.*\//, '');
