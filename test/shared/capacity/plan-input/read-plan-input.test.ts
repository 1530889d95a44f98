import { describe, expect, it } from 'vitest';
import { plannedPodOf } from '../../../../shared/capacity/plan/pod.ts';
import { readPlanInput } from '../../../../shared/capacity/plan-input/read-plan-input.ts';
import type { AutoScalingGroup } from '../../../../shared/groups/group.ts';
import { type NodeSettings, podOf, rawNode } from '../plan/fixtures.ts';
import { clusterName, clusterWith, instanceId, m5Large, member, readInput, workers } from './fixtures.ts';

/** The Node of an instance. */
const nodeOf = (number: number, settings: NodeSettings = {}) => {
  const node = rawNode(`node-${number}`, settings);
  return { ...node, spec: { ...node.spec, providerID: `aws:///eu-west-1a/${instanceId(number)}` } };
};
const onNode = (name: string, number: number, more: object = {}) => {
  const pod = podOf(name, { requests: { cpu: '1' } });
  return { ...pod, spec: { ...pod.spec, nodeName: `node-${number}` }, ...more };
};
const ownedBy = (name: string, kind: string, uid = 'pod') => ({
  metadata: {
    namespace: 'shop',
    name,
    uid,
    ownerReferences: [{ apiVersion: 'apps/v1', kind, name: 'agent', uid: 'set', controller: true }],
  },
});
const growth = async (group: Partial<AutoScalingGroup>) => {
  const { groups, groupsWithoutTemplate } = await readInput({ nodes: [nodeOf(1)] }, [workers(group)]);
  return groups[0]?.mostNewNodes ?? groupsWithoutTemplate[0]?.reason;
};

describe('the nodes of a plan', () => {
  it('belong to the group whose instance they are, whatever their labels say', async () => {
    const labels = { 'eks.amazonaws.com/nodegroup': 'other', 'alpha.eksctl.io/nodegroup-name': 'other' };
    const { nodes } = await readInput({ nodes: [nodeOf(1, { labels }), nodeOf(2)] }, [
      workers({ instances: [member(1)] }),
    ]);
    expect(nodes.map(({ node }) => node.autoScalingGroupName)).toEqual(['workers', undefined]);
  });

  it('belong to no group while their instance is in Standby, because it does not count in the size', async () => {
    const states = ['InService', 'EnteringStandby', 'Standby', 'Pending'];
    const { nodes } = await readInput({ nodes: [1, 2, 3, 4].map((number) => nodeOf(number)) }, [
      workers({ instances: states.map((state, index) => member(index + 1, state)) }),
    ]);
    const groups = nodes.map(({ node }) => node.autoScalingGroupName);
    expect(groups).toEqual(['workers', undefined, undefined, 'workers']);
  });

  it('give no room as soon as Auto Scaling terminates their instance, before the Node shows it', async () => {
    const states = ['InService', 'Terminating:Wait', 'Terminating', 'Standby'];
    const { nodes } = await readInput({ nodes: [1, 2, 3, 4].map((number) => nodeOf(number)) }, [
      workers({ instances: states.map((state, index) => member(index + 1, state)) }),
    ]);
    expect(nodes.map(({ node }) => node.closed !== undefined)).toEqual([false, true, true, false]);
    expect(nodes.map(({ node }) => node.isLeaving ?? false)).toEqual([false, true, true, false]);
  });

  it('have their pods, without those that have finished, and the limits of their CSINodes', async () => {
    const csiNode = {
      metadata: { name: 'node-1' },
      spec: {
        drivers: [{ name: 'ebs.csi.aws.com', nodeID: 'x', topologyKeys: [], allocatable: { count: 25 } }],
      },
    };
    const { nodes } = await readInput(
      {
        nodes: [nodeOf(1), nodeOf(2)],
        pods: [onNode('web', 1), onNode('job', 1, { status: { phase: 'Failed' } }), onNode('api', 2)],
        csiNodes: [csiNode],
      },
      [],
    );
    expect(nodes.map(({ pods }) => pods.map(({ name }) => name))).toEqual([['web'], ['api']]);
    expect(nodes[0]?.node.attachLimits).toEqual(new Map([['ebs.csi.aws.com', 25]]));
  });
});

describe('the pods that wait', () => {
  it('are those that the scheduler tries to place', async () => {
    const gated = podOf('gated');
    const { pending, unplannable } = await readInput(
      {
        pods: [
          podOf('waits'),
          { ...podOf('leaves'), metadata: { name: 'leaves', deletionTimestamp: '2026-03-01T10:00:00Z' } },
          { ...podOf('agent-x'), ...ownedBy('agent-x', 'DaemonSet') },
          { ...podOf('web-x'), ...ownedBy('web-x', 'ReplicaSet') },
          { ...gated, spec: { ...gated.spec, schedulingGates: [{ name: 'example.com/quota' }] } },
        ],
      },
      [],
    );
    expect(pending.map(({ name }) => name)).toEqual(['waits', 'web-x']);
    expect(unplannable).toEqual([
      { namespace: 'shop', name: 'gated', reason: 'it waits for the scheduling gate example.com/quota' },
    ]);
  });

  it('of a DaemonSet do not count twice, since its new node has their room already', async () => {
    const agent = {
      metadata: { namespace: 'shop', name: 'agent' },
      spec: { selector: {}, template: podOf('agent', { requests: { cpu: '500m' } }) },
    };
    const { nodes, pending } = await readInput(
      { nodes: [nodeOf(1)], daemonSets: [agent], pods: [{ ...podOf('a'), ...ownedBy('a', 'DaemonSet') }] },
      [],
    );
    expect([nodes[0]?.pods.length, pending.length]).toEqual([1, 0]);
  });
});

