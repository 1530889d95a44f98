import { join } from 'node:path';
import type { Installed } from '../installed.ts';
import { type Installation, runIn } from './install.ts';

/** A virtual environment of its own. */
export const pythonPackages = (what: Installed, requirements: string): Installation => ({
  what,
  takes: 'half a minute from PyPI',
  needs: ['python3'],
  put: (directory) => {
    const file = join(import.meta.dirname, '..', 'python', requirements);
    runIn(directory, ['python3', '-m', 'venv', '.']);
    runIn(directory, ['bin/pip', 'install', '--quiet', '--disable-pip-version-check', '--requirement', file]);
  },
});
