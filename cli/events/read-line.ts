import * as z from 'zod/mini';
import { subjectFields } from './pattern.ts';
import type { Subjects } from './subjects.ts';

/** What one function saw or decided. */
export interface DroverEvent {
  /** ISO 8601 in UTC. */
  readonly time: string;
  readonly level: string;
  readonly subject: string | null;
  readonly outcome: string;
  readonly reason: string;
}

const text = z.optional(z.string());

const lineSchema = z.looseObject({
  time: z.iso.datetime(),
  level: z.enum(['info', 'warn', 'error']),
  message: z.string(),
  subject: text,
  instanceId: text,
  node: text,
  group: text,
  autoScalingGroupName: text,
  request: text,
  role: text,
  outcome: text,
  action: text,
  caller: text,
  reason: text,
  error: z.optional(z.unknown()),
  sent: z.optional(z.unknown()),
  woken: z.optional(z.unknown()),
  made: z.optional(z.unknown()),
});
type Line = z.output<typeof lineSchema>;

const errorSchema = z.looseObject({ message: text, cause: z.optional(z.unknown()) });

/**
 * What a line of a log says: an event, several for a line about several subjects, none for a line that is of no interest here; undefined if the line is not
 * Drover's. The text is not trusted: the code that prints it removes control sequences.
 */
export function readLine(message: string, subjects: Subjects): readonly DroverEvent[] | undefined {
  const parsed = z.safeParse(lineSchema, parseJson(message));
  if (!parsed.success) return undefined;
  const line = parsed.data;
  const isWanted = (names: readonly (string | undefined)[]): boolean =>
    subjects === undefined || names.some((name) => name !== undefined && subjects.has(name));
  if (line.level === 'info' && (line.message === 'intake' || line.message === 'look'))
    return listed(line).filter(({ subject }) => isWanted([subject ?? undefined]));
  const outcome = outcomeOf(line);
  if (outcome === undefined || !isWanted(subjectFields.map((field) => line[field]))) return [];
  return [eventOf(line, subjectOf(line), { outcome, reason: reasonOf(line) })];
}

/** Undefined if the line is of no interest here. */
function outcomeOf({ level, message, outcome, action }: Line): string | undefined {
  if (message === 'pass') return level === 'error' ? 'failed' : (outcome ?? level);
  if (level !== 'info') return level === 'warn' ? 'warning' : 'error';
  if (message.startsWith('certificate request ')) return message.slice('certificate request '.length);
  if (message === 'change made' || message.startsWith('bootstrap credential: ')) return action ?? level;
  return undefined;
}

/** The subject of a pass over a group may be a digest of its name. */
const subjectOf = (line: Line): string | undefined =>
  (line.message === 'pass' ? line.autoScalingGroupName : undefined) ??
  line.subject ??
  line.instanceId ??
  line.node ??
  line.group ??
  line.autoScalingGroupName ??
  line.request ??
  line.role;

function reasonOf({ level, message, reason, error, caller }: Line): string {
  const isSaid = message === 'pass' || (level === 'info' && reason !== undefined);
  const by = caller === undefined ? undefined : `by ${caller}`;
  const parts = [isSaid ? undefined : message, reason, by, errorWords(error)];
  return parts.filter((part) => part !== undefined && part !== '').join(': ');
}

/** An error with its causes: usually the last one is what must be fixed. A cause that quotes the error before it replaces both. */
function errorWords(error: unknown): string {
  const parsed = z.safeParse(errorSchema, error);
  if (!parsed.success) return '';
  const { message = '', cause } = parsed.data;
  const why = errorWords(cause);
  if (why === '' || message.includes(why)) return message;
  return why.includes(message) ? why : `${message}: ${why}`;
}

/** The lines of intake and of prewarm's look name their subjects in lists: instances with their causes, and holds. */
function listed(line: Line): readonly DroverEvent[] {
  const sent = [...listOf(line.sent), ...listOf(line.woken)].map((item) => {
    const [subject = '', ...cause] = item.split(' ');
    return eventOf(line, subject, { outcome: 'taken in', reason: cause.join(' ') });
  });
  const made = listOf(line.made).map((item) =>
    eventOf(line, item, { outcome: 'hold made', reason: 'its schedule is due' }),
  );
  return [...sent, ...made];
}

const eventOf = (
  { time, level }: Line,
  subject: string | undefined,
  { outcome, reason }: Pick<DroverEvent, 'outcome' | 'reason'>,
): DroverEvent => ({ time, level, subject: subject ?? null, outcome, reason });

function listOf(value: unknown): readonly string[] {
  const parsed = z.safeParse(z.array(z.string()), value);
  return parsed.success ? parsed.data : [];
}

function parseJson(message: string): unknown {
  try {
    return JSON.parse(message);
  } catch {
    return undefined;
  }
}
