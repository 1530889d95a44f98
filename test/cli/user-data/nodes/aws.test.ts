import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LaunchTemplateInstanceMetadataOptionsRequest } from '@aws-sdk/client-ec2';
import { describe, expect, it } from 'vitest';
import { createDroverWorld, type DroverWorld } from '../../../../local/world/drover-world.ts';
import { type OperatorOptions, operatorOf } from '../../operator.ts';
import { foundingFlags } from './support.ts';

const bootstrap = '/drover/drover/bootstrap-kubeconfig';

function worldWith(parameters: readonly string[]): DroverWorld {
  const world = createDroverWorld();
  for (const Name of parameters)
    world.account.ssm.operations.PutParameter(
      { Name, Value: 'x', Type: 'SecureString' },
      { principal: world.account.operator, requestId: 'test' },
    );
  return world;
}

/** `user-data` of an operator with only the IAM actions that docs/cli.md asks for. */
const operator = (world: DroverWorld, options: OperatorOptions = {}) =>
  operatorOf(world, { actions: documentedActions, ...options });

const documentedActions = (() => {
  const text = readFileSync(join(import.meta.dirname, '../../../../docs/cli.md'), 'utf8');
  const row = text.split('\n').find((line) => line.startsWith('| `user-data` |')) ?? '';
  return [...row.matchAll(/`([a-z0-9]+:[A-Z]\w+)`/g)].map(([, action = '']) => action);
})();

describe('the parameters that an instance will read', () => {
  it('are looked for, and found', async () => {
    const run = operator(worldWith([bootstrap]));
    expect(await run('user-data script --service-cidr 10.96.0.0/12')).toMatchObject({ code: 0, err: '' });
  });

  it.each([
    ['script', `Parameter Store has no ${bootstrap}: run drover rotate`],
    ['flatcar', 'run drover rotate'],
    ['openshift-3.11', 'has no /drover/drover/node-bootstrapper-kubeconfig: publish it'],
    [`kubeadm --kubernetes-version 1.34.4 ${foundingFlags}`, 'has no /drover/drover/pki/ca.crt, '],
    ['script --parameter /mine', 'has no /mine'],
  ])('are missing, and nothing is printed: %s', async (line, message) => {
    const { code, out, err } = await operator(worldWith([]))(`user-data ${line}`);
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain(message);
  });

  it('are those of drover pki, with the key that only some of them have', async () => {
    const files = [
      'ca.crt',
      'ca.key',
      'sa.key',
      'sa.pub',
      'front-proxy-ca.crt',
      'front-proxy-client.crt',
      'front-proxy-client.key',
      'etcd/ca.crt',
      'apiserver-etcd-client.crt',
      'apiserver-etcd-client.key',
    ];
    const run = operator(
      worldWith([`${bootstrap}-control-plane`, ...files.map((file) => `/drover/drover/pki/${file}`)]),
    );
    const line = 'user-data kubeadm --kubernetes-version 1.34.4';
    expect(await run(`${line} ${foundingFlags}`)).toMatchObject({ code: 0 });
    expect((await run(`${line} --role control-plane`)).err).toContain(
      'has no /drover/drover/pki/front-proxy-ca.key: run drover pki upload --all',
    );
  });

  it('are objects with --s3, of which only the names are looked for', async () => {
    const world = worldWith([]);
    const { operations } = world.account.s3;
    operations.CreateBucket({ Bucket: 'prod-keys' });
    const put = (file: string) =>
      operations.PutObject({ Bucket: 'prod-keys', Key: `pki/${file}`, Body: Buffer.from('x') });
    const line = `user-data kubeadm --kubernetes-version 1.34.4 ${foundingFlags} --s3 s3://prod-keys/pki --gzip`;
    for (const file of [
      'ca.crt',
      'ca.key',
      'sa.key',
      'sa.pub',
      'front-proxy-ca.crt',
      'front-proxy-client.crt',
    ])
      put(file);
    expect((await operator(world)(line)).err).toContain(
      'S3 has no s3://prod-keys/pki/front-proxy-client.key, s3://prod-keys/pki/etcd/ca.crt, s3://prod-keys/pki/apiserver-etcd-client.crt, s3://prod-keys/pki/apiserver-etcd-client.key: run drover pki upload --s3',
    );
    for (const file of [
      'front-proxy-client.key',
      'etcd/ca.crt',
      'apiserver-etcd-client.crt',
      'apiserver-etcd-client.key',
    ])
      put(file);
    expect(await operator(world)(line)).toMatchObject({ code: 0, err: '' });
  });

  it('are not looked for with --no-check', async () => {
    expect(await operator(worldWith([]))('user-data script --no-check')).toMatchObject({ code: 0 });
  });

  it('cannot be looked for without the right', async () => {
    const run = operator(worldWith([]), { actions: ['ec2:DescribeInstances'] });
    expect((await run('user-data script')).err).toMatch(/ssm:DescribeParameters/);
  });
});

