import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import type { Files } from './folder.ts';
import { namesOf } from './inspect/names-of.ts';
import {
  apiServerPath,
  authorities,
  etcdServerPath,
  filesOf,
  type Leaf,
  leavesFor,
  type PkiNames,
  serviceAccountPath,
  usualApiServerNames,
} from './layout.ts';

export interface PlanInput {
  /** What of the files is there. */
  readonly present: Files;
  readonly names: PkiNames;
  /** Keeps the authorities and the key of service accounts, and replaces the certificates. */
  readonly renew: boolean;
  /** Of `renew`: the paths of certificates; empty: all. */
  readonly only: readonly string[];
}

export type PkiPlan =
  | { readonly kind: 'refuse'; readonly reason: string }
  | {
      readonly kind: 'make';
      readonly makesAuthorities: boolean;
      readonly makesServiceAccountKey: boolean;
      readonly leaves: readonly Leaf[];
    };

/** What has to be made; a folder that holds anything of it is left alone unless it is to be renewed. Pure. */
export function planPki({ present, names, renew, only }: PlanInput): PkiPlan {
  const leaves = leavesFor(names);
  if (!renew) {
    const there = filesOf(names).filter((path) => present.has(path));
    return there.length > 0
      ? refuse(
          `${listed(there)} would be overwritten: --renew keeps the authorities and replaces the rest; --out writes to another folder`,
        )
      : { kind: 'make', makesAuthorities: true, makesServiceAccountKey: true, leaves };
  }
  const unknown = only.filter((path) => leaves.every((leaf) => leaf.path !== path));
  if (unknown.length > 0)
    return refuse(
      `there is no certificate ${unknown.join(', ')}: the paths are ${leaves.map(({ path }) => path).join(', ')}`,
    );
  const chosen = leaves.filter(({ path }) => only.length === 0 || only.includes(path));
  const missing = missingAuthorityFiles(present, chosen);
  if (missing.length > 0)
    return refuse(
      `${missing.join(', ')} not found: a renewal keeps the authorities and needs their certificates and keys`,
    );
  const makesServiceAccountKey = only.length === 0 && !present.has(`${serviceAccountPath}.key`);
  return { kind: 'make', makesAuthorities: false, makesServiceAccountKey, leaves: chosen };
}

const refuse = (reason: string): PkiPlan => ({ kind: 'refuse', reason });

const listed = (paths: readonly string[]): string =>
  paths.length > 3 ? `${paths.slice(0, 3).join(', ')} and ${paths.length - 3} more` : paths.join(', ');

const missingAuthorityFiles = (present: Files, leaves: readonly Leaf[]): readonly string[] =>
  authorities
    .filter(({ path }) => leaves.some(({ issuer }) => issuer === path))
    .flatMap(({ path }) => [`${path}.crt`, `${path}.key`])
    .filter((path) => !present.has(path));

/** The names that the certificates which are there were made out for. */
export function namesMadeFor(present: Files): {
  readonly domain?: string;
  readonly apiServerNames?: readonly string[];
} {
  const etcd = namesIn(present.get(`${etcdServerPath}.crt`));
  const domain = etcd.find((name) => isIP(name) === 0 && etcd.includes(`*.${name}`));
  const apiServer = namesIn(present.get(`${apiServerPath}.crt`));
  const apiServerNames = apiServer.filter((name) => !usualApiServerNames.includes(name));
  return { ...(domain !== undefined && { domain }), ...(apiServerNames.length > 0 && { apiServerNames }) };
}

function namesIn(certificate: string | undefined): readonly string[] {
  if (certificate === undefined) return [];
  try {
    return namesOf(new X509Certificate(certificate));
  } catch {
    // A file that is not a certificate has no names; the renewal replaces it.
    return [];
  }
}
