import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ansible } from '../programs.ts';
import { type Installation, runIn } from './install.ts';

const requirements = (name: string): string => join(import.meta.dirname, '..', 'python', name);

/** The collections that playbooks of ours use. The package has a hundred, which take half a gigabyte. */
const collections = ['amazon/aws', 'community/aws', 'kubernetes/core'];

/** ansible-core in a virtual environment of its own, and the collections in a folder that it reads by default. */
export const ansibleInstallation: Installation = {
  what: ansible,
  takes: 'a minute from PyPI',
  needs: ['python3'],
  put: (directory) => {
    const pip = (command: string, ...options: readonly string[]): void =>
      runIn(directory, ['bin/pip', command, '--quiet', '--disable-pip-version-check', ...options]);
    runIn(directory, ['python3', '-m', 'venv', '.']);
    pip('install', '--requirement', requirements('ansible.txt'));
    const scratch = ['download', '--no-deps', '--only-binary', ':all:', '--dest', 'wheel'] as const;
    pip(...scratch, '--requirement', requirements('ansible-collections.txt'));
    const [wheel = ''] = readdirSync(join(directory, 'wheel'));
    const [library = ''] = readdirSync(join(directory, 'lib'));
    runIn(directory, [
      'bin/python3',
      '-c',
      unpack,
      join('wheel', wheel),
      join('lib', library, 'site-packages'),
    ]);
    rmSync(join(directory, 'wheel'), { recursive: true });
  },
};

const unpack = `
import sys, zipfile
wheel = zipfile.ZipFile(sys.argv[1])
wheel.extractall(sys.argv[2], [name for name in wheel.namelist() if name.startswith(${JSON.stringify(
  collections.map((name) => `ansible_collections/${name}/`),
).replace(/^\[(.*)\]$/, '($1,)')})])
`;
