import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { uncommented } from '../nodes/boot-script.ts';

/** The script that starts a member, without its settings. The bundle contains its text instead of this module: `scripts/build/cli.ts`. */
export const memberTemplate = async (): Promise<string> =>
  uncommented(await readFile(join(import.meta.dirname, 'member.sh'), 'utf8'));
