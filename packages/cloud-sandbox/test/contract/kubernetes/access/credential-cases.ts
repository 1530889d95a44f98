import { expect } from 'vitest';
import type { Cases } from '../../../../truth/contract.ts';
import { expectInvalid, expectNotFound, invalid } from '../expectations.ts';
import { made, nameOf } from '../objects.ts';
import type { KubernetesWorld } from '../world.ts';

const secrets = '/api/v1/namespaces/kube-system/secrets';
const part = '0123456789abcdef';
let tokens = 0;

/** A bootstrap token with these fields beside its own; what asks who it is, once or until it is known. */
async function startToken(world: KubernetesWorld, fields: Readonly<Record<string, string>> = {}) {
  tokens += 1;
  const id = `case${String(tokens).padStart(2, '0')}`;
  const stringData = {
    'token-id': id,
    'token-secret': part,
    'usage-bootstrap-authentication': 'true',
    ...fields,
  };
  const name = `bootstrap-token-${id}`;
  await made(world, secrets, { metadata: { name }, type: 'bootstrap.kubernetes.io/token', stringData });
  const ask = (secret = part) =>
    world.post(
      '/apis/authentication.k8s.io/v1/selfsubjectreviews',
      {},
      { authorization: `Bearer ${id}.${secret}` },
    );
  return {
    id,
    ask,
    /** The API server hears of a Secret a moment after it is made. */
    known: async () => {
      await expect.poll(async () => (await ask()).status).toBe(201);
      return (await ask()).body.status.userInfo;
    },
    end: () => world.delete(`${secrets}/${name}`),
  };
}

async function startAccount(world: KubernetesWorld) {
  const namespace = await world.namespace();
  await made(world, `${namespace}/serviceaccounts`, { metadata: { name: 'bot' } });
  return { namespace, path: `${namespace}/serviceaccounts/bot/token` };
}

/** Bootstrap tokens and the tokens of ServiceAccounts. */
export const credentialCases: Cases<KubernetesWorld> = {
  'a bootstrap token authenticates a user with the groups of its Secret': async (world) => {
    const groups = 'system:bootstrappers:b,system:bootstrappers:a';
    const { id, known, end } = await startToken(world, { 'auth-extra-groups': groups });
    expect(await known()).toEqual({
      username: `system:bootstrap:${id}`,
      groups: [
        'system:bootstrappers',
        'system:bootstrappers:a',
        'system:bootstrappers:b',
        'system:authenticated',
      ],
    });
    await end();
  },

  'a bootstrap token without groups has the group of all bootstrap tokens': async (world) => {
    const { known, end } = await startToken(world, { 'auth-extra-groups': '' });
    expect((await known()).groups).toEqual(['system:bootstrappers', 'system:authenticated']);
    await end();
  },

  'a bootstrap token with a wrong secret is refused': async (world) => {
    const { ask, known, end } = await startToken(world);
    await known();
    expect((await ask('fedcba9876543210')).status).toBe(401);
    await end();
  },

  'a bootstrap token that has expired or has an invalid expiration is refused': async (world) => {
    const later = await startToken(world, { expiration: '2100-01-01T00:00:00Z' });
    await later.known();
    const refused = [
      await startToken(world, { expiration: '2020-01-01T00:00:00Z' }),
      await startToken(world, { expiration: 'soon' }),
    ];
    // One that was made after them is known: they have been heard of.
    const last = await startToken(world);
    await last.known();
    for (const { ask } of refused) expect((await ask()).status).toBe(401);
    for (const { end } of [later, last, ...refused]) await end();
  },

  'a bootstrap token with another usage, id or group is refused': async (world) => {
    const refused = [
      await startToken(world, { 'usage-bootstrap-authentication': 'false' }),
      await startToken(world, { 'token-id': 'zzzzzz' }),
      await startToken(world, { 'auth-extra-groups': 'system:masters' }),
    ];
    const last = await startToken(world);
    await last.known();
    for (const { ask } of refused) expect((await ask()).status).toBe(401);
    for (const { end } of [last, ...refused]) await end();
  },

  'a bootstrap token that was deleted before it was used is refused': async (world) => {
    const gone = await startToken(world);
    await gone.end();
    const last = await startToken(world);
    await last.known();
    expect((await gone.ask()).status).toBe(401);
    await last.end();
  },

  'a used bootstrap token is accepted for some seconds after its deletion': async (world) => {
    const gone = await startToken(world);
    await gone.known();
    await gone.end();
    const last = await startToken(world);
    await last.known();
    expect((await gone.ask()).status).toBe(201);
    await last.end();
  },

  'the token of a ServiceAccount is valid for an hour by default': async (world) => {
    const { namespace, path } = await startAccount(world);
    const { status, body } = await world.post(path, {});
    expect(status).toBe(201);
    expect(body).toMatchObject({
      kind: 'TokenRequest',
      apiVersion: 'authentication.k8s.io/v1',
      metadata: { name: 'bot', namespace: nameOf(namespace), creationTimestamp: expect.any(String) },
      spec: { audiences: ['https://kubernetes.default.svc'], expirationSeconds: 3600 },
    });
    const seconds = (Date.parse(body.status.expirationTimestamp) - Date.now()) / 1000;
    expect(Math.abs(seconds - 3600)).toBeLessThan(10);
  },

  'the token of a ServiceAccount is a JSON Web Token': async (world) => {
    const { namespace, path } = await startAccount(world);
    const { token } = (await world.post(path, {})).body.status;
    const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
    expect(claims).toMatchObject({
      iss: 'https://kubernetes.default.svc',
      sub: `system:serviceaccount:${nameOf(namespace)}:bot`,
      aud: ['https://kubernetes.default.svc'],
    });
  },

  'the token of a ServiceAccount is valid for at least ten minutes': async (world) => {
    const { path } = await startAccount(world);
    expectInvalid(await world.post(path, { spec: { expirationSeconds: 10 } }), {
      kind: 'TokenRequest',
      group: 'authentication.k8s.io',
      causes: [invalid('spec.expirationSeconds', '10: may not specify a duration less than 10 minutes')],
    });
    const { body } = await world.post(path, { spec: { expirationSeconds: 600, audiences: ['a'] } });
    expect(body.spec).toMatchObject({ expirationSeconds: 600, audiences: ['a'] });
  },

  'a token for another audience is refused': async (world) => {
    const { path } = await startAccount(world);
    const { token } = (await world.post(path, { spec: { audiences: ['a'] } })).body.status;
    expect((await world.get('/api', { authorization: `Bearer ${token}` })).status).toBe(401);
  },

  'a token for a missing ServiceAccount is refused': async (world) => {
    const namespace = await world.namespace();
    expectNotFound(
      await world.post(`${namespace}/serviceaccounts/none/token`, {}),
      'serviceaccounts',
      'none',
    );
  },

  'a ServiceAccount authenticates as a user with its groups': async (world) => {
    const { namespace, path } = await startAccount(world);
    const { token } = (await world.post(path, {})).body.status;
    const headers = { authorization: `Bearer ${token}` };
    const { body } = await world.post('/apis/authentication.k8s.io/v1/selfsubjectreviews', {}, headers);
    const name = nameOf(namespace);
    expect(body.status.userInfo).toMatchObject({
      username: `system:serviceaccount:${name}:bot`,
      uid: expect.any(String),
      groups: ['system:serviceaccounts', `system:serviceaccounts:${name}`, 'system:authenticated'],
    });
  },
};
