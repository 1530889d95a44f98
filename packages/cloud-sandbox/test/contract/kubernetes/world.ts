import { Agent, request as httpsRequest } from 'node:https';
import { type Json, readEvents, type WatchEvent, type WatchOptions } from './watch-events.ts';

/** How an API server is reached on the wire, by a user in system:masters. */
export interface ApiServerAddress {
  readonly url: string;
  readonly token: string;
  /** PEM. */
  readonly certificateAuthority: string;
}

export interface Answer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** The text as JSON, if it is JSON. */
  readonly body: Json;
}

export interface CallOptions {
  /** An object is sent as JSON, text as it is. */
  readonly body?: unknown;
  /** Replace the default headers; an empty value leaves the header out. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** An API server, real or simulated, as its users reach it: over TLS. */
export interface KubernetesWorld extends ApiServerAddress {
  readonly call: (method: string, path: string, options?: CallOptions) => Promise<Answer>;
  readonly get: (path: string, headers?: CallOptions['headers']) => Promise<Answer>;
  readonly post: (path: string, body?: unknown, headers?: CallOptions['headers']) => Promise<Answer>;
  readonly put: (path: string, body: unknown) => Promise<Answer>;
  readonly patch: (path: string, type: PatchType, body: unknown) => Promise<Answer>;
  readonly delete: (path: string, body?: unknown) => Promise<Answer>;
  readonly watch: (path: string, options: WatchOptions) => Promise<readonly WatchEvent[]>;
  /** Makes a namespace with its ServiceAccount `default`; gives `/api/v1/namespaces/NAME`. */
  readonly namespace: () => Promise<string>;
}

const patchTypes = {
  strategic: 'application/strategic-merge-patch+json',
  merge: 'application/merge-patch+json',
  json: 'application/json-patch+json',
  apply: 'application/apply-patch+yaml',
} as const;

export type PatchType = keyof typeof patchTypes;

let namespaces = 0;

/** A name that no other case of this run has. */
export const uniqueName = (prefix: string): string => {
  namespaces += 1;
  return `${prefix}-${namespaces}`;
};

export function kubernetesWorld(address: ApiServerAddress): KubernetesWorld {
  const agent = new Agent({ ca: address.certificateAuthority, keepAlive: true });
  const call: KubernetesWorld['call'] = (method, path, options = {}) =>
    exchange(address, agent, { method, path, ...options });
  return {
    ...address,
    call,
    get: (path, headers) => call('GET', path, { ...(headers && { headers }) }),
    post: (path, body, headers) => call('POST', path, { body, ...(headers && { headers }) }),
    put: (path, body) => call('PUT', path, { body }),
    patch: (path, type, body) => call('PATCH', path, { body, headers: { 'content-type': patchTypes[type] } }),
    delete: (path, body) => call('DELETE', path, { body }),
    watch: (path, options) => readEvents({ ...address, path, ...options }),
    namespace: async () => {
      const name = uniqueName('contract');
      const path = `/api/v1/namespaces/${name}`;
      const made = await call('POST', '/api/v1/namespaces', { body: { metadata: { name } } });
      if (made.status !== 201) throw new Error(made.text);
      // The controller manager creates it too, a moment later, and the second request is refused.
      await call('POST', `${path}/serviceaccounts`, { body: { metadata: { name: 'default' } } });
      return path;
    },
  };
}

interface Exchange extends CallOptions {
  readonly method: string;
  readonly path: string;
}

function exchange(
  { url, token }: ApiServerAddress,
  agent: Agent,
  { method, path, body, headers = {} }: Exchange,
): Promise<Answer> {
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  const wanted = {
    authorization: `Bearer ${token}`,
    ...(text !== undefined && {
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(text)),
    }),
    ...headers,
  };
  const sent = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== ''));
  return new Promise((resolve, reject) => {
    const call = httpsRequest(`${url}${path}`, { method, headers: sent, agent }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve(answerOf(response.statusCode ?? 0, response.headers, Buffer.concat(chunks))),
      );
    });
    call.on('error', reject);
    call.end(text);
  });
}

function answerOf(status: number, headers: NodeJS.Dict<string | string[]>, bytes: Buffer): Answer {
  const flat = Object.entries(headers).map(([name, value]) => [name, String(value ?? '')]);
  const text = bytes.toString('utf8');
  const isJson = headers['content-encoding'] === undefined && /^\s*[{[]/.test(text);
  return { status, headers: Object.fromEntries(flat), text, body: isJson ? jsonOf(text) : undefined };
}

/** The lines of a watch are not one JSON. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
