import * as z from 'zod/mini';
import { lazily } from '../../base/lazily.ts';

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

const contextSchema = () => z.object({ cluster: text(), user: z.optional(z.string()) });

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
