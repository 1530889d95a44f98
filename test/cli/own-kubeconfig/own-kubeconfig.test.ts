import * as fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { isDue } from '../../../cli/own-kubeconfig/renewal.ts';
import { createDroverWorld, type DroverWorld } from '../../../local/world/drover-world.ts';
import { type OperatorOptions, operatorOf } from '../operator.ts';

const name = '/drover/drover/kubeconfig';
const certificateAuthority = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n';
const otherAuthority = '-----BEGIN CERTIFICATE-----\nMIIC\n-----END CERTIFICATE-----\n';
const day = 86_400;

const readStored = ({ account: { ssm } }: DroverWorld) => {
  const { Parameter } = ssm.operations.GetParameter({ Name: name, WithDecryption: true });
  const value = Parameter?.Value ?? '';
  return value.startsWith('{') ? JSON.parse(value) : value;
};

const withCluster = (cluster: object, token: string): string =>
  JSON.stringify({
    'current-context': 'admin',
    clusters: [{ name: 'own', cluster }],
    users: [{ name: 'admin', user: { token } }],
    contexts: [{ name: 'admin', context: { cluster: 'own', user: 'admin' } }],
  });

const clusterAt = (server: string, ...authorities: readonly string[]) => ({
  server,
  ...(authorities.length > 0 && {
    'certificate-authority-data': Buffer.from(authorities.join('')).toString('base64'),
  }),
});

/** Leaves the parameter its key. */
function put(world: DroverWorld, Value: string) {
  const { ssm, operator: principal } = world.account;
  const caller = { principal, requestId: 'test' };
  const input = {
    Name: name,
    Type: 'SecureString',
    Value,
    Overwrite: true,
    KeyId: keyOfStored(world),
  } as const;
  ssm.operations.PutParameter(input, caller);
}

const keyOfStored = ({ account: { ssm } }: DroverWorld): string | undefined => {
  const ParameterFilters = [{ Key: 'Name', Option: 'Equals', Values: [name] }];
  return ssm.operations.DescribeParameters({ ParameterFilters }).Parameters[0]?.KeyId;
};

/** The stored kubeconfig is one of the same cluster, as the operator has it, unless a test says otherwise. */
function setUp(options: OperatorOptions = {}) {
  const world = createDroverWorld();
  put(world, withCluster(clusterAt('https://api.test:6443', certificateAuthority), 'old'));
  const kubeconfig = withCluster(
    clusterAt('https://api.test:6443', certificateAuthority),
    world.kubernetes.adminToken,
  );
  const files = { '/home/ana/.kube/config': kubeconfig, '/insecure': insecure(world) };
  return { world, drover: operatorOf(world, { files, ...options }) };
}

/** A token for 30 days as a real API server signs it, which is so many days old. */
function storeToken(world: DroverWorld, age: number) {
  const nbf = world.clock.now() / 1000 - age * day;
  const claims = Buffer.from(JSON.stringify({ nbf, exp: nbf + 30 * day })).toString('base64url');
  const kubeconfig = readStored(world);
  kubeconfig.users[0].user.token = `header.${claims}.signature`;
  put(world, JSON.stringify(kubeconfig));
  return kubeconfig;
}

const insecure = ({ kubernetes }: DroverWorld): string =>
  withCluster({ server: 'https://api.test:6443', 'insecure-skip-tls-verify': true }, kubernetes.adminToken);

