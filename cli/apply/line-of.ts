import { isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml';
import { lazily } from '../../shared/base/lazily.ts';

/** A document of a file, and the number of its first line there. */
interface Lines {
  readonly text: string;
  readonly line: number;
}

/** Finds the line in the file of a value of a document; of the nearest value around it if the path does not exist. */
export type Locator = (path: readonly PropertyKey[]) => number;

/** Only the parser of YAML knows places, and it is much slower than that of JSON. So much JSON is generated, and its lines help little. */
const longestLocatedJson = 1024 * 1024;

/** The locator of a document, which parses it once, when the first line is asked for. In JSON of more than 1 MiB every line is its first. */
export function locatorOf({ text, line }: Lines): Locator {
  if (text.length > longestLocatedJson && /^\s*[[{]/.test(text)) return () => line;
  const parsed = lazily(() => {
    const lineCounter = new LineCounter();
    // The document was parsed before, with all its checks.
    const { contents } = parseDocument(text, {
      version: '1.1',
      lineCounter,
      logLevel: 'silent',
      uniqueKeys: false,
    });
    return { contents, lineCounter };
  });
  return (path) => {
    const { contents, lineCounter } = parsed();
    return line - 1 + lineCounter.linePos(offsetOf(contents, path)).line;
  };
}

function offsetOf(contents: Node | null, path: readonly PropertyKey[]): number {
  let node: unknown = contents;
  let offset = contents?.range?.[0] ?? 0;
  for (const part of path) {
    const found = childOf(node, part);
    if (found === undefined) break;
    node = found.node;
    offset = found.offset ?? offset;
  }
  return offset;
}

function childOf(
  node: unknown,
  part: PropertyKey,
): { readonly node: unknown; readonly offset: number | undefined } | undefined {
  if (isSeq(node)) {
    const item = node.items[Number(part)] as Node | undefined;
    return item && { node: item, offset: item.range?.[0] };
  }
  if (!isMap(node)) return undefined;
  const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(part));
  return pair && { node: pair.value, offset: isScalar(pair.key) ? pair.key.range?.[0] : undefined };
}
