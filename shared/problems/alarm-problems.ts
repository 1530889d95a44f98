import { alarmNames, kindOfAlarm, type ProblemKind } from './kinds.ts';
import type { FoundProblem, Problem } from './problem.ts';

/** An alarm of the deployment that is raised. */
export interface RaisedAlarm {
  /** Without the name of the deployment, such as `pass-age`. */
  readonly name: string;
  readonly description: string;
  /** Epoch milliseconds; undefined if CloudWatch does not say it. */
  readonly since: number | undefined;
}

/** An alarm as CloudWatch describes it. */
export interface DescribedAlarm extends RaisedAlarm {
  /** With the name of the deployment, such as `drover-dev-pass-age`. */
  readonly name: string;
  readonly isRaised: boolean;
}

/** The raised alarms of the deployment whose alarms have this prefix, such as `drover-dev-`. Pure. */
export const raisedOf = (alarms: readonly DescribedAlarm[], prefix: string): readonly RaisedAlarm[] =>
  alarmsWith(prefix, alarms)
    .filter(({ isRaised }) => isRaised)
    .map(({ name, description, since }) => ({ name: name.slice(prefix.length), description, since }));

/** The alarms of the deployment with this prefix, and not those of a stage whose name begins the same way. Pure. */
export const alarmsWith = <Alarm extends Pick<DescribedAlarm, 'name'>>(
  prefix: string,
  alarms: readonly Alarm[],
): readonly Alarm[] =>
  alarms.filter(({ name }) => name.startsWith(prefix) && !isOfLongerStage(name.slice(prefix.length)));

/** With the prefix of stage `dev`, an alarm of stage `dev-two` is `two-pass-age`. */
const isOfLongerStage = (name: string): boolean =>
  kindOfAlarm(name) === undefined && alarmNames.some((known) => name.endsWith(`-${known}`));

/**
 * The stages whose deployments have these alarms, sorted. An alarm of yours such as `drover-dev-my-pass-age` makes no stage `dev-my`: a stage
 * whose name continues that of another one has at least half as many alarms. Pure.
 */
export function stagesOf(alarms: readonly Pick<DescribedAlarm, 'name'>[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const { name } of alarms) {
    const known = alarmNames.find((one) => name.endsWith(`-${one}`));
    const stage = known === undefined ? '' : name.slice(deploymentBegin.length, -known.length - 1);
    if (name.startsWith(deploymentBegin) && stage !== '') counts.set(stage, (counts.get(stage) ?? 0) + 1);
  }
  const isStage = ([stage, count]: readonly [string, number]): boolean =>
    [...counts].every(([other, others]) => !stage.startsWith(`${other}-`) || count * 2 >= others);
  return [...counts]
    .filter(isStage)
    .map(([stage]) => stage)
    .sort();
}

/** Every name of a deployment begins so, and continues with its stage. */
export const deploymentBegin = 'drover-';

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
      since: since === undefined ? undefined : new Date(since).toISOString(),
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