describe('the number of pods', () => {
  it.each([
    ['t3.medium', 17],
    ['m5.large', 29],
    ['m5.xlarge', 58],
    ['c5.4xlarge', 234],
    ['c5.4xlarge,m5.large', 29],
    ['m5.large --prefix-delegation', 110],
    ['c5.9xlarge --prefix-delegation', 250],
    // Without Nitro the CNI gives single addresses.
    ['m4.large --prefix-delegation', 20],
    ['m5.large,m4.large --prefix-delegation', 20],
  ])('of %s is %d', async (types, pods) => {
    const { out } = await operator(worldWith([]))(`user-data script --no-check --instance-type ${types}`);
    expect(out).toContain(`\nmaxPods: ${pods}\n`);
  });

  it('of a type without prefixes is refused with IPv6 services, where the CNI would not start', async () => {
    const run = operator(worldWith([]));
    const line = 'user-data script --no-check --service-cidr fd00:10:96::/108 --instance-type m5.large';
    expect(await run(line)).toMatchObject({ code: 0 });
    expect(await run(`${line},m4.large,t2.small`)).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringContaining('--instance-type m4.large,t2.small is refused with IPv6 services'),
    });
  });

  it('of a type that does not exist is an error', async () => {
    const run = operator(worldWith([]));
    expect(await run('user-data script --no-check --instance-type m5.huge')).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining('m5.huge'),
    });
  });
});

