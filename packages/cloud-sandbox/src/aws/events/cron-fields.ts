export interface FieldRange {
  readonly minimum: number;
  readonly maximum: number;
  /** `JAN` and the like, standing for minimum, minimum + 1 and so on. */
  readonly names?: readonly string[];
}

/** `*`, `5`, `1-5`, `MON-FRI`, `0/15`, `10-50/10` and lists of them, in order; undefined when it is not valid. */
export function parseField(field: string, range: FieldRange): number[] | undefined {
  const values = new Set<number>();
  for (const item of field.split(',')) {
    const found = parseItem(item, range);
    if (found === undefined) return undefined;
    for (const value of found) values.add(value);
  }
  return [...values].sort((one, other) => one - other);
}

function parseItem(item: string, range: FieldRange): number[] | undefined {
  const [span = '', step] = item.split('/');
  if (step !== undefined && !/^[1-9]\d*$/.test(step)) return undefined;
  const bounds = boundsOf(span, range, step !== undefined);
  if (bounds === undefined) return undefined;
  const [first, last] = bounds;
  const values: number[] = [];
  for (let value = first; value <= last; value += Number(step ?? 1)) values.push(value);
  return values;
}

/** A start with a step (`5/15`) goes on to the end of the range. */
function boundsOf(span: string, range: FieldRange, hasStep: boolean): readonly [number, number] | undefined {
  if (span === '*') return [range.minimum, range.maximum];
  const [from = '', to] = span.split('-');
  const first = parseValue(from, range);
  if (first === undefined) return undefined;
  if (to === undefined) return [first, hasStep ? range.maximum : first];
  const last = parseValue(to, range);
  return last === undefined || last < first ? undefined : [first, last];
}

export function parseValue(text: string, { minimum, maximum, names = [] }: FieldRange): number | undefined {
  const named = names.indexOf(text.toUpperCase());
  if (named >= 0) return minimum + named;
  if (!/^\d+$/.test(text)) return undefined;
  const value = Number(text);
  return value >= minimum && value <= maximum ? value : undefined;
}
