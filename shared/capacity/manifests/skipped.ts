import type { ManifestObject } from './objects.ts';
import { identityIn } from './owners.ts';

/** Objects without pods on which pods depend in a way that a plan does not know. */
const consequences: ReadonlyMap<string, string> = new Map([
  ['LimitRange', 'may add requests to pods of its namespace, which are not counted'],
  ['ResourceQuota', 'may refuse pods of its namespace, which is not counted'],
  ['MutatingWebhookConfiguration', 'may change pods, such as by adding a sidecar, which is not counted'],
  [
    'DaemonSet',
    'comes with each node that it matches: its pods take room there, and are not planned themselves',
  ],
]);

/** What was not planned, and what that means: one note for each kind. */
export function notesOnSkipped(objects: readonly ManifestObject[], definitions: number): readonly string[] {
  const counts = new Map<string, number>(definitions > 0 ? [['CustomResourceDefinition', definitions]] : []);
  const named = new Map<string, { readonly names: string[]; readonly note: string }>();
  for (const object of objects) {
    const { kind, apiVersion, meaning } = object;
    const note = meaning.meaning === 'foreign' ? meaning.note : consequences.get(kind);
    if (meaning.meaning === 'no pods' || meaning.meaning === 'autoscaler')
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
    if (note === undefined) continue;
    const label = meaning.meaning === 'foreign' ? `${kind} of ${apiVersion}` : kind;
    const known = named.get(label) ?? { names: [], note };
    known.names.push(identityIn(object).name);
    named.set(label, known);
  }
  const list = [...counts].map(([kind, count]) => `${count} ${kind}`).toSorted();
  return [
    ...[...named].map(([label, { names, note }]) => `${label} ${someOf(names)}: ${note}`),
    ...(list.length > 0 ? [`skipped, without pods: ${list.join(', ')}`] : []),
  ];
}

const mostNames = 5;

const someOf = (names: readonly string[]): string => {
  const shown = names.slice(0, mostNames).join(', ');
  return names.length > mostNames ? `${shown} and ${names.length - mostNames} more` : shown;
};
