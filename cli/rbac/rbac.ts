import type { CliContext } from '../context.ts';
import { type Part, parts } from './parts.ts';
import { rbacManifests } from './rbac-manifests.ts';

export interface RbacFlags {
  readonly without?: readonly Part[];
}

/** Prints the manifests, without the parts that are left out. */
export async function printRbac({ without = [] }: RbacFlags, { stdout }: CliContext): Promise<void> {
  const left = new Set<string>(without.flatMap((part) => parts[part]));
  const documents = (await rbacManifests()).split(/^---\n/m);
  const kept = documents.filter((document) => !left.has(/^ {2}name: (\S+)$/m.exec(document)?.[1] ?? ''));
  stdout.write(kept.join('---\n'));
}
