import { createHash } from 'node:crypto';
import type { FunctionWiring } from '../cloud/wiring.ts';

export interface FunctionEnvironmentParts {
  readonly wiring: FunctionWiring;
  readonly region: string;
  /** Of a session of the function's role. */
  readonly credentials: {
    readonly accessKeyId: string;
    readonly secretAccessKey: string;
    readonly sessionToken?: string | undefined;
  };
  /** Where the simulated AWS listens; undefined in process, which has no socket. */
  readonly endpoint?: string | undefined;
}

/**
 * The environment variables that Lambda gives a function, its own and those of the template (Lambda developer guide, "Defined
 * runtime environment variables"). `_X_AMZN_TRACE_ID` comes with each invocation.
 */
export function functionEnvironment(parts: FunctionEnvironmentParts): Readonly<Record<string, string>> {
  const { wiring, region, credentials, endpoint } = parts;
  return {
    ...wiring.environment,
    AWS_REGION: region,
    AWS_DEFAULT_REGION: region,
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    ...(credentials.sessionToken !== undefined && { AWS_SESSION_TOKEN: credentials.sessionToken }),
    ...(endpoint !== undefined && { AWS_ENDPOINT_URL: endpoint }),
    AWS_LAMBDA_FUNCTION_NAME: wiring.functionName,
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(wiring.memoryMegabytes),
    AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
    AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
    AWS_LAMBDA_LOG_GROUP_NAME: `/aws/lambda/${wiring.functionName}`,
    AWS_LAMBDA_LOG_STREAM_NAME: logStreamName(credentials.accessKeyId),
    AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
    LAMBDA_TASK_ROOT: '/var/task',
    LAMBDA_RUNTIME_DIR: '/var/runtime',
    _HANDLER: wiring.handler,
    TZ: ':UTC',
  };
}

/** One for each execution environment, as its credentials are. Lambda's begins with the date, which is not known here. */
const logStreamName = (accessKeyId: string): string =>
  `[$LATEST]${createHash('sha256').update(accessKeyId).digest('hex').slice(0, 32)}`;
