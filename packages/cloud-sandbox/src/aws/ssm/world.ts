import type { PutAwsEvent, ServiceParts } from '../integration.ts';
import { parameterNotFound, versionNotFound } from './errors.ts';
import { latest, type ParameterVersion, type StoredParameter } from './parameter.ts';

export interface SsmOptions extends Omit<ServiceParts, 'random'> {
  /** Called for every change, as Parameter Store sends events to EventBridge. */
  readonly putAwsEvent?: PutAwsEvent;
  readonly timings?: {
    /** How many reads of values a second Parameter Store answers. An account of AWS begins with 40; absent: any number. */
    readonly requestsPerSecond?: number;
  };
}

export interface SsmWorld extends SsmOptions {
  readonly parameters: Map<string, StoredParameter>;
}

export const arnOf = (world: SsmWorld, name: string): string =>
  `arn:aws:ssm:${world.region}:${world.accountId}:parameter/${name.replace(/^\//, '')}`;

/** One version of a parameter, and by which selector it was asked for (`:3`, `:label`). */
export interface Selection {
  readonly parameter: StoredParameter;
  readonly version: ParameterVersion;
  readonly selector: string | undefined;
}

/** The parameter of a name or ARN. Throws ParameterNotFound. */
export function parameterOf(world: SsmWorld, nameOrArn: string): StoredParameter {
  const found =
    world.parameters.get(nameOrArn) ?? [...world.parameters.values()].find(({ arn }) => arn === nameOrArn);
  if (found === undefined) throw parameterNotFound();
  return found;
}

/**
 * Reads `name`, `name:version` or `name:label`, the name also as an ARN. Throws ParameterNotFound and
 * ParameterVersionNotFound.
 */
export function select(world: SsmWorld, reference: string): Selection {
  const [, base = reference, selector] =
    /^(arn:aws[\w-]*:ssm:[\w-]*:\d*:[^:]+|[^:]+)(?::(.+))?$/.exec(reference) ?? [];
  const parameter = parameterOf(world, base);
  if (selector === undefined) return { parameter, version: latest(parameter), selector };
  const version = parameter.versions.find(
    (candidate) => String(candidate.version) === selector || candidate.labels.has(selector),
  );
  if (version === undefined) throw versionNotFound(parameter.name, selector);
  return { parameter, version, selector: `:${selector}` };
}

export function announceChange(world: SsmWorld, parameter: StoredParameter, operation: string): void {
  world.putAwsEvent?.({
    source: 'aws.ssm',
    detailType: 'Parameter Store Change',
    resources: [parameter.arn],
    detail: { operation, name: parameter.name, type: parameter.type },
  });
}
