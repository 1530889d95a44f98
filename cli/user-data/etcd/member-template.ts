import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The script that starts a member, without its settings. The bundle contains its text instead of this module: `scripts/build/cli.ts`. */
export const memberTemplate = async (): Promise<string> =>
  await readFile(join(import.meta.dirname, 'member.sh'), 'utf8');
