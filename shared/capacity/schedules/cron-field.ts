/** What a field of a cron expression can say. */
export interface FieldRange {
  readonly minimum: number;
  readonly maximum: number;
  /** Names of minimum, minimum + 1 and so on. */
  readonly names?: readonly string[];
}

/** The values of a list of `*`, `5`, `1-5`, `MON-FRI`, `0/15` and `10-50/10`, in order; undefined if it is not valid. */
export function valuesOf(field: string, range: FieldRange): readonly number[] | undefined {
  const lists = field.split(',').map((item) => itemValues(item, range));
  if (lists.some((values) => values === undefined)) return undefined;
  return [...new Set(lists.flatMap((values) => values ?? []))].sort((one, other) => one - other);
}

function itemValues(item: string, range: FieldRange): readonly number[] | undefined {
  const [, from = '', to, step] = /^(\*|\w+)(?:-(\w+))?(?:\/(\d{1,4}))?$/.exec(item) ?? [];
  const first = from === '*' ? range.minimum : valueOf(from, range);
  const last =
    from === '*' || (to === undefined && step !== undefined) ? range.maximum : valueOf(to ?? from, range);
  const isWrong = first === undefined || last === undefined || last < first || Number(step ?? 1) === 0;
  if (isWrong || (from === '*' && to !== undefined)) return undefined;
  const count = Math.floor((last - first) / Number(step ?? 1)) + 1;
  return Array.from({ length: count }, (_, index) => first + index * Number(step ?? 1));
}

/** The value of a number or a name; undefined if it is neither, or out of range. */
export function valueOf(text: string, { minimum, maximum, names = [] }: FieldRange): number | undefined {
  const named = names.indexOf(text.toUpperCase());
  if (named !== -1) return minimum + named;
  const value = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN;
  return value >= minimum && value <= maximum ? value : undefined;
}
