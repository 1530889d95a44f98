import { randomBytes } from 'node:crypto';
import type { FunctionHost, Host } from '../shared/runtime/host.ts';
import { awsCredentials } from './aws-credentials.ts';
import type { CliContext } from './context.ts';

/** The variables of the machine, overridden by the flags. */
export const environmentOf = (
  { cluster, region }: { readonly cluster?: string; readonly region?: string },
  { environment }: Pick<CliContext, 'environment'>,
): Host['environment'] => ({
  ...environment,
  ...(cluster !== undefined && { DROVER_CLUSTER: cluster }),
  ...(region !== undefined && { AWS_REGION: region }),
});

/**
 * This machine as a function's host, for commands that do by hand what a Lambda does on its own. `environment` is what the
 * function would find in its own. Metrics are the deployed function's to write: lines go nowhere.
 */
export const hostOf = (context: CliContext, environment: Host['environment']): FunctionHost => ({
  environment: { ...environment, AWS_REGION: environment.AWS_REGION ?? environment.AWS_DEFAULT_REGION },
  clock: context.clock,
  randomBytes: (size) => randomBytes(size),
  sendHttp: context.sendHttp,
  writeLine: () => undefined,
  awsCredentials: awsCredentials(environment),
  ...(context.awsRequestHandler && { awsRequestHandler: context.awsRequestHandler }),
});
