import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { memberTemplate } from '../etcd/member-template.ts';

const names = [
  'metadata',
  'credential',
  'script',
  'kubeadm',
  'beside',
  's3',
  'openshift',
  'leave-pool',
] as const;

/** The shell parts of user data, without their settings, and the script that starts a member of etcd. `boot-script.ts` puts them together. */
export type BootScripts = Readonly<Record<(typeof names)[number] | 'member', string>>;

/** The bundle contains their texts instead of this module: `scripts/build/cli.ts`. */
export async function bootScripts(): Promise<BootScripts> {
  const read = async (name: string) =>
    [name, await readFile(join(import.meta.dirname, 'boot', `${name}.sh`), 'utf8')] as const;
  const parts = Object.fromEntries(await Promise.all(names.map(read))) as Record<
    (typeof names)[number],
    string
  >;
  return { ...parts, member: await memberTemplate() };
}
