import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** As the file says that they are installed by: `AWS CLI 1.46.3`. */
export function versionOf(name: string): string {
  const file = join(import.meta.dirname, '../../../real/python/clients.txt');
  const [, version] = new RegExp(`^${name}==(\\S+)`, 'm').exec(readFileSync(file, 'utf8')) ?? [];
  if (version === undefined) throw new Error(`${file} names no version of ${name}`);
  return version;
}
