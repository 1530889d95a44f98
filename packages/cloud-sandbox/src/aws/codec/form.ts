/** A form whose dotted names are read as a tree: `Filter.1.Value.2=x`. */
export interface FormNode {
  value?: string;
  readonly children: Map<string, FormNode>;
}

const emptyNode = (): FormNode => ({ children: new Map() });

/** Reads the pairs of a query string or a form body into a tree. A name that comes twice keeps its last value. */
export function readForm(pairs: Iterable<readonly [string, string]>): FormNode {
  const root = emptyNode();
  for (const [name, value] of pairs) {
    let node = root;
    for (const part of name.split('.')) {
      const child = node.children.get(part) ?? emptyNode();
      node.children.set(part, child);
      node = child;
    }
    node.value = value;
  }
  return root;
}

/** The children that are numbered, in the order of their numbers: the items of a list. */
export function numberedChildren(node: FormNode): FormNode[] {
  return [...node.children]
    .filter(([key]) => /^\d+$/.test(key))
    .sort(([left], [right]) => Number(left) - Number(right))
    .map(([, child]) => child);
}
