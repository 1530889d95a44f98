import type { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { CliError, exitCodes } from '../exit-codes.ts';
import { rulesNamed } from './rules-named.ts';

/** A deployment of Drover in the account and region, as its rules show it. */
export interface Deployment {
  readonly stage: string;
  /** Undefined if its version does not say it, or the rule of its sweep has been deleted. */
  readonly clusterName: string | undefined;
  /** The account of its rules. */
  readonly accountId: string | undefined;
}

/** Rules that every deployment has: one of them may have been deleted. */
const ofDeployment = /^drover-(.+)-(?:lifecycle-action|sweep)$/;

/**
 * The cluster of a stage, by the description of the rule of its sweep; undefined for a stage of an earlier version. Pure.
 */
export const clusterOfSweep = (description: string): string | undefined =>
  /^Every five minutes for cluster ([\w.-]{1,100}), /.exec(description)?.[1];

const accountOfRule = (arn: string): string | undefined =>
  /^arn:[\w-]+:events:[\w-]+:(\d{12}):/.exec(arn)?.[1];

/** All deployments in the account and region. */
export async function readDeployments(events: EventBridgeClient): Promise<readonly Deployment[]> {
  const deployments = new Map<string, Deployment>();
  for (const { Name = '', Arn = '', Description = '' } of await rulesNamed(events, 'drover-')) {
    const stage = ofDeployment.exec(Name)?.[1];
    if (stage === undefined) continue;
    const clusterName = clusterOfSweep(Description) ?? deployments.get(stage)?.clusterName;
    deployments.set(stage, { stage, clusterName, accountId: accountOfRule(Arn) });
  }
  return [...deployments.values()];
}

/**
 * The stage of the only deployment that may be meant.
 *
 * @throws CliError if there is none, or there are several.
 */
export async function findStage(events: EventBridgeClient): Promise<string> {
  const [deployment, ...others] = await readDeployments(events);
  if (deployment !== undefined && others.length === 0) return deployment.stage;
  throw new CliError(
    deployment === undefined
      ? 'no deployment of Drover is in this account and region: check --region, or deploy it'
      : `several deployments are in this account and region: choose one of ${stagesOf([deployment, ...others])} with --stage`,
    exitCodes.failed,
  );
}

/**
 * The stage that serves a cluster; undefined if none does. A change must not reach the deployment of another cluster: a deployment whose
 * version does not name its cluster counts only if the operator names its stage. Pure.
 *
 * @throws CliError if the named stage serves another cluster, or is not there while another one may serve this cluster; or if several may
 * serve it and none is named.
 */
export function stageServing(
  deployments: readonly Deployment[],
  { clusterName, stage }: { readonly clusterName: string; readonly stage: string | undefined },
): string | undefined {
  const candidates = deployments.filter((one) => (one.clusterName ?? clusterName) === clusterName);
  if (stage !== undefined) {
    const named = deployments.find((one) => one.stage === stage);
    if (named?.clusterName !== undefined && named.clusterName !== clusterName)
      throw refused(`stage ${stage} serves cluster ${named.clusterName}, not ${clusterName}`);
    if (named !== undefined) return stage;
    if (candidates.length === 0) return undefined;
    throw refused(
      `no deployment has the stage ${stage}, and ${stagesOf(candidates)} may serve ${clusterName}: name that one with --stage`,
    );
  }
  const own = candidates.filter((one) => one.clusterName === clusterName);
  const [only] = own;
  if (only !== undefined && own.length === 1) return only.stage;
  if (candidates.length === 0) return undefined;
  throw refused(
    `more than one deployment may serve ${clusterName}, or one that does not say which cluster it serves: choose it with --stage, of ${stagesOf(candidates)}`,
  );
}

const refused = (message: string): CliError => new CliError(message, exitCodes.failed);

const stagesOf = (deployments: readonly Deployment[]): string =>
  deployments.map(({ stage }) => stage).join(', ');
