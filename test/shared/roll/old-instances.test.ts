import { describe, expect, test } from 'vitest';
import { changeOf, judgeAge, whyLeftOut } from '../../../shared/roll/old-instances.ts';
import { instance, launchOf, newMember, nodeOf, oldMember, rollOf, startedAt, version } from './fixture.ts';

const kubelet = (kubeletVersion: string) =>
  oldMember(1, {
    node: nodeOf(instance(1), { status: { nodeInfo: { kubeletVersion } } as never }),
  });

describe('an instance is old', () => {
  test('only if it was launched before the roll began, whatever the criterion', () => {
    const late = oldMember(1, { launch: { launchedAt: startedAt, ...launchOf(1) } });
    for (const kind of ['changed', 'all'] as const)
      expect(judgeAge(rollOf(['workers'], { criterion: { kind } }), late)).toEqual({ kind: 'new' });
    const named = { kind: 'named', instanceIds: [late.instanceId] } as const;
    expect(judgeAge(rollOf(['workers'], { criterion: named }), late)).toEqual({ kind: 'new' });
    const early = oldMember(1, { launch: { launchedAt: startedAt - 1, ...launchOf(1) } });
    expect(judgeAge(rollOf(), early)).toMatchObject({ kind: 'old' });
  });

  test('if its group launches another version, image or template', () => {
    expect(judgeAge(rollOf(), oldMember(1))).toEqual({ kind: 'old', why: 'v1 -> v2' });
    const target = { main: version(2) };
    const launch = launchOf(2);
    expect(changeOf(launch, target)).toBeUndefined();
    expect(changeOf({ ...launch, imageId: 'ami-1' }, target)).toBe('ami-1 -> ami-00000002');
    const template = { templateId: 'lt-00000000000000001', version: 2 };
    expect(changeOf({ ...launch, template }, target)).toBe('lt-00000000000000001 -> lt-0123456789abcdef0');
    expect(changeOf({ imageId: launch.imageId }, target)).toBe(
      'it was not launched from lt-0123456789abcdef0',
    );
  });

  test('unless it is of the template of an override', () => {
    const arm = { templateId: 'lt-0000000000000a64a', version: 5, imageId: 'ami-arm' };
    const target = { main: version(2), overrides: [arm] };
    expect(changeOf({ template: arm, imageId: 'ami-arm' }, target)).toBeUndefined();
    expect(changeOf({ template: { ...arm, version: 4 }, imageId: 'ami-arm' }, target)).toBe('v4 -> v5');
  });

  test('if it is named, and no other is', () => {
    const roll = rollOf(['workers'], { criterion: { kind: 'named', instanceIds: [instance(1)] } });
    expect(judgeAge(roll, oldMember(1)).kind).toBe('old');
    expect(judgeAge(roll, oldMember(2)).kind).toBe('new');
  });

  test('if it is older than asked when the roll began, not when it is looked at', () => {
    const roll = rollOf(['workers'], { criterion: { kind: 'older-than', seconds: 3600 } });
    expect(judgeAge(roll, oldMember(1))).toEqual({ kind: 'new' });
    const older = oldMember(1, { launch: { launchedAt: startedAt - 3_600_001, ...launchOf(1) } });
    expect(judgeAge(roll, older).kind).toBe('old');
  });

  test.each([
    ['v1.34.1', '1.34.2', 'old'],
    ['v1.34.1-eks-0123abc', '1.34.2', 'old'],
    ['v1.34.2', '1.34.2', 'new'],
    ['v1.34.10', '1.34.9', 'new'],
    ['v1.9.11', '1.34', 'old'],
    ['v1.34.0', '1.34', 'new'],
    ['v2.0.0', '1.34.2', 'new'],
    ['devel', '1.34.2', 'unknown'],
  ])('by its kubelet %s below %s: %s', (text, kubeletVersion, kind) => {
    const roll = rollOf(['workers'], { criterion: { kind: 'below', kubeletVersion } });
    expect(judgeAge(roll, kubelet(text)).kind).toBe(kind);
  });

  test('is not known where EC2, the Node or the target is silent', () => {
    const { launch: _, ...silent } = oldMember(1);
    expect(judgeAge(rollOf(), silent)).toEqual({ kind: 'unknown', why: 'EC2 does not describe it' });
    const roll = rollOf(['workers'], { groups: [{ autoScalingGroupName: 'workers' }] });
    expect(judgeAge(roll, oldMember(1)).kind).toBe('unknown');
    const { node: __, ...nodeless } = oldMember(1);
    const below = rollOf(['workers'], { criterion: { kind: 'below', kubeletVersion: '1.34' } });
    expect(judgeAge(below, nodeless).kind).toBe('unknown');
  });
});

describe('an old instance is left out', () => {
  test.each([
    [{ protectedFromScaleIn: true }, /protected from scale-in/],
    [{ lifecycleState: 'Standby' }, /Standby/],
    [{ lifecycleState: 'EnteringStandby' }, /EnteringStandby/],
    [{ lifecycleState: 'Warmed:Stopped' }, /warm pool/],
    [{ lifecycleState: 'Terminating:Retained' }, /keeps it for its operator/],
    [{ lifecycleState: 'Detaching' }, /Detaching/],
    [{ node: undefined as never }, /no Node/],
  ])('%o', (more, why) => {
    expect(whyLeftOut({ ...oldMember(1), ...more }, 'worker')).toMatch(why);
  });

  test('not in service, pending or leaving, nor a member of etcd without a kubelet', () => {
    for (const lifecycleState of ['InService', 'Pending:Wait', 'Terminating:Wait'])
      expect(whyLeftOut(oldMember(1, { lifecycleState }), 'worker')).toBeUndefined();
    expect(whyLeftOut({ ...newMember(1), node: undefined }, 'etcd')).toBeUndefined();
  });
});
