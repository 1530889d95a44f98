import { describe, expect, it } from 'vitest';
import type { ObservedTemplate } from '../../../../cli/adopt/plan/observation.ts';
import { groupSteps } from '../../../../cli/etcd/adoption/group-steps.ts';
import { hookNotices } from '../../../../cli/etcd/adoption/hook-steps.ts';
import type { LifecycleHook } from '../../../../shared/groups/group.ts';
import { groupAt, observed } from './observed.ts';

function commandsAt(name: string, version: string): string {
  const group = groupAt(1, false);
  const [template] = group.launch.kind === 'templates' ? group.launch.templates : [];
  const launch = { kind: 'templates' as const, templates: [{ ...(template as ObservedTemplate), version }] };
  return groupSteps({ ...group, autoScalingGroupName: name, launch }, observed())
    .flatMap(({ commands }) => commands)
    .join('\n');
}

describe('the commands for a group of the adoption', () => {
  it('send a mixed instances policy back whole: --launch-template would replace it', () => {
    const commands = commandsAt('etcd-1', '3');
    expect(commands).not.toContain('--launch-template LaunchTemplateId');
    expect(commands).toContain('MixedInstancesPolicy');
    expect(commands).toContain('lt-1:3=$VERSION_lt_1_3');
  });

  it('move no group that uses $Latest, which a new version moves by itself', () => {
    expect(commandsAt('etcd-1', '$Latest')).not.toContain('update-auto-scaling-group');
  });

  it('give a name with a comma as JSON: the shorthand of the AWS CLI would end there', () => {
    expect(commandsAt('etcd, blue', '3')).toContain('"ResourceId":"etcd, blue"');
  });
});

describe('the steps for templates of the adoption', () => {
  it('have an id each if a mixed instances policy has two versions of one template', () => {
    const group = groupAt(1, false);
    const [template] = group.launch.kind === 'templates' ? group.launch.templates : [];
    const templates = ['3', '4'].map((version) => ({
      ...(template as ObservedTemplate),
      version,
      number: Number(version),
    }));
    const ids = groupSteps({ ...group, launch: { kind: 'templates', templates } }, observed()).map(
      ({ id }) => id,
    );
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toContain('user-data/etcd-1/lt-1/4');
    expect(groupSteps(group, observed()).map(({ id }) => id)).toContain('user-data/etcd-1/lt-1');
  });

  it('make no version of a file that drover user-data could not write, on Linux and macOS', () => {
    const commands = commandsAt('etcd-1', '3');
    expect(commands).toMatch(/^drover user-data etcd .* > etcd\.sh && VERSION_lt_1_3=\$\(aws ec2/m);
    expect(commands).not.toContain('base64 -w');
  });
});

describe('a hook of etcd that is there', () => {
  const steps = (changes: Partial<LifecycleHook>, name = 'drover-etcd') => {
    const group = groupAt(1, true);
    const hooks = group.hooks.map((hook) =>
      hook.lifecycleHookName === name ? { ...hook, ...changes } : hook,
    );
    return groupSteps({ ...group, hooks }, observed()).filter(({ id }) => id.startsWith('hook/'));
  };
  const ready = { defaultResult: 'ABANDON' } as const;

  it('needs no step if it does what it must, also with another timeout', () => {
    expect(steps(ready, 'drover-etcd-launch')).toEqual([]);
    expect(steps({ ...ready, heartbeatTimeoutSeconds: 7200 }, 'drover-etcd-launch')).toEqual([]);
  });

  it('is changed if its default result is another one: an instance would serve without its member', () => {
    expect(steps({ defaultResult: 'CONTINUE' }, 'drover-etcd-launch')).toMatchObject([
      { id: 'hook/etcd-1/drover-etcd-launch', is: 'CONTINUE by default' },
    ]);
  });

  it('is changed if its heartbeat timeout is too short, and keeps a longer one', () => {
    const [step] = steps({ ...ready, heartbeatTimeoutSeconds: 30 }, 'drover-etcd-launch');
    expect(step).toMatchObject({ is: 'a heartbeat timeout of 30s' });
    expect(step?.commands.join()).toContain('--heartbeat-timeout 3600 --default-result ABANDON');
  });

  it('is removed first if it holds the other transition, which Auto Scaling does not change', () => {
    const found = steps({ ...ready, transition: 'terminating' }, 'drover-etcd-launch');
    expect(found).toMatchObject([{ is: 'it holds terminating instances' }]);
    expect(found[0]?.commands[0]).toContain('drover hooks remove etcd-1 --hook drover-etcd-launch');
    expect(found[0]?.commands[1]).toContain('EC2_INSTANCE_LAUNCHING');
  });

  it('is named with what it notifies, which may complete its waits', () => {
    const group = groupAt(1, true);
    const target = 'arn:aws:sqs:eu-west-1:123456789012:nth';
    const hooks = group.hooks.map((hook) => ({
      ...hook,
      notificationTarget: target,
      roleArn: 'arn:aws:iam::123456789012:role/hooks',
      notificationMetadata: 'a b',
    }));
    expect(hookNotices({ ...observed(), groups: [{ ...group, hooks }] })).toEqual([
      expect.stringContaining(`hook drover-etcd of etcd-1 notifies ${target} with the role`),
      expect.stringContaining('drover-etcd-launch'),
    ]);
    expect(hookNotices({ ...observed(), groups: [group] })).toEqual([]);
  });
});
