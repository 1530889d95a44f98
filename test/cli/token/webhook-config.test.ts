import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { webhookFlags, webhookKubeconfig } from '../../../cli/token/webhook-config.ts';

it('the kubeconfig of the webhook leads to it with the secret', () => {
  const url = 'https://abc.execute-api.eu-west-1.amazonaws.com/token-review';
  const { clusters, users, contexts, ...rest } = parse(webhookKubeconfig({ url, secret: 's: {x}' }));
  const context = contexts.find(({ name }: { name: string }) => name === rest['current-context'])?.context;
  expect(clusters).toEqual([{ name: context.cluster, cluster: { server: url } }]);
  expect(users).toEqual([{ name: context.user, user: { token: 's: {x}' } }]);
  expect(rest).toMatchObject({ apiVersion: 'v1', kind: 'Config' });
});

it('the flags say v1, which is not the default', () => {
  expect(webhookFlags('/etc/x.yaml')).toEqual([
    '--authentication-token-webhook-config-file=/etc/x.yaml',
    '--authentication-token-webhook-version=v1',
    '--authentication-token-webhook-cache-ttl=30s',
  ]);
});
