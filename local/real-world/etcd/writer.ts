import { setTimeout as sleep } from 'node:timers/promises';
import type { RealEtcdMachines } from '@drover/cloud-sandbox/real/etcd/etcd-machines.ts';
import * as z from 'zod/mini';
import { sendHttp } from '../../../shared/net/send-http.ts';

type Credentials = RealEtcdMachines['credentials'];

/** Where a member can be asked, and by what name. */
export interface WriterEndpoint {
  readonly url: string;
  readonly serverName: string;
}

export interface Writer {
  /** The keys whose writing etcd has acknowledged. */
  readonly acknowledged: readonly string[];
  /** The longest that no write was acknowledged. */
  readonly longestSilenceSeconds: () => number;
  stop(): Promise<void>;
}

/** A client that writes all the time, to whichever member answers: every acknowledged write must stay. */
export function startWriter(
  { credentials }: Pick<RealEtcdMachines, 'credentials'>,
  endpoints: () => readonly WriterEndpoint[],
): Writer {
  const acknowledged: string[] = [];
  const stopping = new AbortController();
  let lastAt = Date.now();
  let longest = 0;
  const write = async (): Promise<void> => {
    for (let number = 0; !stopping.signal.aborted; number += 1) {
      const key = `key-${number}`;
      const all = endpoints();
      const endpoint = all[number % Math.max(1, all.length)];
      if (endpoint && (await put(endpoint, credentials, key))) {
        acknowledged.push(key);
        longest = Math.max(longest, Date.now() - lastAt);
        lastAt = Date.now();
      }
      await sleep(20);
    }
  };
  const writing = write();
  return {
    acknowledged,
    longestSilenceSeconds: () => longest / 1000,
    stop: async () => {
      stopping.abort();
      await writing;
    },
  };
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** False where the member did not acknowledge it: then nothing is known of it. */
async function put(endpoint: WriterEndpoint, credentials: Credentials, key: string): Promise<boolean> {
  try {
    const { status } = await ask(endpoint, credentials, '/v3/kv/put', {
      key: base64(key),
      value: base64('x'),
    });
    return status === 200;
  } catch (error) {
    if (error instanceof Error) return false;
    throw error;
  }
}

const rangeSchema = z.object({ kvs: z.optional(z.array(z.object({ key: z.string() }))) });

/** Every existing key, read with quorum. */
export async function keysIn(
  endpoint: WriterEndpoint,
  credentials: Credentials,
): Promise<ReadonlySet<string>> {
  const body = { key: base64('key-'), range_end: base64('key.'), keys_only: true };
  const answer = await ask(endpoint, credentials, '/v3/kv/range', body);
  const { kvs = [] } = rangeSchema.parse(JSON.parse(answer.body));
  return new Set(kvs.map(({ key }) => Buffer.from(key, 'base64').toString()));
}

/** Asks a member through its gateway. @throws Error if it does not answer within two seconds */
export const ask = (
  { url, serverName }: WriterEndpoint,
  credentials: Credentials,
  path: string,
  body: object,
) =>
  sendHttp({
    method: 'POST',
    url: `${url}${path}`,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    timeoutMilliseconds: 2000,
    tls: { ...credentials, serverName },
  });
