import type { Pod } from 'kubernetes-types/core/v1.d.ts';
import { describe, expect, test } from 'vitest';
import { scaleDownDisabledAnnotation } from '../../../shared/nodes/node-keys.ts';
import { decideStep } from '../../../shared/roll/decide-step.ts';
import { namesOfEmpty } from '../../../shared/roll/empty-new-nodes.ts';
import type { RollMember } from '../../../shared/roll/member.ts';
import { keepPatch, releasePatch, rollsOf } from '../../../shared/roll/node-marks.ts';
import type { StepFacts } from '../../../shared/roll/step.ts';
import { groupOf, launchOf, newMember, nodeOf, oldMember, rollOf, startedAt } from './fixture.ts';

// https://github.com/deitch/aws-asg-roller/issues/19, https://github.com/aws/containers-roadmap/issues/916

const nodeIn = ({ node }: RollMember) => node ?? nodeOf('none');
const nameIn = (member: RollMember): string => nodeIn(member).metadata?.name ?? '';

const annotated = (member: RollMember, annotations: Readonly<Record<string, string>>): RollMember => ({
  ...member,
  node: nodeOf(member.instanceId, { metadata: { name: nameIn(member), annotations } }),
});

const leaving = { ...oldMember(1), lifecycleState: 'Terminating:Wait' };
const canary = newMember(2);
const kept = annotated(canary, keepPatch(nodeIn(canary), 'june').metadata.annotations as never);

function decide(members: readonly RollMember[], more: Partial<StepFacts> = {}) {
  return decideStep({
    roll: rollOf(['workers'], { canary: 1 }),
    now: startedAt + 600_000,
    groups: [groupOf(members)],
    members,
    nodes: members.flatMap(({ node }) => node ?? []),
    others: [],
    targets: new Map(),
    refreshes: new Map(),
    failedLaunches: new Map(),
    raisedAlarms: [],
    unknownAlarms: [],
    canaries: new Map([['workers', { kind: 'waits', reason: 'it bakes' }]]),
    emptyNodes: new Set(members.map(nameIn)),
    ...more,
  });
}

/** The Nodes that autoscalers may have again, of whatever step. */
const letGoBy = (step: ReturnType<typeof decide>) =>
  (step.kind === 'release' ? step.nodes : (step.kept?.letGo ?? [])).map(({ metadata }) => metadata?.name);

describe('an empty new node', () => {
  test('is kept from autoscalers while old ones go, and only until it carries pods', () => {
    expect(decide([leaving, canary]).kept).toEqual({ keep: [canary.node], letGo: [] });
    expect(decide([leaving, kept]).kept).toBeUndefined();
    expect(decide([leaving, kept], { emptyNodes: new Set() }).kept).toEqual({ keep: [], letGo: [kept.node] });
    expect(decide([leaving, canary], { emptyNodes: new Set() }).kept).toBeUndefined();
  });

  test('takes no pass of its own', () => {
    const next = { ...oldMember(4), node: nodeOf(oldMember(4).instanceId) };
    const roll = rollOf(['workers'], { surge: 2, canary: 0 });
    expect(decide([leaving, canary, next], { roll })).toMatchObject({ kind: 'taint', kept: { letGo: [] } });
    expect(decide([leaving, canary], { roll })).toMatchObject({ kind: 'wait', kept: { letGo: [] } });
  });

  test('is let go at the end of its group, after a stop and an abort, and if it is old by now', () => {
    for (const more of [
      {},
      { roll: rollOf(['workers'], { wanted: 'aborted' as const }) },
      { seen: { startedAt, state: 'stopped' as const, reason: 'crashes', since: startedAt, told: [] } },
    ])
      expect(letGoBy(decide([kept], more))).toEqual([nameIn(kept)]);
    const retargeted = rollOf(['workers'], { startedAt: startedAt + 300_000, criterion: { kind: 'all' } });
    expect(letGoBy(decide([kept], { roll: retargeted }))).toEqual([nameIn(kept)]);
  });

  test('is neither kept nor let go while its roll is paused', () => {
    const roll = rollOf(['workers'], { canary: 1, wanted: 'paused' });
    const paused = { kind: 'wait', state: 'paused' };
    for (const step of [
      decide([leaving, canary], { roll }),
      decide([leaving, kept], { roll, emptyNodes: new Set() }),
    ]) {
      expect(step).toMatchObject(paused);
      expect(step.kept).toBeUndefined();
    }
  });

  test('is left to people who have annotated it, and to what empties it', () => {
    const others: readonly Readonly<Record<string, string>>[] = [
      { [scaleDownDisabledAnnotation]: 'true' },
      { [scaleDownDisabledAnnotation]: 'false' },
      { 'drover.dev/giving-back': new Date(startedAt).toISOString() },
    ];
    for (const annotations of others)
      expect(decide([leaving, annotated(canary, annotations)]).kept).toBeUndefined();
  });

  test('of an old launch, or one that is not Ready, is none', () => {
    const unready = { ...canary, node: { ...nodeIn(canary), status: {} } };
    expect(decide([leaving, unready]).kept).toBeUndefined();
    const earlier = newMember(3, { launch: { ...launchOf(2), launchedAt: startedAt - 1 } });
    expect(decide([leaving, earlier]).kept).toBeUndefined();
  });

  test('has no pods but those that come with each node, or have ended', () => {
    const on = (nodeName: string, more: Partial<Pod> = {}): Pod => ({
      metadata: { name: 'one', namespace: 'shop' },
      spec: { nodeName, containers: [] },
      ...more,
    });
    const owner = { apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'cni', uid: '1', controller: true };
    const nodes = ['full', 'daemon', 'finished', 'none'].map((name) => nodeOf(name, { metadata: { name } }));
    const pods = [
      on('full'),
      on('daemon', { metadata: { name: 'cni', namespace: 'shop', ownerReferences: [owner] } }),
      on('finished', { status: { phase: 'Succeeded' } }),
    ];
    expect([...namesOfEmpty(nodes, pods)]).toEqual(['daemon', 'finished', 'none']);
  });
});

test('what keeps a node names its roll, and is removed as a whole', () => {
  expect(rollsOf(nodeIn(kept))).toEqual(['june']);
  expect(releasePatch(nodeIn(kept), { roll: 'june', keepsTaint: true }).metadata.annotations).toEqual({
    'drover.dev/kept-empty': null,
    [scaleDownDisabledAnnotation]: null,
  });
  expect(
    releasePatch(nodeIn(kept), { roll: 'july', keepsTaint: false }).metadata.annotations,
  ).toBeUndefined();
});
