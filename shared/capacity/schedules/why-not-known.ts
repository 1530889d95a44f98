import { type FieldRange, fieldRanges, valueOf, valuesOf } from './cron.ts';

/** Explains why `parseExpression` does not accept an expression, and what to write instead. Pure. */
export function whyNotKnown(text: string): string {
  const why = `Drover does not know when ${text} runs`;
  if (text.startsWith('at(')) return `${why}: write at(2026-12-24T08:00:00), without an offset from UTC`;
  const fields = /^cron\(([^()]*)\)$/.exec(text)?.[1]?.trim().split(/\s+/);
  const example = 'such as cron(0 8 ? * MON-FRI *)';
  if (fields === undefined) return `${why}: write cron(...) or at(...), ${example}`;
  if (fields.length !== 6)
    return `${why}: it needs six fields (minutes, hours, day of month, month, day of week, year), ${example}`;
  if ((fields[2] === '?') === (fields[4] === '?'))
    return `${why}: exactly one of day of month and day of week must be ?, ${example}`;
  const faults = fieldRules.map((rule, place) => faultOf(fields, place, rule));
  const fault = faults.find((one) => one !== undefined);
  return `${why}: ${fault ?? `see the cron expressions of EventBridge Scheduler, ${example}`}`;
}

interface Fault {
  readonly reason: string;
  /** The fields of expressions that together run at the same times. */
  readonly instead?: readonly (readonly string[])[];
}

interface FieldRule {
  readonly name: string;
  readonly range: FieldRange;
  /** A form that only this field has, and what is wrong with others that look like it. */
  readonly ownForm?: RegExp;
  readonly ownFault?: (fields: readonly string[], place: number) => Fault | undefined;
}

