import type { FunctionWiring } from '../cloud/wiring.ts';
import type { Clock } from '../simulation/clock.ts';
import type { CreateHandler, FunctionHost } from './function-host.ts';
import { createInProcessRuntime } from './in-process-runtime.ts';
import { type FunctionRuntime, toFunctionError } from './runtime.ts';
import { readBundle } from './worker/bundle-code.ts';
import { loadBundle } from './worker/load-bundle.ts';

/**
 * Runs packaged bundles in this thread, through the connections of their hosts instead of sockets: by the `create` that the
 * function's module exports beside its handler.
 */
export function createPackagedRuntime(options: {
  readonly hostFor: (wiring: FunctionWiring) => FunctionHost;
  readonly clock: Clock;
}): FunctionRuntime {
  return {
    start: async (wiring) => {
      const functions = { [wiring.name]: await packagedCreate(wiring) };
      return await createInProcessRuntime({ ...options, functions }).start(wiring);
    },
  };
}

async function packagedCreate(wiring: FunctionWiring): Promise<CreateHandler> {
  try {
    const { create } = loadBundle(await readBundle(wiring));
    if (typeof create !== 'function') throw new TypeError(`${wiring.name} exports no create`);
    return create as CreateHandler;
  } catch (error) {
    throw toFunctionError(error);
  }
}
