/**
 * What is read of an answer: a scalar, a list (`[item]`), or a structure with the members that somebody uses. What an answer
 * holds besides is left unread, what it lacks is undefined, and a list that it lacks is empty.
 */
export type Shape = 'string' | 'integer' | 'boolean' | 'date' | readonly [Shape] | StructureShape;

export interface StructureShape {
  readonly [member: string]: Shape;
}

/** The value that a shape reads. */
export type ValueOf<S> = S extends 'string'
  ? string
  : S extends 'integer'
    ? number
    : S extends 'boolean'
      ? boolean
      : S extends 'date'
        ? Date
        : S extends readonly [infer Item]
          ? readonly ValueOf<Item>[]
          : { readonly [Member in keyof S]: MemberOf<S[Member]> };

type MemberOf<S> = S extends readonly unknown[] ? ValueOf<S> : ValueOf<S> | undefined;

/** How one format of answers spells what shapes ask for; `undefined` in, for what is not there. */
export interface Reader<Node> {
  readonly member: (node: Node | undefined, name: string) => Node | undefined;
  readonly items: (node: Node | undefined) => readonly Node[];
  readonly scalar: (node: Node, kind: 'string' | 'integer' | 'boolean' | 'date') => unknown;
}

/** Reads a value of a shape out of an answer. */
export function readShape<S extends Shape, Node>(
  shape: S,
  node: Node | undefined,
  reader: Reader<Node>,
): ValueOf<S> | undefined {
  const read = (wanted: Shape, from: Node | undefined): unknown => {
    if (isList(wanted)) return reader.items(from).map((item) => read(wanted[0], item));
    if (from === undefined) return undefined;
    if (typeof wanted === 'string') return reader.scalar(from, wanted);
    return Object.fromEntries(
      Object.entries(wanted).map(([name, inner]) => [name, read(inner, reader.member(from, name))]),
    );
  };
  return read(shape, node) as ValueOf<S> | undefined;
}

const isList = (shape: Shape): shape is readonly [Shape] => Array.isArray(shape);
