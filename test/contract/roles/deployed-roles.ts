import { readFileSync } from 'node:fs';
import type { RoleWiring, Wiring } from '@drover/cloud-sandbox';
import { readRelease } from '../../../local/deployment/load-release.ts';
import { releaseParameters, releaseTemplateIn, stackNames } from '../../../scripts/account/release-stack.ts';

/** Where a release is deployed by a run. */
export interface DeployedPlace {
  readonly run: string;
  readonly accountId: string;
  readonly region: string;
  /** The folder of the release. */
  readonly directory: string;
}

/** What a run deploys, read from the template. */
export const deployedWiring = ({ run, accountId, region, directory }: DeployedPlace): Wiring =>
  readRelease({
    template: JSON.parse(readFileSync(releaseTemplateIn(directory), 'utf8')),
    directory,
    stackName: stackNames(run).release,
    accountId,
    region,
    parameters: releaseParameters(run, accountId),
  });

/** A role with the names that CloudFormation has given to the queues, by those that the sandbox gives. */
export function withQueueNames(
  role: RoleWiring,
  { queues }: Pick<Wiring, 'queues'>,
  physicalNames: ReadonlyMap<string, string>,
): RoleWiring {
  const named = queues.reduce((text, { queueArn, queueName }) => {
    const logicalId =
      queueName
        .replace(/\.fifo$/, '')
        .split('-')
        .at(-1) ?? '';
    const name = physicalNames.get(logicalId);
    return name === undefined
      ? text
      : text.replaceAll(`"${queueArn}"`, `"${queueArn.replace(/[^:]+$/, name)}"`);
  }, JSON.stringify(role));
  return JSON.parse(named) as RoleWiring;
}
