import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** deploy/admission.yaml. The bundle of the CLI contains its text instead of this module. */
export const admissionManifests = (): Promise<string> =>
  readFile(join(import.meta.dirname, '..', '..', 'deploy', 'admission.yaml'), 'utf8');
