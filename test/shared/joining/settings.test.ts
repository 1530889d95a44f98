import { describe, expect, it } from 'vitest';
import { readSettings } from '../../../shared/groups/group-settings.ts';
import { type JoiningSettings, joiningTags } from '../../../shared/joining/settings.ts';

const defaults: JoiningSettings = { joinTimeoutSeconds: 720, onJoinFailure: 'hold' };

const read = (tags: Readonly<Record<string, string>>) => readSettings(joiningTags, { tags, defaults });

describe('how nodes of a group join', () => {
  it('has the defaults of the deployment without tags', () => {
    expect(read({ Name: 'workers' })).toEqual({ settings: defaults, problems: [] });
  });

  it.each<[string, string, Partial<JoiningSettings>]>([
    ['drover.dev/join-timeout', '1m', { joinTimeoutSeconds: 60 }],
    ['drover.dev/join-timeout', '2d', { joinTimeoutSeconds: 172_800 }],
    ['drover.dev/on-join-failure', 'hold', { onJoinFailure: 'hold' }],
    ['drover.dev/on-join-failure', 'ABANDON', { onJoinFailure: 'ABANDON' }],
    ['drover.dev/warm-pool-wait', '1s', { warmPoolWaitSeconds: 1 }],
    ['drover.dev/warm-pool-wait', '2d', { warmPoolWaitSeconds: 172_800 }],
    [
      'drover.dev/wait-for-daemonsets',
      ' kube-system/aws-node  mesh/agent.v2 ',
      { daemonSets: ['kube-system/aws-node', 'mesh/agent.v2'] },
    ],
    [
      'drover.dev/startup-taints',
      'ready.example.com/agent other_one',
      { startupTaints: ['ready.example.com/agent', 'other_one'] },
    ],
    ['drover.dev/apply-node-template', 'true', { appliesNodeTemplate: true }],
    ['drover.dev/apply-node-template', 'false', { appliesNodeTemplate: false }],
  ])('is read from the tag %s=%s', (key, value, changes) => {
    expect(read({ [key]: value })).toEqual({ settings: { ...defaults, ...changes }, problems: [] });
  });

  it.each([
    ['drover.dev/join-timeout', '59s'],
    ['drover.dev/join-timeout', '172801s'],
    ['drover.dev/join-timeout', '60.5s'],
    ['drover.dev/join-timeout', 'soon'],
    ['drover.dev/on-join-failure', 'abandon'],
    ['drover.dev/warm-pool-wait', '0s'],
    ['drover.dev/warm-pool-wait', '3d'],
    ['drover.dev/wait-for-daemonsets', ''],
    ['drover.dev/wait-for-daemonsets', ' '],
    ['drover.dev/wait-for-daemonsets', 'aws-node'],
    ['drover.dev/wait-for-daemonsets', 'kube-system/aws-node AWS/node'],
    ['drover.dev/wait-for-daemonsets', 'kube-system/aws-node,mesh/agent'],
    ['drover.dev/wait-for-daemonsets', 'a/kube-system/aws-node'],
    ['drover.dev/startup-taints', 'agent=true:NoSchedule'],
    ['drover.dev/startup-taints', '(agent'],
    ['drover.dev/apply-node-template', 'yes'],
  ])('is as the deployment has it where the tag %s=%s cannot be read, which is said', (key, value) => {
    const { settings, problems } = read({ [key]: value });
    expect(settings).toEqual(defaults);
    expect(problems).toEqual([expect.stringContaining(`tag ${key} is not`)]);
  });
});
