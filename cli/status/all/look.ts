import { autoScalingClient, eventBridgeClient } from '../../../shared/aws/clients.ts';
import { readScheduledActions } from '../../../shared/aws/scheduled-actions.ts';
import { inParts } from '../../../shared/base/batched.ts';
import { lazily } from '../../../shared/base/lazily.ts';
import { isThrottledIn } from '../../../shared/problems/observation.ts';
import { byUrgency, type Problem } from '../../../shared/problems/problem.ts';
import { awsConnection } from '../../../shared/runtime/aws-connection.ts';
import { commandAt } from '../../../ui/state/command-at.ts';
import { autoScalingAccess } from '../../auto-scaling/access.ts';
import { noManagedGroup } from '../../auto-scaling/no-managed-group.ts';
import { clusterOf, connectionsTo } from '../../cluster.ts';
import type { ClusterFlags } from '../../cluster-flags.ts';
import type { CliContext } from '../../context.ts';
import { contextFinder, ofAnyCluster, unreachable } from '../../deployments/contexts.ts';
import { type Deployment, readDeployments } from '../../deployments/deployments.ts';
import { CliError, exitCodes } from '../../exit-codes.ts';
import { environmentOf, hostOf } from '../../host.ts';
import { createObserver } from '../../observation/observe.ts';
import { problemSources } from '../../observation/sources.ts';
import { reasonOf } from '../../reason-of.ts';
import type { StatusReport } from '../report.ts';
import { reportOf } from '../report-of.ts';

/** A cluster reads a dozen sources side by side. */
const clustersAtOnce = 4;
/** Before the clusters that were throttled are read again. */
const pauseMilliseconds = 5000;

/** One deployment of the account and region, as it was read. */
export interface ClusterStatus {
  readonly stage: string;
  /** Null if its rules do not say it. */
  readonly clusterName: string | null;
  /** The context of the kubeconfig with which its Nodes were read; null if none is its. */
  readonly context: string | null;
  /** `problems`, `unknown` if something could not be read, or `ok`. */
  readonly state: 'ok' | 'problems' | 'unknown';
  /** Null if nothing could be read. */
  readonly report: StatusReport | null;
  /** What is wrong besides the problems of the report. */
  readonly reasons: readonly string[];
}

export interface ProblemOfCluster extends Problem {
  readonly stage: string;
  readonly clusterName: string | null;
}

/** The output of `drover status --all --json`. */
export interface AllStatus {
  readonly at: string;
  readonly clusters: readonly ClusterStatus[];
  /** The problems of all clusters, the most urgent first, each with a command that names its cluster, stage, context and region. */
  readonly problems: readonly ProblemOfCluster[];
}

export interface AllFlags {
  readonly region?: string;
  readonly kubeconfig?: string;
}

/**
 * Reads every deployment of the account and region. One that cannot be read does not hide the others.
 *
 * @throws CliError if there is none, and the error of AWS if the deployments cannot be listed.
 */
export async function lookAtAll(flags: AllFlags, context: CliContext): Promise<AllStatus> {
  const host = hostOf(context, environmentOf(flags, context));
  const deployments = await readDeployments(eventBridgeClient(awsConnection(host)));
  if (deployments.length === 0)
    throw new CliError(
      'no deployment of Drover is in this account and region: check --region',
      exitCodes.failed,
    );
  const reader = readerOf(flags, context);
  const sorted = deployments.toSorted((one, other) => one.stage.localeCompare(other.stage));
  const first = await inParts(sorted, clustersAtOnce, reader);
  const looked = first.map((result, index) => lookedOf(result, sorted[index]));
  const clusters = await againIfThrottled(looked, { deployments: sorted, reader }, context);
  const { region, kubeconfig } = flags;
  return {
    at: new Date(context.clock.now()).toISOString(),
    clusters: withRivals(clusters),
    problems: clusters
      .flatMap(({ stage, clusterName, context: read, report }) =>
        (report?.problems ?? []).map(({ command, ...problem }) => ({
          stage,
          clusterName,
          ...problem,
          command: command && commandAt(command, { region, kubeconfig, stage, clusterName, context: read }),
        })),
      )
      .toSorted(byUrgency),
  };
}

interface Looked extends ClusterStatus {
  readonly isThrottled?: boolean;
}

