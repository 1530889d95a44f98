import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { planInstall } from '../../cli/hooks/plan-install.ts';
import { isManaged } from '../../shared/groups/group.ts';
import { tagProblems } from '../../shared/problems/tag-problems.ts';

const read = (file: string): string =>
  readFileSync(join(import.meta.dirname, '../../examples', file), 'utf8');

interface Template {
  readonly Parameters: { readonly DrainTimeout: { readonly Default: string } };
  readonly Resources: {
    readonly Workers: {
      readonly Properties: {
        readonly LifecycleHookSpecificationList: readonly Readonly<Record<string, unknown>>[];
        readonly Tags: readonly { readonly Key: string; readonly Value: string }[];
      };
    };
  };
}

const tag = (name: string) => ({ tag: name, resolve: (text: string) => text });
const list = (name: string) => ({ tag: name, collection: 'seq' as const });
const customTags = [...['!Ref', '!Sub', '!GetAtt'].map(tag), ...['!If', '!Equals', '!Select'].map(list)];

describe('the CloudFormation example', () => {
  const { Resources, Parameters } = parse(read('cloudformation/worker-group.yml'), {
    customTags,
  }) as Template;
  const { Tags, LifecycleHookSpecificationList: hooks } = Resources.Workers.Properties;

  it('has tags that make the group the cluster’s, and that Drover can read', () => {
    const tags = Object.fromEntries(
      Tags.map(({ Key, Value }) => [
        Key.replace(/\$\{ClusterName\}/, 'prod'),
        Value === 'DrainTimeout' ? Parameters.DrainTimeout.Default : Value,
      ]),
    );
    expect(isManaged({ tags }, 'prod')).toBe(true);
    expect(tagProblems({ autoScalingGroupName: 'workers', tags })).toEqual([]);
  });

  it('has the hook that `drover hooks install` would put', () => {
    const [hook] = hooks;
    expect(hook).toMatchObject({
      LifecycleHookName: 'drover-node-leaving',
      LifecycleTransition: 'autoscaling:EC2_INSTANCE_TERMINATING',
    });
    const installed = planInstall({
      group: { autoScalingGroupName: 'workers', tags: {}, instances: [] },
      hooks: [
        {
          lifecycleHookName: 'drover-node-leaving',
          transition: 'terminating',
          heartbeatTimeoutSeconds: Number(hook?.HeartbeatTimeout),
          globalTimeoutSeconds: 172_800,
          defaultResult: hook?.DefaultResult === 'CONTINUE' ? 'CONTINUE' : 'ABANDON',
        },
      ],
      names: {
        clusterName: 'prod',
        leavingHookName: 'drover-node-leaving',
        joiningHookName: 'drover-node-joining',
        etcdHookName: 'drover-etcd',
        etcdLaunchHookName: 'drover-etcd-launch',
      },
      wanted: { heartbeatTimeoutSeconds: 3600, defaultResult: 'CONTINUE' },
    });
    expect(installed).toEqual({ kind: 'keep', warnings: [] });
  });
});

it('the Terraform example says the same', () => {
  const terraform = read('terraform/main.tf');
  for (const words of [
    /kubernetes\.io\/cluster\/\$\{var\.cluster_name\}" += \{ value = "owned"/,
    /"drover\.dev\/role" += \{ value = "worker"/,
    /name += "drover-node-leaving"/,
    /lifecycle_transition = "autoscaling:EC2_INSTANCE_TERMINATING"/,
    /heartbeat_timeout += 3600/,
    /default_result += "CONTINUE"/,
  ])
    expect(terraform).toMatch(words);
});
