import { expect } from 'vitest';
import type { Cases } from '../../../../truth/contract.ts';
import { type CliWorld, refusedCode, until } from './cli.ts';

const lines = (text: string): readonly string[] => text.trim().split(/\s+/);
const stateOf =
  'autoscaling describe-auto-scaling-instances --output text --query AutoScalingInstances[0].[LifecycleState] --instance-ids';

/** As an operator makes a group by hand. */
async function makeGroup({ aws, name }: CliWorld, size: number): Promise<void> {
  const data = { InstanceType: 'm5.large', ImageId: 'ami-0123456789abcdef0' };
  await aws(
    `ec2 create-launch-template --launch-template-name ${name} --launch-template-data`,
    JSON.stringify(data),
  );
  const subnets = lines(await aws('ec2 describe-subnets --query Subnets[].SubnetId --output text'));
  await aws(
    `autoscaling create-auto-scaling-group --auto-scaling-group-name ${name} --launch-template LaunchTemplateName=${name},Version=$Latest --min-size 0 --max-size 2 --desired-capacity ${size} --vpc-zone-identifier ${subnets.join(',')} --tags Key=team,Value=x,PropagateAtLaunch=true`,
  );
}

/** EC2 Auto Scaling. */
export const autoScalingCases: Cases<CliWorld> = {
  'groups are found by tag, and --query picks': async ({ aws, json }) => {
    const workers = '--filters Name=tag:role,Values=worker';
    const names = await aws(
      `autoscaling describe-auto-scaling-groups ${workers} --query AutoScalingGroups[].AutoScalingGroupName --output text`,
    );
    expect(names.trim()).toBe('workers');
    const group = await json(
      'autoscaling describe-auto-scaling-groups --auto-scaling-group-names workers --query',
      'AutoScalingGroups[0].{min: MinSize, wanted: DesiredCapacity, there: length(Instances)}',
    );
    expect(group).toEqual({ min: 0, wanted: 3, there: 3 });
  },

  'a list is read page by page, is cut after --max-items, and continues from its token': async ({ json }) => {
    const tags = 'autoscaling describe-tags --filters Name=auto-scaling-group,Values=workers,storage';
    const all = await json(`${tags} --page-size 1 --query Tags[].[ResourceId,Key]`);
    expect(new Set((all as readonly unknown[]).map(String)).size).toBe(4);
    const first = (await json(`${tags} --page-size 2 --max-items 2`)) as {
      readonly Tags: readonly unknown[];
      readonly NextToken: string;
    };
    expect(first.Tags).toHaveLength(2);
    const rest = await json(`${tags} --page-size 2 --starting-token ${first.NextToken}`);
    expect(rest).toMatchObject({ Tags: { length: 2 } });
  },

  'a group is made, tagged, hooked, resized within its bounds, and deleted with what runs in it': async (
    world,
  ) => {
    const { aws, json, tried, name } = world;
    await makeGroup(world, 1);
    await aws(
      `autoscaling create-or-update-tags --tags ResourceId=${name},ResourceType=auto-scaling-group,Key=a,Value=b,PropagateAtLaunch=false`,
    );
    const tags = `autoscaling describe-tags --filters Name=auto-scaling-group,Values=${name} --query Tags[].Key`;
    expect(await json(tags)).toEqual(expect.arrayContaining(['a', 'team']));
    const hook = `--auto-scaling-group-name ${name} --lifecycle-hook-name own`;
    await aws(
      `autoscaling put-lifecycle-hook ${hook} --lifecycle-transition autoscaling:EC2_INSTANCE_TERMINATING --heartbeat-timeout 600`,
    );
    expect(
      await json(
        `autoscaling describe-lifecycle-hooks --auto-scaling-group-name ${name} --query LifecycleHooks[0].[HeartbeatTimeout,DefaultResult,GlobalTimeout]`,
      ),
    ).toEqual([600, 'ABANDON', 60_000]);
    await aws(`autoscaling delete-lifecycle-hook ${hook}`);
    expect(
      await tried(`autoscaling set-desired-capacity --auto-scaling-group-name ${name} --desired-capacity 3`),
    ).toMatchObject({
      code: refusedCode,
      stderr: expect.stringContaining(
        'An error occurred (ValidationError) when calling the SetDesiredCapacity operation: New SetDesiredCapacity value 3 is above max value 2',
      ),
    });
    const deletion = `autoscaling delete-auto-scaling-group --auto-scaling-group-name ${name}`;
    expect((await tried(deletion)).stderr).toMatch(/\((ResourceInUse|ScalingActivityInProgress)\)/);
    await aws(`${deletion} --force-delete`);
    const count = `autoscaling describe-auto-scaling-groups --auto-scaling-group-names ${name} --query length(AutoScalingGroups)`;
    await until(() => aws(count), /^0$/m);
  },

  'an instance waits on a hook until it is completed by hand, and can be given more time': async (world) => {
    const { aws, json, tried, name } = world;
    await makeGroup(world, 1);
    const hook = `--auto-scaling-group-name ${name} --lifecycle-hook-name own`;
    await aws(
      `autoscaling put-lifecycle-hook ${hook} --lifecycle-transition autoscaling:EC2_INSTANCE_TERMINATING --default-result CONTINUE`,
    );
    const find = `autoscaling describe-auto-scaling-groups --auto-scaling-group-names ${name} --output text --query AutoScalingGroups[0].Instances[?LifecycleState=='InService'].InstanceId`;
    const instance = await until(() => aws(find), /^i-/);
    await aws(`ec2 wait instance-running --instance-ids ${instance}`);
    const activity = await json(
      `autoscaling terminate-instance-in-auto-scaling-group --should-decrement-desired-capacity --instance-id ${instance} --query Activity`,
    );
    expect(activity).toMatchObject({
      Description: `Terminating EC2 instance: ${instance}`,
      StartTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    });
    await until(() => aws(`${stateOf} ${instance}`), /^Terminating:Wait$/m);
    await aws(`autoscaling record-lifecycle-action-heartbeat ${hook} --instance-id ${instance}`);
    const complete = `autoscaling complete-lifecycle-action ${hook} --lifecycle-action-result CONTINUE --instance-id ${instance}`;
    await aws(complete);
    await until(() => aws(`${stateOf} ${instance}`), /^(?!Terminating:Wait)/);
    expect((await tried(complete)).stderr).toMatch(
      /\(ValidationError\) when calling the CompleteLifecycleAction operation: No active Lifecycle Action found with instance ID/,
    );
  },
};
