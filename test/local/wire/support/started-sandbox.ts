import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { request } from 'node:https';
import { createInterface } from 'node:readline';
import { parse } from 'yaml';
import * as z from 'zod/mini';

const readySchema = z.strictObject({
  event: z.literal('ready'),
  endpoints: z.strictObject({
    aws: z.url(),
    kubernetes: z.url(),
    dns: z.string().check(z.regex(/^127\.0\.0\.1:\d+$/)),
    etcd: z.array(z.url()).check(z.length(3)),
    dashboard: z.url(),
  }),
  kubeconfig: z.string(),
  region: z.string(),
  accessKeyId: z.string(),
  secretAccessKey: z.string(),
  autoScalingGroups: z.array(z.string()),
});

export type ReadyObject = z.infer<typeof readySchema>;

/** The sandbox as a program starts it: a process of its own that writes JSON. */
export interface StartedSandbox {
  readonly ready: ReadyObject;
  readonly process: ChildProcess;
  /** Every line after the first. */
  readonly events: readonly Readonly<Record<string, unknown>>[];
  readonly errors: () => string;
}

/** Rejects where the first line is not exactly the ready object. */
export async function startSandbox(...flags: readonly string[]): Promise<StartedSandbox> {
  const child = spawn(process.execPath, ['local/main.ts', '--json', '--port', '0', ...flags]);
  const events: Record<string, unknown>[] = [];
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString();
  });
  const lines = createInterface({ input: child.stdout });
  const first = await new Promise<string>((resolve, reject) => {
    // Adds the next listener immediately: if one read holds several lines, all are emitted before the await continues.
    lines.once('line', (line) => {
      lines.on('line', (next) => events.push(JSON.parse(next) as Record<string, unknown>));
      resolve(line);
    });
    child.once('exit', (code) => reject(new Error(`the sandbox ended with ${code}: ${errors}`)));
  });
  return {
    ready: readySchema.parse(JSON.parse(first)),
    process: child,
    events,
    errors: () => errors,
  };
}

/** Ends it as Ctrl-C does; gives its exit code. */
export async function interrupt({ process: child }: StartedSandbox): Promise<number | null> {
  if (child.exitCode !== null) return child.exitCode;
  const ended = once(child, 'exit');
  child.kill('SIGINT');
  const [code] = (await ended) as [number | null];
  return code;
}

const kubeconfigSchema = z.object({
  clusters: z.array(
    z.object({ cluster: z.object({ server: z.url(), 'certificate-authority-data': z.string() }) }),
  ),
  users: z.array(
    z.object({ user: z.object({ 'client-certificate-data': z.string(), 'client-key-data': z.string() }) }),
  ),
});

/** A GET with the kubeconfig's client certificate, its server's certificate checked. */
export async function getFromKubernetes(kubeconfig: string, path: string): Promise<unknown> {
  const { clusters, users } = kubeconfigSchema.parse(parse(await readFile(kubeconfig, 'utf8')));
  const [cluster, user] = [clusters[0]?.cluster, users[0]?.user];
  const decoded = (text = ''): string => Buffer.from(text, 'base64').toString();
  return new Promise((resolve, reject) => {
    const call = request(
      `${cluster?.server}${path}`,
      {
        agent: false,
        ca: decoded(cluster?.['certificate-authority-data']),
        cert: decoded(user?.['client-certificate-data']),
        key: decoded(user?.['client-key-data']),
      },
      (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => {
          text += chunk.toString();
        });
        response.on('end', () => resolve(JSON.parse(text)));
      },
    );
    call.on('error', reject);
    call.end();
  });
}
