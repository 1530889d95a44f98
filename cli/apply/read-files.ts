import type * as z from 'zod/mini';
import { type ManifestDocument, readDocuments } from '../../shared/capacity/manifests/documents.ts';
import { nearestOf } from '../../shared/capacity/manifests/field-names.ts';
import { fieldOf, messageOf, valueAt } from '../../shared/capacity/manifests/issues.ts';
import { problemText } from '../../shared/capacity/manifests/problem.ts';
import { whyBroken } from '../../shared/capacity/manifests/templating.ts';
import type { ManifestFile } from '../../shared/capacity/manifests/workload.ts';
import { compactRequest, podRequestOf } from '../../shared/capacity/pod-holds/pod-request.ts';
import { leadBounds } from '../../shared/capacity/schedules/bounds.ts';
import { type Declarations, type Declared, keyOf } from './declared.ts';
import { type Declaration, declaration } from './document.ts';
import { type Locator, locatorOf } from './line-of.ts';

export type FilesReading =
  | { readonly kind: 'declarations'; readonly declarations: Declarations }
  /** The mistakes of every file, each with its line and field; after 50 of them only how many more there are. */
  | { readonly kind: 'mistakes'; readonly mistakes: readonly string[] };

/** Reads the documents of the files. A mistake in one of them refuses all. Pure. */
export function readFiles(files: readonly ManifestFile[]): FilesReading {
  const { documents, problems } = readDocuments(files);
  const mistakes = problems.map(problemText);
  const records: Declared[] = [];
  const sets = new Set<string>();
  const clusters: { readonly name: string; readonly at: string }[] = [];
  for (const read of documents) {
    const document: LocatedDocument = { ...read, lineAt: locatorOf(read) };
    const parsed = declaration().safeParse(document.value);
    if (!parsed.success) {
      const template = whyBroken(document.text);
      if (template === undefined)
        for (const issue of parsed.error.issues) mistakes.push(...mistakesOf(document, issue));
      else mistakes.push(problemText({ ...document, message: template }));
      continue;
    }
    const { set, cluster } = parsed.data;
    sets.add(set);
    if (cluster !== undefined) clusters.push({ name: cluster, at: placeOf(document, ['cluster']) });
    for (const record of recordsOf(document, parsed.data)) records.push(record);
  }
  for (const mistake of doubled(records)) mistakes.push(mistake);
  if (mistakes.length > 0) return { kind: 'mistakes', mistakes: shortened(mistakes) };
  if (sets.size === 0) return { kind: 'mistakes', mistakes: ['the files have no document'] };
  return { kind: 'declarations', declarations: { records, sets, clusters } };
}

interface LocatedDocument extends ManifestDocument {
  readonly lineAt: Locator;
}

const placeOf = ({ file, lineAt }: LocatedDocument, path: readonly PropertyKey[]): string =>
  `${file}:${lineAt(path)}`;

/** A generator that is wrong is wrong in every record. */
const mostMistakes = 50;

const shortened = (mistakes: readonly string[]): readonly string[] =>
  mistakes.length <= mostMistakes
    ? mistakes
    : [...mistakes.slice(0, mostMistakes), `and ${mistakes.length - mostMistakes} more`];

function mistakesOf(document: LocatedDocument, issue: z.core.$ZodIssue): readonly string[] {
  const said = (path: readonly PropertyKey[], words: string): string =>
    [placeOf(document, path), fieldOf(path), words].filter(Boolean).join(': ');
  if (issue.code !== 'unrecognized_keys') return [said(issue.path, wordsFor(issue, document.value))];
  const known = knownAt(issue.path);
  return issue.keys.map((key) => {
    const near = nearestOf(key, known);
    return said([...issue.path, key], unknownField(key, near));
  });
}

function unknownField(key: string, near: string | undefined): string {
  if (key === 'durationSeconds')
    return 'is not a field of a hold, because it would count from each apply: write until';
  return near === undefined ? 'is not a field' : `is not a field: did you mean ${near}?`;
}

function wordsFor(issue: z.core.$ZodIssue, document: unknown): string {
  const value = valueAt(document, issue.path);
  if (value === null) return 'is empty: write [] for an empty list, or leave it out';
  if (issue.code === 'invalid_union')
    return `must be measured, or seconds from ${leadBounds.minimum} to ${leadBounds.maximum}`;
  if (issue.code === 'invalid_format') return `must be ${formats[issue.format] ?? issue.format}`;
  return messageOf(issue, value);
}

const formats: Readonly<Record<string, string>> = {
  datetime: 'a time with its offset, such as 2026-11-24T18:00:00+01:00',
  date: 'a date, such as 2026-12-25',
  regex: 'letters, digits, dots, dashes and underscores, 63 at most',
};

/** The fields of the object at a path, for the message about one that is unknown. */
function knownAt([list, , ...deeper]: readonly PropertyKey[]): ReadonlySet<string> {
  const { shape } = declaration();
  if (list === undefined) return new Set(Object.keys(shape));
  if (deeper.length > 0) return new Set();
  const item = list === 'holds' ? shape.holds : shape.schedules;
  return new Set(Object.keys(item.def.innerType.def.element.shape));
}

function recordsOf(
  document: LocatedDocument,
  { set, holds = [], schedules = [] }: Declaration,
): readonly Declared[] {
  return [
    ...holds.map(
      ({ nodes = 0, pods, until, raiseMaxSize = false, ...hold }, index): Declared => ({
        kind: 'hold',
        ...hold,
        nodes,
        ...(pods && { pods: compactRequest(podRequestOf(pods)) }),
        until: Math.ceil(Date.parse(until) / 1000) * 1000,
        raiseMaxSize,
        set,
        at: placeOf(document, ['holds', index]),
      }),
    ),
    ...schedules.map(
      (
        { nodes = 0, pods, timeZone = 'UTC', lead = 'measured', exceptions = [], ...schedule },
        index,
      ): Declared => ({
        kind: 'schedule',
        ...schedule,
        nodes,
        ...(pods && { pods: compactRequest(podRequestOf(pods)) }),
        timeZone,
        lead,
        exceptions: [...new Set(exceptions)].sort(),
        raiseMaxSize: schedule.raiseMaxSize ?? false,
        set,
        at: placeOf(document, ['schedules', index]),
      }),
    ),
  ];
}

/** The same record at two places: the later one would silently win. */
function doubled(records: readonly Declared[]): readonly string[] {
  const first = new Map<string, Declared>();
  return records.flatMap((record) => {
    const before = first.get(keyOf(record));
    if (before === undefined) first.set(keyOf(record), record);
    return before === undefined ? [] : [`${record.at}: ${keyOf(record)} is declared at ${before.at} already`];
  });
}
