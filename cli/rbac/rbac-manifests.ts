import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** deploy/rbac.yaml. The bundle of the CLI contains its text instead of this module. */
export const rbacManifests = (): Promise<string> =>
  readFile(join(import.meta.dirname, '..', '..', 'deploy', 'rbac.yaml'), 'utf8');
