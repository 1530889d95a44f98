import type { CallOutcome, Trace } from '../base/trace.ts';
import type { AwsConnection } from './connection.ts';
import { isThrottled, statusOf } from './errors.ts';

type Handle = (args: never) => Promise<{ readonly response: unknown }>;
type Middleware = (
  next: Handle,
  context: { readonly clientName?: string; readonly commandName?: string },
) => Handle;

/** What every client of the SDK has. */
interface SdkClient {
  readonly middlewareStack: { readonly add: (middleware: never, options: never) => void };
}

/**
 * The client. If the connection has a trace, each attempt of a call is recorded: the SDK's retries are above, what reads the answer is below.
 */
export function traced<Client extends SdkClient>({ trace, region }: AwsConnection, client: Client): Client {
  if (!trace) return client;
  const middleware: Middleware = (next, { clientName = '', commandName = '' }) => {
    const call = {
      name: clientName.replace(/Client$/, ''),
      namespace: 'aws' as const,
      operation: commandName.replace(/Command$/, ''),
      region,
    };
    return (args) => recorded(trace, call, () => next(args));
  };
  client.middlewareStack.add(middleware as never, { step: 'finalizeRequest', priority: 'low' } as never);
  return client;
}

/** Runs a call, and records how it ended. */
export async function recorded<Result extends { readonly response: unknown }>(
  trace: Trace,
  call: Parameters<Trace['begin']>[0],
  run: () => Promise<Result>,
): Promise<Result> {
  const end = trace.begin(call);
  try {
    const result = await run();
    end({ status: statusIn(result.response) });
    return result;
  } catch (error) {
    end(outcomeOf(error));
    throw error;
  }
}

const statusIn = (response: unknown): number | undefined =>
  typeof response === 'object' && response !== null && 'statusCode' in response
    ? Number(response.statusCode)
    : undefined;

const outcomeOf = (error: unknown): CallOutcome => ({
  status: statusOf(error),
  isThrottled: isThrottled(error),
  errorName: error instanceof Error ? error.name : 'Error',
});
