import { describe, expect, it } from 'vitest';
import { createDroverWorld, type DroverWorld } from '../../../local/world/drover-world.ts';
import { type OperatorOptions, operatorOf } from '../operator.ts';
import { kubeconfigFor } from '../support.ts';

const usual = '/drover/drover/kubeconfig';
const own = '/platform/prod/drover-kubeconfig';

const authority = Buffer.from('-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n').toString(
  'base64',
);

/** A deployment whose parameter kubeconfigParameter is another one than the usual. */
const withOwnParameter = (): DroverWorld =>
  createDroverWorld({
    editWiring: (wiring) => ({
      ...wiring,
      functions: wiring.functions.map((one) => ({
        ...one,
        environment: { ...one.environment, DROVER_KUBECONFIG_PARAMETER: own },
      })),
    }),
  });

/** Removes what the world has stored, so that this is the first store. */
function without(world: DroverWorld, ...names: readonly string[]): DroverWorld {
  for (const Name of names) world.account.ssm.operations.DeleteParameter({ Name });
  return world;
}

const namesIn = ({ account: { ssm } }: DroverWorld): readonly string[] =>
  ssm.operations
    .DescribeParameters({})
    .Parameters.map(({ Name = '' }) => Name)
    .filter((name) => name.endsWith('kubeconfig'));

const at = (world: DroverWorld, server: string, options: OperatorOptions = {}) =>
  operatorOf(world, {
    files: {
      '/home/ana/.kube/config': kubeconfigFor(world.kubernetes.adminToken, server).replace(
        `server: "${server}"`,
        `server: "${server}", certificate-authority-data: ${authority}`,
      ),
    },
    ...options,
  });

describe('the parameter that drover kubeconfig writes', () => {
  it('is the one that the deployed functions read', async () => {
    const world = without(withOwnParameter(), own);
    expect(await at(world, 'https://api.test:6443')('kubeconfig --yes')).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringContaining(`${own} gets a kubeconfig`),
    });
    expect(namesIn(world)).toEqual([own]);
  });

  it.each([
    ['--parameter', 'kubeconfig --yes --parameter /other/kubeconfig', {}],
    [
      'the environment',
      'kubeconfig --yes',
      { environment: { DROVER_KUBECONFIG_PARAMETER: '/other/kubeconfig' } },
    ],
  ])('is that of %s, whatever is deployed', async (_, line, options) => {
    const world = without(withOwnParameter(), own);
    expect((await at(world, 'https://api.test:6443', options)(line)).code).toBe(0);
    expect(namesIn(world)).toEqual(['/other/kubeconfig']);
  });

  it('is the usual one before a deployment', async () => {
    const world = without(createDroverWorld(), usual);
    const { operations } = world.account.events;
    for (const { Name } of operations.ListRules({}).Rules) {
      const { Targets } = operations.ListTargetsByRule({ Rule: Name });
      operations.RemoveTargets({ Rule: Name, Ids: Targets.map(({ Id }) => Id ?? '') });
      operations.DeleteRule({ Name });
    }
    expect(await at(world, 'https://api.test:6443')('kubeconfig --yes')).toMatchObject({ code: 0, err: '' });
    expect(namesIn(world)).toEqual([usual]);
  });

  it.each([
    ['rules', ['ssm:*', 'kms:*', 'lambda:*']],
    ['functions', ['ssm:*', 'kms:*', 'events:*']],
  ])('is the usual one, with a warning, if the %s cannot be read', async (_, actions) => {
    const world = without(createDroverWorld(), usual);
    expect(await at(world, 'https://api.test:6443', { actions })('kubeconfig --yes')).toMatchObject({
      code: 0,
      err: expect.stringMatching(
        /^warning: it is unknown which parameter the deployed functions read: .*--parameter/,
      ),
    });
    expect(namesIn(world)).toEqual([usual]);
  });

  it('is that of the named stage, and a stage of another cluster is refused', async () => {
    const world = without(withOwnParameter(), own);
    const drover = at(world, 'https://api.test:6443');
    expect(await drover('kubeconfig --yes --stage dev --cluster other')).toMatchObject({
      code: 1,
      err: expect.stringContaining('stage dev serves cluster drover, not other'),
    });
    expect((await drover('kubeconfig --yes --stage dev')).code).toBe(0);
    expect(namesIn(world)).toEqual([own]);
  });
});

describe('drover kubeconfig through a tunnel', () => {
  it.each([
    'https://127.0.0.1:6443',
    'https://127.8.0.1',
    'https://localhost:6443',
    'https://LOCALHOST',
    'https://[::1]:6443',
    'https://[::ffff:127.0.0.1]:6443',
    'https://0.0.0.0:6443',
    'https://tunnel.localhost:6443',
  ])('refuses to store %s, which no function reaches, and stores what --server says', async (server) => {
    const world = without(createDroverWorld(), usual);
    const drover = at(world, server);
    const { code, err } = await drover('kubeconfig --yes');
    expect([code, err]).toEqual([1, expect.stringMatching(/functions do not reach https:.*: give --server/)]);
    expect(namesIn(world)).toEqual([]);
    expect((await drover('kubeconfig --yes --server https://api.internal:6443')).code).toBe(0);
    expect(namesIn(world)).toEqual([usual]);
    // The stored address stays: the tunnel is only the way of this machine.
    expect(await drover('kubeconfig --yes')).toMatchObject({
      code: 0,
      out: expect.stringContaining('for https://api.internal:6443'),
    });
  });

  it('stores an address of this machine if --server names it, as in a sandbox', async () => {
    const world = without(createDroverWorld(), usual);
    const line = 'kubeconfig --yes --server https://127.0.0.1:6443';
    expect((await at(world, 'https://127.0.0.1:6443')(line)).code).toBe(0);
  });
});
