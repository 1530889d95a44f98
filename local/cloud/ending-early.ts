import type { CreateHandler, LambdaContext } from '@drover/cloud-sandbox/lambda';
import { signalBeforeEndMilliseconds } from '../../shared/runtime/lambda-entry.ts';

type Functions = Readonly<Record<string, CreateHandler>>;

/** Functions that get the signal of `onLambda` some seconds before their timeout, here in simulated time. */
export const endingEarly = (functions: Functions): Functions =>
  Object.fromEntries(Object.entries(functions).map(([name, create]) => [name, withSignal(create)]));

const withSignal =
  (create: CreateHandler): CreateHandler =>
  (host) => {
    const handler = create(host);
    return async (event, context) => {
      const controller = new AbortController();
      const milliseconds = context.getRemainingTimeInMillis() - signalBeforeEndMilliseconds;
      const timer = host.clock.after(milliseconds, () => controller.abort());
      try {
        return await handler(event, { ...context, signal: controller.signal } as LambdaContext);
      } finally {
        timer.cancel();
      }
    };
  };