/** In the order of the fields. */
const fieldRules: readonly FieldRule[] = [
  { name: 'minutes', range: fieldRanges.minutes },
  { name: 'hours', range: fieldRanges.hours },
  {
    name: 'day of month',
    range: fieldRanges.dayOfMonth,
    ownForm: /^(?:L|(?:0?[1-9]|1\d|2[0-8])W)$/,
    ownFault: dayOfMonthFault,
  },
  { name: 'month', range: fieldRanges.months },
  {
    name: 'day of week',
    range: fieldRanges.dayOfWeek,
    ownForm: /^(?:L|(?:[1-7]|SUN|MON|TUE|WED|THU|FRI|SAT)(?:L|#[1-5]))$/i,
    ownFault: dayOfWeekFault,
  },
  { name: 'year', range: fieldRanges.years },
];

function faultOf(fields: readonly string[], place: number, rule: FieldRule): string | undefined {
  const field = fields[place] ?? '';
  if (field === '?' || rule.ownForm?.test(field)) return undefined;
  const fault = rule.ownFault?.(fields, place) ?? itemsFault(fields, place, rule.range);
  if (fault === undefined) return undefined;
  const { reason, instead = [] } = fault;
  const expressions = instead.map((one) => `cron(${one.join(' ')})`);
  const schedules = expressions.length > 1 ? `${expressions.length} schedules, ` : '';
  const remedy = expressions.length === 0 ? '' : `; write ${schedules}${expressions.join(' and ')}`;
  return `${rule.name} ${field}: ${reason}${remedy}`;
}

const replaced = (fields: readonly string[], place: number, field: string): readonly string[] =>
  fields.map((one, index) => (index === place ? field : one));

/** A list with a form that has no place in lists: a schedule for each, and one for what is left. */
function splitList(fields: readonly string[], place: number, special: RegExp): Fault | undefined {
  const items = (fields[place] ?? '').split(',');
  const alone = items.filter((item) => special.test(item));
  const [first] = alone;
  if (items.length === 1 || first === undefined) return undefined;
  const others = items.filter((item) => !special.test(item));
  const parts = [...(others.length > 0 ? [others.join(',')] : []), ...new Set(alone)];
  return {
    reason: `AWS documents no list with ${first}`,
    instead: parts.map((part) => replaced(fields, place, part)),
  };
}

/** `LW`, `L-2`, `29W`, and lists with `L` or `15W`. */
function dayOfMonthFault(fields: readonly string[], place: number): Fault | undefined {
  const field = fields[place] ?? '';
  if (field === 'LW')
    return {
      reason:
        'EventBridge Scheduler documents L and 15W, but not the last working day; the nearest form is L, the last day',
      instead: [replaced(fields, place, 'L')],
    };
  const before = /^L-(\d{1,2})$/.exec(field)?.[1];
  if (before !== undefined) return daysBeforeTheLast(fields, Number(before));
  if (/^(?:29|30|31)W$/.test(field))
    return {
      reason:
        'a month may lack that day, and AWS does not document when Scheduler runs it then; the nearest form is 28W',
      instead: [replaced(fields, place, '28W')],
    };
  return splitList(fields, place, /^(?:L|LW|L-\d{1,2}|\d{1,2}W)$/);
}

const monthsByLength = [
  { length: 31, months: [1, 3, 5, 7, 8, 10, 12] },
  { length: 30, months: [4, 6, 9, 11] },
  { length: 28, months: [2] },
];

/** `L-2` is another day in months of another length. */
function daysBeforeTheLast(fields: readonly string[], before: number): Fault {
  const [minutes = '', hours = '', , month = '', , year = ''] = fields;
  const wanted = valuesOf(month, fieldRanges.months) ?? [];
  const instead = monthsByLength.flatMap(({ length, months }) => {
    const covered = months.filter((one) => wanted.includes(one));
    if (covered.length === 0 || before >= length) return [];
    return [[minutes, hours, String(length - before), covered.join(','), '?', year]];
  });
  const february =
    wanted.includes(2) && before < 28 ? `; the day in February is ${29 - before} in leap years` : '';
  return {
    reason: `EventBridge Scheduler documents L, but no days before it${february}`,
    instead,
  };
}

/** `2#1,3#1`, `6L,2L`, `6#6` and `0`. */
function dayOfWeekFault(fields: readonly string[], place: number): Fault | undefined {
  const field = fields[place] ?? '';
  if (/#(?:0|[6-9]|\d\d+)$/.test(field)) return { reason: 'a month has a weekday four or five times' };
  if (valueOf(field, { minimum: 0, maximum: 0 }) === 0)
    return {
      reason: 'the days are 1 (SUN) to 7 (SAT), not 0 to 6 as in crontab',
      instead: [replaced(fields, place, 'SUN')],
    };
  return splitList(fields, place, /^(?:L|\w{1,3}(?:L|#\d))$/i);
}

/** Ranges around the end, numbers out of range, steps of nothing. */
function itemsFault(fields: readonly string[], place: number, range: FieldRange): Fault | undefined {
  const items = (fields[place] ?? '').split(',');
  const wrong = items.find((item) => !isKnown(item, range));
  if (wrong === undefined) return undefined;
  const around = items.map((item) => (isKnown(item, range) ? item : aroundTheEnd(item, range)));
  if (around.every((item) => item !== undefined))
    return {
      reason: `${wrong} ends before it begins, and AWS does not document when Scheduler runs it`,
      instead: [replaced(fields, place, around.join(','))],
    };
  const { minimum, maximum, names } = range;
  const values = `${minimum} to ${maximum}${names === undefined ? '' : ` or ${names[0]} to ${names.at(-1)}`}`;
  return {
    reason: `${wrong === '' ? 'an empty item' : wrong} is not a value from ${values}, a range or a step of them`,
  };
}

const isKnown = (item: string, range: FieldRange): boolean => valuesOf(item, range) !== undefined;

/** `20-2` as `20-23,0-2`, with a step as the list of its values. Undefined if it is another form, or a range of years. */
function aroundTheEnd(item: string, range: FieldRange): string | undefined {
  const [, from = '', to = '', step] = /^(\w{1,4})-(\w{1,4})(?:\/(\d{1,4}))?$/.exec(item) ?? [];
  const [first, last] = [valueOf(from, range), valueOf(to, range)];
  if (first === undefined || last === undefined || last >= first || Number(step) === 0) return undefined;
  const { minimum, maximum, names } = range;
  if (range === fieldRanges.years) return undefined;
  if (step === undefined) {
    const named = names !== undefined && !/^\d/.test(from + to);
    const text = (value: number): string => (named && names[value - minimum]) || String(value);
    const part = (start: number, end: number) =>
      start === end ? text(start) : `${text(start)}-${text(end)}`;
    return `${part(first, maximum)},${part(minimum, last)}`;
  }
  const size = maximum - minimum + 1;
  const count = Math.floor((last + size - first) / Number(step)) + 1;
  const values = Array.from(
    { length: count },
    (_, index) => minimum + ((first - minimum + index * Number(step)) % size),
  );
  return values.sort((one, other) => one - other).join(',');
}
