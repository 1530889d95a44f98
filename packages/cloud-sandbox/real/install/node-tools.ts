import { copyFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { nodeTools } from '../programs.ts';
import { type Installation, runIn } from './install.ts';

/** aws-lambda-ric builds its native part: against the headers of the Node that runs this. */
export const nodeToolsInstallation: Installation = {
  what: nodeTools,
  takes: 'a minute or two: aws-lambda-ric compiles',
  debianPackages: 'autoconf automake libtool cmake g++ make python3',
  needs: ['npm', 'autoconf', 'automake', 'libtoolize', 'cmake', 'g++', 'make', 'python3'],
  put: (directory) => {
    for (const file of ['package.json', 'package-lock.json'])
      copyFileSync(join(import.meta.dirname, '..', 'node-tools', file), join(directory, file));
    runIn(directory, ['npm', 'ci', '--silent', '--no-audit', '--no-fund'], {
      npm_config_nodedir: dirname(dirname(process.execPath)),
    });
  },
};