describe('a pod whose claim', () => {
  const waiting = { provisioner: 'ebs.csi.aws.com', volumeBindingMode: 'WaitForFirstConsumer' };
  const needsWith = async (metadata: object, more: object = {}) => {
    const claim = { metadata: { namespace: 'shop', name: 'data', ...metadata }, spec: {}, ...more };
    const classes = [
      {
        metadata: { name: 'gp3', annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
        ...waiting,
      },
    ];
    const { surroundings } = await readInput({ claims: [claim], classes }, []);
    const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }];
    const pod = podOf('db');
    const planned = plannedPodOf(
      { ...pod, metadata: { namespace: 'shop', name: 'db' }, spec: { containers: [], volumes } },
      surroundings,
    );
    return planned.volumes;
  };

  it('is usable may go where its class allows', async () => {
    expect(await needsWith({})).toMatchObject({ nodeTerms: [], waitingClaims: ['shop/data'] });
  });

  it('is being deleted, or has lost its volume, has no place', async () => {
    const deleted = await needsWith({ deletionTimestamp: '2026-03-01T10:00:00Z' });
    expect(deleted.claimProblem).toBe('persistentvolumeclaim "data" is being deleted');
    expect((await needsWith({}, { status: { phase: 'Lost' } })).claimProblem).toMatch(/non-existent/);
  });

  it('has its volume made for a node may go only there', async () => {
    const { nodeTerms } = await needsWith({
      annotations: { 'volume.kubernetes.io/selected-node': 'node-1' },
    });
    expect(nodeTerms.flatMap(({ terms }) => terms)).toEqual([
      { matchFields: [{ key: 'metadata.name', operator: 'In', values: ['node-1'] }] },
    ]);
  });
});

describe('how far a group may grow', () => {
  it('is its MaxSize less the instances that count towards it', async () => {
    const states = ['InService', 'Pending:Wait', 'Terminating:Wait', 'Standby', 'Warmed:Stopped'];
    const instances = states.map((state, index) => member(index + 1, state));
    expect(await growth({ instances })).toBe(3);
    expect(await growth({ instances: [member(1), member(2)], maxSize: 1 })).toBe(0);
  });

  it('is not known in nodes for a group that counts units', async () => {
    expect(await growth({ instances: [member(1)], countsUnits: true })).toMatch(/units of capacity/);
  });

  it('is nothing while the group is deleted or launches nothing', async () => {
    expect(await growth({ instances: [member(1)], isBeingDeleted: true })).toMatch(/deleting the group/);
    expect(await growth({ instances: [member(1)], suspendedProcesses: ['Launch'] })).toMatch(/suspended/);
  });

  it('is asked only of worker groups that Drover manages', async () => {
    const owned = { 'kubernetes.io/cluster/prod': 'owned' };
    const groups = [
      workers({ autoScalingGroupName: 'masters', tags: { ...owned, 'drover.dev/role': 'control-plane' } }),
      workers({ autoScalingGroupName: 'etcd', tags: { ...owned, 'drover.dev/role': 'etcd' } }),
      workers({ autoScalingGroupName: 'others', tags: owned, instances: [member(1)] }),
    ];
    const input = await readInput({ nodes: [nodeOf(1)] }, groups);
    expect([input.groups, input.groupsWithoutTemplate]).toEqual([[], []]);
    expect(input.nodes[0]?.node.autoScalingGroupName).toBe('others');
  });
});

