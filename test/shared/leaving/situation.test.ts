import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Ec2Instance } from '../../../shared/groups/ec2.ts';
import type { GroupInstance } from '../../../shared/groups/group.ts';
import { doubtAbout, isReason, needsEc2, situationOf } from '../../../shared/leaving/situation.ts';
import type { LeavingNotice, ReasonToLeave } from '../../../shared/passes/leaving-notice.ts';

const instanceId = 'i-0123456789abcdef0';

const inGroup = (lifecycleState: string): GroupInstance => ({
  instanceId,
  autoScalingGroupName: 'workers',
  lifecycleState,
  availabilityZone: 'eu-west-1a',
  healthy: true,
});

const inEc2 = (state: Ec2Instance['state']): Ec2Instance => ({ instanceId, state, tags: {} });

const now = Date.parse('2026-01-01T01:00:00Z');

const notice = (cause: ReasonToLeave, extra: Partial<LeavingNotice> = {}): LeavingNotice => ({
  cause,
  instanceId,
  noticedAt: '2026-01-01T00:00:00Z',
  ...extra,
});

const look = (input: {
  state?: string;
  ec2?: Ec2Instance['state'];
  notices?: LeavingNotice[];
  rebalance?: boolean;
}) =>
  situationOf({
    now,
    ...(input.state && { instance: inGroup(input.state) }),
    ...(input.ec2 && { ec2: inEc2(input.ec2) }),
    notices: input.notices ?? [notice('terminating')],
    drainOnRebalance: input.rebalance ?? false,
  });

