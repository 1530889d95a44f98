import { functionEnvironment } from '@drover/cloud-sandbox/lambda';
import { expect, test } from 'vitest';
import * as bootstrapCredential from '../../functions/bootstrap-credential.ts';
import * as certificateRequests from '../../functions/certificate-requests.ts';
import * as etcdMembership from '../../functions/etcd-membership.ts';
import * as etcdSnapshot from '../../functions/etcd-snapshot.ts';
import * as heartbeats from '../../functions/heartbeats.ts';
import * as intake from '../../functions/intake.ts';
import * as nodeJoining from '../../functions/node-joining.ts';
import * as nodeLeaving from '../../functions/node-leaving.ts';
import * as prewarm from '../../functions/prewarm.ts';
import * as roll from '../../functions/roll.ts';
import * as scaleApi from '../../functions/scale-api.ts';
import * as sweep from '../../functions/sweep.ts';
import * as tokenWebhook from '../../functions/token-webhook.ts';
import { loadDeployment } from '../../local/deployment/load-deployment.ts';
import type { CreateHandler, FunctionHost, Host } from '../../shared/runtime/host.ts';

const created: Readonly<Record<string, CreateHandler>> = {
  'bootstrap-credential': bootstrapCredential.create,
  'certificate-requests': certificateRequests.create,
  'etcd-membership': etcdMembership.create,
  'etcd-snapshot': etcdSnapshot.create,
  heartbeats: heartbeats.create,
  intake: intake.create,
  'node-joining': nodeJoining.create,
  'node-leaving': nodeLeaving.create,
  'scale-api': scaleApi.create,
  prewarm: prewarm.create,
  roll: roll.create,
  sweep: sweep.create,
  'token-webhook': tokenWebhook.create,
};
const region = 'eu-west-1';
const { functions } = await loadDeployment({ accountId: '123456789012', region });

const credentials = { accessKeyId: 'ASIATEST', secretAccessKey: 'secret', sessionToken: 'token' };

const hostWith = (environment: Host['environment'], lines: string[] = []): FunctionHost => ({
  environment,
  clock: { now: () => 0, after: () => ({ cancel: () => {} }) },
  randomBytes: (size) => new Uint8Array(size),
  sendHttp: () => Promise.reject(new Error('nothing is called at start')),
  writeLine: (line) => lines.push(line),
});

test.each(functions)('$name finds every needed variable in the template’s environment', (wiring) => {
  const lines: string[] = [];
  const environment = functionEnvironment({ wiring, region, credentials });
  expect(created[wiring.name]?.(hostWith(environment, lines))).toBeTypeOf('function');
  expect(lines).toEqual([]);
});

test.each(functions)('$name reads every variable that the template sets for it', (wiring) => {
  const read = new Set<PropertyKey>();
  const environment = new Proxy(functionEnvironment({ wiring, region, credentials }), {
    get: (variables, name) => {
      read.add(name);
      return Reflect.get(variables, name) as string | undefined;
    },
  });
  created[wiring.name]?.(hostWith(environment));
  expect(Object.keys(wiring.environment).filter((name) => !read.has(name))).toEqual([]);
});

test.each(functions)('$name without its environment does not start', ({ name }) => {
  expect(() => created[name]?.(hostWith({}))).toThrow(/the environment is not usable: \w+ is not set/);
});
