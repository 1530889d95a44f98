import { globSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { releaseParameters } from '../../../../scripts/release/parameters.ts';
import { terraformVariables } from '../../../../scripts/release/terraform-variables.ts';
import { type Configuration, hasParser, named, parseHcl } from './hcl.ts';

const clusters = ['kubeadm', 'eks', 'openshift-3.11', 'etcd-beside'].map(
  (name) => `examples/${name}/terraform`,
);
const modules = ['examples/modules/node-group', 'examples/modules/node-role', 'examples/terraform'];
const filesOf = (folder: string) => globSync(`${folder}/*.tf`).toSorted();
const own = new Set(['source', 'depends_on', 'for_each', 'count', 'providers']);

/** The module of a release is unpacked beside an example. */
const releasedModule = './drover/terraform';
let scratch: string;
let release: Configuration;

const withoutParser = hasParser ? '' : ', with the parser that .ci/run installs';
describe.skipIf(!hasParser)(`Terraform, parsed as HCL${withoutParser}:`, { timeout: 120_000 }, () => {
  beforeAll(async () => {
    scratch = await mkdtemp(join(tmpdir(), 'drover-terraform-'));
    const variables = join(scratch, 'variables.tf');
    await writeFile(variables, terraformVariables(releaseParameters()));
    release = await parseHcl([variables, ...filesOf('deploy/terraform')]);
  });
  afterAll(() => rm(scratch, { recursive: true }));

  const moduleAt = (source: string, folder: string): Promise<Configuration> | Configuration =>
    source === releasedModule ? release : parseHcl(filesOf(join(folder, source)));

  test.each(clusters)('%s gives each module what it declares, and all that it asks for', async (folder) => {
    const calls = named(await parseHcl(filesOf(folder)), 'module');
    expect(calls.size).toBeGreaterThan(1);
    for (const [name, call] of calls) {
      const declared = named(await moduleAt(textOf(call['source']), folder), 'variable');
      const given = Object.keys(call).filter((key) => !own.has(key) && !key.startsWith('__'));
      expect(
        given.filter((key) => !declared.has(key)),
        name,
      ).toEqual([]);
      const required = [...declared].filter(([, variable]) => !('default' in variable)).map(([key]) => key);
      expect(
        required.filter((key) => !given.includes(key)),
        name,
      ).toEqual([]);
    }
  });

  test.each([...clusters, ...modules])(
    '%s uses the variables that it declares, and no other',
    async (folder) => {
      const texts = filesOf(folder)
        .map((file) => readFileSync(file, 'utf8'))
        .join('\n');
      const used = new Set([...texts.matchAll(/\bvar\.(\w+)/g)].map(([, name = '']) => name));
      expect([...named(await parseHcl(filesOf(folder)), 'variable').keys()].toSorted()).toEqual(
        [...used].toSorted(),
      );
    },
  );

  test.each(clusters)('%s ignores the tags that Drover writes', async (folder) => {
    const aws = named(await parseHcl(filesOf(folder)), 'provider').get('aws');
    expect(JSON.stringify(aws?.['ignore_tags'])).toContain('"drover.dev/paused","drover.dev/etcd-status"');
  });

  test('the group of every cluster has hooks by its role, tags, metadata options and ignored sizes', async () => {
    const text = JSON.stringify(await parseHcl(filesOf('examples/modules/node-group')));
    for (const part of [
      '"http_tokens": ["required"]',
      '"http_put_response_hop_limit": [1]',
      'drover-node-joining',
      'drover-node-leaving',
      'drover-etcd-launch',
      'control-plane-with-etcd',
      'drover.dev/role',
      'kubernetes.io/cluster/${var.cluster}',
      'k8s.io/cluster-autoscaler',
      '"spot_allocation_strategy": ["capacity-optimized"]',
      '"instance_maintenance_policy"',
      'min_size',
      'desired_capacity',
    ])
      expect(text.replaceAll('":', '": ').replaceAll('",', '", ')).toContain(part);
    expect(text).toMatch(/"ignore_changes":\[\[[^\]]*min_size[^\]]*desired_capacity/);
  });

  test.each(['kubeadm', 'eks', 'etcd-beside'])(
    '%s admits the same security groups as its CloudFormation template',
    async (name) => {
      const locals = (await parseHcl(filesOf(`examples/${name}/terraform`)))['locals'] ?? [];
      const rules = locals.flatMap(({ admitted = {} }) =>
        Object.values([admitted].flat()[0] as object),
      ) as readonly {
        readonly why: string;
      }[];
      const template = readFileSync(`examples/${name}/cloudformation/cluster.yml`, 'utf8');
      const described = [...template.matchAll(/SecurityGroupIngress\n +Properties:\n +Description: (.+)/g)];
      expect(rules.map(({ why }) => textOf(why)).toSorted()).toEqual(
        described.map(([, why = '']) => why).toSorted(),
      );
    },
  );

  test.each(clusters)('%s has a group for each role of its CloudFormation template', async (folder) => {
    const calls = [...named(await parseHcl(filesOf(folder)), 'module').values()];
    const groups = calls
      .filter((call) => textOf(call['source']).endsWith('/node-group'))
      // One group for each of three subnets.
      .flatMap((call) => (textOf(call['one_group_per_zone']) === 'true' ? [call, call, call] : [call]));
    const template = readFileSync(globSync(`${dirname(folder)}/cloudformation/*.yml`)[0] ?? '', 'utf8');
    expect(groups).toHaveLength(template.match(/Type: AWS::AutoScaling::AutoScalingGroup/g)?.length ?? 0);
    // A role that a variable turns on; the parser has its own word for null.
    const roles = groups.flatMap((call) =>
      'role' in call ? [textOf(call['role']).replace(/^\$\{var\.managed \? "(\w+)" : \w+\}$/, '$1')] : [],
    );
    const tagged = [...template.matchAll(/Key: drover\.dev\/role, Value: ([\w-]+)/g)].map(
      ([, role = '']) => role,
    );
    expect(roles.toSorted()).toEqual(tagged.toSorted());
  });
});

describe.skipIf(!hasParser)(`Terraform and CloudFormation${withoutParser}:`, { timeout: 120_000 }, () => {
  test.each(['kubeadm', 'eks', 'openshift-3.11'])(
    '%s takes the same types of Spot Instances, labels and taints',
    async (name) => {
      const spot = named(await parseHcl(filesOf(`examples/${name}/terraform`)), 'module').get('spot');
      const template = readFileSync(globSync(`examples/${name}/cloudformation/*.yml`)[0] ?? '', 'utf8');
      const types = [...template.matchAll(/- \{ InstanceType: (\S+) \}/g)].map(([, type]) => type);
      expect([spot?.['instance_types']].flat(2)).toEqual(types);
      for (const [given, kind] of [
        ['node_labels', 'label'],
        ['node_taints', 'taint'],
      ] as const) {
        const tags = (template.split('  SpotGroup:')[1] ?? '').matchAll(
          new RegExp(`node-template/${kind}/([^,]+), Value: '?([^',]+)'?,`, 'g'),
        );
        const [entries = {}] = [spot?.[given]].flat() as object[];
        expect(entries).toEqual(Object.fromEntries([...tags].map(([, key, value]) => [key, value])));
      }
    },
  );
});

/** The parser of checkov gives each value as a list of one. */
const textOf = (value: unknown): string => String(Array.isArray(value) ? (value[0] as unknown) : value);