const lookedOf = (
  result: PromiseSettledResult<Looked> | undefined,
  deployment: Deployment | undefined,
): Looked =>
  result?.status === 'fulfilled'
    ? result.value
    : unread(deployment ?? { stage: '', clusterName: undefined }, reasonOf(result?.reason));

const unread = (
  { stage, clusterName }: Pick<Deployment, 'stage' | 'clusterName'>,
  reason: string,
): Looked => ({
  stage,
  clusterName: clusterName ?? null,
  context: null,
  state: 'unknown',
  report: null,
  reasons: [reason],
});

/** AWS counts the calls of the whole account: a cluster whose calls it has refused is read once more, by itself. */
async function againIfThrottled(
  looked: readonly Looked[],
  {
    deployments,
    reader,
  }: {
    readonly deployments: readonly Deployment[];
    readonly reader: (deployment: Deployment) => Promise<Looked>;
  },
  { pause }: Pick<CliContext, 'pause'>,
): Promise<readonly ClusterStatus[]> {
  const clusters: ClusterStatus[] = [];
  for (const [index, { isThrottled, ...one }] of looked.entries()) {
    const deployment = deployments[index];
    if (!isThrottled || deployment === undefined) {
      clusters.push(one);
      continue;
    }
    await pause(pauseMilliseconds);
    const [again] = await inParts([deployment], 1, reader);
    const { isThrottled: _, ...read } = lookedOf(again, deployment);
    clusters.push(read);
  }
  return clusters;
}

/** Reads one deployment with its own cluster, stage and context, whatever the environment says for one cluster. */
function readerOf(flags: AllFlags, given: CliContext): (deployment: Deployment) => Promise<Looked> {
  const context = ofAnyCluster(given);
  const findContext = contextFinder(flags, context);
  // They are those of the whole account, page by page.
  const scheduledActions = lazily(() =>
    readScheduledActions(autoScalingClient(awsConnection(hostOf(context, environmentOf(flags, context))))),
  );
  return async (deployment) => {
    const { stage, clusterName } = deployment;
    if (clusterName === undefined)
      return unread(
        deployment,
        'its rules do not say which cluster it serves: deploy this version, or look at it with --cluster and --stage',
      );
    const own = { ...flags, cluster: clusterName };
    const found = await findContext({ ...deployment, clusterName });
    const reached = 'why' in found ? unreachable(found.why) : reach({ ...own, context: found.name }, context);
    const observe = createObserver({
      access: lazily(() => autoScalingAccess(own, context)),
      cluster: reached.cluster,
      sources: {
        ...problemSources({
          host: hostOf(context, environmentOf(own, context)),
          connections: reached.connections,
          stage,
        }),
        readScheduledActions: () => scheduledActions(),
      },
      clock: context.clock,
    });
    const observation = await observe();
    const read = 'why' in found ? null : found.name;
    return { ...judge(deployment, read, reportOf(observation)), isThrottled: isThrottledIn(observation) };
  };
}

const reach = (flags: ClusterFlags, context: CliContext) => ({
  cluster: clusterOf(flags, context),
  connections: connectionsTo(flags, context),
});

/** The report does not name its cluster if its groups could not be read. */
function judge(
  { stage, clusterName = '' }: Deployment,
  context: string | null,
  report: StatusReport,
): ClusterStatus {
  const { groups, problems, missing } = report;
  const hasNoGroup = report.clusterName !== null && groups.length === 0;
  const reasons = [
    ...(hasNoGroup ? [noManagedGroup(clusterName)] : []),
    ...missing.map(({ what, reason }) => `cannot read ${what}: ${reason}`),
  ];
  const hasProblems = problems.length > 0 || hasNoGroup;
  const state = hasProblems ? 'problems' : missing.length > 0 ? 'unknown' : 'ok';
  return { stage, clusterName, context, state, report, reasons };
}

/** Two deployments of one cluster take turns badly: each drains every node. */
function withRivals(clusters: readonly ClusterStatus[]): readonly ClusterStatus[] {
  return clusters.map((one) => {
    const rivals = clusters.filter(
      (other) => other !== one && one.clusterName !== null && other.clusterName === one.clusterName,
    );
    if (rivals.length === 0) return one;
    const reason = `stage ${rivals.map(({ stage }) => stage).join(', ')} serves the same cluster: remove one of the deployments`;
    return { ...one, state: 'problems', reasons: [reason, ...one.reasons] };
  });
}
