import { type Part, parts } from './parts.ts';

/** What a cluster needs of the manifests in `deploy`. */
export interface Selection {
  readonly without: readonly Part[];
  /** False: Drover signs in with IAM or a certificate, so a ServiceAccount would be one more way in. */
  readonly hasServiceAccount: boolean;
}

const separator = /^---\n/m;

/** As deploy/rbac.yaml writes each subject that is the ServiceAccount. */
const serviceAccountSubject = / {2}- kind: ServiceAccount\n {4}name: drover\n {4}namespace: kube-system\n/g;

/** The documents of YAML without those of the parts that are left out. The text of the others, with its comments, stays. Pure. */
export function selectManifests(yaml: string, { without, hasServiceAccount }: Selection): string {
  const left = new Set<string>(without.flatMap((part) => parts[part]));
  const kept = yaml.split(separator).filter((document) => !left.has(nameIn(document)));
  return (hasServiceAccount ? kept : kept.flatMap(withoutServiceAccount)).join('---\n');
}

/** The policies of deploy/admission.yaml with these names, and their bindings. Pure. */
export const selectPolicies = (yaml: string, names: ReadonlySet<string>): string =>
  yaml
    .split(separator)
    .filter((document) => names.has(nameIn(document)))
    .join('---\n');

const nameIn = (document: string): string => /^ {2}name: (\S+)$/m.exec(document)?.[1] ?? '';

/** The first document is the ServiceAccount: the comment above it is that of the whole file. */
const withoutServiceAccount = (document: string): readonly string[] =>
  /^kind: ServiceAccount$/m.test(document) ? [] : [document.replaceAll(serviceAccountSubject, '')];
