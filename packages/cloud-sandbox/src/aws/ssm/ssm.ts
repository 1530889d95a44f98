import type { AwsService } from '../service.ts';
import { createThrottle, throttled } from '../throttle.ts';
import { throttling } from './errors.ts';
import { customerKeyArn } from './kms-key.ts';
import { latest } from './parameter.ts';
import { createReadOperations } from './read-operations.ts';
import type { SsmOptions, SsmWorld } from './world.ts';
import { createWriteOperations } from './write-operations.ts';

/** What the rest of the simulation may know of parameters. */
interface SsmControls {
  /** The value of the latest version, decrypted; undefined when there is no such parameter. */
  value(name: string): string | undefined;
  /** By ARN. */
  tags(arn: string): Readonly<Record<string, string>> | undefined;
  /** The customer managed key of a SecureString; undefined for the default key and for plain parameters. */
  keyArn(name: string): string | undefined;
}

export interface SimulatedSsm extends AwsService {
  readonly signingName: 'ssm';
  readonly operations: ReturnType<typeof createReadOperations> & ReturnType<typeof createWriteOperations>;
  readonly controls: SsmControls;
}

/**
 * Parameter Store of AWS Systems Manager: versions, labels, selectors, tiers, tags. Nothing is really encrypted: a
 * SecureString is only shown or not. Left out: parameter policies and everything else of Systems Manager.
 */
export function createSsm(options: SsmOptions): SimulatedSsm {
  const world: SsmWorld = { ...options, parameters: new Map() };
  const byArn = (arn: string) => [...world.parameters.values()].find((parameter) => parameter.arn === arn);
  return {
    signingName: 'ssm',
    operations: { ...readOperations(world), ...createWriteOperations(world) },
    controls: {
      value: (name) => {
        const parameter = world.parameters.get(name);
        return parameter === undefined ? undefined : latest(parameter).value;
      },
      tags: (arn) => {
        const parameter = byArn(arn);
        return parameter === undefined ? undefined : Object.fromEntries(parameter.tags);
      },
      keyArn: (name) => {
        const parameter = world.parameters.get(name) ?? byArn(name);
        return parameter === undefined ? undefined : customerKeyArn(latest(parameter).keyId, options);
      },
    },
  };
}

/** GetParameter, GetParameters and GetParametersByPath share one limit (https://docs.aws.amazon.com/general/latest/gr/ssm.html). */
function readOperations(world: SsmWorld): ReturnType<typeof createReadOperations> {
  const operations = createReadOperations(world);
  const { requestsPerSecond } = world.timings ?? {};
  if (requestsPerSecond === undefined) return operations;
  const { GetParameter, GetParameters, GetParametersByPath } = operations;
  const admit = createThrottle({ clock: world.clock, requestsPerSecond, refusal: throttling });
  return { ...operations, ...throttled({ GetParameter, GetParameters, GetParametersByPath }, admit) };
}
