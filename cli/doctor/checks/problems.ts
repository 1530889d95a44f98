import { describeGroups } from '../../../shared/aws/auto-scaling.ts';
import type { AutoScalingGroup, LifecycleHook } from '../../../shared/groups/group.ts';
import { foreignHookProblems } from '../../../shared/problems/hook-problems.ts';
import type { FoundProblem, Problem } from '../../../shared/problems/problem.ts';
import type { AutoScalingAccess } from '../../auto-scaling/access.ts';
import { createObserver } from '../../status/observe.ts';
import type { Missing } from '../../status/report.ts';
import { reportOf } from '../../status/report-of.ts';
import { checkOf, type Finding, findingOf } from '../check.ts';

interface Seen {
  readonly clusterName: string;
  readonly problems: readonly Problem[];
  readonly missing: readonly Missing[];
  readonly foreign: ForeignHooks;
}

interface ForeignHooks {
  readonly problems: readonly FoundProblem[];
  /** How many groups were not read. */
  readonly unread: number;
}

/**
 * The problems that `drover status` shows, and hooks of Drover on groups without the tag of any cluster. Problems of tags and hooks are the
 * findings of their own checks.
 */
export const problems = checkOf({
  name: 'problems',
  read: async ({ access, cluster, clock, clusterName }): Promise<Seen> => {
    const observation = await createObserver({ access: () => access, cluster, clock })();
    const foreign = observation.groups.ok ? await readForeignHooks(access) : { problems: [], unread: 0 };
    return { ...reportOf(observation), clusterName, foreign };
  },
  judge: judgeProblems,
});

/** Pure. */
export function judgeProblems({ clusterName, problems: all, missing, foreign }: Seen): readonly Finding[] {
  const own = all.filter(({ kind }) => kind !== 'tag' && kind !== 'hook');
  const findings: readonly Finding[] = [
    ...own.map(({ command, ...problem }) => findingOf({ ...problem, ...(command !== null && { command }) })),
    ...foreign.problems.map(findingOf),
    ...missing.map(({ what, reason }) => ({ verdict: 'unknown', subject: what, message: reason }) as const),
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
    ...(foreign.unread > 0 ? [tooMany(foreign.unread)] : []),
  ];
}

const tooMany = (unread: number): Finding => ({
  verdict: 'advice',
  subject: 'Auto Scaling',
  message: `${unread} more groups have no tag of a cluster, and their hooks were not read`,
});

/** Each group costs a call, and Auto Scaling limits the calls of the whole account. */
const maximumGroups = 50;
const atOnce = 5;

/** A group that has lost its tag is not listed with the groups of the cluster. One with the tag of another cluster belongs to that one. */
async function readForeignHooks(access: AutoScalingAccess): Promise<ForeignHooks> {
  const untagged = (await allGroups(access)).filter(
    ({ tags }) => !Object.keys(tags).some((key) => key.startsWith('kubernetes.io/cluster/')),
  );
  const read = untagged.slice(0, maximumGroups);
  const hooks = new Map<string, readonly LifecycleHook[]>();
  for (let start = 0; start < read.length; start += atOnce)
    await Promise.all(
      read.slice(start, start + atOnce).map(async ({ autoScalingGroupName }) => {
        hooks.set(autoScalingGroupName, await access.describeHooks(autoScalingGroupName));
      }),
    );
  return {
    problems: read.flatMap((group) =>
      foreignHookProblems(group, hooks.get(group.autoScalingGroupName) ?? [], access),
    ),
    unread: untagged.length - read.length,
  };
}

async function allGroups({ client }: AutoScalingAccess): Promise<readonly AutoScalingGroup[]> {
  const groups: AutoScalingGroup[] = [];
  let nextToken: string | undefined;
  do {
    const page = await describeGroups(client, { MaxRecords: 100, NextToken: nextToken });
    groups.push(...page.groups);
    nextToken = page.nextToken;
  } while (nextToken);
  return groups;
}
