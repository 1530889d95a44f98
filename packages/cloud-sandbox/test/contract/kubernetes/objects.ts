import type { KubernetesWorld } from './world.ts';

/** A pod that mounts no token. It is not scheduled unless its spec names a node. */
export const pod = (
  name: string,
  { metadata = {}, spec = {} }: { metadata?: object; spec?: object } = {},
) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, ...metadata },
  spec: {
    schedulerName: 'nobody',
    automountServiceAccountToken: false,
    containers: [{ name: 'main', image: 'example:1' }],
    ...spec,
  },
});

export const configMap = (name: string, data?: Readonly<Record<string, string>>, metadata: object = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...metadata },
  ...(data && { data }),
});

/** Labels `app: NAME`, in selector and template. */
export const deployment = (name: string, replicas = 0) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name },
  spec: {
    replicas,
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name } },
      spec: { containers: [{ name: 'main', image: 'example:1' }] },
    },
  },
});

export const nameOf = (path: string): string => path.split('/').at(-1) ?? '';

/** The same namespace under another group: `/apis/apps/v1/namespaces/NAME`. */
export const inGroup = (namespace: string, groupVersion: string): string =>
  `/apis/${groupVersion}/namespaces/${nameOf(namespace)}`;

/** The object that the server has created. Rejects if the server refuses it. */
export async function made(world: KubernetesWorld, path: string, body: object) {
  const answer = await world.post(path, body);
  if (answer.status !== 201) throw new Error(`POST ${path} was answered ${answer.text}`);
  return answer.body;
}

export const names = ({
  body,
}: {
  readonly body: { readonly items: readonly unknown[] };
}): readonly string[] => body.items.map((item) => (item as { metadata: { name: string } }).metadata.name);