describe('the next node of a group', () => {
  it('is what its Ready nodes are, and EC2 is not asked then', async () => {
    const asked: string[] = [];
    const cluster = clusterWith({ nodes: [nodeOf(1, { labels: { pool: 'runs' } })] });
    const launches = {
      readLaunches: (groups: readonly AutoScalingGroup[]) => {
        asked.push(...groups.map(({ autoScalingGroupName }) => autoScalingGroupName));
        return Promise.resolve(new Map());
      },
    };
    const groups = [workers({ instances: [member(1)] }), workers({ autoScalingGroupName: 'empty' })];
    const input = await readPlanInput({ cluster, launches, groups, clusterName });
    expect(input.groups[0]?.template.node.labelSets[0]['pool']).toBe('runs');
    expect(asked).toEqual(['empty']);
    expect(input.groupsWithoutTemplate).toEqual([
      { autoScalingGroupName: 'empty', reason: 'nothing is known of its next node' },
    ]);
  });

  it('is what EC2 and the tags declare for a group whose only node is not Ready', async () => {
    const aws = {
      metadata: { namespace: 'kube-system', name: 'aws-node' },
      spec: { selector: {}, template: {} },
    };
    const nodes = [nodeOf(1, { ready: false })];
    const group = workers({
      instances: [member(1)],
      availabilityZones: ['eu-west-1a', 'eu-west-1b'],
    });
    const launches = new Map([['workers', { types: [m5Large] }]] as const);
    const podsWith = async (daemonSets: readonly object[] | string) => {
      const input = await readInput({ nodes, daemonSets }, [group], launches);
      return input.groups[0]?.template.node.allocatable.get('pods');
    };
    const { groups, warnings } = await readInput({ nodes }, [group], launches);
    expect(groups[0]?.template.node.labelSets.map((labels) => labels['topology.kubernetes.io/zone'])).toEqual(
      ['eu-west-1a', 'eu-west-1b'],
    );
    expect(warnings).toEqual([expect.stringMatching(/^group workers: it has no Ready node/)]);
    // The DaemonSet of the VPC CNI shows that network interfaces limit the pods. It is assumed if DaemonSets cannot be read.
    expect([await podsWith([aws]), await podsWith([]), await podsWith('forbidden')]).toEqual([29, 110, 29]);
  });

  it('is unknown with the reason of EC2', async () => {
    const launches = new Map([['workers', { types: { unknown: 'ec2:DescribeInstanceTypes is denied' } }]]);
    const { groupsWithoutTemplate } = await readInput({}, [workers()], launches);
    expect(groupsWithoutTemplate).toEqual([
      {
        autoScalingGroupName: 'workers',
        reason: expect.stringMatching(
          /^it has no Ready node, and ec2:DescribeInstanceTypes is denied: launch/,
        ),
      },
    ]);
  });

  it('has no label of an instance type if the group may launch several', async () => {
    const typeOf = async (launchSource: AutoScalingGroup['launchSource']) => {
      const labels = { 'node.kubernetes.io/instance-type': 'm5.large' };
      const group = workers({ instances: [member(1)], ...(launchSource && { launchSource }) });
      const { groups } = await readInput({ nodes: [nodeOf(1, { labels })] }, [group]);
      return groups[0]?.template.node.labelSets[0]['node.kubernetes.io/instance-type'];
    };
    const large = { instanceType: 'm5.large' };
    expect(await typeOf(undefined)).toBe('m5.large');
    expect(await typeOf({ overrides: [large, large] })).toBe('m5.large');
    expect(await typeOf({ overrides: [large, { instanceType: 'm5a.large' }] })).toBeUndefined();
    expect(await typeOf({ overrides: [{ selectsByAttributes: true }] })).toBeUndefined();
    expect(await typeOf({ overrides: [] })).toBeUndefined();
  });
});

describe('a list that cannot be read', () => {
  const claimed = (name: string) =>
    podOf(name, { spec: { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }] } });
  const claim = (spec: object) => ({ metadata: { namespace: 'shop', name: 'data' }, spec });

  it('is a warning with its consequence', async () => {
    const absent = 'forbidden';
    const { warnings } = await readInput(
      {
        namespaces: absent,
        daemonSets: absent,
        claims: absent,
        volumes: absent,
        classes: absent,
        csiNodes: absent,
        volumeAttachments: 'the API server does not serve them',
      },
      [],
    );
    expect(warnings).toEqual([
      'Namespaces cannot be read (forbidden): a namespaceSelector of pod affinity selects no namespace',
      'DaemonSets cannot be read (forbidden): new nodes are planned without their pods, so they may have less room',
      'PersistentVolumeClaims cannot be read (forbidden): pods are planned as if their claims asked nothing of a node',
      'PersistentVolumes cannot be read (forbidden): the zones of bound volumes are not known',
      'StorageClasses cannot be read (forbidden): the zones that they allow for new volumes are not known',
      'CSINodes cannot be read (forbidden): no attach limit of volumes is known',
      'VolumeAttachments cannot be read (the API server does not serve them): volumes that are attached without a pod do not count',
    ]);
  });

  it('does not make every pod with a claim impossible', async () => {
    const problems = async (objects: object) => {
      const { pending } = await readInput({ pods: [claimed('web')], ...objects }, []);
      const { claimProblem } = pending[0]?.volumes ?? {};
      return claimProblem === undefined ? [] : [claimProblem];
    };
    expect(await problems({ claims: 'forbidden' })).toEqual([]);
    expect(await problems({ claims: [claim({ volumeName: 'pv-1' })], volumes: 'forbidden' })).toEqual([]);
    expect(await problems({ claims: [claim({ storageClassName: 'gp3' })], classes: 'forbidden' })).toEqual(
      [],
    );
    // The same objects are missing in truth, if their lists were read.
    expect(await problems({})).toHaveLength(1);
    expect(await problems({ claims: [claim({ volumeName: 'pv-1' })] })).toHaveLength(1);
    expect(await problems({ claims: [claim({ storageClassName: 'gp3' })] })).toHaveLength(1);
  });
});
