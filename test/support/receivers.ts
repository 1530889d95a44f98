import { createRequire } from 'node:module';
import { chosenResources } from './conditions.ts';

interface Resource {
  readonly Type: string;
  readonly Properties: Readonly<Record<string, unknown>>;
}

const program = createRequire(import.meta.url)('../../deploy/notifications.cjs') as (
  osls: object,
) => Promise<{ readonly Resources: Readonly<Record<string, Resource>> }>;

const none = { notificationEmail: '', notificationTopic: '', chatWebhookSecret: '', notifyFrom: 'info' };

export type ReceiverParameters = typeof none;

/** What the stack `drover-dev` of the cluster `drover` makes for these receivers of notifications. */
export async function receiversWith(
  parameters: Partial<ReceiverParameters>,
): Promise<Readonly<Record<string, Resource>>> {
  const values: Readonly<Record<string, string>> = {
    'self:custom.name': 'drover-dev',
    'param:cluster': 'drover',
    ...Object.fromEntries(
      Object.entries({ ...none, ...parameters }).map(([name, value]) => [`param:${name}`, value]),
    ),
  };
  const { Resources } = await program({ resolveVariable: async (name: string) => values[name] });
  return chosenResources(Resources, { ...none, ...parameters }) as Readonly<Record<string, Resource>>;
}
