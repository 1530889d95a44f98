import type { SimulationClock } from '../../../simulation/clock.ts';
import { deferred } from '../../../simulation/deferred.ts';
import type { ApiRequest, ApiResponse } from '../../api/request.ts';

/** What a kubelet logs and tries again. */
export class KubeletProblem extends Error {
  override readonly name = 'KubeletProblem';
}

/** What a request shows of its sender. */
export type Credential = { readonly token: string } | { readonly certificate: string };

export interface MachineParts {
  readonly clock: SimulationClock;
  readonly handle: (request: ApiRequest) => Promise<ApiResponse>;
  /** A kubelet before 1.19 asks for certificates in v1beta1, without a signer. Default: v1. */
  readonly certificatesVersion?: 'v1beta1';
}

interface Call {
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly path: string;
  readonly body?: object;
  readonly credential: Credential;
}

/** A part of a kubelet's machine: what it awaits never comes once it has ended. */
export interface Machine {
  readonly clock: SimulationClock;
  /** Of `certificates.k8s.io`. */
  readonly certificatesVersion: 'v1' | 'v1beta1';
  readonly sleepUntil: (time: number) => Promise<void>;
  /** Rejects when the connection breaks. */
  readonly send: (call: Call) => Promise<ApiResponse>;
  /** Comes with what `start` reports, or rejects after so long; then calls what `start` gave back. */
  readonly hear: <T>(milliseconds: number, start: (report: (value: T) => void) => () => void) => Promise<T>;
  /** A part of its own, which may end before. */
  readonly part: () => Machine;
  end(): void;
}

/** The machine itself. */
interface WholeMachine extends Machine {
  readonly isOn: () => boolean;
  /** Cut off, or hung: nothing goes on, until resumed. */
  pause(): void;
  resume(): void;
}

export function createMachine(parts: MachineParts): WholeMachine {
  let isPaused = false;
  let hasEnded = false;
  let resumed = deferred<void>();
  const mayGoOn = async (): Promise<void> => {
    if (hasEnded) await never();
    if (!isPaused) return;
    await resumed.promise;
    await mayGoOn();
  };
  return {
    ...partOf(parts, mayGoOn),
    isOn: () => !isPaused && !hasEnded,
    end: () => {
      hasEnded = true;
    },
    pause: () => {
      isPaused = true;
    },
    resume: () => {
      isPaused = false;
      resumed.resolve();
      resumed = deferred();
    },
  };
}

function partOf(parts: MachineParts, wholeMayGoOn: () => Promise<void>): Machine {
  const { clock, handle } = parts;
  let hasEnded = false;
  const mayGoOn = async (): Promise<void> => {
    await wholeMayGoOn();
    if (hasEnded) await never();
  };
  return {
    clock,
    certificatesVersion: parts.certificatesVersion ?? 'v1',
    sleepUntil: async (time) => {
      await new Promise<void>((awake) => {
        clock.after(Math.max(0, time - clock.now()), awake);
      });
      await mayGoOn();
    },
    send: async (call) => {
      await mayGoOn();
      const response = await handle(requestOf(call));
      await mayGoOn();
      return response;
    },
    hear: async (milliseconds, start) => {
      const heard = await first(clock, milliseconds, start);
      await mayGoOn();
      return heard;
    },
    part: () => partOf(parts, mayGoOn),
    end: () => {
      hasEnded = true;
    },
  };
}

const never = (): Promise<never> => new Promise(() => undefined);

async function first<T>(
  clock: SimulationClock,
  milliseconds: number,
  start: (report: (value: T) => void) => () => void,
): Promise<T> {
  const { promise, resolve, reject } = deferred<T>();
  const timer = clock.after(milliseconds, () =>
    reject(new KubeletProblem('timed out waiting for the condition')),
  );
  const end = start(resolve);
  try {
    return await promise;
  } finally {
    timer.cancel();
    end();
  }
}

const mediaTypes = { GET: {}, POST: json('json'), PATCH: json('merge-patch+json') };

function json(type: string): { readonly 'content-type': string } {
  return { 'content-type': `application/${type}` };
}

const requestOf = ({ method, path, body, credential }: Call): ApiRequest => ({
  method,
  path,
  headers: {
    'user-agent': 'kubelet/v1.34.4',
    ...mediaTypes[method],
    ...('token' in credential && { authorization: `Bearer ${credential.token}` }),
  },
  ...(body !== undefined && { body: JSON.stringify(body) }),
  ...('certificate' in credential && { clientCertificate: credential.certificate }),
});
