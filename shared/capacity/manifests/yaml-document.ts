import {
  type Document,
  isScalar,
  Lexer,
  LineCounter,
  parseDocument,
  type ScalarTag,
  type Tags,
  visit,
  type YAMLError,
} from 'yaml';
import { messageOf } from '../../base/message-of.ts';

/** What was used of the limits, over all documents of one reading. */
export interface YamlBudget {
  tokens: number;
  anchors: number;
}

/** The library takes half a second and a tenth of a gigabyte for 200,000 tokens, which are 450 KB of ordinary manifests. */
const mostTokens = 1_500_000;

/** The library compares every alias with every anchor. */
const mostAnchors = 1000;

/** How often aliases may repeat the text of one anchor, nested ones multiplied: a short text can expand into a huge one. */
const mostAliases = 100;

type Parsed = { readonly value: unknown } | { readonly problem: string };

/**
 * Parses one document as kubectl does: YAML 1.1 with its `yes` and `off`, octal numbers and merge keys, but without its dates and sexagesimal
 * numbers. A key that is there twice is a problem. Messages have the line in the file.
 */
export function parseYamlDocument(
  text: string,
  { line, budget }: { readonly line: number; readonly budget: YamlBudget },
): Parsed {
  const expensive = whyExpensive(text, budget);
  if (expensive !== undefined) return { problem: expensive };
  const lines = new LineCounter();
  const lineOf = (offset: number): number => line - 1 + lines.linePos(offset).line;
  try {
    const document = parseDocument(text, {
      version: '1.1',
      customTags,
      lineCounter: lines,
      logLevel: 'silent',
      prettyErrors: false,
      // The library compares each key with all others.
      uniqueKeys: false,
    });
    const [error] = document.errors;
    if (error) return { problem: `line ${lineOf(error.pos[0])}: ${messageOfYaml(error)}` };
    const doubled = doubledKey(document);
    if (doubled) return { problem: `line ${lineOf(doubled.offset)}: the key ${doubled.key} is there twice` };
    return { value: document.toJS({ maxAliasCount: mostAliases }) as unknown };
  } catch (cause) {
    return { problem: `cannot be read as YAML: ${messageOf(cause)}` };
  }
}

/** Values such as 12:30:45 and 2026-01-01 are texts, as in the parser of kubectl. */
const customTags = (tags: Tags): Tags =>
  tags.filter(
    (tag) =>
      typeof tag === 'string' ||
      ((tag as ScalarTag).format !== 'TIME' && tag.tag !== 'tag:yaml.org,2002:timestamp'),
  );

/** The library's own messages, but for the mistakes that people make most. */
function messageOfYaml({ code, message }: YAMLError): string {
  if (code === 'TAB_AS_INDENT') return 'YAML is indented with spaces, and here is a tab';
  return `is not YAML: ${message.split('\n')[0]}`;
}

function whyExpensive(text: string, budget: YamlBudget): string | undefined {
  for (const token of new Lexer().lex(text)) {
    budget.tokens += 1;
    if (/^[&*]/.test(token)) budget.anchors += 1;
    if (budget.anchors > mostAnchors) return `has more than ${mostAnchors} anchors and aliases`;
    if (budget.tokens > mostTokens) return 'is too large: give fewer files, or JSON instead of YAML';
  }
  return undefined;
}

/** The first key that a map has twice. `<<` may be there several times. */
function doubledKey(
  document: Document.Parsed,
): { readonly key: string; readonly offset: number } | undefined {
  let found: { readonly key: string; readonly offset: number } | undefined;
  visit(document, {
    Map(_, { items }) {
      const seen = new Set<string>();
      for (const { key } of items) {
        if (!isScalar(key) || key.value === '<<') continue;
        const text = String(key.value);
        if (seen.has(text)) {
          found = { key: text, offset: key.range?.[0] ?? 0 };
          return visit.BREAK;
        }
        seen.add(text);
      }
      return undefined;
    },
  });
  return found;
}