describe('drover kubeconfig', () => {
  it('stores the address, the authority and a new token of the ServiceAccount, and no credential of the operator', async () => {
    const { world, drover } = setUp();
    const { code, out, err } = await drover('kubeconfig --yes');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const stored = readStored(world);
    expect(stored.clusters[0].cluster).toEqual({
      server: 'https://api.test:6443',
      'certificate-authority-data': Buffer.from(certificateAuthority).toString('base64'),
    });
    const { token } = stored.users[0].user;
    expect(JSON.stringify(stored)).not.toContain(world.kubernetes.adminToken);
    expect(`${out}${err}`).not.toContain(token);
    const end = new Date(world.clock.now() + 30 * day * 1000).toISOString().replace(/\.\d+Z$/, 'Z');
    expect(out).toContain(`expires at ${end}`);
  });

  it('changes nothing without a confirmation, and says what it would replace', async () => {
    const { world, drover } = setUp();
    const before = readStored(world);
    for (const line of ['kubeconfig', 'kubeconfig --plan']) {
      const { code, out } = await drover(line);
      expect({ code, out }).toMatchObject({
        code: 0,
        out: expect.stringMatching(/with a new token.*it has a token/),
      });
    }
    expect(readStored(world)).toEqual(before);
  });

  it('renews in the last third of the time only, if it is asked so', async () => {
    const { world, drover } = setUp();
    await drover('kubeconfig --yes');
    const renew = 'kubeconfig --yes --if-due';
    for (const age of [0, 1, 19]) {
      const stored = storeToken(world, age);
      expect((await drover(renew)).out).toContain('is not due');
      expect(readStored(world)).toEqual(stored);
    }
    for (const age of [21, 30, 40]) {
      const stored = storeToken(world, age);
      expect((await drover(renew)).out).toContain('stored');
      expect(readStored(world)).not.toEqual(stored);
    }
  });

  it('says if the API server shortens the token, as with --service-account-max-token-expiration', async () => {
    const world = createDroverWorld();
    const shortening: OperatorOptions['sendHttp'] = async (request) => {
      const isRequest = request.url.endsWith('/serviceaccounts/drover/token');
      const body = request.body?.replace(/"expirationSeconds":\d+/, '"expirationSeconds":3600');
      return await world.kubernetes.sendHttp(isRequest && body ? { ...request, body } : request);
    };
    const drover = operatorOf(world, { sendHttp: shortening });
    expect(await drover('kubeconfig --yes --replace-cluster')).toMatchObject({
      code: 0,
      err: expect.stringContaining('less time than was asked for'),
    });
  });

  it('stores another address for the functions', async () => {
    const { world, drover } = setUp();
    expect((await drover('kubeconfig --yes --server https://api.internal:6443')).code).toBe(0);
    expect(readStored(world).clusters[0].cluster.server).toBe('https://api.internal:6443');
    expect(await drover('kubeconfig --yes --server http://api.internal')).toMatchObject({ code: 2 });
  });

  it.each([
    ['another authority', clusterAt('https://api.prod:6443', otherAuthority)],
    [
      'another authority at the same address, as by a tunnel',
      clusterAt('https://api.test:6443', otherAuthority),
    ],
    ['no authority at another address', clusterAt('https://api.prod:6443')],
  ])('does not replace a kubeconfig with %s, which may be that of another cluster', async (_, cluster) => {
    const { world, drover } = setUp();
    put(world, withCluster(cluster, 'old'));
    const before = readStored(world);
    for (const line of ['kubeconfig --yes', 'kubeconfig --yes --server https://api.internal']) {
      expect(await drover(line)).toMatchObject({
        code: 1,
        err: expect.stringContaining('--replace-cluster'),
      });
      expect(readStored(world)).toEqual(before);
    }
    expect((await drover('kubeconfig --yes --replace-cluster')).code).toBe(0);
    expect(readStored(world).clusters[0].cluster).toEqual(
      clusterAt('https://api.test:6443', certificateAuthority),
    );
  });

  it('renews with the stored address, and with the authorities of a change of the authority', async () => {
    const { world, drover } = setUp();
    put(
      world,
      withCluster(clusterAt('https://api.internal:6443', otherAuthority, certificateAuthority), 'old'),
    );
    expect(await drover('kubeconfig --yes')).toMatchObject({
      code: 0,
      out: expect.stringContaining('for https://api.internal:6443'),
    });
    expect(readStored(world).clusters[0].cluster).toEqual(
      clusterAt('https://api.internal:6443', certificateAuthority),
    );
  });

  it('keeps the key of the parameter although Parameter Store begins with an empty page', async () => {
    const { world, drover } = setUp();
    const { ssm } = world.account;
    const before = keyOfStored(world);
    expect(before).not.toBe('alias/aws/ssm');
    const { DescribeParameters } = ssm.operations;
    const begun = vi
      .spyOn(ssm.operations, 'DescribeParameters')
      .mockImplementation((input) =>
        input.NextToken === undefined
          ? { Parameters: [], NextToken: 'next' }
          : DescribeParameters({ ...input, NextToken: undefined }),
      );
    expect((await drover('kubeconfig --yes')).code).toBe(0);
    begun.mockRestore();
    expect(keyOfStored(world)).toBe(before);
  });

  it('refuses a server that it does not verify, because the functions would', async () => {
    const { world, drover } = setUp();
    const before = readStored(world);
    expect(await drover('kubeconfig --yes --kubeconfig /insecure')).toMatchObject({
      code: 1,
      err: expect.stringContaining('certificate-authority-data'),
    });
    expect(readStored(world)).toEqual(before);
  });

  it('names drover rbac if the ServiceAccount is missing', async () => {
    const { world, drover } = setUp();
    await world.kubernetes.sendHttp({
      method: 'DELETE',
      url: 'https://api.test:6443/api/v1/namespaces/kube-system/serviceaccounts/drover',
      headers: { authorization: `Bearer ${world.kubernetes.adminToken}` },
      timeoutMilliseconds: 1000,
    });
    expect(await drover('kubeconfig --yes')).toMatchObject({
      code: 1,
      err: expect.stringContaining('drover rbac'),
    });
  });

  it('lets the functions drain with what it stored', async () => {
    const { world, drover } = setUp();
    await drover('kubeconfig --yes');
    const outcome = world.lambda.invoke('sweep', {});
    await world.timeline.pass(30);
    expect(await outcome).toMatchObject({ kind: 'succeeded' });
  });

  it.each(['9m', '91d', '30'])('refuses a token of %s', async (duration) => {
    expect(await setUp().drover(`kubeconfig --yes --duration ${duration}`)).toMatchObject({ code: 2 });
  });
});

it('a credential is due in its last third and later, and always if it says no time', () => {
  const times = fc.record({ from: fc.nat(), length: fc.integer({ min: 1, max: 1e9 }), at: fc.nat(2e9) });
  fc.assert(
    fc.property(times, ({ from, length, at }) => {
      const period = { notBefore: from, notAfter: from + length };
      expect(isDue(period, at)).toBe(at - from >= (length * 2) / 3);
    }),
  );
  expect(isDue({}, 0)).toBe(true);
  expect(isDue({ notAfter: 10 }, 0)).toBe(true);
});
