import type { FunctionHost } from '../../../src/lambda/function-host.ts';
import type { SimulationClock } from '../../../src/simulation/clock.ts';

const refuse = () => Promise.reject(new Error('no test sends requests through this host'));

/** A host that rejects every request. */
export const silentHost = (clock: SimulationClock): FunctionHost => ({
  environment: {},
  clock,
  randomBytes: (size) => new Uint8Array(size),
  awsRequestHandler: {
    handle: refuse,
    metadata: { handlerProtocol: 'http/1.1' },
    updateHttpClientConfig: () => undefined,
    httpHandlerConfigs: () => ({}),
    destroy: () => undefined,
  },
  sendHttp: refuse,
  streamHttp: refuse,
  writeLine: () => undefined,
});
