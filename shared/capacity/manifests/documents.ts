import { doubledJsonKey } from './json-keys.ts';
import type { ManifestProblem } from './problem.ts';
import { whyBroken } from './templating.ts';
import type { ManifestFile } from './workload.ts';
import { parseYamlDocument, type YamlBudget } from './yaml-document.ts';

/** One document of a file, parsed but not checked. */
export interface ManifestDocument {
  readonly file: string;
  readonly document: number;
  readonly value: unknown;
  /** The text that it was parsed from. */
  readonly text: string;
  /** The number of its first line in the file. */
  readonly line: number;
}

/** The documents of files, and why others could not be read. */
export interface DocumentsReading {
  readonly documents: readonly ManifestDocument[];
  /** How many CustomResourceDefinitions were skipped unread. */
  readonly definitions: number;
  readonly problems: readonly ManifestProblem[];
}

const mebibyte = 1024 * 1024;

/** The bundle of a large operator has 4 MiB, nearly all of it CustomResourceDefinitions. A list of thousands of objects of a cluster has more, in JSON. */
const longestText = 16 * mebibyte;

/** Splits files into documents and parses them, within limits of size, aliases and depth. */
export function readDocuments(files: readonly ManifestFile[]): DocumentsReading {
  const documents: ManifestDocument[] = [];
  const problems: ManifestProblem[] = [];
  let definitions = 0;
  let left = longestText;
  const budget: YamlBudget = { tokens: 0, anchors: 0 };
  for (const file of files) {
    left -= file.text.length;
    const unreadable = whyUnreadable(file.text, left);
    if (unreadable !== undefined) {
      problems.push({ file: file.name, message: unreadable });
      continue;
    }
    const parts = partsOf(file.text);
    if (parts.length === 0) problems.push({ file: file.name, message: 'has no objects: it is empty' });
    for (const [index, { text, line }] of parts.entries()) {
      if (isDefinition(text)) {
        definitions += 1;
        continue;
      }
      const place = { file: file.name, document: index + 1 };
      const parsed = parsePart(text, { line, budget });
      if ('problem' in parsed) problems.push({ ...place, message: whyBroken(text) ?? parsed.problem });
      else if (isDeeper(parsed.value, mostLevels))
        problems.push({ ...place, message: `is nested deeper than ${mostLevels} levels` });
      else if (parsed.value != null) documents.push({ ...place, value: parsed.value, text, line });
    }
  }
  return { documents, definitions, problems };
}

/** A manifest has about twenty levels. */
const mostLevels = 200;

/** Whether a value has more levels, as one that contains itself by an alias. */
const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((part) => isDeeper(part, levels - 1)));

function whyUnreadable(text: string, left: number): string | undefined {
  if (left < 0) return `is too large: all files together may have ${longestText / mebibyte} MiB`;
  if (/^(?:\uFFFD\uFFFD|\uFEFF?[^\0]?\0)/.test(text)) return 'is UTF-16: save it as UTF-8';
  // Control characters that YAML forbids: an archive, an image or a program.
  return /[^\P{Cc}\s\u007F-\u009F]/u.test(text) ? 'is a binary file, not YAML or JSON' : undefined;
}

interface Part {
  readonly text: string;
  /** The number of its first line in the file. */
  readonly line: number;
}

/** As in kubectl, a line that begins with `---` ends a document wherever it is. Parts without anything but comments are left out. */
function partsOf(whole: string): readonly Part[] {
  const parts: { lines: string[]; line: number }[] = [{ lines: [], line: 1 }];
  const lines = whole.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/);
  for (const [index, line] of lines.entries()) {
    if (/^---(?:\s|$)/.test(line)) parts.push({ lines: [line.slice(3)], line: index + 1 });
    else parts.at(-1)?.lines.push(line);
  }
  return parts
    .filter(({ lines: own }) => own.some((line) => !/^\s*(?:#|%|\.\.\.\s*$|$)/.test(line)))
    .map(({ lines: own, line }) => ({ text: own.join('\n'), line }));
}

/** CustomResourceDefinitions are most of the text of many manifests, and have no pods: they are not parsed. */
function isDefinition(text: string): boolean {
  const kinds = text.match(/^kind:.*$/gm) ?? [];
  return kinds.length === 1 && /^kind:[ \t]*["']?CustomResourceDefinition["']?[ \t]*(?:#.*)?$/.test(kinds[0]);
}

type Parsed = { readonly value: unknown } | { readonly problem: string };

/** JSON is YAML too, but its own parser is many times faster. */
function parsePart(text: string, options: { readonly line: number; readonly budget: YamlBudget }): Parsed {
  if (/^\s*\{/.test(text)) {
    const parsed = parseJsonPart(text);
    if (parsed !== undefined) return parsed;
  }
  return parseYamlDocument(text, options);
}

function parseJsonPart(text: string): Parsed | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    // Not JSON: the YAML parser reads it, or says what is wrong.
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
  const doubled = doubledJsonKey(text);
  return doubled === undefined ? { value } : { problem: `the key ${doubled} is there twice` };
}