describe('the situation of an instance', () => {
  it('past its wait is `gone` if the sweep found its Node, whatever EC2 reports besides', () => {
    const notices = [notice('instance-gone'), notice('swept', { nodeName: 'node-1' })];
    expect(look({ state: 'Terminating:Proceed', ec2: 'terminated', notices })).toMatchObject({
      kind: 'gone',
    });
    expect(look({ state: 'Terminating:Proceed', notices: [notice('instance-gone')] })).toMatchObject({
      kind: 'stays',
    });
  });

  it.each([
    ['Terminating:Wait', 'waiting'],
    ['ReplacingRootVolume', 'settling'],
    ['ReplacingRootVolume:Wait', 'waiting'],
    ['ReplacingRootVolume:Proceed', 'settling'],
    ['RootVolumeReplaced', 'settling'],
    ['Warmed:Terminating:Wait', 'waiting'],
    ['Terminating', 'settling'],
    ['Terminating:Proceed', 'gone'],
    ['Terminated', 'gone'],
    ['Terminating:Retained', 'stays'],
    ['InService', 'stays'],
    ['Pending:Wait', 'stays'],
    ['Standby', 'stays'],
    ['Warmed:Stopped', 'stays'],
  ])('in %s with a terminate action is %s', (state, kind) => {
    expect(look({ state })).toMatchObject({ kind });
  });

  it('that seems to be in service settles for a minute after its terminate action', () => {
    const sent = (secondsAgo: number) => [
      notice('terminating', { noticedAt: new Date(now - secondsAgo * 1000).toISOString() }),
    ];
    expect(look({ state: 'InService', notices: sent(59) })).toMatchObject({ kind: 'settling' });
    expect(look({ state: 'InService', notices: sent(60) })).toMatchObject({ kind: 'stays' });
  });

  it.each(['Terminating:Retained', 'Warmed:Terminating:Retained', 'Warmed:Pending:Retained'])(
    'in %s is left to the operator, whatever the notices are',
    (state) => {
      const notices = [notice('spot-interruption'), notice('instance-gone')];
      expect(look({ state, notices, ec2: 'terminated' })).toEqual({
        kind: 'stays',
        reason: 'its group retains it',
        ends: true,
      });
    },
  );

  it('is `stays` for an instance in service after a late duplicate of its terminate action', () => {
    expect(look({ state: 'InService' })).toEqual({ kind: 'stays', reason: 'it is InService' });
  });

  it.each(['spot-interruption', 'capacity-reservation', 'scheduled-change'] as const)(
    'in service with a %s is noticed',
    (cause) => {
      expect(look({ state: 'InService', ec2: 'running', notices: [notice(cause)] })).toMatchObject({
        kind: 'noticed',
      });
    },
  );

  it('follows a rebalance recommendation only if the operator turned it on', () => {
    const notices = [notice('rebalance')];
    expect(look({ state: 'InService', notices })).toMatchObject({ kind: 'stays' });
    expect(look({ state: 'InService', ec2: 'running', notices, rebalance: true })).toMatchObject({
      kind: 'noticed',
    });
  });

  it.each([
    ['spot-interruption', true, true],
    ['capacity-reservation', true, true],
    ['scheduled-change', true, true],
    ['terminating', true, false],
    ['swept', true, false],
    ['instance-gone', false, false],
    ['rebalance', false, false],
  ] as const)(
    'has a reason to leave in %s: %s while it waits, %s while it does not',
    (cause, waiting, not) => {
      const heeds = { drainOnRebalance: false };
      expect(isReason(notice(cause), { waits: true, ...heeds })).toBe(waiting);
      expect(isReason(notice(cause), { waits: false, ...heeds })).toBe(not);
    },
  );

  it.each(['spot-interruption', 'rebalance', 'capacity-reservation'] as const)(
    'settles with a %s until EC2 shows whether it may take the instance back',
    (cause) => {
      const notices = [notice(cause)];
      expect(look({ state: 'InService', notices, rebalance: true })).toMatchObject({ kind: 'settling' });
      expect(needsEc2(inGroup('InService'), notices)).toBe(true);
    },
  );

  it('believes a warning of EC2 only about a lifecycle about which EC2 sends it, however that is spelled', () => {
    const known = ['spot', 'capacity-block', 'interruptible-capacity-reservation'];
    const odd = fc
      .constantFrom(...known, 'scheduled', 'on-demand')
      .chain((text) =>
        fc.constantFrom(text, text.toUpperCase(), `${text} `, ` ${text}`, `${text}s`, text.slice(1)),
      );
    const lifecycles = fc.oneof(odd, fc.constantFrom('', undefined), fc.string());
    const warnings = fc.constantFrom('spot-interruption', 'rebalance', 'capacity-reservation');
    fc.assert(
      fc.property(lifecycles, warnings, (lifecycle, cause) => {
        const ec2 = { ...inEc2('running'), ...(lifecycle !== undefined && { lifecycle }) };
        const isSent =
          cause === 'capacity-reservation' ? known.slice(1).includes(lifecycle ?? '') : lifecycle === 'spot';
        expect(doubtAbout(notice(cause), { ec2 }) === undefined).toBe(isSent);
      }),
    );
  });

  it.each(['spot-interruption', 'rebalance', 'capacity-reservation'] as const)(
    'ignores a %s about a wait that EC2 does not describe',
    (cause) => {
      const instance = inGroup('Terminating:Wait');
      expect(doubtAbout(notice(cause), { instance })).toMatch(/EC2 does not describe it/);
      expect(doubtAbout(notice('scheduled-change'), { instance })).toBeUndefined();
    },
  );

  it('follows the notice with the earliest deadline', () => {
    const late = notice('scheduled-change');
    const soon = notice('spot-interruption', { deadline: '2026-01-01T01:02:00Z' });
    expect(look({ state: 'InService', ec2: 'running', notices: [late, soon] })).toEqual({
      kind: 'noticed',
      notice: soon,
    });
  });

  it.each([
    ['terminated', 'gone'],
    ['shutting-down', 'stays'],
    ['running', 'stays'],
    ['stopped', 'stays'],
  ] as const)('in no group and %s in EC2 is %s', (ec2, kind) => {
    expect(look({ ec2 })).toMatchObject({ kind });
  });

  it('is `missing` and not `gone` if neither Auto Scaling nor EC2 knows the instance', () => {
    expect(look({})).toMatchObject({ kind: 'missing' });
  });

  it('is `gone` once EC2 has terminated it, although its group still lists it', () => {
    const notices = [notice('instance-gone')];
    expect(look({ state: 'InService', ec2: 'terminated', notices })).toMatchObject({ kind: 'gone' });
    expect(look({ state: 'InService', ec2: 'shutting-down', notices })).toMatchObject({ kind: 'stays' });
  });

  it('past its wait ignores the echo of EC2, unless the sweep found its Node', () => {
    const echo = notice('instance-gone');
    expect(look({ state: 'Terminating:Proceed', notices: [echo] })).toMatchObject({ kind: 'stays' });
    const found = notice('instance-gone', { nodeName: 'ip-10-0-0-1' });
    expect(look({ state: 'Terminating:Proceed', notices: [found] })).toMatchObject({ kind: 'gone' });
    expect(needsEc2(inGroup('Terminating:Proceed'), [echo])).toBe(false);
  });

  it('past its wait is `gone` only once EC2 has terminated it: until then its pods run', () => {
    const state = 'Terminating:Proceed';
    expect(look({ state, ec2: 'running' })).toMatchObject({ kind: 'settling' });
    expect(look({ state, ec2: 'shutting-down' })).toMatchObject({ kind: 'settling' });
    expect(look({ state, ec2: 'terminated' })).toMatchObject({ kind: 'gone' });
    expect(needsEc2(inGroup(state), [notice('spot-interruption')])).toBe(true);
    expect(needsEc2(inGroup('Terminated'), [notice('spot-interruption')])).toBe(false);
  });

  it('in Standby with a spot warning is `noticed`: EC2 can take a detached or standby instance', () => {
    expect(look({ state: 'Standby', ec2: 'running', notices: [notice('spot-interruption')] })).toMatchObject({
      kind: 'noticed',
    });
  });

  it('on the way to a warm pool is marked as such, because it is not a termination', () => {
    const notices = [notice('terminating', { destination: 'WarmPool' })];
    expect(look({ state: 'Terminating:Wait', notices })).toEqual({
      kind: 'waiting',
      toWarmPool: true,
      keepsNode: false,
    });
  });

  it('counts Warmed:Pending:Wait as a return to the pool only with a terminate action', () => {
    const notices = [notice('terminating', { destination: 'WarmPool' })];
    expect(look({ state: 'Warmed:Pending:Wait', notices })).toEqual({
      kind: 'waiting',
      toWarmPool: true,
      keepsNode: false,
    });
    expect(look({ state: 'Warmed:Pending:Wait' })).toMatchObject({ kind: 'stays' });
  });

  it('needs EC2 only if Auto Scaling’s answer is not enough', () => {
    expect(needsEc2(inGroup('Terminating:Wait'), [notice('terminating')])).toBe(false);
    expect(needsEc2(undefined, [notice('terminating')])).toBe(true);
    expect(needsEc2(inGroup('InService'), [notice('instance-gone')])).toBe(true);
  });
});
