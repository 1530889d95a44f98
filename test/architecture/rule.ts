import type { SourceFile } from './source-files.ts';

/** What a kind of file may not do. */
export interface Rule {
  readonly sentence: string;
  /** The files that the rule is about. */
  readonly covers: (path: string) => boolean;
  /** The files among them that may do it. The test fails if one of them does not. */
  readonly except?: readonly string[];
  /** What the file does that it may not: an import, or a piece of its code. */
  readonly breaches: (file: SourceFile) => readonly string[];
  /** Sources that the rule must find fault with: path and code. */
  readonly wrong: readonly (readonly [path: string, code: string])[];
  /** Sources that come near and are fine. */
  readonly fine?: readonly (readonly [path: string, code: string])[];
}

export const importing =
  (isForbidden: (target: string, path: string) => boolean) =>
  ({ path, imports }: SourceFile): readonly string[] =>
    imports.filter((target) => isForbidden(target, path));

export const writing =
  (pattern: RegExp) =>
  ({ code }: SourceFile): readonly string[] =>
    [...code.matchAll(new RegExp(pattern, 'g'))].map(([found]) => found);

/** `file: what it does`, for each breach of the rule. */
export const faultsOf = (rule: Rule, files: readonly SourceFile[]): readonly string[] =>
  files
    .filter(({ path }) => rule.covers(path) && !rule.except?.includes(path))
    .flatMap((file) => rule.breaches(file).map((breach) => `${file.path}: ${breach}`));
