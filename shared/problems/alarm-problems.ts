import { kindOfAlarm, type ProblemKind } from './kinds.ts';
import type { FoundProblem, Problem } from './problem.ts';

/** An alarm of the deployment that is raised. */
export interface RaisedAlarm {
  /** Without the name of the deployment, such as `pass-age`. */
  readonly name: string;
  readonly description: string;
  /** Epoch milliseconds. */
  readonly since: number;
}

/**
 * The raised alarms whose condition is not among the problems that were found: only an alarm shows that a function does not run, for example.
 * An alarm that Drover did not make is a problem of a function. Pure.
 */
export function alarmProblems(
  alarms: readonly RaisedAlarm[],
  found: readonly Pick<Problem, 'alarm'>[],
): readonly FoundProblem[] {
  const explained = new Set(found.map(({ alarm }) => alarm));
  return alarms
    .filter(({ name }) => !explained.has(name))
    .map(({ name, description, since }) => ({
      kind: kindOfAlarm(name) ?? fallback,
      subject: name,
      message: description === '' ? 'this alarm is raised' : withoutEnd(description),
      since: new Date(since).toISOString(),
      command: commandOf(name),
      alarm: name,
    }));
}

const fallback: ProblemKind = 'failing';

/** Other texts continue after a message. */
const withoutEnd = (text: string): string => text.replace(/\.$/, '');

/** The functions whose lines show the cause. */
const commandOf = (name: string): string =>
  name.endsWith('-errors') ? 'drover events --since 1h' : 'drover doctor';
