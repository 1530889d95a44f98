import { isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml';

/** A document of a file, and the number of its first line there. */
interface Lines {
  readonly text: string;
  readonly line: number;
}

/** The line in the file of a value of a document; of the nearest value around it if the path does not exist. */
export function lineOf({ text, line }: Lines, path: readonly PropertyKey[]): number {
  const lineCounter = new LineCounter();
  // The document was parsed before, with all its checks.
  const { contents } = parseDocument(text, {
    version: '1.1',
    lineCounter,
    logLevel: 'silent',
    uniqueKeys: false,
  });
  let node: unknown = contents;
  let offset = contents?.range?.[0] ?? 0;
  for (const part of path) {
    const found = childOf(node, part);
    if (found === undefined) break;
    node = found.node;
    offset = found.offset ?? offset;
  }
  return line - 1 + lineCounter.linePos(offset).line;
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
