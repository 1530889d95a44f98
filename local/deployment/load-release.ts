import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Wiring } from '@drover/cloud-sandbox';
import { parse } from 'yaml';
import type { Values } from '../../scripts/deployment/evaluate-conditions.ts';
import { TemplateError } from '../../scripts/deployment/template-error.ts';
import { templateName } from '../../scripts/release/parameters.ts';
import { readDeployment } from './read-deployment.ts';
import { settleRelease, stateOf } from './release-template.ts';

export interface ReleaseDeployment {
  /** What `npm run release` wrote. */
  readonly directory: string;
  readonly stackName: string;
  readonly accountId: string;
  readonly region: string;
  readonly sqsEndpoint?: string;
  /** Over their defaults. The bucket has any name, as the zips are read from the directory. */
  readonly parameters: Values;
}

/** A release with the parameters and the name of the sandbox's stage, deploy/stages/dev.yml. @throws TemplateError */
export async function loadReleasedStage(
  place: Omit<ReleaseDeployment, 'directory' | 'parameters' | 'stackName'>,
  directory: string,
): Promise<Wiring> {
  const stage = parse(await readFile('deploy/stages/dev.yml', 'utf8')) as Values;
  const parameters = Object.fromEntries(
    Object.entries(stage).map(([name, value]) => [templateName(name), value]),
  );
  return loadRelease({ ...place, directory, stackName: 'drover-dev', parameters });
}

/**
 * Reads a release with its parameters into what the sandbox carries out.
 *
 * @throws TemplateError for what CloudFormation would refuse, or the sandbox does not know
 */
async function loadRelease({ directory, parameters, ...place }: ReleaseDeployment): Promise<Wiring> {
  const file = (await readdir(directory)).find((name) => name.endsWith('.template.json'));
  if (!file) throw new TemplateError(directory, 'has no template: run `npm run release` first');
  const template: unknown = JSON.parse(await readFile(join(directory, file), 'utf8'));
  return readRelease({ template, directory, parameters, ...place });
}

/** The same of a template that is read already. @throws TemplateError */
export function readRelease({
  template,
  directory,
  parameters,
  ...place
}: ReleaseDeployment & { readonly template: unknown }): Wiring {
  const given = { ArtifactBucket: 'releases', ArtifactPrefix: '', ...parameters };
  const settled = settleRelease(template, given, pseudoParameters(place));
  const zipOf = (key: string): string => join(directory, key.slice(given.ArtifactPrefix.length));
  return readDeployment({ ...place, template: settled, state: stateOf(settled, place.stackName, zipOf) });
}

export const pseudoParameters = ({
  stackName,
  accountId,
  region,
}: Pick<ReleaseDeployment, 'stackName' | 'accountId' | 'region'>): Values => ({
  'AWS::StackName': stackName,
  'AWS::AccountId': accountId,
  'AWS::Region': region,
  'AWS::Partition': 'aws',
  'AWS::URLSuffix': 'amazonaws.com',
});
