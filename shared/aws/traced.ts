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
 * The client. Each attempt of a call is recorded if the connection has a trace, and reported if AWS refuses it for its rate: the SDK's
 * retries are above this middleware, what reads the answer is below.
 */
export function traced<Client extends SdkClient>(
  { trace, region, onThrottled }: AwsConnection,
  client: Client,
): Client {
  if (!trace && !onThrottled) return client;
  const middleware: Middleware = (next, { clientName = '', commandName = '' }) => {
    const service = clientName.replace(/Client$/, '');
    const operation = commandName.replace(/Command$/, '');
    const call = { name: service, namespace: 'aws' as const, operation, region };
    return async (args) => {
      try {
        return await (trace ? recorded(trace, call, () => next(args)) : next(args));
      } catch (error) {
        if (isThrottled(error)) onThrottled?.({ service, operation });
        throw error;
      }
    };
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
