import type { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { CliError, exitCodes } from '../exit-codes.ts';
import { rulesNamed } from './rules-named.ts';

/** Rules that every deployment has: one of them may have been deleted. */
const ofDeployment = /^drover-(.+)-(?:lifecycle-action|sweep)$/;

/**
 * The cluster of a stage, by the description of the rule of its sweep; undefined for a stage of an earlier version. Pure.
 */
export const clusterOfSweep = (description: string): string | undefined =>
  /^Every five minutes for cluster ([\w.-]{1,100}), /.exec(description)?.[1];

/** The stage of the only deployment in the account and region, by the names of its rules. */
export async function findStage(events: EventBridgeClient): Promise<string> {
  const found = (await rulesNamed(events, 'drover-')).flatMap(
    ({ Name = '' }) => ofDeployment.exec(Name)?.[1] ?? [],
  );
  const stages = [...new Set(found)];
  const [stage] = stages;
  if (stage !== undefined && stages.length === 1) return stage;
  throw new CliError(
    stage === undefined
      ? 'no deployment of Drover is in this account and region: check --region, or deploy it'
      : `several deployments are in this account and region: choose one of ${stages.join(', ')} with --stage`,
    exitCodes.failed,
  );
}
