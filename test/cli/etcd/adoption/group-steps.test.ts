import { describe, expect, it } from 'vitest';
import type { ObservedTemplate } from '../../../../cli/adopt/plan/observation.ts';
import { groupSteps } from '../../../../cli/etcd/adoption/group-steps.ts';
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
