import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { cloudInit } from '../programs.ts';
import { type Installation, runIn } from './install.ts';

const requirements = join(import.meta.dirname, '..', 'python', 'cloud-init.txt');

/** cloud-init and shellcheck out of their packages, which are not installed, and a virtual environment for what cloud-init imports. */
export const cloudInitInstallation: Installation = {
  what: cloudInit,
  takes: "a moment, from Debian's packages and PyPI",
  needs: ['apt-get', 'dpkg-deb', 'python3'],
  put: (directory) => {
    const scratch = join(directory, 'packages');
    mkdirSync(scratch);
    runIn(scratch, ['apt-get', 'download', '-q', 'cloud-init', 'shellcheck']);
    for (const archive of readdirSync(scratch)) runIn(scratch, ['dpkg-deb', '-x', archive, directory]);
    rmSync(scratch, { recursive: true });
    runIn(directory, ['python3', '-m', 'venv', 'venv']);
    const pip = ['venv/bin/pip', 'install', '--quiet', '--disable-pip-version-check'];
    runIn(directory, [...pip, '--requirement', requirements]);
  },
};
