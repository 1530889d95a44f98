import type { WireExample } from '../example.ts';
import { autoScalingExample as example } from './auto-scaling-example.ts';

/** What Drover changes at EC2 Auto Scaling. Of most the pages show no response. */
export const autoScalingChanges: readonly WireExample[] = [
  example('CompleteLifecycleAction', {
    request: `https://autoscaling.amazonaws.com/?Action=CompleteLifecycleAction
&AutoScalingGroupName=my-asg
&LifecycleHookName=my-lifecycle-hook
&LifecycleActionResult=CONTINUE
&LifecycleActionToken=bcd2f1b8-9a78-44d3-8a7a-4dd07EXAMPLE
&Version=2011-01-01
&AUTHPARAMS`,
    input: {
      AutoScalingGroupName: 'my-asg',
      LifecycleHookName: 'my-lifecycle-hook',
      LifecycleActionResult: 'CONTINUE',
      LifecycleActionToken: 'bcd2f1b8-9a78-44d3-8a7a-4dd07EXAMPLE',
    },
  }),

  example('CreateOrUpdateTags', {
    request: `https://autoscaling.amazonaws.com/?Action=CreateOrUpdateTags
&Tags.member.1.ResourceId=my-asg
&Tags.member.1.ResourceType=auto-scaling-group
&Tags.member.1.Key=environment
&Tags.member.1.Value=test
&Tags.member.1.PropagateAtLaunch=true
&Version=2011-01-01
&AUTHPARAMS`,
    input: {
      Tags: [
        {
          ResourceId: 'my-asg',
          ResourceType: 'auto-scaling-group',
          Key: 'environment',
          Value: 'test',
          PropagateAtLaunch: true,
        },
      ],
    },
  }),

  example('DeleteLifecycleHook', {
    request: `https://autoscaling.amazonaws.com/?Action=DeleteLifecycleHook
&AutoScalingGroupName=my-asg
&LifecycleHookName=my-hook
&Version=2011-01-01
&AUTHPARAMS`,
    input: { AutoScalingGroupName: 'my-asg', LifecycleHookName: 'my-hook' },
  }),

  example('DeleteTags', {
    request: `https://autoscaling.amazonaws.com/?Action=DeleteTags
&Tags.member.1.ResourceId=my-asg
&Tags.member.1.ResourceType=auto-scaling-group
&Tags.member.1.Key=environment
&Version=2011-01-01
&AUTHPARAMS`,
    input: { Tags: [{ ResourceId: 'my-asg', ResourceType: 'auto-scaling-group', Key: 'environment' }] },
  }),

  example('PutLifecycleHook', {
    request: `https://autoscaling.amazonaws.com/?Action=PutLifecycleHook
&LifecycleHookName=my-launch-lifecycle-hook
&HeartbeatTimeout=300
&AutoScalingGroupName=my-asg
&LifecycleTransition=autoscaling:EC2_INSTANCE_LAUNCHING
&DefaultResult=CONTINUE
&Version=2011-01-01
&AUTHPARAMS`,
    input: {
      LifecycleHookName: 'my-launch-lifecycle-hook',
      HeartbeatTimeout: 300,
      AutoScalingGroupName: 'my-asg',
      LifecycleTransition: 'autoscaling:EC2_INSTANCE_LAUNCHING',
      DefaultResult: 'CONTINUE',
    },
  }),

  example('SetDesiredCapacity', {
    request: `https://autoscaling.amazonaws.com/?Action=SetDesiredCapacity
&AutoScalingGroupName=my-asg
&HonorCooldown=false
&DesiredCapacity=2
&Version=2011-01-01
&AUTHPARAMS`,
    input: { AutoScalingGroupName: 'my-asg', HonorCooldown: false, DesiredCapacity: 2 },
  }),

  example('TerminateInstanceInAutoScalingGroup', {
    sloppy: 'the page has the namespace with https, which AWS never answers',
    request: `https://autoscaling.amazonaws.com/?Action=TerminateInstanceInAutoScalingGroup
&InstanceId=i-1234567890abcdef0
&ShouldDecrementDesiredCapacity=true
&Version=2011-01-01
&AUTHPARAMS`,
    response: `<TerminateInstanceInAutoScalingGroupResponse xmlns="http://autoscaling.amazonaws.com/doc/2011-01-01/">
  <TerminateInstanceInAutoScalingGroupResult>
    <Activity>
      <AutoScalingGroupName>my-asg</AutoScalingGroupName>
      <ActivityId>12345678-1234-1234-1234-123456789012</ActivityId>
      <Description>Terminating EC2 instance: i-1234567890abcdef0</Description>
      <Cause>At 2022-06-14T00:07:30Z instance i-1234567890abcdef0 was taken out of service.</Cause>
      <StartTime>2022-06-14T00:07:30.280Z</StartTime>
      <Details>{"Availability Zone":"us-east-1a","SubnetID":"subnet-057fa0918fEXAMPLE"}</Details>
      <Progress>0</Progress>
      <StatusCode>InProgress</StatusCode>
    </Activity>
  </TerminateInstanceInAutoScalingGroupResult>
  <ResponseMetadata>
    <RequestId>7c6e177f-f082-11e1-ac58-3714bEXAMPLE</RequestId>
  </ResponseMetadata>
</TerminateInstanceInAutoScalingGroupResponse>`,
    input: { InstanceId: 'i-1234567890abcdef0', ShouldDecrementDesiredCapacity: true },
  }),
];
