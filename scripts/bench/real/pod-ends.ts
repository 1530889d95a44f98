import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import * as z from 'zod/mini';

const answerSchema = z.object({
  result: z.object({
    created: z.optional(z.boolean()),
    events: z.optional(z.array(z.object({ kv: z.object({ key: z.string() }) }))),
  }),
});

export interface PodEnds {
  /** When each pod was gone from etcd, whatever deleted it; epoch milliseconds, by the pod's name. */
  readonly at: ReadonlyMap<string, number>;
  stop(): void;
}

const prefix = '/registry/pods/default/';

/**
 * Watches etcd, because the audit log of a killed API server is incomplete.
 * Through the gateway to gRPC: https://etcd.io/docs/v3.6/dev-guide/api_grpc_gateway/#watch-keys. Resolves once etcd watches.
 */
export async function watchPodEnds(etcdUrl: string, onProblem: (problem: unknown) => void): Promise<PodEnds> {
  const at = new Map<string, number>();
  const leaving = new AbortController();
  const { body, status } = await fetch(`${etcdUrl}/v3/watch`, {
    method: 'POST',
    signal: leaving.signal,
    body: JSON.stringify({
      create_request: { key: base64(prefix), range_end: base64(endOf(prefix)), filters: ['NOPUT'] },
    }),
  });
  if (status !== 200 || body === null) throw new Error(`etcd does not watch: it answers ${status}`);
  const lines = createInterface({ input: Readable.fromWeb(body) })[Symbol.asyncIterator]();
  await lines.next();
  const read = async (): Promise<void> => {
    for await (const line of lines)
      for (const { kv } of answerSchema.parse(JSON.parse(line)).result.events ?? [])
        at.set(Buffer.from(kv.key, 'base64').toString().slice(prefix.length), Date.now());
  };
  read().catch((error: unknown) => {
    if (!leaving.signal.aborted) onProblem(error);
  });
  return { at, stop: () => leaving.abort() };
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** The first key after all keys with this prefix: `/` is followed by `0`. */
const endOf = (keys: string): string => keys.replace(/\/$/, '0');
