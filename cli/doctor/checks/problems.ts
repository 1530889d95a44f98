import { describeFailures } from '../../../shared/base/side-by-side.ts';
import { instanceIdOf } from '../../../shared/nodes/node-names.ts';
import { findProblems } from '../../../shared/problems/find-problems.ts';
import { type Missing, missingIn, valueOf } from '../../../shared/problems/observation.ts';
import type { Problem } from '../../../shared/problems/problem.ts';
import { checkOf, type Finding, findingOf } from '../check.ts';
import type { DoctorContext } from '../doctor-context.ts';
import { type ForeignHooks, readForeignHooks } from '../foreign-hooks.ts';

interface Seen {
  readonly clusterName: string;
  readonly problems: readonly Problem[];
  readonly missing: readonly Missing[];
  /** The groups that the cluster does not manage, and that were read nevertheless. */
  readonly unmanaged: ReadonlySet<string>;
  readonly foreign: ForeignHooks;
}

const nothingForeign: ForeignHooks = { problems: [], beyondLimit: 0, failures: [] };

/** The kinds that are the findings of checks of their own. The hooks of managed groups are too. */
const ofOtherChecks: ReadonlySet<Problem['kind']> = new Set(['tag', 'dead-letters']);

const readByOtherChecks: ReadonlySet<Missing['what']> = new Set(['the queues']);

/** The problems that `drover status` shows and no other check finds, and hooks of Drover on groups without the tag of any cluster. */
export const problems = checkOf({
  name: 'problems',
  read: async (context): Promise<Seen> => {
    const observation = await context.observe();
    const groups = valueOf(observation.groups);
    const unmanaged = new Set(groups?.others.map(({ autoScalingGroupName }) => autoScalingGroupName));
    return {
      clusterName: context.clusterName,
      problems: findProblems(observation),
      missing: missingIn(observation).filter(({ what }) => !readByOtherChecks.has(what)),
      unmanaged,
      foreign: groups ? await lookFor(context, unmanaged) : nothingForeign,
    };
  },
  judge: judgeProblems,
});

const lookFor = ({ access, cluster, clock, readPage }: DoctorContext, known: ReadonlySet<string>) =>
  readForeignHooks(
    {
      readPage,
      describeHooks: access.describeHooks,
      readNodeInstanceIds: async () =>
        new Set((await cluster.listNodes()).flatMap(({ spec }) => instanceIdOf(spec?.providerID) ?? [])),
      names: access,
      clock,
    },
    known,
  );

/** Pure. */
export function judgeProblems({
  clusterName,
  problems: all,
  missing,
  unmanaged,
  foreign,
}: Seen): readonly Finding[] {
  const own = all.filter(
    ({ kind, subject }) => !ofOtherChecks.has(kind) && (kind !== 'hook' || unmanaged.has(subject)),
  );
  const findings: readonly Finding[] = [
    ...own.map(({ command, ...problem }) => findingOf({ ...problem, ...(command !== null && { command }) })),
    ...foreign.problems.map(findingOf),
    ...missing.map(({ what, reason }) => ({ verdict: 'unknown', subject: what, message: reason }) as const),
    ...(foreign.failures.length > 0 ? [notRead(foreign)] : []),
  ];
  return [
    ...(findings.length > 0
      ? findings
      : [
          {
            verdict: 'ok',
            subject: clusterName,
            message: 'no node and no instance needs an operator',
          } as const,
        ]),
    ...(foreign.beyondLimit > 0 ? [tooMany(foreign)] : []),
  ];
}

const tooMany = ({ beyondLimit }: ForeignHooks): Finding => ({
  verdict: 'advice',
  subject: 'Auto Scaling',
  message: `${beyondLimit} more groups have no tag of a cluster, and their hooks were not read`,
});

const notRead = ({ failures }: ForeignHooks): Finding => ({
  verdict: 'unknown',
  subject: 'Auto Scaling',
  message: `groups without the tag of a cluster could not be read: ${describeFailures(failures)}`,
});
