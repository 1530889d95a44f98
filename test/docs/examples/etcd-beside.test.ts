import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { instancePolicy } from '../../../cli/pki/policy.ts';
import { clusterName, nodesOf } from '../../../local/world/drover-world.ts';
import { untilWhole } from '../../../local/world/etcd/expectations.ts';
import { userDataOf } from '../../cli/user-data/nodes/support.ts';
import {
  apiServersOf,
  createWorldWithoutGroup,
  unexpectedProblems,
} from '../../support/etcd/beside-api-servers.ts';
import { exampleResources } from './example-template.ts';
import { makeExample } from './make-example.ts';

const folder = 'etcd-beside/cloudformation';
const textOf = (file: string): string => readFileSync(`examples/etcd-beside/${file}`, 'utf8');
const clusterOf = (parameters: Readonly<Record<string, string>> = {}) =>
  exampleResources(`${folder}/cluster.yml`, { ClusterName: 'prod', ...parameters });
const properties = (name: string) => clusterOf()[name]?.Properties ?? {};

describe('the zone of the example etcd-beside', () => {
  const zoneOf = (ParentZoneId: string) =>
    exampleResources(`${folder}/zone.yml`, { ZoneName: 'prod.example.com', ParentZoneId });

  test('is public, and the parent zone has its name servers', () => {
    const { Zone, Delegation } = zoneOf('Z0123456789ABC');
    expect(Zone?.Properties).toEqual({ Name: 'prod.example.com' });
    expect(Delegation?.Properties).toMatchObject({
      HostedZoneId: 'Z0123456789ABC',
      Name: 'prod.example.com',
      Type: 'NS',
      ResourceRecords: { 'Fn::GetAtt': ['Zone', 'NameServers'] },
    });
  });

  test('is private to the VPC without a parent zone, and no record delegates it', () => {
    const { Zone, Delegation } = zoneOf('');
    expect(Zone?.Properties['VPCs']).toEqual([{ VPCId: 'vpc-0123456789abcdef0', VPCRegion: 'eu-west-1' }]);
    expect(Delegation).toBeUndefined();
  });
});

describe('the cluster of the example etcd-beside', () => {
  test('has the four hooks of the table in docs/etcd.md from the beginning', () => {
    const rows = readFileSync('docs/etcd.md', 'utf8').matchAll(
      /^\| `(drover[\w-]*)`, `(ABANDON|CONTINUE)` \| the (launch|termination),/gm,
    );
    const documented = [...rows].map(([, LifecycleHookName, DefaultResult, when]) => ({
      LifecycleHookName,
      LifecycleTransition: `autoscaling:EC2_INSTANCE_${when === 'launch' ? 'LAUNCHING' : 'TERMINATING'}`,
      HeartbeatTimeout: 3600,
      DefaultResult,
    }));
    expect(documented).toHaveLength(4);
    expect(properties('ControlPlaneGroup')['LifecycleHookSpecificationList']).toEqual(documented);
  });

  test('has a load balancer that does not preserve client addresses, so that an instance reaches itself', () => {
    expect(properties('EndpointTargets')['TargetGroupAttributes']).toContainEqual({
      Key: 'preserve_client_ip.enabled',
      Value: 'false',
    });
    expect(properties('ControlPlaneGroup')['TargetGroupARNs']).toEqual([{ Ref: 'EndpointTargets' }]);
    expect(properties('EndpointRecord')).toMatchObject({ Name: 'api.prod.example.internal', Type: 'A' });
  });

  test('has the role that drover pki policy prints', () => {
    const key = 'arn:aws:kms:eu-west-1:123456789012:key/0f1e2d3c';
    const printed = instancePolicy({
      cluster: 'prod',
      role: 'control-plane',
      etcd: 'beside',
      kmsKey: [key],
      account: '123456789012',
      region: 'eu-west-1',
    });
    const [policy] = properties('ControlPlaneRole')['Policies'] as readonly {
      readonly PolicyDocument: { readonly Statement: readonly object[] };
    }[];
    const statements = policy?.PolicyDocument.Statement.map((one) => ({
      ...one,
      Resource: [one].flatMap(resourcesOf),
    }));
    expect(statements).toEqual(printed.Statement.map((one) => ({ ...one, Resource: resourcesOf(one) })));
  });

  test.each(['create', 'README.md'])('has user data for its own names, as %s prints it', async (file) => {
    const [written = ''] =
      /^drover user-data kubeadm --cluster \S+ --kubernetes-version [\s\S]*? --gzip/m.exec(textOf(file)) ??
      [];
    const command = written
      .replaceAll(/\\\n */g, '')
      .replaceAll('"', '')
      .replaceAll('$CLUSTER', 'prod')
      .replaceAll('$VERSION', '1.34.4')
      .replaceAll('$ZONE', 'prod.example.com');
    const { exitCode, stderr } = await userDataOf(`${command.replace('drover user-data ', '')} --no-check`);
    expect(exitCode, `${command}\n${stderr}`).toBe(0);
    expect(command).toContain(
      '--etcd-domain etcd.prod.example.com --endpoint https://api.prod.example.com:6443 ',
    );
  });

  test('is born in the sandbox with nothing but the template: members, API servers and nodes', async () => {
    const { ControlPlaneGroup, ...others } = clusterOf({ ClusterName: clusterName, ControlPlaneSize: '3' });
    if (ControlPlaneGroup === undefined) throw new Error('the template has no ControlPlaneGroup');
    // The name by which the world knows its members.
    const Properties = { ...ControlPlaneGroup.Properties, AutoScalingGroupName: 'etcd' };
    const resources = { ...others, ControlPlaneGroup: { ...ControlPlaneGroup, Properties } };
    const world = createWorldWithoutGroup({}, (made) => makeExample(made, resources));
    await untilWhole(world, 3);
    await world.timeline.until(() => nodesOf(world).length === 3, {
      withinSeconds: 300,
      what: 'a node for each instance',
    });
    expect(apiServersOf(world)).toHaveLength(3);
    expect(unexpectedProblems(world)).toEqual([]);
  });
});

const resourcesOf = (statement: object): readonly unknown[] =>
  'Resource' in statement ? [statement.Resource].flat() : [];