describe('drover user-data --new-version-of', () => {
  const line = 'user-data script --no-check --new-version-of workers';
  const createTemplate = (
    world: DroverWorld,
    MetadataOptions: LaunchTemplateInstanceMetadataOptionsRequest,
  ) =>
    world.account.ec2.operations.CreateLaunchTemplate({
      LaunchTemplateName: 'workers',
      LaunchTemplateData: { ImageId: 'ami-0123456789abcdef0', MetadataOptions },
    });
  const withTemplate = () => {
    const world = worldWith([]);
    createTemplate(world, { HttpTokens: 'optional' });
    return world;
  };
  const versions = ({ account }: DroverWorld) =>
    account.ec2.operations.DescribeLaunchTemplateVersions({ LaunchTemplateName: 'workers' })
      .LaunchTemplateVersions;

  it('makes a version of the latest one, which keeps what user data does not decide', async () => {
    const world = withTemplate();
    const run = operator(world);
    expect(await run(line)).toMatchObject({
      code: 0,
      out: expect.stringContaining(
        'workers: made version 2 of version 1: user data, metadata tokens required, metadata hop limit 1\n',
      ),
    });
    expect(versions(world)[0]).toMatchObject({
      VersionNumber: 2,
      LaunchTemplateData: {
        ImageId: 'ami-0123456789abcdef0',
        MetadataOptions: { HttpTokens: 'required', HttpPutResponseHopLimit: 1 },
      },
    });
    const { out } = await run('user-data script --no-check');
    expect(versions(world)[0]?.LaunchTemplateData?.UserData).toBe(Buffer.from(out).toString('base64'));
  });

  it('keeps the metadata options that it does not decide', async () => {
    const world = withTemplate();
    world.account.ec2.operations.CreateLaunchTemplateVersion({
      LaunchTemplateName: 'workers',
      SourceVersion: '1',
      LaunchTemplateData: {
        MetadataOptions: {
          HttpTokens: 'optional',
          InstanceMetadataTags: 'enabled',
          HttpProtocolIpv6: 'enabled',
        },
      },
    });
    expect(await operator(world)(line)).toMatchObject({ code: 0 });
    expect(versions(world)[0]?.LaunchTemplateData?.MetadataOptions).toEqual({
      HttpEndpoint: 'enabled',
      HttpTokens: 'required',
      HttpPutResponseHopLimit: 1,
      InstanceMetadataTags: 'enabled',
      HttpProtocolIpv6: 'enabled',
    });
  });

  it('makes none if the latest one is as wanted', async () => {
    const world = withTemplate();
    const run = operator(world);
    await run(line);
    expect((await run(line)).out).toBe('workers: version 2 is as wanted already\n');
    expect(versions(world)).toHaveLength(2);
  });

  it('changes nothing with --dry-run', async () => {
    const world = withTemplate();
    expect((await operator(world)(`${line} --dry-run`)).out).toBe(
      'workers: would make a version of version 1: user data, metadata tokens required, metadata hop limit 1\n',
    );
    expect(versions(world)).toHaveLength(1);
  });

  it('prints what it did as JSON', async () => {
    const world = withTemplate();
    const run = async (flags = '') => {
      const { code, out } = await operator(world)(`${line} --json ${flags}`.trim());
      return [code, JSON.parse(out)];
    };
    const made = { launchTemplate: 'workers', sourceVersion: 1, made: true, version: 2 };
    const changes = ['user data', 'metadata tokens required', 'metadata hop limit 1'];
    expect(await run('--dry-run')).toEqual([
      0,
      { launchTemplate: 'workers', sourceVersion: 1, made: false, changes },
    ]);
    expect(await run()).toEqual([0, { ...made, changes }]);
    const unchanged = { ...made, sourceVersion: 2, made: false, changes: [] };
    expect(await run()).toEqual([0, unchanged]);
    expect(await run('--dry-run')).toEqual([0, unchanged]);
  });

  it('makes no second version if it runs again while EC2 still answers that version 1 is the latest', async () => {
    const world = withTemplate();
    const { operations } = world.account.ec2;
    const before = operations.DescribeLaunchTemplateVersions({ LaunchTemplateName: 'workers' });
    const run = operator(world);
    const first = await run(line);
    const { DescribeLaunchTemplateVersions: now } = operations;
    Object.assign(operations, { DescribeLaunchTemplateVersions: () => before });
    expect(first.out).toContain('workers: made version 2 of version 1: ');
    expect(await run(line)).toEqual(first);
    Object.assign(operations, { DescribeLaunchTemplateVersions: now });
    expect(versions(world)).toHaveLength(2);
  });

  it.each([{ HttpTokens: 'optional' }, { HttpTokens: 'optional', InstanceMetadataTags: 'enabled' }] as const)(
    'makes a version of another template with the same name, after the first one was deleted: %o',
    async (metadataOptions) => {
      const world = withTemplate();
      const run = operator(world);
      await run(line);
      world.account.ec2.operations.DeleteLaunchTemplate({ LaunchTemplateName: 'workers' });
      createTemplate(world, metadataOptions);
      expect(await run(line)).toMatchObject({ code: 0 });
      expect(versions(world)).toHaveLength(2);
    },
  );

  it('names a template that does not exist', async () => {
    expect(await operator(worldWith([]))(line)).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining('workers'),
    });
  });
});
