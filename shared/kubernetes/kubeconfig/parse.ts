import * as z from 'zod/mini';
import { lazily } from '../../base/lazily.ts';
import { parseJson } from '../../base/parse-json.ts';

/** The part of a kubeconfig that one context means. */
export interface KubeconfigContext {
  readonly name: string;
  /** The namespace of objects without one. */
  readonly namespace?: string;
  readonly cluster: KubeconfigCluster;
  readonly user: KubeconfigUser;
  /** `clusters[name].cluster` and `users[name].user`, to say where something is wrong. */
  readonly clusterField: string;
  readonly userField: string;
}

/** Real ones have some kilobytes; a YAML document may be written to eat memory. */
const maximumLength = 1024 * 1024;

/**
 * Reads a kubeconfig and picks a context: the named one, the current one, or the only one.
 *
 * Rejects with a KubeconfigError that names every wrong field, and no value.
 */
export async function parseKubeconfig(text: string, contextName?: string): Promise<KubeconfigContext> {
  const config = validate(await parseText(text));
  const name = contextName ?? (config['current-context'] || onlyContext(config));
  const context = config.contexts?.find((each) => each.name === name)?.context;
  if (context === undefined)
    throw new KubeconfigError([
      `contexts: there is no context "${name}"; there are ${names(config.contexts)}`,
    ]);
  const cluster = config.clusters?.find((each) => each.name === context.cluster)?.cluster;
  if (cluster === undefined)
    throw new KubeconfigError([`contexts[${name}].context.cluster names none of ${names(config.clusters)}`]);
  const user = context.user ? config.users?.find((each) => each.name === context.user) : { user: {} };
  if (user === undefined)
    throw new KubeconfigError([`contexts[${name}].context.user names none of ${names(config.users)}`]);
  return {
    name,
    ...(context.namespace && { namespace: context.namespace }),
    cluster,
    user: user.user ?? {},
    clusterField: `clusters[${context.cluster}].cluster`,
    userField: `users[${context.user ?? ''}].user`,
  };
}

function onlyContext({ contexts }: Kubeconfig): string {
  const [first, second] = contexts ?? [];
  if (first && !second) return first.name;
  throw new KubeconfigError([`current-context is not set; there are ${names(contexts)}`]);
}

const names = (entries: readonly { readonly name: string }[] | null | undefined): string =>
  entries && entries.length > 0 ? entries.map(({ name }) => name).join(', ') : 'none';

/** JSON is YAML too, and the library that reads all of YAML costs a cold function some 17 ms: it is loaded only if the text is not JSON. */
async function parseText(text: string): Promise<unknown> {
  if (text.length > maximumLength)
    throw new KubeconfigError([`it is longer than ${maximumLength} characters`]);
  return parseJson(text) ?? (await parseYaml(text));
}

async function parseYaml(text: string): Promise<unknown> {
  const { parse, YAMLParseError } = await import('yaml');
  try {
    return parse(text, { maxAliasCount: 0, logLevel: 'error' });
  } catch (error) {
    // The parser's message quotes the document, and so may its cause, so only the line is reported.
    const line = error instanceof YAMLParseError ? error.linePos?.[0].line : undefined;
    throw new KubeconfigError([`it is not YAML${line === undefined ? '' : ` (line ${line})`}`]);
  }
}

function validate(value: unknown): Kubeconfig {
  const result = z.safeParse(kubeconfigSchema(), value);
  if (result.success) return result.data;
  throw new KubeconfigError(result.error.issues.map((issue) => `${fieldOf(issue.path)} ${issue.message}`));
}

const fieldOf = (path: readonly PropertyKey[]): string =>
  path.length === 0
    ? 'the document:'
    : `${path
        .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
        .join('')
        .replace(/^\./, '')}:`;

const text = () => z.string().check(z.minLength(1));
const path = () => z.optional(text());

const clusterSchema = () =>
  z.object({
    server: text(),
    'certificate-authority': path(),
    'certificate-authority-data': path(),
    'insecure-skip-tls-verify': z.optional(z.boolean()),
    'tls-server-name': path(),
    'proxy-url': z.optional(z.string()),
  });

export const execSchema = lazily(() =>
  z.object({
    apiVersion: z.enum(['client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1']),
    command: text(),
    args: z.nullish(z.array(z.string())),
    env: z.nullish(z.array(z.object({ name: text(), value: z.string() }))),
    interactiveMode: z.optional(z.enum(['Never', 'IfAvailable', 'Always'])),
    provideClusterInfo: z.optional(z.boolean()),
  }),
);

const userSchema = () =>
  z.object({
    token: path(),
    tokenFile: path(),
    'client-certificate': path(),
    'client-certificate-data': path(),
    'client-key': path(),
    'client-key-data': path(),
    exec: z.nullish(execSchema()),
    username: z.optional(z.string()),
    'auth-provider': z.optional(z.unknown()),
  });

const contextSchema = () =>
  z.object({ cluster: text(), user: z.optional(z.string()), namespace: z.optional(z.string()) });

/** What kubectl's own reader (client-go, clientcmd/api/v1) knows and a client of the API needs. */
export const kubeconfigSchema = lazily(() =>
  z.object({
    kind: z.optional(z.literal('Config')),
    'current-context': z.optional(z.string()),
    clusters: z.nullish(z.array(z.object({ name: text(), cluster: clusterSchema() }))),
    users: z.nullish(z.array(z.object({ name: text(), user: z.nullish(userSchema()) }))),
    contexts: z.nullish(z.array(z.object({ name: text(), context: contextSchema() }))),
  }),
);

export type Kubeconfig = z.infer<ReturnType<typeof kubeconfigSchema>>;
export type KubeconfigCluster = z.infer<ReturnType<typeof clusterSchema>>;
export type KubeconfigUser = z.infer<ReturnType<typeof userSchema>>;
export type ExecPlugin = z.infer<ReturnType<typeof execSchema>>;

/** Everything that is wrong with a kubeconfig, by field. Values are never quoted, because most of them are secrets. */
export class KubeconfigError extends Error {
  override readonly name = 'KubeconfigError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[], cause?: unknown) {
    super(`the kubeconfig is not usable: ${problems.join('; ')}`, { cause });
    this.problems = problems;
  }
}
