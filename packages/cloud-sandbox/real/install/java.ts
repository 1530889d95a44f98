import { join } from 'node:path';
import { java } from '../programs.ts';
import { type Installation, runIn } from './install.ts';

/** Jars into one folder, which is the class path. */
export const javaInstallation: Installation = {
  what: java,
  takes: 'half a minute from Maven Central',
  needs: ['java', 'mvn'],
  put: (directory) => {
    const pom = join(import.meta.dirname, '..', 'java', 'pom.xml');
    runIn(directory, [
      'mvn',
      '-q',
      '-B',
      '-f',
      pom,
      'dependency:copy-dependencies',
      `-DoutputDirectory=${directory}`,
    ]);
  },
};
