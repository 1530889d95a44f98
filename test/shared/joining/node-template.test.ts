import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { templatePatch, unreadTaints } from '../../../shared/joining/node-template.ts';
import { startupTaints } from '../../../shared/joining/startup-taints.ts';
import { joinedNode, joiningId } from '../../support/joining-context.ts';

const prefix = 'k8s.io/cluster-autoscaler/node-template';
const tags = {
  [`${prefix}/label/node-role.kubernetes.io/batch`]: '',
  [`${prefix}/label/tier`]: 'spot',
  [`${prefix}/taint/dedicated`]: 'batch:NoSchedule',
  [`${prefix}/resources/ephemeral-storage`]: '100Gi',
  'drover.dev/role': 'worker',
};

describe('the labels and taints in the tags of a group', () => {
  it('are patched into its Node, which is identified by its UID', () => {
    expect(templatePatch(joinedNode(), tags)).toEqual({
      metadata: { uid: `uid-${joiningId}`, labels: { 'node-role.kubernetes.io/batch': '', tier: 'spot' } },
      spec: { taints: [{ key: 'dedicated', value: 'batch', effect: 'NoSchedule' }] },
    });
  });

  it('are not patched if the Node has them', () => {
    const node = joinedNode();
    const complete = {
      ...node,
      metadata: { ...node.metadata, labels: { 'node-role.kubernetes.io/batch': '', tier: 'spot' } },
      spec: { ...node.spec, taints: [{ key: 'dedicated', value: 'batch', effect: 'NoSchedule' }] },
    };
    expect(templatePatch(complete, tags)).toBeUndefined();
    expect(templatePatch(joinedNode(), {})).toBeUndefined();
  });

  it('are patched only if the Node lacks them: only labels, or only taints', () => {
    const node = joinedNode();
    const labels = { 'node-role.kubernetes.io/batch': '', tier: 'spot' };
    const taints = [{ key: 'dedicated', value: 'batch', effect: 'NoSchedule' }];
    const { uid } = node.metadata ?? {};
    expect(templatePatch({ ...node, metadata: { ...node.metadata, labels } }, tags)).toEqual({
      metadata: { uid },
      spec: { taints },
    });
    expect(templatePatch({ ...node, spec: { ...node.spec, taints } }, tags)).toEqual({
      metadata: { uid, labels },
    });
    expect(templatePatch({}, tags)).toEqual({ metadata: { labels }, spec: { taints } });
  });

  it.each(['node.kubernetes.io/instance-type', 'topology.kubernetes.io/zone', 'kubernetes.io/arch'])(
    'leave what the Node reports of its machine: %s',
    (key) => {
      const promised = { [`${prefix}/label/${key}`]: 'predicted' };
      const node = joinedNode();
      const reported = { ...node, metadata: { ...node.metadata, labels: { [key]: 'real' } } };
      expect(templatePatch(reported, promised)).toBeUndefined();
      expect(templatePatch(node, promised)).toMatchObject({ metadata: { labels: { [key]: 'predicted' } } });
    },
  );

  const dedicated = { key: 'dedicated', value: 'batch', effect: 'NoSchedule' };
  it.each([
    ['of another key', [{ ...dedicated, key: 'other' }], true],
    ['of another value', [{ ...dedicated, value: 'web' }], true],
    ['without a value', [{ key: 'dedicated', effect: 'NoSchedule' }], true],
    ['of another effect', [{ ...dedicated, effect: 'NoExecute' }], true],
    ['that is the same, after another', [{ key: 'other', effect: 'NoSchedule' }, dedicated], false],
  ])('are compared with the taints of the Node: one %s', (_, taints, isLacking) => {
    const promised = { [`${prefix}/taint/dedicated`]: 'batch:NoSchedule' };
    const patch = templatePatch({ spec: { taints } }, promised);
    const kept = taints.filter(({ key, effect }) => key !== 'dedicated' || effect !== 'NoSchedule');
    expect(patch?.spec?.taints).toEqual(isLacking ? [...kept, dedicated] : undefined);
  });

  it('keep the taints that the Node has, which a patch replaces as a whole, and apply only to the Node that was read', () => {
    const node = joinedNode();
    const starting = [
      { key: 'node.cloudprovider.kubernetes.io/uninitialized', value: 'true', effect: 'NoSchedule' },
      { key: 'node.cilium.io/agent-not-ready', effect: 'NoExecute' },
    ];
    const read = {
      ...node,
      metadata: { ...node.metadata, resourceVersion: '7' },
      spec: { ...node.spec, taints: starting },
    };
    const patch = templatePatch(read, { [`${prefix}/taint/dedicated`]: 'batch:NoSchedule' });
    expect(patch?.spec?.taints).toEqual([...starting, dedicated]);
    expect(patch?.metadata.resourceVersion).toBe('7');
    expect(templatePatch(read, { [`${prefix}/label/tier`]: 'spot' })).toEqual({
      metadata: { uid: `uid-${joiningId}`, labels: { tier: 'spot' } },
    });
  });

  it('are the same taint with no value and with an empty one', () => {
    const promised = { [`${prefix}/taint/k`]: ':NoExecute' };
    for (const value of [{}, { value: '' }]) {
      const taints = [{ key: 'k', effect: 'NoExecute', ...value }];
      expect(templatePatch({ spec: { taints } }, promised)).toBeUndefined();
    }
  });

  it.each([
    [':NoExecute', { key: 'k', effect: 'NoExecute' }],
    ['v:PreferNoSchedule', { key: 'k', value: 'v', effect: 'PreferNoSchedule' }],
  ])('may be the taint %s', (value, taint) => {
    expect(templatePatch(joinedNode(), { [`${prefix}/taint/k`]: value })).toMatchObject({
      spec: { taints: [taint] },
    });
  });

  it('are not taints without a known effect', () => {
    for (const value of ['v', 'v:Never', 'NoSchedule', 'xNoSchedule', 'a:b:NoSchedule', 'v:NoScheduleX'])
      expect(templatePatch(joinedNode(), { [`${prefix}/taint/k`]: value }), value).toBeUndefined();
  });
});

