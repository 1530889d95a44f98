import { describeGroups } from '../../../shared/aws/auto-scaling.ts';
import { describeFailures } from '../../../shared/base/side-by-side.ts';
import { instanceIdOf } from '../../../shared/nodes/node-names.ts';
import type { Problem } from '../../../shared/problems/problem.ts';
import { createObserver } from '../../status/observe.ts';
import type { Missing } from '../../status/report.ts';
import { reportOf } from '../../status/report-of.ts';
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

/**
 * The problems that `drover status` shows, and hooks of Drover on groups without the tag of any cluster. Problems of the tags of all groups,
 * and of the hooks of managed groups, are the findings of their own checks.
 */
export const problems = checkOf({
  name: 'problems',
  read: async (context): Promise<Seen> => {
    const { access, cluster, clock, clusterName } = context;
    const observation = await createObserver({ access: () => access, cluster, clock })();
    const others = observation.groups.ok ? observation.groups.value.others : [];
    const unmanaged = new Set(others.map(({ autoScalingGroupName }) => autoScalingGroupName));
    const foreign = observation.groups.ok ? await lookFor(context, unmanaged) : nothingForeign;
    return { ...reportOf(observation), clusterName, unmanaged, foreign };
  },
  judge: judgeProblems,
});

const lookFor = ({ access, cluster, clock }: DoctorContext, known: ReadonlySet<string>) =>
  readForeignHooks(
    {
      readPage: (nextToken) => describeGroups(access.client, { MaxRecords: 100, NextToken: nextToken }),
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
    ({ kind, subject }) => kind !== 'tag' && (kind !== 'hook' || unmanaged.has(subject)),
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
