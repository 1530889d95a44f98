import type { SimulationClock } from '../simulation/clock.ts';
import { socketOf } from './discovery.ts';
import type { Resolve } from './flags.ts';
import { type EtcdCertificates, handshakeFault } from './gateway/certificates.ts';
import { answerAt, type EtcdAnswer, type EtcdRequest } from './gateway/gateway.ts';
import type { GatewayRequest, StreamGateway } from './gateway-request.ts';
import { type Machines, stateAt } from './machines.ts';
import type { ProcessState } from './process.ts';

export interface EtcdDoorOptions {
  readonly machines: Machines;
  readonly clock: SimulationClock;
  readonly resolve: Resolve;
  readonly certificates?: EtcdCertificates;
}

/** Some of what HTTP is sent as here; TLS may be missing where the members ask for none. */
export type DoorRequest = Omit<GatewayRequest, 'tls' | 'method'> & {
  readonly method: string;
  readonly tls?: Partial<GatewayRequest['tls']>;
};

export interface DoorResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The client ports of all members, in process; what is refused or silent on a network is so here. */
export interface EtcdDoor {
  readonly send: (request: DoorRequest) => Promise<DoorResponse>;
  readonly stream: StreamGateway;
  /** The answer of the member on an instance; undefined while it does not serve. */
  readonly answer: (instanceId: string, request: EtcdRequest) => Promise<EtcdAnswer | undefined>;
}

export function createEtcdDoor(options: EtcdDoorOptions): EtcdDoor {
  const { machines, clock } = options;
  const serve: Serve = (state, request) =>
    state.kind === 'running' && state.serves
      ? answerAt({ machines, clock }, state.process, request)
      : undefined;
  const exchange = (request: DoorRequest): Promise<EtcdAnswer> =>
    withinTimeout(clock, request, (isOver) => reach(options, { request, serve, isOver }));
  return {
    send: async (request) => {
      const { status, headers, body } = await exchange(request);
      return { status, headers, body: [...body].join('') };
    },
    stream: async (request) => {
      const { status, body } = await exchange(request);
      return { status, chunks: bytesOf(body) };
    },
    answer: async (instanceId, request) => {
      const state = machines.states.get(instanceId);
      return state && (await serve(state, request));
    },
  };
}

type Serve = (state: ProcessState, request: EtcdRequest) => Promise<EtcdAnswer> | undefined;

interface Attempt {
  readonly request: DoorRequest;
  readonly serve: Serve;
  /** The caller has given up. */
  readonly isOver: () => boolean;
}

const lookMilliseconds = 100;

/** Throws as a socket would; never settles if no answer comes. */
async function reach(options: EtcdDoorOptions, attempt: Attempt): Promise<EtcdAnswer> {
  const { machines, clock, resolve, certificates } = options;
  const { request, serve, isOver } = attempt;
  const url = new URL(request.url);
  const socket = socketOf(url.href, resolve);
  if (socket === undefined) throw fault('ENOTFOUND', `getaddrinfo ENOTFOUND ${url.hostname}`);
  const state = stateAt(machines, socket);
  if (state === undefined || isOver()) return await silence();
  if (state.kind !== 'running') throw fault('ECONNREFUSED', `connect ECONNREFUSED ${socket}`);
  // etcd listens from the start, and takes up nothing before its cluster knows its name.
  if (!state.serves) return await later(clock, () => reach(options, attempt));
  const address = socket.slice(0, socket.lastIndexOf(':'));
  const handshake = { address, now: clock.now(), tls: wholeOf(request.tls) };
  const refused = certificates && handshakeFault(certificates, handshake);
  if (refused !== undefined) throw refused;
  const answer = await serve(state, {
    ...request,
    path: url.pathname,
    query: url.search,
    body: request.body ?? '',
  });
  if (answer === undefined || stateAt(machines, socket) !== state)
    throw fault('ECONNRESET', 'socket hang up');
  return answer;
}

const fault = (code: string, message: string): Error => Object.assign(new Error(message), { code });

const wholeOf = (tls: DoorRequest['tls']): GatewayRequest['tls'] | undefined =>
  tls?.certificateAuthority && tls.clientCertificate && tls.clientKey && tls.serverName
    ? {
        certificateAuthority: tls.certificateAuthority,
        clientCertificate: tls.clientCertificate,
        clientKey: tls.clientKey,
        serverName: tls.serverName,
      }
    : undefined;

const silence = (): Promise<never> => new Promise(() => undefined);

function later<T>(clock: SimulationClock, task: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    clock.after(lookMilliseconds, () => {
      task().then(resolve, reject);
    });
  });
}

function withinTimeout<T>(
  clock: SimulationClock,
  { timeoutMilliseconds }: DoorRequest,
  task: (isOver: () => boolean) => Promise<T>,
): Promise<T> {
  let isOver = false;
  return new Promise((resolve, reject) => {
    const timer = clock.after(timeoutMilliseconds, () => {
      isOver = true;
      reject(new Error(`no answer within ${timeoutMilliseconds} ms`));
    });
    task(() => isOver)
      .then(resolve, reject)
      .finally(() => timer.cancel());
  });
}

async function* bytesOf(lines: Iterable<string>): AsyncGenerator<Uint8Array> {
  for (const line of lines) yield Buffer.from(line);
}