describe('a tag that declares a taint in another form', () => {
  const unread = (value: string) => unreadTaints({ [`${prefix}/taint/nvidia.com/gpu`]: value });

  it.each([
    ['NoSchedule', ':NoSchedule'],
    ['NoSchedule:gpu', 'gpu:NoSchedule'],
    ['gpu:noschedule', 'gpu:NoSchedule'],
    ['gpu=NoSchedule', 'gpu:NoSchedule'],
    ['NOEXECUTE', ':NoExecute'],
    [' : PreferNoSchedule', ':PreferNoSchedule'],
    ['gpu', undefined],
    ['a:b:NoSchedule', undefined],
    ['', undefined],
  ])('is named with what was meant: %j', (value, meant) => {
    expect(unread(value)).toEqual([
      {
        tag: `${prefix}/taint/nvidia.com/gpu`,
        problem: `tag ${prefix}/taint/nvidia.com/gpu is ${JSON.stringify(value)}, not VALUE:EFFECT such as ${meant ?? 'gpu:NoSchedule'}, so it is not a taint`,
        meant,
      },
    ]);
  });

  it('is either read as a taint or named, in whatever spelling, and what was meant is read', () => {
    const word = fc.constantFrom(
      'gpu',
      '',
      'NoSchedule',
      'noschedule',
      'NoExecute',
      'PREFERNOSCHEDULE',
      'x',
      '*',
    );
    const value = fc
      .array(word, { minLength: 1, maxLength: 3 })
      .chain((words) => fc.constantFrom(':', '=', ' : ').map((separator) => words.join(separator)));
    const isRead = (text: string): boolean =>
      templatePatch({}, { [`${prefix}/taint/k`]: text }) !== undefined;
    fc.assert(
      fc.property(value, (text) => {
        const [problem] = unread(text);
        expect(problem === undefined).toBe(isRead(text));
        if (problem?.meant !== undefined) expect(isRead(problem.meant)).toBe(true);
      }),
    );
  });

  it('is not a tag of labels, resources or of others', () => {
    expect(unreadTaints({ ...tags, [`${prefix}/label/k`]: 'NoSchedule' })).toEqual([]);
  });
});

describe('the startup taints of a Node', () => {
  const withTaints = (...keys: readonly string[]) => ({
    spec: { taints: keys.map((key) => ({ key, effect: 'NoSchedule' })) },
  });

  it.each([
    'node.kubernetes.io/not-ready',
    'node.kubernetes.io/network-unavailable',
    'node.cloudprovider.kubernetes.io/uninitialized',
    'node.cluster.x-k8s.io/uninitialized',
    'startup-taint.cluster-autoscaler.kubernetes.io/gpu',
    'ignore-taint.cluster-autoscaler.kubernetes.io/gpu',
    'ebs.csi.aws.com/agent-not-ready',
    'readiness.k8s.io/NetworkReady',
  ])('include %s', (key) => {
    expect(startupTaints(withTaints(key), []).map((taint) => taint.key)).toEqual([key]);
  });

  it('include those that the group names, and no others', () => {
    const node = withTaints(
      'dedicated',
      'constructor',
      'my.example.com/starting',
      'node.kubernetes.io/unschedulable',
    );
    expect(startupTaints(node, [])).toEqual([]);
    expect(startupTaints(node, ['my.example.com/starting']).map(({ key }) => key)).toEqual([
      'my.example.com/starting',
    ]);
    expect(startupTaints({}, [])).toEqual([]);
  });
});
